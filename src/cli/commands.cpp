// SPDX-License-Identifier: Apache-2.0
// The table of commands, and how a command line finds its row.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "cli/activate.hpp"
#include "cli/backup.hpp"
#include "cli/check.hpp"
#include "cli/command.hpp"
#include "cli/control.hpp"
#include "cli/deploy.hpp"
#include "cli/feel.hpp"
#include "cli/help.hpp"
#include "cli/incidents.hpp"
#include "cli/instances.hpp"
#include "cli/jobs.hpp"
#include "cli/loop.hpp"
#include "cli/migrate.hpp"
#include "cli/nearest.hpp"
#include "cli/reindex.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"
#include "cli/serve.hpp"
#include "cli/show.hpp"
#include "cli/start.hpp"
#include "cli/top.hpp"
#include "cli/verify.hpp"
#include "cli/worker.hpp"

namespace pawl::cli {
namespace {

constexpr std::array table{
    &run_command,     &serve_command,     &check_command,     &feel_command,    &deploy_command,
    &start_command,   &instances_command, &show_command,      &cancel_command,  &set_command,
    &publish_command, &signal_command,    &incidents_command, &resolve_command, &jobs_command,
    &loop_command,    &activate_command,  &migrate_command,   &worker_command,  &top_command,
    &backup_command,  &verify_command,    &reindex_command,   &help_command,
};

Exit wrong_usage(Complaint complaint) {
  report(complaint);
  return Exit::usage;
}

Exit run_command_line(const Command& command, std::span<const std::string> words) {
  auto arguments = Arguments::parse(words, command.options);
  const std::string see = fmt::format("see pawl help {}", command.name);
  if (!arguments) return wrong_usage({.what = arguments.error().text, .to_do = see});
  if (arguments->has("--help")) {
    fmt::print("{}", help_text(command));
    return Exit::done;
  }
  const std::size_t count = arguments->words().size();
  if (count < command.least_words) {
    return wrong_usage({.what = "the command line is too short",
                        .why = fmt::format("usage: pawl {} {}", command.name, command.usage),
                        .to_do = see});
  }
  if (count > command.most_words) {
    return wrong_usage({.what = "there is a word too many",
                        .where = arguments->words()[command.most_words],
                        .why = fmt::format("usage: pawl {} {}", command.name, command.usage),
                        .to_do = "put quotes around an argument with spaces"});
  }
  return command.run(*arguments);
}

}  // namespace

std::span<const Command* const> commands() { return table; }

const Command* find_command(std::string_view name) {
  for (const Command* command : table) {
    if (command->name == name) return command;
  }
  return nullptr;
}

Exit unknown_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Command* command : table) names.push_back(command->name);
  const auto near = nearest(name, names);
  return wrong_usage({.what = fmt::format("there is no command \"{}\"", name),
                      .to_do = near ? fmt::format("did you mean \"{}\"?", *near)
                                    : std::string("pawl help lists the commands")});
}

Exit run_program(std::span<const std::string> words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", help_text());
    return Exit::usage;
  }
  const std::string& first = words[0];
  if (first == "--version") {
    fmt::print("pawl {}\n", PAWL_VERSION);
    return Exit::done;
  }
  if (first == "--help" || first == "-h") {
    fmt::print("{}", help_text());
    return Exit::done;
  }
  if (first.starts_with("-")) {
    return wrong_usage({.what = fmt::format("there is no option {} before a command", first),
                        .to_do = "write pawl COMMAND first; pawl help lists the commands"});
  }
  const Command* command = find_command(first);
  return command != nullptr ? run_command_line(*command, words.subspan(1)) : unknown_command(first);
}

}  // namespace pawl::cli
