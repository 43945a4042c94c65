// SPDX-License-Identifier: Apache-2.0
// Workloads: W1 to W6 as a durable server runs them, and what they are compared with.
#pragma once

#include <string>

#include "durable/measure.hpp"
#include "durable/server.hpp"

namespace pawl::bench {

struct Options {
  std::string parent{};  // directory for the data; empty: the temporary one
  double seconds{5};     // of each workload that has no fixed size
  std::uint32_t shards{1};
  std::size_t under_way{4'000};
  Millis window{runtime::NodeOptions().index_window};
  std::string only{};   // the name of one measurement
  bool compares{true};  // with the raw log and SQLite
};

struct Outcome {
  double workflows{0}, turns{0};  // per second
  double micros{0};               // of processor time per turn, load and worker included
  ThreadMicros threads{};         // the same by kind of thread
  double bytes{0};                // in the journal, per workflow
  double median{0}, late{0};      // milliseconds: half and 99 of 100 are faster
  Commits commits{};
  std::size_t backlog{0};  // records that the index did not have when the last one ended
  double catch_up{0};      // seconds until it had them
};

Outcome run_sequence(const Options& options, int jobs);  // W1, W2
Outcome run_parallel(const Options& options);            // W3
Outcome run_timers(const Options& options);              // W4; the times are lateness
Outcome run_messages(const Options& options);            // W5
Outcome run_scripts(const Options& options);             // W6

}  // namespace pawl::bench
