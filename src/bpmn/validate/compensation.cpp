// SPDX-License-Identifier: Apache-2.0
// Compensation: handlers are connected by associations and stand outside of the flow.
#include <fmt/format.h>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

void check_boundary(const Reading& reading, const Element& element) {
  if (element.compensation_handler == ElementIndex::none) {
    if (reading.dialect() == model::Dialect::camunda7) return;  // has no effect there
    complain(reading, Rule::compensation_handler_missing, element,
             "no association leads from it to an activity that compensates; draw one");
    return;
  }
  const Element& handler = reading.drawing.process.at(element.compensation_handler);
  if (!handler.for_compensation) {
    complain(reading, Rule::compensation_handler_unmarked, handler,
             fmt::format("it compensates for \"{}\" but is not marked so; set "
                         "isForCompensation=\"true\"",
                         element.id));
  }
}

void check_handler(const Reading& reading, const Element& element) {
  if (!element.incoming.empty() || !element.outgoing.empty()) {
    complain(reading, Rule::compensation_flow, element,
             "it is for compensation and has sequence flows; remove them");
  }
  if (!element.boundary_events.empty() && reading.dialect() == model::Dialect::zeebe) {
    complain(reading, Rule::compensation_flow, element,
             "it is for compensation and has boundary events; remove them");
  }
}

// A throw event undoes what is in its scope; one in an event sub-process what is around that, too.
bool is_undone_from(const model::Process& process, const Element& event, const Element& activity) {
  ElementIndex scope = event.scope;
  while (scope != activity.scope && process.at(scope).kind == ElementKind::event_sub_process) {
    scope = process.at(scope).scope;
  }
  return scope == activity.scope;
}

void check_throwing_compensation(const Reading& reading, const Element& element,
                                 const model::EventDefinition& definition) {
  if (definition.activity_ref.empty()) return;
  const auto found = reading.drawing.by_id.find(definition.activity_ref);
  const bool known = found != reading.drawing.by_id.end();
  const model::Process& process = reading.drawing.process;
  if (known && model::is_activity(process.at(found->second).kind)) {
    if (is_undone_from(process, element, process.at(found->second))) return;
    complain(reading, Rule::compensation_ref_unknown, element,
             fmt::format("activityRef \"{}\" is an activity of another scope; only what is in the "
                         "same scope can be undone from here",
                         definition.activity_ref));
    return;
  }
  complain(reading, Rule::compensation_ref_unknown, element,
           fmt::format("activityRef \"{}\" is not an activity of this process",
                       definition.activity_ref));
}

}  // namespace

void check_compensation(const Reading& reading) {
  for (const Element& element : reading.drawing.process.elements) {
    if (element.for_compensation) check_handler(reading, element);
    const bool boundary = element.kind == ElementKind::boundary_event;
    for (const model::EventDefinition& definition : element.events) {
      if (definition.kind != EventKind::compensation) continue;
      if (boundary) {
        check_boundary(reading, element);
      } else {
        check_throwing_compensation(reading, element, definition);
      }
    }
  }
}

}  // namespace pawl::bpmn
