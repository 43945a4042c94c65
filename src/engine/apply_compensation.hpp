// SPDX-License-Identifier: Apache-2.0
// How records of what can be undone move: from a scope that completes to the one around, from
// scopes to the event that undoes, and from there, one by one, to the handlers.
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

Compensation& compensation_of(ElementInstance& one);

// A scope has completed: what can be undone in it can now be undone from outside.
void leave_undoable(Instance& state, ElementInstance& scope, ElementInstance& completed);

// `thrower` undoes what was done in its scope: all of it, or one activity only.
void take_undoable(Instance& state, ElementInstance& thrower, ElementIndex activity);

// A handler has begun. One that is an event sub-process may undo what is inside.
void hand_over_undoable(Instance& state, ElementInstance& thrower, ElementInstance& handler);

// The scopes whose activities an event in `slot` undoes: its own, and if that is an event
// sub-process those around it, up to the first that is none.
std::vector<Slot> undone_scopes(const Instance& state, Slot slot);

}  // namespace pawl::engine
