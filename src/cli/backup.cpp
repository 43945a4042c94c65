// SPDX-License-Identifier: Apache-2.0
#include "cli/backup.hpp"

#include <fmt/format.h>

#include <filesystem>

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
  const std::string directory = std::filesystem::absolute(arguments.words()[0]).string();
  remote->wait_for(longest);
  const auto answer = remote->post("/v2/pawl/backup", object({{"directory", directory}}));
  return finish(arguments, answer,
                answer ? fmt::format("{} holds everything up to record {}; use it with --data",
                                     directory, text_of(*answer, "lastRecord"))
                       : "");
}

}  // namespace

const Command backup_command{
    .name = "backup",
    .summary = "copies the data of a server, while it works",
    .usage = "DIR [--server ADDR] [--json]",
    .details =
        "The server writes to DIR, a new directory on its machine: everything that was\n"
        "answered before. The copy is a data directory: `pawl serve --data DIR` goes on\n"
        "from it, `pawl verify DIR` checks it.\n",
    .example = "  pawl backup /var/backups/orders-monday\n",
    .options = backup_options,
    .least_words = 1,
    .most_words = 1,
    .run = run_backup,
};

}  // namespace pawl::cli
