// SPDX-License-Identifier: Apache-2.0
// When a token cannot go on: BPMN errors look for the nearest handler outward, technical failures
// do so where dialect and loops let them. What nothing catches becomes an incident. A loop on the
// way may take the failure, fail as a whole, or leave it where it is.
#pragma once

#include "engine/behaviour.hpp"
#include "engine/catchers.hpp"

namespace pawl::engine {

struct BpmnError {
  std::string code{};
  std::string message{};
  Value variables{};
};

// The codes that would have been caught, for messages: "a", "b", any.
std::string catchable_codes(const Instance& state, Slot thrower);

// The same of an instance's callers included, for one that is called from here: a list of codes,
// "" for any; null: nothing is caught.
Value codes_caught_around(const Instance& state, Slot slot);
// A loop around, here or in a caller, decides about errors that nothing catches.
bool is_tolerated_around(const Instance& state, Slot slot);
// A loop around, here or in a caller, takes failures one by one: policies tolerate and collect.
bool is_taken_around(const Instance& state, Slot slot);

// Terminates the catcher's host or all inside it, then its event starts.
void trigger(Step& step, const Catcher& catcher, const BpmnError& error);

void raise_incident(Step& step, Slot slot, IncidentKind kind, const Error& error);

// A BPMN error from an element: caught, or an incident.
void throw_error(Step& step, Slot thrower, const BpmnError& error);
// As the dialect treats it (docs/architecture.md, failure).
void fail_at(Step& step, Slot slot, const Failure& failure);
// A loop cannot do any more what it should: like a failure of its host. Not caught: all iterations
// end, an incident is at the body, and resolving it starts the loop again.
void fail_body(Step& step, Slot body, const Failure& failure);

}  // namespace pawl::engine
