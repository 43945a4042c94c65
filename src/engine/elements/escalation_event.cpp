// SPDX-License-Identifier: Apache-2.0
// Escalation throw and end event: tells what is around, and goes on unless it is interrupted.

#include "engine/behaviour.hpp"
#include "engine/escalation.hpp"

namespace pawl::engine {
namespace {

Outcome<Next> activate_escalation(Step& step, Slot slot, const Waiting& waiting) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  std::string code;
  if (const model::Expression& wanted = element.events.front().code; !wanted.empty()) {
    auto text = step.text(wanted, slot, "escalation code");
    if (!text) return Failure{text.error(), IncidentKind::extract_value, {}};
    code = std::move(*text);
  }
  activated(step, slot, waiting);
  return throw_escalation(step, slot, code) ? Next::complete : Next::wait;
}

}  // namespace

const Behaviour escalation_event{
    .activate = activate_escalation, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
