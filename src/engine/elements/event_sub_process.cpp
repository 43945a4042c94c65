// SPDX-License-Identifier: Apache-2.0
// Event sub-process whose event has happened (lifecycle.cpp): a scope inside the one that it
// belongs to. It begins at its start event, with what came with the event, and may wait for events
// itself.

#include "engine/behaviour.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

Outcome<Next> activate_event_sub_process(Step& step, Slot slot, const Waiting& waiting) {
  const Trigger trigger = *step.state().at(slot).trigger;
  activated(step, slot, waiting);
  enter_triggered(step, slot, trigger.boundary, trigger.variables);
  return Next::wait;
}

}  // namespace

const Behaviour event_sub_process{
    .activate = activate_event_sub_process, .leave = leave_by_none, .after = after_nothing};

}  // namespace pawl::engine
