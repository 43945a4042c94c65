// SPDX-License-Identifier: Apache-2.0
// Texts, by characters: positions begin at 1, negative ones count from the end.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "feel/builtins/builtins.hpp"
#include "feel/unicode.hpp"

namespace pawl::feel {
namespace {

// The argument read by characters.
std::string_view walked_text(Call& call) {
  call.machine.charge(call.text(0).size(), cost::walked);
  return call.text(0);
}

Value substring(Call& call) {
  const std::string_view text = walked_text(call);
  const auto start = call.whole(1);
  const auto count = static_cast<std::int64_t>(count_characters(text));
  if (!start || *start == 0) return call.refuse("the start position must not be 0");
  const std::int64_t first = *start > 0 ? *start - 1 : std::max<std::int64_t>(count + *start, 0);
  std::int64_t length = count;
  if (call.has(2)) {
    const auto wanted = call.whole(2);
    if (!wanted || *wanted < 1) return call.refuse("the length must be at least 1");
    length = *wanted;
  }
  if (first >= count) return "";
  const std::size_t begin = offset_of_character(text, static_cast<std::size_t>(first));
  const std::string_view rest = text.substr(begin);
  const std::size_t end =
      offset_of_character(rest, static_cast<std::size_t>(std::min(length, count)));
  return call.machine.text(rest.substr(0, end));
}

Value string_length(Call& call) {
  return static_cast<std::int64_t>(count_characters(walked_text(call)));
}

Value upper_case(Call& call) {
  call.machine.check_text(call.text(0).size());
  return to_upper(walked_text(call));
}

Value lower_case(Call& call) {
  call.machine.check_text(call.text(0).size());
  return to_lower(walked_text(call));
}

// Where the second argument is in the first; npos if nowhere. memmem() takes a time that grows with
// the sum of the sizes; find() of the library with their product.
std::size_t found_at(Call& call) {
  const std::string_view text = call.text(0);
  const std::string_view wanted = call.text(1);
  if (wanted.empty()) return 0;
  if (wanted.size() > text.size()) return std::string_view::npos;
  if (wanted.size() == 1) {
    call.machine.charge(text.size(), cost::compared);
    return text.find(wanted.front());
  }
  call.machine.charge(text.size() + wanted.size(), cost::scanned);
  const void* found = memmem(text.data(), text.size(), wanted.data(), wanted.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

Value substring_before(Call& call) {
  const std::size_t at = found_at(call);
  if (at == std::string_view::npos) return "";
  return call.machine.text(call.text(0).substr(0, at));
}

Value substring_after(Call& call) {
  const std::size_t at = found_at(call);
  if (at == std::string_view::npos) return "";
  return call.machine.text(call.text(0).substr(at + call.text(1).size()));
}

Value contains_text(Call& call) { return found_at(call) != std::string_view::npos; }

Value starts_with(Call& call) {
  if (call.text(0).size() < call.text(1).size()) return false;
  call.machine.charge(call.text(1).size(), cost::compared);
  return call.text(0).substr(0, call.text(1).size()) == call.text(1);
}

Value ends_with(Call& call) {
  const std::string_view text = call.text(0);
  const std::string_view end = call.text(1);
  if (text.size() < end.size()) return false;
  call.machine.charge(end.size(), cost::compared);
  return text.substr(text.size() - end.size()) == end;
}

// Null items are left out.
Value string_join(Call& call) {
  const std::string_view delimiter = call.has(1) ? call.text(1) : "";
  const std::string_view prefix = call.arguments.size() > 2 && call.has(2) ? call.text(2) : "";
  const std::string_view suffix = call.arguments.size() > 3 && call.has(3) ? call.text(3) : "";
  std::size_t bytes = prefix.size() + suffix.size();
  call.machine.charge(call.list(0).size(), cost::item);
  for (const auto& item : call.list(0)) {
    if (item.is_null()) continue;
    if (!item.is_string()) return call.refuse(fmt::format("can't join {}", preview(item, 40)));
    bytes += item.as_string().size() + delimiter.size();
  }
  call.machine.check_text(bytes);
  std::string joined(prefix);
  joined.reserve(bytes);
  bool is_first = true;
  for (const auto& item : call.list(0)) {
    if (item.is_null()) continue;
    if (!is_first) joined += delimiter;
    is_first = false;
    joined += item.as_string();
  }
  joined += suffix;
  return joined;
}

Value trim(Call& call) {
  const std::string_view text = walked_text(call);
  std::size_t begin = text.size();
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    if (is_space(next_character(text, at))) continue;
    begin = std::min(begin, here);
    end = at;
  }
  return begin >= end ? Value("") : call.machine.text(text.substr(begin, end - begin));
}

Value is_blank(Call& call) {
  const std::string_view text = call.text(0);
  bool is_all_blank = true;
  std::size_t at = 0;
  while (is_all_blank && at < text.size()) is_all_blank = is_space(next_character(text, at));
  call.machine.charge(at, cost::walked);
  return is_all_blank;
}

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Value to_base64(Call& call) {
  const std::string_view text = walked_text(call);
  call.machine.check_text(text.size() / 3 * 4 + 4);
  std::string out;
  out.reserve(text.size() / 3 * 4 + 4);
  for (std::size_t at = 0; at < text.size(); at += 3) {
    const std::size_t size = std::min<std::size_t>(3, text.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < size ? static_cast<unsigned char>(text[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= size ? base64_digits[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return out;
}

Value from_base64(Call& call) {
  std::string_view text = walked_text(call);
  if (text.size() % 4 != 0) return call.refuse("this is no base64");
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  call.machine.check_text(text.size());
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::size_t digit = base64_digits.find(c);
    if (digit == std::string_view::npos) return call.refuse("this is no base64");
    bits = (bits << 6 | static_cast<std::uint32_t>(digit)) & 0xFFFF;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xFF);
  }
  return out;
}

// Version 4, from the random numbers of the environment.
Value uuid(Call& call) {
  call.machine.charge(cost::chance);
  const std::uint64_t high = (call.machine.random() & ~0xF000ull) | 0x4000u;
  const std::uint64_t low = (call.machine.random() & ~(3ull << 62)) | (2ull << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xFFFF,
                     high & 0xFFFF, low >> 48, low & 0xFFFF'FFFF'FFFFull);
}

constexpr Builtin string_table[] = {
    {"substring(string: string, start position: number, length?: number)", substring},
    {"string length(string: string)", string_length},
    {"upper case(string: string)", upper_case},
    {"lower case(string: string)", lower_case},
    {"substring before(string: string, match: string)", substring_before},
    {"substring after(string: string, match: string)", substring_after},
    {"contains(string: string, match: string)", contains_text},
    {"starts with(string: string, match: string)", starts_with},
    {"ends with(string: string, match: string)", ends_with},
    {"string join(list: list, delimiter?: string?)", string_join},
    {"string join(list: list, delimiter: string?, prefix: string?, suffix: string?)", string_join},
    {"trim(string: string)", trim},
    {"is blank(string: string)", is_blank},
    {"to base64(value|string: string)", to_base64},
    {"from base64(value|string: string)", from_base64},
    {"uuid()", uuid},
};

}  // namespace

std::span<const Builtin> string_builtins() { return string_table; }

}  // namespace pawl::feel
