// SPDX-License-Identifier: Apache-2.0
// Events that undo what was done in their scope. Throw and end event: all of it, or one activity;
// they wait for the handlers. Cancel end event: everything else in its transaction ends first, and
// when all is undone the transaction ends and its cancel boundary event is taken.

#include "engine/behaviour.hpp"
#include "engine/compensation.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

Outcome<Next> undo(Step& step, Slot slot, const Waiting& waiting) {
  activated(step, slot, waiting);
  return throw_compensation(step, slot) ? Next::wait : Next::complete;
}

Outcome<Next> cancel(Step& step, Slot slot, const Waiting& waiting) {
  activated(step, slot, waiting);
  cancel_transaction(step, slot);
  return Next::wait;
}

// The boundary events of a loop are those of its body, which ends with all that runs in it.
void leave_cancelled(Step& step, Slot transaction) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(transaction);
  const Slot host = one.iteration != 0 ? one.parent : transaction;
  for (const ElementIndex index : state.definition_of(one).boundary_events) {
    if (step.process().at(index).event != model::EventKind::cancel) continue;
    step.emit(BoundaryTriggered{state.at(host).key, index, {}});
  }
  terminate(step, host);
}

}  // namespace

const Behaviour compensation_event{
    .activate = undo, .leave = leave_by_conditions, .after = after_nothing};

const Behaviour cancel_end_event{
    .activate = cancel, .leave = leave_by_none, .after = leave_cancelled};

}  // namespace pawl::engine
