// SPDX-License-Identifier: Apache-2.0
// Checks: one very large loop, and what very many open instances cost in memory and at a restart.
#pragma once

#include "durable/workloads.hpp"

namespace pawl::bench {

struct Large {
  double seconds{0};    // from start to end
  double megabytes{0};  // in the journal
  std::uint64_t turns{0};
};
Large large_loop(const Options& options);  // 100,000 script iterations

struct Restart {
  double started{0};           // seconds to start them
  double peak{0};              // megabytes: of the process when all were started
  double waiting{0};           // 2.5 s later, when the index had them
  double idle{0};              // 15 s later
  double opened{0};            // of a process that has opened them again
  double after_touch{0};       // after each was loaded once: with evictions
  double clean{0};             // seconds from open to the first answer, after a close
  double killed{0};            // the same after the process was killed
  std::uint64_t unindexed{0};  // records that the index had to catch up with after that
  std::size_t residents{0};    // instances in memory at the end
};
Restart restart(const Options& options);

}  // namespace pawl::bench
