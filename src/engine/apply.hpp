// SPDX-License-Identifier: Apache-2.0
// apply: the only function that changes an instance. Total and pure: it cannot fail, ask a clock or
// evaluate anything. The same code runs live, on recovery and in time travel.
#pragma once

#include <functional>

#include "base/result.hpp"
#include "engine/state.hpp"

namespace pawl::engine {

// Not for a migration: that needs the other process (`replay`).
void apply(Instance& instance, const Event& event);

// The process with this key. Asked for when an instance was migrated to it.
using FindProcess = std::function<Result<model::ProcessPtr>(Key definition)>;

// Applies events that have happened. An error is one of `find`.
Result<void> replay(Instance& instance, const Events& events, const FindProcess& find);
// The definition that an instance follows after these events; `before` if they do not change it.
Key definition_after(const Events& events, Key before);

// The state after all of these events, none of them a migration.
Instance fold(const model::ProcessPtr& process, const Events& events);

}  // namespace pawl::engine
