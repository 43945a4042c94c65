// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

namespace pawl {

std::string cut_text(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string preview_text(std::string_view text) {
  constexpr std::size_t shown = 80;
  return cut_text(text, shown);
}

}  // namespace pawl
