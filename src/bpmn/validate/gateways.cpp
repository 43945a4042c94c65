// SPDX-License-Identifier: Apache-2.0
// Gateways: directions, conditions, and what may follow an event-based one.
#include <fmt/format.h>

#include <set>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

void check_direction(const Reading& reading, const Element& gateway) {
  const std::string_view direction =
      reading.drawing.of(gateway.index).attribute("gatewayDirection");
  const bool joins = gateway.incoming.size() > 1;
  const bool splits = gateway.outgoing.size() > 1;
  const bool fits = (direction != "Converging" || (joins && !splits)) &&
                    (direction != "Diverging" || (splits && !joins)) &&
                    (direction != "Mixed" || (splits && joins));
  if (!fits) {
    complain(reading, Rule::gateway_direction, gateway,
             fmt::format("it is called {} but has {} incoming and {} outgoing flows", direction,
                         gateway.incoming.size(), gateway.outgoing.size()));
  }
  if (!joins && !splits && !gateway.instantiate) {
    complain(reading, Rule::gateway_useless, gateway,
             "it neither joins nor splits; give it several flows on one side");
  }
}

void check_conditions(const Reading& reading, const Element& gateway) {
  const bool chooses = gateway.kind == ElementKind::exclusive_gateway ||
                       gateway.kind == ElementKind::inclusive_gateway;
  const bool unconditional = gateway.kind == ElementKind::parallel_gateway;
  for (const FlowIndex index : gateway.outgoing) {
    const model::Flow& flow = reading.drawing.process.at(index);
    if (unconditional && !flow.condition.empty()) {
      reading.report.add(Rule::flow_condition_ignored, reading.drawing.of(index),
                         fmt::format("flow \"{}\": a parallel gateway takes every flow; the "
                                     "condition has no effect",
                                     flow.id));
    }
    const bool open = flow.condition.empty() && index != gateway.default_flow;
    if (!chooses || !open || gateway.outgoing.size() < 2) continue;
    const bool zeebe = reading.dialect() == model::Dialect::zeebe;
    const bool exclusive = gateway.kind == ElementKind::exclusive_gateway;
    reading.report.add(
        zeebe && exclusive ? Rule::flow_condition_missing : Rule::flow_condition_advised,
        reading.drawing.of(index),
        fmt::format("flow \"{}\": it leaves {} \"{}\" without a condition; add one, "
                    "or make it the default",
                    flow.id, model::name_of(gateway.kind), gateway.id));
  }
}

bool waits_for_event(const Element& element) {
  if (element.kind == ElementKind::receive_task) return true;
  return element.kind == ElementKind::intermediate_catch_event && !catches_link(element);
}

void check_target(const Reading& reading, const Element& gateway, const Element& target) {
  if (!waits_for_event(target)) {
    complain(reading, Rule::event_gateway_target, target,
             fmt::format("it follows the event-based gateway \"{}\", which needs an intermediate "
                         "catch event (other than a link) or a receive task",
                         gateway.id));
    return;
  }
  if (target.incoming.size() > 1) {
    complain(reading, Rule::event_gateway_target, target,
             fmt::format("it follows the event-based gateway \"{}\" and has other incoming flows; "
                         "remove them",
                         gateway.id));
  }
  if (!target.boundary_events.empty()) {
    complain(reading, Rule::event_gateway_target, target,
             "a receive task after an event-based gateway has no boundary events; remove them");
  }
}

// Two branches that wait for the same thing could not be told apart.
void check_same_events(const Reading& reading, const Element& gateway) {
  std::set<std::pair<EventKind, std::string>> seen;
  bool message_events = false;
  bool receive_tasks = false;
  for (const FlowIndex index : gateway.outgoing) {
    const Element& target = reading.drawing.process.at(reading.drawing.process.at(index).target);
    receive_tasks = receive_tasks || target.kind == ElementKind::receive_task;
    for (const model::EventDefinition& definition : target.events) {
      const bool message = definition.kind == EventKind::message;
      message_events = message_events || (message && model::is_event(target.kind));
      const bool named = message || definition.kind == EventKind::signal;
      if (!named || definition.name.empty()) continue;
      if (!seen.emplace(definition.kind, definition.name.text).second) {
        complain(reading, Rule::event_gateway_same_event, target,
                 fmt::format("two branches of the event-based gateway \"{}\" wait for the {} "
                             "\"{}\"; keep one",
                             gateway.id, model::name_of(definition.kind), definition.name.text));
      }
    }
  }
  if (message_events && receive_tasks) {
    complain(reading, Rule::event_gateway_mixed, gateway,
             "message events and receive tasks both follow it; use one of the two");
  }
}

void check_event_based(const Reading& reading, const Element& gateway) {
  // Camunda 7 also runs those that wait for one event.
  const std::size_t needed = reading.dialect() == model::Dialect::camunda7 ? 1 : 2;
  if (gateway.outgoing.size() < needed) {
    complain(reading, Rule::event_gateway_outgoing, gateway,
             "it has fewer than two outgoing flows, so there is nothing to choose; add one");
  }
  if (gateway.event == EventKind::parallel_multiple && !gateway.instantiate) {
    complain(reading, Rule::event_gateway_parallel, gateway,
             "a parallel event-based gateway only starts a process; set instantiate");
  }
  if (gateway.instantiate && !gateway.incoming.empty()) {
    complain(reading, Rule::instantiate_has_incoming, gateway,
             "it starts the process and has an incoming flow; remove one of the two");
  }
  for (const FlowIndex index : gateway.outgoing) {
    const model::Flow& flow = reading.drawing.process.at(index);
    if (!flow.condition.empty()) {
      reading.report.add(Rule::event_gateway_condition, reading.drawing.of(index),
                         fmt::format("flow \"{}\": it leaves an event-based gateway, where events "
                                     "decide; remove the condition",
                                     flow.id));
    }
    check_target(reading, gateway, reading.drawing.process.at(flow.target));
  }
  check_same_events(reading, gateway);
}

}  // namespace

void check_gateways(const Reading& reading) {
  for (const Element& element : reading.drawing.process.elements) {
    if (!model::is_gateway(element.kind)) continue;
    check_direction(reading, element);
    check_conditions(reading, element);
    if (element.kind == ElementKind::event_based_gateway) check_event_based(reading, element);
  }
}

}  // namespace pawl::bpmn
