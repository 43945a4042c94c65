// SPDX-License-Identifier: Apache-2.0
// The process itself and the embedded sub-process: a scope. It begins at its none start event, or,
// where the model has no start event, at every element that nothing leads to. It completes when
// nothing inside is active any more.

#include "engine/behaviour.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

Outcome<Next> activate_sub_process(Step& step, Slot slot, const Waiting& waiting) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  activated(step, slot, waiting);
  if (element.none_start != ElementIndex::none) {
    enter(step, slot, element.none_start);
  } else if (!element.implicit_starts.empty()) {
    // However many there are: each begins in a step of its own.
    step.emit(StartsTaken{step.state().at(slot).key, element.implicit_starts});
  }
  check_scope(step, slot);
  return Next::wait;
}

}  // namespace

const Behaviour sub_process{
    .activate = activate_sub_process, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
