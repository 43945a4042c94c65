// SPDX-License-Identifier: Apache-2.0
// The durable runtime: what W1 to W6 cost when every reply waits for the disk, against the raw log
// and SQLite with the same bytes in the same groups; a very large loop; very many open instances.
// Options: --seconds N (of each workload; 5), --shards N (1), --under-way N (4000), --window MS
// (of the index), --only NAME (raw is measured with w1), --raw no (not), --directory DIR.
#include <fmt/format.h>

#include <cstring>

#include "base/allocator.hpp"
#include "durable/checks.hpp"
#include "durable/measure.hpp"
#include "raw/commits.hpp"

namespace {

using namespace pawl;
using namespace pawl::bench;

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string name = arguments[i];
    const std::string value = i + 1 < count ? arguments[i + 1] : "";
    if (name == "--seconds")
      options.seconds = std::stod(value);
    else if (name == "--shards")
      options.shards = static_cast<std::uint32_t>(std::stoul(value));
    else if (name == "--under-way")
      options.under_way = std::stoul(value);
    else if (name == "--window")
      options.window = Millis(std::stol(value));
    else if (name == "--only")
      options.only = value;
    else if (name == "--directory")
      options.parent = value;
    else if (name == "--raw")
      options.compares = value != "no";
    else if (name.starts_with("--benchmark_"))
      --i;  // for the others that make bench runs
    else {
      fmt::print(stderr, "bench_durable: {}: no such option; bench/durable.cpp lists them\n", name);
      std::exit(2);
    }
  }
  return options;
}

bool check(bool right, const std::string& what) {
  fmt::print("{} {}\n", right ? "yes" : "NO ", what);
  return right;
}

void print(const char* name, const Outcome& outcome) {
  fmt::print(
      "{:<26} {:>9.0f} {:>9.0f} {:>8.1f} {:>8.0f} {:>8.1f} {:>8.1f} {:>8.0f} {:>8} {:>7.2f}\n",
      name, outcome.workflows, outcome.turns, outcome.micros, outcome.bytes, outcome.median,
      outcome.late,
      static_cast<double>(outcome.commits.turns) /
          static_cast<double>(std::max<std::uint64_t>(1, outcome.commits.count)),
      outcome.backlog, outcome.catch_up);
  const ThreadMicros& of = outcome.threads;
  fmt::print("{:>50} = shard {:.1f} + committer {:.1f} + index {:.1f} + load {:.1f}\n", "",
             of.shards, of.committer, of.indexer, of.rest);
}

// --- workloads ----------------------------------------------------------------------------------

struct Workload {
  const char* name;
  const char* what;
  Outcome (*run)(const Options&);
};

constexpr Workload workloads[] = {
    {"w1", "W1 start, job, end", [](const Options& o) { return run_sequence(o, 1); }},
    {"w2", "W2 10 jobs in sequence", [](const Options& o) { return run_sequence(o, 10); }},
    {"w3", "W3 100 parallel jobs", run_parallel},
    {"w4", "W4 100,000 timers", run_timers},
    {"w5", "W5 message", run_messages},
    {"w6", "W6 10 FEEL scripts", run_scripts}};

// SQLite with `batch` turns in each transaction.
void compare_with_sqlite(const Options& options, const Outcome& w1, Shape shape, const char* how) {
  Figures& sqlite = shared<Figures>();
  const double seconds = std::min(options.seconds, 5.0);
  in_child([&] { sqlite = measure_sqlite(options.parent, shape, seconds); });
  fmt::print(
      "raw SQLite, {:>4} per commit {:>9.0f} turns/s, {:>6.2f} µs CPU each, {:>5.2f} ms per "
      "commit; "
      "W1 makes {:.2f} times as many{}\n",
      shape.batch, sqlite.per_second, sqlite.micros, sqlite.median, w1.turns / sqlite.per_second,
      how);
}

