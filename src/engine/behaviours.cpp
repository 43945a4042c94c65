// SPDX-License-Identifier: Apache-2.0
// Which row an element kind has, and the defaults that rows share. The switch has no default, so
// the compiler names a kind without a row.
#include <fmt/format.h>

#include "engine/behaviour.hpp"
#include "engine/elements/ad_hoc_sub_process.hpp"

namespace pawl::engine {
namespace {

using model::ElementKind;
using model::EventKind;

// Deployment refuses what cannot run (support.hpp); this is the second line of defence.
Outcome<Next> refuse_element(Step& step, Slot slot, const Waiting&) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  return Failure{fail(Whose::operators, Code::not_supported,
                      fmt::format("{} \"{}\" cannot be run by this version",
                                  model::name_of(element.kind), element.id)),
                 IncidentKind::unknown,
                 {}};
}

const Behaviour not_supported{
    .activate = refuse_element, .leave = leave_by_conditions, .after = after_nothing};

const Behaviour& end_event(const model::Element& element) {
  switch (element.event) {
    case EventKind::none:
      return element.continue_as_new ? continue_end_event : pass_through;
    case EventKind::terminate:
      return terminate_end_event;
    case EventKind::error:
      return error_end_event;
    case EventKind::escalation:
      return escalation_event;
    case EventKind::compensation:
      return compensation_event;
    case EventKind::cancel:
      return cancel_end_event;
    default:
      return not_supported;
  }
}

const Behaviour& throw_event(const model::Element& element) {
  switch (element.event) {
    case EventKind::none:
      return pass_through;
    case EventKind::escalation:
      return escalation_event;
    case EventKind::compensation:
      return compensation_event;
    default:
      return not_supported;
  }
}

bool is_time_or_mail(EventKind kind) {
  return kind == EventKind::message || kind == EventKind::signal || kind == EventKind::timer;
}

// What interrupts or goes on beside: an event on a border or at the start of an event sub-process.
bool is_caught(EventKind kind) {
  return kind == EventKind::error || kind == EventKind::escalation ||
         kind == EventKind::compensation || is_time_or_mail(kind);
}

// A start event with a trigger runs in an event sub-process only (support.cpp).
const Behaviour& beginning(const model::Element& element) {
  const bool known = element.event == EventKind::none || is_caught(element.event);
  return known ? start_event : not_supported;
}

}  // namespace

const Behaviour& behaviour_of(const model::Element& element) {
  switch (element.kind) {
    case ElementKind::process:
      return sub_process;
    case ElementKind::sub_process:
    case ElementKind::transaction:
      return sub_process;
    case ElementKind::start_event:
      return beginning(element);
    case ElementKind::intermediate_throw_event:
      return throw_event(element);
    case ElementKind::end_event:
      return end_event(element);
    case ElementKind::boundary_event:
      return is_caught(element.event) || element.event == EventKind::cancel ? boundary_event
                                                                            : not_supported;
    case ElementKind::task:
      return pass_through;
    case ElementKind::manual_task:
      return pass_through;
    case ElementKind::service_task:
    case ElementKind::send_task:
    case ElementKind::user_task:
      return job_task;
    case ElementKind::business_rule_task:
      return element.decision ? not_supported : job_task;
    case ElementKind::script_task:
      return element.job ? job_task : script_task;
    case ElementKind::exclusive_gateway:
      return exclusive_gateway;
    case ElementKind::parallel_gateway:
      return parallel_gateway;
    case ElementKind::inclusive_gateway:
      return inclusive_gateway;
    case ElementKind::intermediate_catch_event:
      return is_time_or_mail(element.event) ? catch_event : not_supported;
    case ElementKind::receive_task:
      return element.instantiate ? not_supported : catch_event;
    case ElementKind::event_based_gateway:
      return element.instantiate ? not_supported : event_based_gateway;
    case ElementKind::call_activity:
      return element.call ? call_activity : not_supported;
    case ElementKind::event_sub_process:
      return element.start_events.size() == 1 ? event_sub_process : not_supported;
    case ElementKind::ad_hoc_sub_process:
      return ad_hoc_sub_process;
    case ElementKind::complex_gateway:
      return not_supported;
  }
  return not_supported;
}

bool can_run(const model::Element& element) { return &behaviour_of(element) != &not_supported; }

Outcome<Next> activate_nothing(Step& step, Slot slot, const Waiting& waiting) {
  activated(step, slot, waiting);
  return Next::complete;
}

Outcome<Next> activate_and_wait(Step& step, Slot slot, const Waiting& waiting) {
  activated(step, slot, waiting);
  return Next::wait;
}

Outcome<std::vector<FlowIndex>> leave_by_none(Step&, Slot) { return std::vector<FlowIndex>{}; }

void after_nothing(Step&, Slot) {}

Slot flow_scope(const Step& step, Slot slot) {
  const Slot scope = step.state().at(slot).parent;
  return scope == Slot::none ? slot : scope;
}

Outcome<std::vector<FlowIndex>> leave_by_all(Step& step, Slot slot) {
  return step.state().definition_of(step.state().at(slot)).outgoing;
}

Outcome<std::vector<FlowIndex>> leave_by_conditions(Step& step, Slot slot) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  std::vector<FlowIndex> taken;
  bool any_condition_held = false;
  std::string tried;
  for (const FlowIndex index : element.outgoing) {
    const model::Flow& flow = step.process().at(index);
    if (index == element.default_flow) continue;
    if (!flow.condition.empty()) {
      const auto holds = step.truth(flow.condition, flow_scope(step, slot));
      if (!holds) return Failure{holds.error(), IncidentKind::extract_value, {}};
      tried += fmt::format("\n  tried  {}  -> {}", flow.condition.text, *holds);
      if (!*holds) continue;
      any_condition_held = true;
    }
    taken.push_back(index);
  }
  if (!any_condition_held && element.default_flow != FlowIndex::none) {
    taken.push_back(element.default_flow);
  }
  if (taken.empty() && !element.outgoing.empty()) return no_flow_applies(element, tried);
  return taken;
}

Failure no_flow_applies(const model::Element& element, const std::string& tried) {
  return Failure{
      fail(Whose::operators, Code::no_flow_applies,
           fmt::format("{} \"{}\": no outgoing flow applies{}\n  hint   add a default flow, or "
                       "correct the variables and resolve the incident",
                       model::name_of(element.kind), element.id, tried)),
      IncidentKind::condition,
      {}};
}

}  // namespace pawl::engine
