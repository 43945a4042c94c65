// SPDX-License-Identifier: Apache-2.0
#include "cli/backup.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"

namespace pawl::cli {
namespace {

constexpr Option backup_options[] = {server_option, json_option};
constexpr Millis longest{std::chrono::hours(12)};

Exit run_backup(const Arguments& arguments) {
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  remote->wait_for(longest);
  const auto answer = remote->post("/v2/pawl/backup", object({{"name", arguments.words()[0]}}));
  return finish(
      arguments, answer,
      answer ? fmt::format("{} on the server holds everything up to record {}; use it with --data",
                           text_of(*answer, "directory"), text_of(*answer, "lastRecord"))
             : "");
}

}  // namespace

const Command backup_command{
    .name = "backup",
    .summary = "copies the data of a server, while it works",
    .usage = "NAME [--server ADDR] [--json]",
    .details =
        "The server writes everything that was answered before to NAME, a new directory\n"
        "below the one that it was given with --backups. The copy is a data directory:\n"
        "`pawl serve --data DIR` goes on from it, `pawl verify DIR` checks it.\n",
    .example = "  pawl backup orders-monday\n",
    .options = backup_options,
    .least_words = 1,
    .most_words = 1,
    .run = run_backup,
};

}  // namespace pawl::cli
