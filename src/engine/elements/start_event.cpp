// SPDX-License-Identifier: Apache-2.0
// None start event, and start event of an event sub-process that has caught something; what came
// with it is in its own variables and is mapped or merged outward when it completes. Event
// sub-processes of its scope may need what its output mappings make: those begin to wait here.

#include "engine/behaviour.hpp"

namespace pawl::engine {
namespace {

Outcome<std::vector<FlowIndex>> leave(Step& step, Slot slot) {
  const Slot scope = step.state().at(slot).parent;
  auto flows = leave_by_conditions(step, slot);
  const bool late = opens_late(step.process(), step.state().definition_of(step.state().at(scope)));
  if (!late || std::holds_alternative<Failure>(flows)) return flows;
  const auto waiting = evaluate_event_sub_processes(step, scope);
  if (!waiting) return Failure{waiting.error(), IncidentKind::extract_value, {}};
  open(step, scope, *waiting);
  return flows;
}

}  // namespace

const Behaviour start_event{.activate = activate_nothing, .leave = leave, .after = after_nothing};

}  // namespace pawl::engine
