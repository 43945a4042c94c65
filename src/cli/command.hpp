// SPDX-License-Identifier: Apache-2.0
// A command of the program is a row: its name, what help shows, and the function that runs it.
// One file per command; the table of them is in commands.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/exit_code.hpp"

namespace pawl::cli {

struct Command {
  std::string_view name{};
  std::string_view summary{};  // one line, for the list of commands
  std::string_view usage{};    // what follows "pawl NAME"
  std::string_view details{};  // paragraphs, at most 80 columns wide
  std::string_view example{};  // a command line to copy, and what it prints
  std::span<const Option> options{};
  std::size_t least_words{0};  // how many words that are no options it needs,
  std::size_t most_words{0};   // and how many it takes
  Exit (*run)(const Arguments& arguments){};
};

// All commands, in the order help lists them.
std::span<const Command* const> commands();
const Command* find_command(std::string_view name);  // null: there is none

// Says that there is no such command, and which one may have been meant.
Exit unknown_command(std::string_view name);

// What `pawl help COMMAND` and `pawl COMMAND --help` print, and what `pawl help` does.
std::string help_text(const Command& command);
std::string help_text();

// Finds and runs the command; the words are those after the program's name.
Exit run_program(std::span<const std::string> words);

}  // namespace pawl::cli
