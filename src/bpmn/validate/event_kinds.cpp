// SPDX-License-Identifier: Apache-2.0
// Which events may stand where (BPMN 2.0, table 10.93).
#include <fmt/format.h>

#include <initializer_list>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

using Kinds = std::uint32_t;

constexpr Kinds one(EventKind kind) { return 1u << static_cast<unsigned>(kind); }

constexpr Kinds kinds(std::initializer_list<EventKind> list) {
  Kinds all = 0;
  for (const EventKind kind : list) all |= one(kind);
  return all;
}

constexpr Kinds process_start = kinds({EventKind::none, EventKind::message, EventKind::timer,
                                       EventKind::conditional, EventKind::signal});
constexpr Kinds event_sub_process_start =
    kinds({EventKind::none, EventKind::message, EventKind::timer, EventKind::conditional,
           EventKind::signal, EventKind::error, EventKind::escalation, EventKind::compensation});
constexpr Kinds end =
    kinds({EventKind::none, EventKind::message, EventKind::error, EventKind::escalation,
           EventKind::cancel, EventKind::compensation, EventKind::signal, EventKind::terminate});
constexpr Kinds intermediate_catch =
    kinds({EventKind::message, EventKind::timer, EventKind::conditional, EventKind::link,
           EventKind::signal});
constexpr Kinds intermediate_throw =
    kinds({EventKind::none, EventKind::message, EventKind::escalation, EventKind::compensation,
           EventKind::link, EventKind::signal});
constexpr Kinds boundary =
    kinds({EventKind::message, EventKind::timer, EventKind::error, EventKind::escalation,
           EventKind::cancel, EventKind::compensation, EventKind::conditional, EventKind::signal});

Kinds allowed_at(const Reading& reading, const Element& element) {
  switch (element.kind) {
    case ElementKind::start_event:
      return reading.drawing.process.at(element.scope).kind == ElementKind::event_sub_process
                 ? event_sub_process_start
                 : process_start;
    case ElementKind::end_event:
      return end;
    case ElementKind::intermediate_catch_event:
      return intermediate_catch;
    case ElementKind::intermediate_throw_event:
      return intermediate_throw;
    case ElementKind::boundary_event:
      return boundary;
    default:
      return ~Kinds{0};
  }
}

void refuse_kind(const Reading& reading, const Element& element, EventKind kind) {
  if (kind == EventKind::none) {
    complain(reading, Rule::event_kind, element,
             "it has no event definition; say what it waits for");
    return;
  }
  complain(reading, Rule::event_kind, element,
           fmt::format("{} event may not stand here", with_article(model::name_of(kind))));
}

bool is_inside_transaction(const Reading& reading, const Element& element) {
  return reading.drawing.process.at(element.scope).kind == ElementKind::transaction;
}

}  // namespace

void check_event_kinds(const Reading& reading) {
  for (const Element& element : reading.drawing.process.elements) {
    if (!model::is_event(element.kind)) continue;
    const Kinds allowed = allowed_at(reading, element);
    if (element.events.empty() && (allowed & one(EventKind::none)) == 0) {
      refuse_kind(reading, element, EventKind::none);
    }
    for (const model::EventDefinition& definition : element.events) {
      if ((allowed & one(definition.kind)) == 0) refuse_kind(reading, element, definition.kind);
    }
    const bool cancels =
        element.kind == ElementKind::end_event && has_kind(element, EventKind::cancel);
    if (cancels && !is_inside_transaction(reading, element)) {
      complain(reading, Rule::cancel_outside_transaction, element,
               "only a transaction can be cancelled; put it directly into one");
    }
  }
}

}  // namespace pawl::bpmn
