// SPDX-License-Identifier: Apache-2.0
#include "bpmn/encoding.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>

#include "base/ascii.hpp"

namespace pawl::bpmn {
namespace {

using namespace std::string_view_literals;

Error bad_encoding(std::string text) { return fail(Whose::caller, Code::bad_xml, std::move(text)); }

void append_utf8(std::string& out, std::uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | (point >> 6));
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | (point >> 12));
    out += static_cast<char>(0x80 | ((point >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (point >> 18));
    out += static_cast<char>(0x80 | ((point >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((point >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  }
}

// Length of the well-formed sequence at `at` (Unicode 15, table 3-7); 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

Result<std::string> checked_utf8(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) {
      return bad_encoding(fmt::format(
          "line {} has bytes that are not UTF-8; save the file as UTF-8, or declare its encoding",
          line));
    }
    if (text[at] == '\0') {
      return bad_encoding(fmt::format("line {} has a zero byte; this is not an XML text", line));
    }
    if (text[at] == '\n') ++line;
    at += length;
  }
  return std::string(text);
}

Result<std::string> from_utf16(std::string_view bytes, bool big_endian) {
  if (bytes.size() % 2 != 0) return bad_encoding("the file is cut off in the middle of UTF-16");
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const auto a = static_cast<unsigned char>(bytes[at]);
    const auto b = static_cast<unsigned char>(bytes[at + 1]);
    return big_endian ? (a << 8 | b) : (b << 8 | a);
  };
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    std::uint32_t point = unit(at);
    const bool high = point >= 0xD800 && point <= 0xDBFF;
    const bool low = point >= 0xDC00 && point <= 0xDFFF;
    if (high && at + 3 < bytes.size()) {
      const std::uint32_t second = unit(at + 2);
      if (second < 0xDC00 || second > 0xDFFF) return bad_encoding("the file is not valid UTF-16");
      point = 0x10000 + ((point - 0xD800) << 10) + (second - 0xDC00);
      at += 2;
    } else if (high || low || point == 0) {
      return bad_encoding("the file is not valid UTF-16");
    }
    append_utf8(out, point);
  }
  return out;
}

// What Windows-1252 has at 0x80 … 0x9F, where Latin-1 has control characters.
constexpr std::array<std::uint16_t, 32> windows_1252 = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

std::string from_latin1(std::string_view bytes, bool windows) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const std::uint32_t byte = static_cast<unsigned char>(c);
    append_utf8(out, windows && byte >= 0x80 && byte < 0xA0 ? windows_1252[byte - 0x80] : byte);
  }
  return out;
}

// The encoding an XML declaration names, in lower case; empty if there is none.
std::string declared_encoding(std::string_view text) {
  if (text.substr(0, 5) != "<?xml") return {};
  const std::string_view declaration = text.substr(0, text.find("?>"));
  const std::size_t key = declaration.find("encoding");
  if (key == std::string_view::npos) return {};
  const std::size_t open = declaration.find_first_of("\"'", key);
  if (open == std::string_view::npos) return {};
  const std::size_t close = declaration.find(declaration[open], open + 1);
  if (close == std::string_view::npos) return {};
  std::string name(declaration.substr(open + 1, close - open - 1));
  for (char& c : name) c = lower(c);
  return name;
}

}  // namespace

Result<std::string> to_utf8(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF"sv) return checked_utf8(bytes.substr(3));
  if (bytes.substr(0, 2) == "\xFE\xFF"sv) return from_utf16(bytes.substr(2), true);
  if (bytes.substr(0, 2) == "\xFF\xFE"sv) return from_utf16(bytes.substr(2), false);
  if (bytes.substr(0, 2) == "\0<"sv) return from_utf16(bytes, true);
  if (bytes.substr(0, 2) == "<\0"sv) return from_utf16(bytes, false);

  const std::string encoding = declared_encoding(bytes);
  if (encoding.empty() || encoding == "utf-8" || encoding == "utf8" || encoding == "us-ascii" ||
      encoding == "ascii") {
    return checked_utf8(bytes);
  }
  if (encoding == "iso-8859-1" || encoding == "latin1") return from_latin1(bytes, false);
  if (encoding == "windows-1252" || encoding == "cp1252") return from_latin1(bytes, true);
  return bad_encoding(fmt::format("the encoding \"{}\" is not supported; save the file as UTF-8",
                                  encoding.substr(0, 40)));
}

}  // namespace pawl::bpmn
