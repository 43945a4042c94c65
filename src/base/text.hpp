// SPDX-License-Identifier: Apache-2.0
// Texts that are shortened for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl {

// At most `limit` bytes and an ellipsis; never half a character.
std::string cut_text(std::string_view text, std::size_t limit);

// A name as it stands in a message.
std::string preview_text(std::string_view text);

}  // namespace pawl
