// SPDX-License-Identifier: Apache-2.0
// Execution listeners: jobs around the life of an element instance, one after the other. Those of
// its start run when its inputs are mapped, those of its end when its outputs are, and it waits for
// them in between; those before all on the body of a loop, before its collection is evaluated.
// ElementInstance::listened counts those that are done in the current phase.
#pragma once

#include "engine/step.hpp"

namespace pawl::engine {

// Of the phase in which the element instance is; none for most.
const std::vector<model::JobDefinition>& listeners_of(const Instance& state,
                                                      const ElementInstance& one);
JobKind listener_kind(const ElementInstance& one);

// True: the element instance does not go on now. The job of its next listener is there, or was
// created by this, or could not be and has left an incident.
bool waits_for_listener(Step& step, Slot slot);

// The job of a listener is completed: its results are written and the element instance goes on.
void go_on_after_listener(Step& step, Slot slot, const Value& variables);

}  // namespace pawl::engine
