// SPDX-License-Identifier: Apache-2.0
// A job as its definition describes it, evaluated when it is created: for tasks that a worker does,
// and for listeners.
#pragma once

#include "base/result.hpp"
#include "engine/step.hpp"

namespace pawl::engine {

struct NewJob {
  static constexpr std::int32_t default_retries = 3;

  Name type{};
  std::int32_t retries{default_retries};
  std::int32_t priority{0};
  Value details{};
  JobKind kind{JobKind::task};
};

// Evaluates only. Error: an expression fails or has the wrong type.
Result<NewJob> evaluate_job(Step& step, Slot slot, const model::JobDefinition& definition);
void create_job(Step& step, Slot slot, const NewJob& job);

}  // namespace pawl::engine
