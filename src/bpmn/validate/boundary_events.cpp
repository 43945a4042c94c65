// SPDX-License-Identifier: Apache-2.0
// Events on the border of an activity, and start events of event sub-processes that must
// interrupt.
#include <fmt/format.h>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

// BPMN leaves no choice for these.
bool always_interrupts(EventKind kind) {
  return kind == EventKind::error || kind == EventKind::cancel || kind == EventKind::compensation;
}

void check_interrupting(const Reading& reading, const Element& element) {
  if (element.interrupting) return;
  for (const model::EventDefinition& definition : element.events) {
    if (!always_interrupts(definition.kind)) continue;
    complain(reading, Rule::event_must_interrupt, element,
             fmt::format("{} event always interrupts; remove cancelActivity or isInterrupting",
                         with_article(model::name_of(definition.kind))));
  }
}

void check_cancel(const Reading& reading, const Element& host) {
  int cancels = 0;
  for (const ElementIndex index : host.boundary_events) {
    const Element& element = reading.drawing.process.at(index);
    if (!has_kind(element, EventKind::cancel)) continue;
    if (host.kind != ElementKind::transaction) {
      complain(reading, Rule::cancel_outside_transaction, element,
               "only a transaction can be cancelled; attach it to one");
    } else if (++cancels > 1) {
      complain(reading, Rule::catch_duplicate, element,
               "the transaction has another cancel boundary event; keep one");
    }
  }
}

void check_flows(const Reading& reading, const Element& element) {
  if (!element.incoming.empty()) {
    complain(reading, Rule::boundary_has_incoming, element,
             "a sequence flow leads to it; only its activity and its event do");
  }
  if (element.event == EventKind::compensation && !element.outgoing.empty()) {
    complain(reading, Rule::compensation_flow, element,
             "a sequence flow leaves it; connect the handler with an association instead");
  }
}

}  // namespace

void check_boundary_events(const Reading& reading) {
  for (const Element& element : reading.drawing.process.elements) {
    if (element.kind == ElementKind::boundary_event) {
      check_interrupting(reading, element);
      check_flows(reading, element);
    }
    if (model::is_activity(element.kind)) check_cancel(reading, element);
    const bool starts_event_sub_process =
        element.kind == ElementKind::start_event &&
        reading.drawing.process.at(element.scope).kind == ElementKind::event_sub_process;
    if (starts_event_sub_process) check_interrupting(reading, element);
  }
}

}  // namespace pawl::bpmn
