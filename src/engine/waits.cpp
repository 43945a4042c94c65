// SPDX-License-Identifier: Apache-2.0
#include "engine/waits.hpp"

#include "base/assert.hpp"
#include "engine/lifecycle.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {
namespace {

using model::Element;
using model::ElementKind;

// A catch event or receive task goes on. What came with the event is a result, as that of a job.
void go_on(Step& step, Slot slot, const Value& variables) {
  const bool mapped = !step.state().definition_of(step.state().at(slot)).outputs.empty();
  write_results(step, slot, variables, mapped);
  complete(step, slot);
}

void happen_on_border(Step& step, Slot host, const Element& boundary, const Value& variables) {
  if (!boundary.interrupting) {
    return enter_triggered(step, step.state().at(host).parent, boundary.index, variables);
  }
  step.emit(BoundaryTriggered{step.state().at(host).key, boundary.index, variables});
  terminate(step, host);
}

FlowIndex flow_to(const Step& step, const Element& gateway, ElementIndex target) {
  for (const FlowIndex flow : gateway.outgoing) {
    if (step.process().at(flow).target == target) return flow;
  }
  PAWL_ASSERT(false);
  return FlowIndex::none;
}

// The gateway has done its work, the other branches are no longer waited for; the event behind it
// has already happened when its token arrives.
void take_branch(Step& step, Slot gateway, ElementIndex target, const Value& variables) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(gateway);
  const Key scope = state.at(one.parent).key;
  const FlowIndex flow = flow_to(step, state.definition_of(one), target);
  step.emit(ElementCompleting{one.key});
  close_waits(step, gateway);
  step.emit(ElementCompleted{one.key});
  step.emit(FlowTaken{scope, flow});
  const Key key = step.new_key();
  step.emit(ElementActivating{.key = key, .scope = scope, .element = target, .flow = flow});
  step.emit(ElementActivated{key});
  go_on(step, state.slot_of.find(key), variables);
}

}  // namespace

void close_waits(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  while (one.waits && !one.waits->timers.empty()) {
    step.emit(TimerCanceled{one.waits->timers.front().key});
  }
  while (one.waits && !one.waits->subscriptions.empty()) {
    step.emit(SubscriptionClosed{one.waits->subscriptions.front().key});
  }
}

void occur(Step& step, Slot owner, ElementIndex target, const Value& variables) {
  const Element& event = step.process().at(target);
  if (step.state().at(owner).element == target) return go_on(step, owner, variables);
  if (event.kind == ElementKind::boundary_event) {
    return happen_on_border(step, owner, event, variables);
  }
  take_branch(step, owner, target, variables);
}

bool may_repeat(const Element& target) {
  return target.kind == ElementKind::boundary_event && !target.interrupting;
}

}  // namespace pawl::engine
