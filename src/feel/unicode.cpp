// SPDX-License-Identifier: Apache-2.0
#include "feel/unicode.hpp"

namespace pawl::feel {
namespace {

int sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

bool between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

// Blocks where a capital letter is even and its small letter follows it.
bool in_even_pairs(char32_t c) {
  return between(c, 0x100, 0x137) || between(c, 0x14A, 0x177) || between(c, 0x1DE, 0x1EF) ||
         between(c, 0x1F8, 0x21F) || between(c, 0x222, 0x233) || between(c, 0x460, 0x481) ||
         between(c, 0x48A, 0x4BF) || between(c, 0x4D0, 0x52F) || between(c, 0x1E00, 0x1E95) ||
         between(c, 0x1EA0, 0x1EFF);
}

bool in_odd_pairs(char32_t c) {
  return between(c, 0x139, 0x148) || between(c, 0x179, 0x17E) || between(c, 0x4C1, 0x4CE);
}

char32_t upper(char32_t c) {
  if (between(c, 'a', 'z')) return c - 32;
  if (c < 0x80) return c;
  if ((between(c, 0xE0, 0xFE) && c != 0xF7) || between(c, 0x3B1, 0x3C1) ||
      between(c, 0x3C3, 0x3CB) || between(c, 0x430, 0x44F)) {
    return c - 32;
  }
  if (c == 0xFF) return 0x178;
  if (c == 0x3C2) return 0x3A3;
  if (c == 0x131) return 'I';
  if (between(c, 0x450, 0x45F)) return c - 80;
  if (between(c, 0x561, 0x586)) return c - 48;
  if (in_even_pairs(c)) return c & ~char32_t{1};
  if (in_odd_pairs(c)) return c % 2 == 0 ? c - 1 : c;
  return c;
}

char32_t lower(char32_t c) {
  if (between(c, 'A', 'Z')) return c + 32;
  if (c < 0x80) return c;
  if ((between(c, 0xC0, 0xDE) && c != 0xD7) || between(c, 0x391, 0x3A1) ||
      between(c, 0x3A3, 0x3AB) || between(c, 0x410, 0x42F)) {
    return c + 32;
  }
  if (c == 0x178) return 0xFF;
  if (c == 0x130) return 'i';
  if (between(c, 0x400, 0x40F)) return c + 80;
  if (between(c, 0x531, 0x556)) return c + 48;
  if (c == 0x212A) return 'k';
  if (in_even_pairs(c)) return c | 1;
  if (in_odd_pairs(c)) return c % 2 == 1 ? c + 1 : c;
  return c;
}

template <class Map>
std::string map_characters(std::string_view text, Map map) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_character(text, at);
    const char32_t mapped = map(c);
    if (mapped == c) {
      out.append(text.substr(begin, at - begin));
    } else {
      append_character(out, mapped);
    }
  }
  return out;
}

}  // namespace

char32_t next_character(std::string_view text, std::size_t& offset) {
  const auto lead = static_cast<unsigned char>(text[offset]);
  const int length = sequence_length(lead);
  if (length <= 1 || offset + static_cast<std::size_t>(length) > text.size()) {
    ++offset;
    return lead < 0x80 ? lead : 0xFFFD;
  }
  char32_t c = lead & (0xFFu >> (length + 1));
  for (int i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[offset + static_cast<std::size_t>(i)]);
    if ((byte & 0xC0) != 0x80) {
      ++offset;
      return 0xFFFD;
    }
    c = (c << 6) | (byte & 0x3F);
  }
  offset += static_cast<std::size_t>(length);
  return c;
}

void append_character(std::string& out, char32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) next_character(text, at);
  return count;
}

std::size_t offset_of_character(std::string_view text, std::size_t index) {
  std::size_t at = 0;
  for (; index > 0 && at < text.size(); --index) next_character(text, at);
  return at;
}

bool is_space(char32_t c) {
  return c == ' ' || between(c, 9, 13) || c == 0x85 || c == 0xA0 || c == 0x1680 || c == 0x180E ||
         between(c, 0x2000, 0x200B) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000 || c == 0xFEFF;
}

std::string to_upper(std::string_view text) { return map_characters(text, upper); }

std::string to_lower(std::string_view text) { return map_characters(text, lower); }

}  // namespace pawl::feel
