// SPDX-License-Identifier: Apache-2.0
// What a loop's expressions say when its body is activated, each checked and with a message that
// names the activity, the expression, the value and its type.
#pragma once

#include "base/result.hpp"
#include "engine/step.hpp"

namespace pawl::engine {

// The event that starts the loop. Evaluates only.
Result<LoopStarted> plan_loop(Step& step, Slot body);

}  // namespace pawl::engine
