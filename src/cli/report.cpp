// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "value/json.hpp"

namespace pawl::cli {
namespace {

const char* code_of(Colour colour) {
  switch (colour) {
    case Colour::red:
      return "\033[31m";
    case Colour::yellow:
      return "\033[33m";
    case Colour::green:
      return "\033[32m";
    case Colour::faint:
      return "\033[2m";
  }
  return "";
}

// Of a well-formed character at the front; 0: there is none.
std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size = first < 0x80   ? 1
                           : first < 0xC2 ? 0
                           : first < 0xE0 ? 2
                           : first < 0xF0 ? 3
                           : first < 0xF5 ? 4
                                          : 0;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  }
  return size;
}

std::uint32_t number_of(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first;
  std::uint32_t number = first & (0xFFu >> (character.size() + 1));
  for (const char c : character.substr(1)) {
    number = number << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  }
  return number;
}

bool is_hidden(std::uint32_t character) {
  const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0);
  const bool direction = (character >= 0x200E && character <= 0x200F) ||
                         (character >= 0x202A && character <= 0x202E) ||
                         (character >= 0x2066 && character <= 0x2069);
  return (control && character != '\n' && character != '\t') || direction || character == 0x2028 ||
         character == 0x2029;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::uint32_t number = size == 0 ? 0 : number_of(text.substr(0, size));
    if (size == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text.front()));
    } else if (is_hidden(number)) {
      out += number > 0xFF ? fmt::format("\\u{:04X}", number) : fmt::format("\\x{:02X}", number);
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

// Hidden characters can only be in the strings of it, where the escape stands for the same.
std::string visible_json(const Value& value) {
  const std::string json = to_json(value);
  std::string_view text = json;
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = std::max<std::size_t>(character_size(text), 1);
    const std::uint32_t number = number_of(text.substr(0, size));
    if (size > 1 && is_hidden(number)) {
      out += fmt::format("\\u{:04X}", number);
    } else {
      out += text.front() == '\x7F' ? "\\u007F" : text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out;
}

void say_json(const Value& value) { fmt::print("{}\n", visible_json(value)); }

std::string to_text(const Complaint& complaint) {
  std::string text = complaint.what;
  if (!complaint.where.empty()) text += " (" + complaint.where + ")";
  if (!complaint.why.empty()) text += ": " + complaint.why;
  if (!complaint.to_do.empty()) text += "; " + complaint.to_do;
  return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return counted(std::to_string(count), one, many);
}

std::string counted(std::string_view number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == "1" ? one : many);
}

void report(const Complaint& complaint) {
  say(stderr, "{} {}\n", painted(stderr, Colour::red, "pawl:"), to_text(complaint));
}

Exit exit_for(const Error& error) {
  switch (error.whose) {
    case Whose::caller:
      return Exit::bad_input;
    case Whose::operators:
      return Exit::incident;
    case Whose::machine:
      return Exit::unreachable;
  }
  return Exit::bad_input;
}

bool shows_colour(std::FILE* stream) {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  return ::isatty(::fileno(stream)) == 1;
}

Painted painted(std::FILE* stream, Colour colour, std::string_view text) {
  if (!shows_colour(stream)) return {visible(text)};
  return {fmt::format("{}{}\033[0m", code_of(colour), visible(text))};
}

}  // namespace pawl::cli
