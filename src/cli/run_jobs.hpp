// SPDX-License-Identifier: Apache-2.0
// Answers jobs as the command line says: with variables, an expression, an error, or a command.
#pragma once

#include "cli/run_plan.hpp"
#include "runtime/driver.hpp"

namespace pawl::cli {

// The command that answers this job, or nullopt if the plan has no answer for its type.
// Error: the answer itself is wrong (an expression that gives no object, a worker's bad output).
Result<std::optional<engine::Command>> answer_job(const RunPlan& plan,
                                                  const runtime::Driver& driver, Key job);

}  // namespace pawl::cli