// The same bytes: the log alone; SQLite as a log with groups of the same size; and SQLite as an
// engine uses it that keeps its state there, with one or few turns in a transaction. W1 is all the
// work of a workflow, the others only write its bytes.
void compare_with_raw(const Options& options, const Outcome& w1) {
  const Shape shape{.bytes = w1.commits.bytes / w1.commits.turns,
                    .batch = w1.commits.turns / w1.commits.count};
  Figures& log = shared<Figures>();
  const double seconds = std::min(options.seconds, 5.0);
  in_child([&] { log = measure_log(options.parent, shape, Way::reused, seconds); });
  fmt::print("\n{} bytes per turn, {} turns per commit, as W1 had them; all durable:\n",
             shape.bytes, shape.batch);
  fmt::print(
      "raw log,    {:>4} per commit {:>9.0f} turns/s, {:>6.2f} µs CPU each, {:>5.2f} ms per "
      "commit\n",
      shape.batch, log.per_second, log.micros, log.median);
  compare_with_sqlite(options, w1, shape, ", with state, jobs, replies and index");
  compare_with_sqlite(options, w1, {.bytes = shape.bytes, .batch = 8}, "");
  compare_with_sqlite(options, w1, {.bytes = shape.bytes, .batch = 1}, "");
}

bool run_workloads(const Options& options) {
  fmt::print("{:<26} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}\n", "", "workflows",
             "turns", "µs CPU", "bytes/", "ms", "ms", "turns/", "index", "s to");
  fmt::print("{:<26} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}\n", "", "/s", "/s",
             "/turn", "workflow", "p50", "p99", "commit", "backlog", "catch up");
  Outcome w1;
  for (const Workload& one : workloads) {
    if (!options.only.empty() && options.only != one.name) continue;
    Outcome& outcome = shared<Outcome>();
    in_child([&] { outcome = one.run(options); });
    print(one.what, outcome);
    if (std::strcmp(one.name, "w1") == 0 && options.compares) w1 = outcome;
  }
  if (w1.commits.count == 0) return true;
  compare_with_raw(options, w1);
  return check(w1.catch_up < 2,
               fmt::format("the index kept up with W1: {} records behind after {} s, {:.2f} s "
                           "later none, limit 2 s",
                           w1.backlog, options.seconds, w1.catch_up));
}

// --- checks -------------------------------------------------------------------------------------

bool check_loop(const Options& options) {
  Large& loop = shared<Large>();
  in_child([&] { loop = large_loop(options); });
  return check(loop.seconds < 2,
               fmt::format("100,000 durable script iterations of one loop: {:.2f} s, limit 2 s "
                           "({} turns, {:.1f} MB in the journal)",
                           loop.seconds, loop.turns, loop.megabytes));
}

bool check_restart(const Options& options) {
  const Restart seen = restart(options);
  fmt::print(
      "\n100,000 open instances, half wait for a job, half for a timer: started in {:.1f} s\n",
      seen.started);
  bool right = check(seen.killed < 2,
                     fmt::format("from open to the first answer after a kill: {:.2f} s ({} records "
                                 "not in the index), limit 2 s",
                                 seen.killed, seen.unindexed));
  right =
      check(seen.clean < 2, fmt::format("the same after a close: {:.2f} s", seen.clean)) && right;
  right = check(seen.idle < 150,
                fmt::format("memory when all have waited for 15 s: {:.0f} MB, limit 150 MB (right "
                            "after the last start {:.0f} MB, 2.5 s later {:.0f} MB)",
                            seen.idle, seen.peak, seen.waiting)) &&
          right;
  fmt::print("    opened again {:.0f} MB; each changed once {:.0f} MB, {} instances in memory\n",
             seen.opened, seen.after_touch, seen.residents);
  return right;
}

}  // namespace

int main(int count, char** arguments) {
  keep_freed_memory();  // as the program does
  const Options options = read_options(count, arguments);
  fmt::print("durable workflows, {} shard(s), {} under way, {} s each\n\n", options.shards,
             options.under_way, options.seconds);
  bool right = run_workloads(options);
  if (options.only.empty() || options.only == "loop") right = check_loop(options) && right;
  if (options.only.empty() || options.only == "restart") right = check_restart(options) && right;
  return right ? 0 : 1;
}
