// SPDX-License-Identifier: Apache-2.0
// Waiting for the world: the timers, messages and signals of an element instance. A catch event or
// receive task waits for its own event, an activity for those on its border, an event-based gateway
// for those behind it. All are evaluated first and then opened; what cannot be evaluated opens
// none.
#pragma once

#include "engine/step.hpp"

namespace pawl::engine {

// Ends everything that the element instance waits for.
void close_waits(Step& step, Slot slot);

// What was waited for has happened to `owner`; `target` as in the events. The time or mail itself
// is already recorded.
void occur(Step& step, Slot owner, ElementIndex target, const Value& variables);
// The target may happen again while its owner lives: a boundary event that does not interrupt.
bool may_repeat(const model::Element& target);

}  // namespace pawl::engine
