// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

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

}  // namespace

std::string to_text(const Complaint& complaint) {
  std::string text = complaint.what;
  if (!complaint.where.empty()) text += " (" + complaint.where + ")";
  if (!complaint.why.empty()) text += ": " + complaint.why;
  if (!complaint.to_do.empty()) text += "; " + complaint.to_do;
  return text;
}

void report(const Complaint& complaint) {
  fmt::print(stderr, "{} {}\n", painted(stderr, Colour::red, "pawl:"), to_text(complaint));
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

std::string painted(std::FILE* stream, Colour colour, std::string_view text) {
  if (!shows_colour(stream)) return std::string(text);
  return fmt::format("{}{}\033[0m", code_of(colour), text);
}

}  // namespace pawl::cli
