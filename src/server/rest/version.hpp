// SPDX-License-Identifier: Apache-2.0
// The level of the API that clients are told: they compare its numbers.
#pragma once

#include <string_view>

namespace pawl::server::rest {

inline constexpr std::string_view api_version = "8.9.0";

}  // namespace pawl::server::rest
