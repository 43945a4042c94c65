// SPDX-License-Identifier: Apache-2.0
#include "bpmn/connections.hpp"

#include <fmt/format.h>

#include "bpmn/listeners.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;

Element& element_of(const Reading& reading, ElementIndex index) {
  return reading.drawing.process.elements[number(index)];
}

// The node of this process that a reference means; none if it is not one.
ElementIndex node_at(const Reading& reading, std::string_view reference) {
  const xml::Element found = reading.source.find(reference);
  if (!found) return ElementIndex::none;
  const auto known = reading.drawing.by_id.find(found.attribute("id"));
  return known == reading.drawing.by_id.end() ? ElementIndex::none : known->second;
}

// Says why `reference` is not a node of this process.
std::string why_no_node(const Reading& reading, std::string_view reference) {
  if (reference.empty()) return "it is missing";
  const xml::Element found = reading.source.find(reference);
  if (!found) return fmt::format("nothing has the id \"{}\"", reference.substr(0, 80));
  return fmt::format("\"{}\" is {}, not a flow node of this process", reference.substr(0, 80),
                     with_article(found.name()));
}

ElementIndex flow_end(const Reading& reading, xml::Element flow, std::string_view attribute,
                      Rule rule) {
  const std::string_view reference = flow.attribute(attribute);
  const ElementIndex found = node_at(reading, reference);
  if (found == ElementIndex::none) {
    reading.report.add(rule, flow,
                       fmt::format("{}: {} leads nowhere: {}", title(flow), attribute,
                                   why_no_node(reading, reference)));
  }
  return found;
}

void read_flow_condition(const Reading& reading, xml::Element node, model::Flow& flow) {
  const xml::Element condition = node.child("conditionExpression");
  if (!condition) return;
  if (condition.text().empty()) {
    if (condition.attribute("resource", Vocabulary::camunda).empty()) {
      reading.report.add(Rule::flow_condition_empty, condition,
                         fmt::format("{}: the condition is empty and does not count", title(node)));
      return;
    }
    element_of(reading, flow.source).unsupported.push_back("a condition in a file of its own");
    return;
  }
  const LanguageName language = language_named(condition.attribute("language"));
  const bool foreign = language == LanguageName::foreign || language == LanguageName::nonsense;
  if (reading.dialect() == model::Dialect::camunda7 && foreign) {
    element_of(reading, flow.source)
        .unsupported.push_back(
            fmt::format("a condition in \"{}\"", condition.attribute("language")));
    return;
  }
  flow.condition = reading.expressions.formal(condition);
}

void read_flow(const Reading& reading, xml::Element node) {
  model::Process& process = reading.drawing.process;
  model::Flow flow;
  flow.source = flow_end(reading, node, "sourceRef", Rule::flow_source_unknown);
  flow.target = flow_end(reading, node, "targetRef", Rule::flow_target_unknown);
  if (flow.source == ElementIndex::none || flow.target == ElementIndex::none) return;
  Element& source = element_of(reading, flow.source);
  if (source.scope != element_of(reading, flow.target).scope) {
    reading.report.add(Rule::flow_crosses_scope, node,
                       fmt::format("{}: it crosses the border of a sub-process; end it at the "
                                   "border or use an event",
                                   title(node)));
    return;
  }
  flow.index = static_cast<FlowIndex>(process.flows.size());
  flow.id = node.attribute("id");
  flow.name = node.attribute("name");
  flow.place = node.place();
  read_flow_condition(reading, node, flow);
  note_flow_listeners(node, source);
  process.flows.push_back(std::move(flow));
  reading.drawing.flows.push_back(node);
}

// default="flow" of activities and gateways.
void set_default_flows(const Reading& reading) {
  std::map<std::string_view, FlowIndex> flows;
  for (const model::Flow& flow : reading.drawing.process.flows) flows.emplace(flow.id, flow.index);
  for (Element& element : reading.drawing.process.elements) {
    const xml::Element node = reading.drawing.of(element.index);
    const std::string_view reference = node.attribute("default");
    if (reference.empty() || element.kind == ElementKind::process) continue;
    const auto found = flows.find(reference);
    if (found != flows.end() && reading.drawing.process.at(found->second).source == element.index) {
      element.default_flow = found->second;
      continue;
    }
    reading.report.add(Rule::default_flow_unknown, node,
                       fmt::format("{}: its default \"{}\" is not a flow that leaves it",
                                   title(node), reference.substr(0, 80)));
  }
}

// From each end of an association to the other; a directed one only forwards.
std::multimap<std::string_view, std::string_view> index_associations(const Drawing& drawing) {
  std::multimap<std::string_view, std::string_view> ends;
  for (const xml::Element& association : drawing.associations) {
    const std::string_view source = association.attribute("sourceRef");
    const std::string_view target = association.attribute("targetRef");
    ends.emplace(source, target);
    if (association.attribute("associationDirection") != "One") ends.emplace(target, source);
  }
  return ends;
}

}  // namespace

void read_flows(const Reading& reading, const std::vector<xml::Element>& flows) {
  for (const xml::Element& flow : flows) read_flow(reading, flow);
  set_default_flows(reading);
}

void attach_boundary_events(const Reading& reading) {
  for (Element& element : reading.drawing.process.elements) {
    if (element.kind != ElementKind::boundary_event) continue;
    const xml::Element node = reading.drawing.of(element.index);
    const std::string_view reference = node.attribute("attachedToRef");
    const ElementIndex host = node_at(reading, reference);
    if (host == ElementIndex::none) {
      reading.report.add(
          Rule::boundary_host_unknown, node,
          fmt::format("{}: attachedToRef: {}", title(node), why_no_node(reading, reference)));
      continue;
    }
    const Element& activity = element_of(reading, host);
    if (!model::is_activity(activity.kind) || activity.scope != element.scope) {
      reading.report.add(Rule::boundary_host_unknown, node,
                         fmt::format("{}: \"{}\" is not an activity of the same scope; attach it "
                                     "to a task, sub-process or call activity",
                                     title(node), reference.substr(0, 80)));
      continue;
    }
    element.attached_to = host;
  }
}

void connect_compensation_handlers(const Reading& reading) {
  const auto associations = index_associations(reading.drawing);
  for (Element& element : reading.drawing.process.elements) {
    if (element.kind != ElementKind::boundary_event ||
        element.event != model::EventKind::compensation) {
      continue;
    }
    const auto [begin, end] = associations.equal_range(element.id);
    for (auto at = begin; at != end; ++at) {
      const ElementIndex handler = node_at(reading, at->second);
      if (handler == ElementIndex::none) continue;
      if (model::is_activity(element_of(reading, handler).kind)) {
        element.compensation_handler = handler;
      }
    }
  }
}

}  // namespace pawl::bpmn
