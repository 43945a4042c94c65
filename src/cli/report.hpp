// SPDX-License-Identifier: Apache-2.0
// How the program speaks to people: one sentence per problem on standard error, in the form
// `pawl: what went wrong (where): why; what to do`, and colour only where a person looks on.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "cli/exit_code.hpp"
#include "value/value.hpp"

namespace pawl::cli {

// Empty parts are left out, with their punctuation.
struct Complaint {
  std::string what{};   // "cannot read the file"
  std::string where{};  // "order.bpmn"
  std::string why{};    // "there is no such file"
  std::string to_do{};  // "check the path"
};

std::string to_text(const Complaint& complaint);

// The text as a terminal may show it: control characters, signs that change the direction of
// writing, and bytes that are no UTF-8 are written as \x1B or \u202E. Line ends and tabs stay.
std::string visible(std::string_view text);

// Text that is visible already, in a colour of ours.
struct Painted {
  std::string text;
};

// A part of what is said, as it may be shown. Only `Painted` may change the colour: texts come from
// workers, models and servers too.
template <class Part>
auto shown(const Part& part) {
  if constexpr (std::is_same_v<Part, Painted>) {
    return part.text;
  } else if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
    return visible(part);
  } else {
    static_assert(std::is_arithmetic_v<Part>, "a text that nobody has looked at");
    return part;
  }
}
template <class Part>
using Shown = decltype(shown(std::declval<const Part&>()));

// Prints text for people.
template <class... Parts>
void say(std::FILE* stream, fmt::format_string<Shown<Parts>...> form, const Parts&... parts) {
  fmt::print(stream, form, shown(parts)...);
}
template <class... Parts>
void say(fmt::format_string<Shown<Parts>...> form, const Parts&... parts) {
  fmt::print(stdout, form, shown(parts)...);
}

// Prints it on a line for programs. What a terminal would obey is written as \u009B there, which is
// the same JSON.
std::string visible_json(const Value& value);
void say_json(const Value& value);

// "1 retry", "2 retries"; also of a number that is text already.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);
std::string counted(std::string_view number, std::string_view one, std::string_view many);

// Prints the complaint to standard error.
void report(const Complaint& complaint);

// The exit code for an error, by who has to act on it.
Exit exit_for(const Error& error);

enum class Colour : std::uint8_t { red, yellow, green, faint };

// True on a terminal, unless NO_COLOR is set and not empty.
bool shows_colour(std::FILE* stream);
// The text, made visible, coloured if `stream` shows colour.
Painted painted(std::FILE* stream, Colour colour, std::string_view text);

}  // namespace pawl::cli
