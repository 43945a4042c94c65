// SPDX-License-Identifier: Apache-2.0
#include "cli/verify.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/report.hpp"

namespace pawl::cli {
namespace {

void print_notes(const runtime::Verdict& verdict) {
  if (!verdict.complete) {
    say("  older records are in the index alone; they were checked from there\n");
  }
  if (!verdict.unfinished.empty()) {
    say("  {}; nobody was told about it, the next start cuts it\n", verdict.unfinished);
  }
  if (verdict.unindexed > 0) {
    say("  {} not in the index yet; the next start adds what is missing\n",
        counted(verdict.unindexed, "record is", "records are"));
  }
}

Exit run_verify(const Arguments& arguments) {
  const std::string& directory = arguments.words()[0];
  Result<runtime::Verdict> verdict = runtime::Verdict{};
  {
    ProgressLine line("checking");
    verdict = runtime::verify_local(directory, line.report());
  }
  if (!verdict) return refuse(verdict.error());
  say("{}: {} in {}, {} bytes; {}\n", directory, counted(verdict->records, "record", "records"),
      counted(verdict->segments, "journal file", "journal files"), verdict->bytes,
      counted(verdict->instances, "instance", "instances"));
  print_notes(*verdict);
  if (verdict->problems.empty()) {
    say("{}\n", painted(stdout, Colour::green, "everything is right"));
    return Exit::done;
  }
  for (const std::string& problem : verdict->problems) report({.what = problem});
  report({.what = counted(verdict->problems.size(), "problem was found", "problems were found"),
          .where = directory,
          .to_do = "a wrong index is made anew by pawl reindex; a damaged journal needs a backup"});
  return Exit::bad_input;
}

}  // namespace

const Command verify_command{
    .name = "verify",
    .summary = "checks that a data directory is whole",
    .usage = "DIR",
    .details =
        "Reads every frame of the journal, folds every instance from its events, and\n"
        "compares the index with what the journal gives. Changes nothing. No process may\n"
        "be working in the directory. Exit code 1 if anything is wrong.\n",
    .example = "  pawl verify orders\n",
    .options = {},
    .least_words = 1,
    .most_words = 1,
    .run = run_verify,
};

}  // namespace pawl::cli
