// SPDX-License-Identifier: Apache-2.0
#include "cli/migrate.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"

namespace pawl::cli {
namespace {

constexpr Option migrate_options[] = {
    {.name = "--to",
     .value = "PROCESS[:VERSION]",
     .help = "the process to follow; without version: the latest"},
    {.name = "--map",
     .value = "SOURCE=TARGET",
     .help = "an element that has another id there",
     .repeatable = true},
    server_option,
    json_option};

// "order:3"; a process id has no colon, but one of a foreign model may.
Result<Value> body_for(const std::string& to) {
  const std::size_t colon = to.rfind(':');
  std::int32_t version = 0;
  bool numbered = false;
  if (colon != std::string::npos) {
    const char* const end = to.data() + to.size();
    const auto [stop, error] = std::from_chars(to.data() + colon + 1, end, version);
    numbered = error == std::errc() && stop == end && version > 0;
  }
  if (to.empty() || (colon != std::string::npos && !numbered)) {
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("--to: expected PROCESS or PROCESS:VERSION, not \"{}\"", to));
  }
  return object({{"processDefinitionId", numbered ? to.substr(0, colon) : to},
                 {"processDefinitionVersion", numbered ? version : -1}});
}

Result<Value> moves_of(const std::vector<std::string>& words) {
  List moves;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      return fail(Whose::caller, Code::invalid_argument,
                  fmt::format("--map: expected SOURCE=TARGET, not \"{}\"", word));
    }
    moves.push_back(object({{"sourceElementId", word.substr(0, equals)},
                            {"targetElementId", word.substr(equals + 1)}}));
  }
  return Value(std::move(moves));
}

Exit migrate(const Arguments& arguments) {
  const auto to = arguments.value("--to");
  if (!to) {
    report({.what = "migrate needs --to",
            .why = "it must know which process to follow",
            .to_do = "see pawl help migrate"});
    return Exit::usage;
  }
  const auto key = key_argument(arguments.words()[0]);
  if (!key) return refuse(key.error());
  const auto body = body_for(*to);
  if (!body) return refuse(body.error());
  const auto moves = moves_of(arguments.values("--map"));
  if (!moves) return refuse(moves.error());
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const std::string path = fmt::format("/v2/pawl/process-instances/{}/migration", number(*key));
  return finish(arguments, remote->post(path, with(*body, "mappingInstructions", *moves)),
                fmt::format("instance {} follows process {} now", number(*key), *to));
}

}  // namespace

const Command migrate_command{
    .name = "migrate",
    .summary = "lets an instance on a server go on in another version or process",
    .usage = "INSTANCE --to PROCESS[:VERSION] [--map SOURCE=TARGET]… [--server ADDR] [--json]",
    .details =
        "Every active element goes on at the element with the same id there, or at the one that\n"
        "--map names. Jobs, variables, incidents and timers stay as they are. Events that only\n"
        "the old process waits for are closed, those that only the new one has are opened. If\n"
        "anything does not fit, nothing changes.\n",
    .example = "  pawl migrate 17 --to order:3 --map ship=ship-abroad\n",
    .options = migrate_options,
    .least_words = 1,
    .most_words = 1,
    .run = migrate,
};

}  // namespace pawl::cli
