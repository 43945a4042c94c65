// SPDX-License-Identifier: Apache-2.0
// Sequence flows: what they may connect, and that nothing is left unconnected by mistake.
#include <fmt/format.h>

#include <set>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

bool is_intermediate(const Element& element) {
  return element.kind == ElementKind::intermediate_catch_event ||
         element.kind == ElementKind::intermediate_throw_event ||
         element.kind == ElementKind::boundary_event;
}

void check_ends(const Reading& reading, const Element& element) {
  if (element.kind == ElementKind::start_event && !element.incoming.empty()) {
    complain(reading, Rule::start_has_incoming, element,
             "a sequence flow leads to it; nothing leads to a start event");
  }
  if (element.kind == ElementKind::end_event && !element.outgoing.empty()) {
    complain(reading, Rule::end_has_outgoing, element,
             "a sequence flow leaves it; nothing leaves an end event");
  }
  const bool starts_process = element.kind == ElementKind::receive_task && element.instantiate;
  if (starts_process && !element.incoming.empty()) {
    complain(reading, Rule::instantiate_has_incoming, element,
             "it starts the process and has an incoming flow; remove one of the two");
  }
}

// Elements that are started by something else than a flow.
bool needs_no_incoming(const Element& element) {
  return element.kind == ElementKind::process || element.kind == ElementKind::start_event ||
         element.kind == ElementKind::boundary_event ||
         element.kind == ElementKind::event_sub_process || element.for_compensation ||
         element.instantiate || catches_link(element);
}

bool needs_no_outgoing(const Element& element) {
  return element.kind == ElementKind::process || element.kind == ElementKind::end_event ||
         element.kind == ElementKind::event_sub_process || element.for_compensation ||
         throws_link(element) || has_kind(element, EventKind::compensation);
}

bool has_child(const Reading& reading, const Element& scope, ElementKind kind) {
  for (const ElementIndex child : scope.children) {
    if (reading.drawing.process.at(child).kind == kind) return true;
  }
  return false;
}

void check_scope_is_connected(const Reading& reading, const Element& scope) {
  if (scope.kind == ElementKind::ad_hoc_sub_process) return;
  const bool starts = !scope.start_events.empty();
  const bool ends = has_child(reading, scope, ElementKind::end_event);
  for (const ElementIndex index : scope.children) {
    const Element& element = reading.drawing.process.at(index);
    const bool lonely = element.incoming.empty() && !needs_no_incoming(element);
    if (lonely && (starts || is_intermediate(element))) {
      complain(reading, Rule::node_without_incoming, element,
               "no sequence flow leads to it, so it is never reached; connect it or remove it");
    }
    const bool stuck = element.outgoing.empty() && !needs_no_outgoing(element);
    if (stuck && (ends || is_intermediate(element))) {
      complain(reading, Rule::node_without_outgoing, element,
               "no sequence flow leaves it; lead it to an end event");
    }
  }
}

// <incoming> and <outgoing> repeat the flows. Where a process uses them they must agree.
class Repeated {
 public:
  explicit Repeated(const Reading& reading) : reading_(reading) {}

  void check() const {
    if (!used()) return;
    for (const Element& element : reading_.drawing.process.elements) {
      if (element.kind == ElementKind::process) continue;
      compare(element, "incoming", element.incoming);
      compare(element, "outgoing", element.outgoing);
    }
  }

 private:
  bool used() const {
    for (const xml::Element& node : reading_.drawing.nodes) {
      if (node.child("incoming") || node.child("outgoing")) return true;
    }
    return false;
  }

  void compare(const Element& element, std::string_view tag,
               const std::vector<FlowIndex>& flows) const {
    std::set<std::string_view> drawn;
    for (const FlowIndex flow : flows) drawn.insert(reading_.drawing.process.at(flow).id);
    std::set<std::string_view> written;
    xml::each_child(reading_.drawing.of(element.index), [&](xml::Element child) {
      if (child.is(tag)) written.insert(local_part(child.text()));
    });
    if (drawn == written) return;
    complain(reading_, Rule::flow_lists_differ, element,
             fmt::format("its <{}> elements do not name the sequence flows that are there; write "
                         "one for each, or none in the whole process",
                         tag));
  }

  static std::string_view local_part(std::string_view reference) {
    const std::size_t colon = reference.rfind(':');
    return colon == std::string_view::npos ? reference : reference.substr(colon + 1);
  }

  const Reading& reading_;
};

void check_flow(const Reading& reading, const model::Flow& flow) {
  const xml::Element node = reading.drawing.of(flow.index);
  const Element& source = reading.drawing.process.at(flow.source);
  if (node.find("isImmediate") != nullptr) {
    reading.report.add(Rule::flow_is_immediate, node,
                       fmt::format("{}: isImmediate has no place in an executable process; remove "
                                   "it",
                                   title(node)));
  }
  if (flow.condition.empty()) return;
  if (source.default_flow == flow.index) {
    reading.report.add(Rule::default_flow_condition, node,
                       fmt::format("{}: it is the default and has a condition, which is never "
                                   "looked at; remove it",
                                   title(node)));
  }
  if (model::is_activity(source.kind) && source.outgoing.size() == 1) {
    reading.report.add(Rule::flow_condition_alone, node,
                       fmt::format("{}: a conditional flow needs another flow beside it, for when "
                                   "the condition does not hold",
                                   title(node)));
  }
  if (model::is_event(source.kind)) {
    reading.report.add(Rule::flow_condition_ignored, node,
                       fmt::format("{}: a flow that leaves an event has no condition; it is "
                                   "always taken",
                                   title(node)));
  }
}

}  // namespace

void check_connections(const Reading& reading) {
  for (const Element& element : reading.drawing.process.elements) {
    check_ends(reading, element);
    if (model::is_container(element.kind)) check_scope_is_connected(reading, element);
  }
  for (const model::Flow& flow : reading.drawing.process.flows) check_flow(reading, flow);
  Repeated(reading).check();
}

}  // namespace pawl::bpmn
