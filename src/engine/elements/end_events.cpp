// SPDX-License-Identifier: Apache-2.0
// End events with a meaning beyond ending their token. Terminate ends everything else in its scope,
// which then completes. Error looks for a handler outward; without one it stops with an incident.
// One with pawl:continueAsNew ends the whole execution; the next one has the root's variables.

#include "engine/behaviour.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

Outcome<Next> throw_code(Step& step, Slot slot, const Waiting&) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  const model::Expression& wanted = element.events.front().code;
  if (wanted.empty()) return Failure{{}, IncidentKind::unhandled_error, ""};  // for a catch-all
  const auto code = step.text(wanted, slot, "error code");
  if (!code) return Failure{code.error(), IncidentKind::extract_value, {}};
  return Failure{{}, IncidentKind::unhandled_error, *code};
}

void continue_with_all(Step& step, Slot) { continue_as_new(step, {}); }

}  // namespace

const Behaviour terminate_end_event{
    .activate = activate_nothing, .leave = leave_by_none, .after = interrupt};

const Behaviour error_end_event{
    .activate = throw_code, .leave = leave_by_none, .after = after_nothing};

const Behaviour continue_end_event{
    .activate = activate_nothing, .leave = leave_by_none, .after = continue_with_all};

}  // namespace pawl::engine
