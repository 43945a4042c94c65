// SPDX-License-Identifier: Apache-2.0
// How the program speaks to people: one sentence per problem on standard error, in the form
// `pawl: what went wrong (where): why; what to do`, and colour only where a person looks on.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/exit_code.hpp"

namespace pawl::cli {

// Empty parts are left out, with their punctuation.
struct Complaint {
  std::string what{};   // "cannot read the file"
  std::string where{};  // "order.bpmn"
  std::string why{};    // "there is no such file"
  std::string to_do{};  // "check the path"
};

std::string to_text(const Complaint& complaint);

// Prints the complaint to standard error.
void report(const Complaint& complaint);

// The exit code for an error, by who has to act on it.
Exit exit_for(const Error& error);

enum class Colour : std::uint8_t { red, yellow, green, faint };

// True on a terminal, unless NO_COLOR is set and not empty.
bool shows_colour(std::FILE* stream);
// The text, coloured if `stream` shows colour.
std::string painted(std::FILE* stream, Colour colour, std::string_view text);

}  // namespace pawl::cli
