// SPDX-License-Identifier: Apache-2.0
// Undoing what was done. An activity that completes leaves a record if a handler can undo it; a
// throw event takes the records of its scope and runs the handlers inside itself, so that it waits
// for them and they end with it.
#pragma once

#include "engine/step.hpp"

namespace pawl::engine {

// Before an element instance completes: can it be undone? A loop is one thing in Zeebe, in other
// dialects each iteration is.
void record_undoable(Step& step, Slot slot);

// Takes the records and begins. False: there is nothing to undo.
bool throw_compensation(Step& step, Slot thrower);
// The event starts handlers, as many as fit into a step.
void compensate(Step& step, Key thrower);
// It runs handlers, or is about to.
bool undoes(const ElementInstance& one);
// Nothing is left to undo.
bool has_undone(const ElementInstance& one);

}  // namespace pawl::engine
