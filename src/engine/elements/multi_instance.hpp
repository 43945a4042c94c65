// SPDX-License-Identifier: Apache-2.0
// Loops: multi-instance activities and the standard loop. An activity with a loop marker is entered
// as a *body*, the container of its iterations; each iteration is an element instance of the same
// element in the body's scope, with a number, its item and its loopCounter. See
// docs/multi-instance.md.
#pragma once

#include "engine/behaviour.hpp"

namespace pawl::engine {

// The body begins: how often, over what, under which policies. Without iterations it completes.
void start_loop(Step& step, Slot body);
// Starts as many iterations as the loop may have now, in bounded steps.
void spawn(Step& step, Key body);
// An iteration has run and its mappings are done: its output is collected, the completion condition
// asked, and the loop goes on or ends.
void finish_iteration(Step& step, Slot iteration);
// Should the loop end after this iteration, were it completed now, with this output?
Result<bool> is_over(Step& step, Slot iteration, const IterationCollected* output);
// Something in the loop has ended.
void proceed_loop(Step& step, Slot body);
// An operator wants it to go on from where it stopped.
void resume_loop(Step& step, Slot body);
// The body completes: its output goes to the scope around it, its token leaves.
void finish_loop(Step& step, Slot body);
// Ends the loop now with what it has collected.
void end_loop(Step& step, Slot body);

// --- failure ---------------------------------------------------------------------------------
// The iteration that the element instance is or is in; none: it is in no loop of this instance.
Slot enclosing_iteration(const Instance& state, Slot slot);
// The policy that is in force for the iteration's loop.
model::LoopOptions::OnError policy_of(const Instance& state, Slot iteration);
// Policies tolerate and collect: the loop goes on with the others, while it has room for failures.
bool takes_one_by_one(model::LoopOptions::OnError policy);
bool has_room_for_failure(const Instance& state, Slot iteration);
// The iteration ends as failed; code and message are what collect puts into the output.
void take_failure(Step& step, Slot iteration, const std::string& code, const std::string& message);
// All iterations end; then the body has an incident, and resolving it starts the loop again.
void fail_loop(Step& step, Slot body, const Failure& failure);
void report_failed_loop(Step& step, Slot body);

}  // namespace pawl::engine
