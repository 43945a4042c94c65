// SPDX-License-Identifier: Apache-2.0
// The life of every element instance: activating → activated → completing → completed, or
// → terminating → terminated. What differs between kinds is in the behaviours; this is the rest.
#pragma once

#include "engine/behaviour.hpp"

namespace pawl::engine {

// Takes the first work of the agenda and does it.
void run_step(Step& step);

// Variables are mapped or merged and something after that failed: a retry must not repeat it, or it
// would overwrite what was corrected meanwhile.
void remember_mappings(Step& step, Slot slot);
// Lets an element instance begin: its inputs, then what its kind does.
void start(Step& step, Slot slot);
// Creates an element instance in a scope and lets it go as far as it can.
void enter(Step& step, Slot scope, ElementIndex element, FlowIndex flow = FlowIndex::none);
// The same for one that nothing leads to; its token was placed before (StartsTaken).
void begin(Step& step, Slot scope, ElementIndex element);
// A boundary event, or start event of an event sub-process, that has caught something: what came
// with it is its own.
void enter_triggered(Step& step, Slot scope, ElementIndex event, const Value& variables);
// The event of an event sub-process of the scope has happened. It runs beside the rest, or alone
// after the rest has ended.
void trigger_event_sub_process(Step& step, Slot scope, ElementIndex start, const Value& variables);
// Goes on from the life state it is in: after an incident, or with work from the agenda.
void proceed(Step& step, Slot slot);
// From activated to completed, and on by its flows.
void complete(Step& step, Slot slot);
// If nothing is left in the scope, it completes (in a step of its own).
void check_scope(Step& step, Slot scope);
// A called instance that ends tells its caller how, with what it was asked for.
void answer_caller(Step& step, CallOutcome outcome);

// --- the end (termination.cpp) -----------------------------------------------------------------
// Begins to terminate an element instance and everything inside it.
void terminate(Step& step, Slot slot);
// Terminates what is inside, as much as fits into a step; then what was decided happens.
void wind_down(Step& step, Slot slot);
// What a terminating call activity waited for is gone: it ends, and so does what waited for it.
void end_terminated(Step& step, Slot slot);
// Ends all tokens and children of a scope; then the scope completes.
void interrupt(Step& step, Slot scope);
// All in the transaction ends but this cancel end event, which then undoes what was done.
void cancel_transaction(Step& step, Slot end_event);
// Ends everything; the runtime then starts the next execution. Variables as in ContinueAsNew.
void continue_as_new(Step& step, const Value& variables);

}  // namespace pawl::engine
