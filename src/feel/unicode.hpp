// SPDX-License-Identifier: Apache-2.0
// UTF-8 by characters. Invalid bytes count as one character each, so that nothing here can fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::feel {

// The character at `offset` (precondition: inside the text); moves `offset` behind it.
char32_t next_character(std::string_view text, std::size_t& offset);
void append_character(std::string& out, char32_t character);

std::size_t count_characters(std::string_view text);
// The byte offset of the character with this index; the size of the text if there are fewer.
std::size_t offset_of_character(std::string_view text, std::size_t index);

bool is_space(char32_t character);
// Simple case mapping for Latin, Greek and Cyrillic letters; others stay as they are.
std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);

}  // namespace pawl::feel
