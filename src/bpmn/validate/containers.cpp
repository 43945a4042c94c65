// SPDX-License-Identifier: Apache-2.0
// Processes and sub-processes: how they begin and end, and what may be inside.
#include <fmt/format.h>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

int count_children(const Reading& reading, const Element& scope, ElementKind kind) {
  int count = 0;
  for (const ElementIndex child : scope.children) {
    count += reading.drawing.process.at(child).kind == kind ? 1 : 0;
  }
  return count;
}

void check_starts(const Reading& reading, const Element& scope) {
  int none = 0;
  for (const ElementIndex index : scope.start_events) {
    const Element& start = reading.drawing.process.at(index);
    none += start.event == EventKind::none ? 1 : 0;
    const bool sub_process = scope.kind != ElementKind::process;
    if (sub_process && start.event != EventKind::none) {
      complain(reading, Rule::sub_process_start_kind, start,
               fmt::format("a sub-process begins with a none start event, not with {} one; use "
                           "an event sub-process",
                           with_article(model::name_of(start.event))));
    }
  }
  if (none > 1) {
    complain(reading, Rule::start_several, scope,
             "it has several none start events; keep one, or give the others a trigger");
  }
  const bool ends = count_children(reading, scope, ElementKind::end_event) > 0;
  if (!scope.start_events.empty() && !ends) {
    complain(reading, Rule::end_missing, scope, "it has a start event but no end event; add one");
  }
  if (scope.start_events.empty() && ends) {
    complain(reading, Rule::start_missing, scope,
             "it has an end event but no start event; add one");
  }
}

void check_event_sub_process(const Reading& reading, const Element& scope) {
  if (scope.start_events.size() != 1) {
    complain(reading, Rule::event_sub_process_start, scope,
             fmt::format("it has {} start events; an event sub-process has exactly one",
                         scope.start_events.size()));
  } else if (scope.event == EventKind::none) {
    complain(reading, Rule::event_sub_process_start, scope,
             "its start event has no trigger; add an event definition");
  }
  if (!scope.incoming.empty() || !scope.outgoing.empty()) {
    complain(reading, Rule::event_sub_process_flow, scope,
             "a sequence flow leads to or from it; only its event starts it");
  }
}

void check_ad_hoc(const Reading& reading, const Element& scope) {
  bool activity = false;
  for (const ElementIndex index : scope.children) {
    const Element& child = reading.drawing.process.at(index);
    activity = activity || model::is_activity(child.kind);
    if (child.kind == ElementKind::start_event || child.kind == ElementKind::end_event) {
      complain(reading, Rule::ad_hoc_content, child,
               "an ad-hoc sub-process has no start and end events; remove it");
    }
  }
  if (!activity) {
    complain(reading, Rule::ad_hoc_content, scope, "it has no activity inside; add one");
  }
}

void check_empty(const Reading& reading, const Element& scope) {
  if (scope.start_events.empty() && scope.implicit_starts.empty()) {
    complain(reading, Rule::container_empty, scope,
             "nothing in it can begin; it ends as soon as it starts");
  }
}

}  // namespace

void check_containers(const Reading& reading) {
  for (const Element& scope : reading.drawing.process.elements) {
    if (!model::is_container(scope.kind)) continue;
    if (scope.kind == ElementKind::event_sub_process) {
      check_event_sub_process(reading, scope);
    } else if (scope.kind == ElementKind::ad_hoc_sub_process) {
      check_ad_hoc(reading, scope);
    } else {
      check_starts(reading, scope);
      check_empty(reading, scope);
    }
  }
}

}  // namespace pawl::bpmn
