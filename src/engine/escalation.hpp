// SPDX-License-Identifier: Apache-2.0
// Escalations look for the nearest event that catches them, as errors do, but nothing has failed:
// what catches may let everything go on, and nobody has to.
#pragma once

#include "engine/step.hpp"

namespace pawl::engine {

// True: the thrower goes on. Else what catches it interrupts, and the thrower ends.
bool throw_escalation(Step& step, Slot thrower, const std::string& code);

// For an instance that is called from here, its callers included: what is caught, nearest first, as
// a list of {code, interrupts}; null: nothing.
Value escalations_caught_around(const Instance& state, Slot slot);

}  // namespace pawl::engine
