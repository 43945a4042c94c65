// SPDX-License-Identifier: Apache-2.0
// apply: the only function that changes an instance. Total and pure: it cannot fail, ask a clock or
// evaluate anything. The same code runs live, on recovery and in time travel.
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

void apply(Instance& instance, const Event& event);

// The state after all of these events.
Instance fold(const model::ProcessPtr& process, const Events& events);

}  // namespace pawl::engine
