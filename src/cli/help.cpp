// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::cli {
namespace {

Exit run_help(const Arguments& arguments) {
  if (arguments.words().empty()) {
    fmt::print("{}", help_text());
    return Exit::done;
  }
  const std::string& name = arguments.words()[0];
  const Command* command = find_command(name);
  if (command == nullptr) return unknown_command(name);
  fmt::print("{}", help_text(*command));
  return Exit::done;
}

std::string left_column(const Option& option) {
  if (option.value.empty()) return std::string(option.name);
  return fmt::format("{} {}", option.name, option.value);
}

std::string options_text(std::span<const Option> options) {
  std::size_t width = 0;
  for (const Option& option : options) width = std::max(width, left_column(option).size());
  std::string text;
  for (const Option& option : options) {
    text += fmt::format("  {:<{}}  {}\n", left_column(option), width, option.help);
  }
  return text;
}

// The same for every command that talks to a server.
constexpr std::string_view signing_in =
    "\nPAWL_SERVER names the server if --server does not. PAWL_TOKEN, or PAWL_USER and\n"
    "PAWL_PASSWORD, sign in. For https://… PAWL_CA names a file with certificates (PEM) to\n"
    "trust besides those of the system.\n";

bool asks_a_server(const Command& command) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [](const Option& option) { return option.name == "--server"; });
}

}  // namespace

const Command help_command{
    .name = "help",
    .summary = "says what a command does and how it is written",
    .usage = "[COMMAND]",
    .details = "Without COMMAND it lists the commands.\n",
    .example = "  pawl help check\n",
    .options = {},
    .least_words = 0,
    .most_words = 1,
    .run = run_help,
};

std::string help_text(const Command& command) {
  std::string text = fmt::format("pawl {}: {}\n\nusage: pawl {} {}\n\n{}", command.name,
                                 command.summary, command.name, command.usage, command.details);
  if (!command.options.empty()) text += "\noptions:\n" + options_text(command.options);
  if (asks_a_server(command)) text += signing_in;
  if (!command.example.empty()) text += fmt::format("\nexample:\n{}", command.example);
  return text;
}

std::string help_text() {
  std::string text = "pawl runs BPMN processes that must not be lost.\n\ncommands:\n";
  for (const Command* command : commands()) {
    text += fmt::format("  {:<11}{}\n", command->name, command->summary);
  }
  text +=
      "\n`pawl help COMMAND` says more, with an example; `pawl --version` prints the version.\n"
      "exit codes: 0 done, 1 wrong input, 2 wrong usage, 3 incident or failure,\n"
      "            4 nothing more can happen, 5 store or server not reached\n";
  return text;
}

}  // namespace pawl::cli
