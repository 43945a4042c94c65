// SPDX-License-Identifier: Apache-2.0
// The bytes of an XML file as UTF-8. Knows UTF-8, UTF-16, Latin-1 and Windows-1252; anything else,
// and bytes that are not what they claim to be, are an error that says where.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pawl::bpmn {

Result<std::string> to_utf8(std::string_view bytes);

}  // namespace pawl::bpmn
