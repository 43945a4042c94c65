// SPDX-License-Identifier: Apache-2.0
// Drives an instance of `pawl run` as far as it gets: mail of the command line goes to whoever
// waits for it, jobs are answered, and when nothing else can happen time passes.
#pragma once

#include <string>
#include <vector>

#include "cli/run_plan.hpp"
#include "runtime/driver.hpp"

namespace pawl::cli {

struct Driven {
  bool timed_out{false};
  std::vector<std::string> unawaited{};  // mail that nothing waited for, as "message \"paid\""
};

// `start` is the virtual time at which the run began.
Result<Driven> drive(const RunPlan& plan, runtime::Driver& driver, Instant start);

}  // namespace pawl::cli
