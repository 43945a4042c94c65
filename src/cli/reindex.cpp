// SPDX-License-Identifier: Apache-2.0
#include "cli/reindex.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/report.hpp"

namespace pawl::cli {
namespace {

Exit run_reindex(const Arguments& arguments) {
  Result<std::uint64_t> records = std::uint64_t{0};
  {
    ProgressLine line("indexing");
    records = runtime::reindex_local(arguments.words()[0], line.report());
  }
  if (!records) return refuse(records.error());
  say("the index of {} was made anew from {} records\n", arguments.words()[0], *records);
  return Exit::done;
}

}  // namespace

const Command reindex_command{
    .name = "reindex",
    .summary = "makes the index of a data directory anew from its journal",
    .usage = "DIR",
    .details =
        "The journal is the truth; the index is what queries read. A damaged index is made\n"
        "anew, as long as the journal still has all of its records. No process may be\n"
        "working in the directory.\n",
    .example = "  pawl reindex orders\n",
    .options = {},
    .least_words = 1,
    .most_words = 1,
    .run = run_reindex,
};

}  // namespace pawl::cli
