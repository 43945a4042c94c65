// SPDX-License-Identifier: Apache-2.0
// Completes a process graph: everything that follows from the elements and flows themselves.
#include <map>
#include <string>
#include <utility>

#include "base/assert.hpp"
#include "model/process.hpp"
#include "model/reachability.hpp"

namespace pawl::model {
namespace {

Element& element_at(Process& process, ElementIndex index) {
  PAWL_ASSERT(number(index) < process.elements.size());
  return process.elements[number(index)];
}

void number_everything(Process& process) {
  std::uint32_t next = 0;
  for (Element& element : process.elements) element.index = static_cast<ElementIndex>(next++);
  next = 0;
  for (Flow& flow : process.flows) flow.index = static_cast<FlowIndex>(next++);
}

// What an earlier call has made; so that linking twice is the same as once.
void forget_lists(Element& element) {
  element.incoming.clear();
  element.outgoing.clear();
  element.boundary_events.clear();
  element.children.clear();
  element.start_events.clear();
  element.none_start = ElementIndex::none;
  element.event_sub_processes.clear();
  element.implicit_starts.clear();
  element.link_target = ElementIndex::none;
  element.inclusive_joins.clear();
}

void connect_flows(Process& process) {
  for (const Flow& flow : process.flows) {
    element_at(process, flow.source).outgoing.push_back(flow.index);
    element_at(process, flow.target).incoming.push_back(flow.index);
  }
}

void fill_containers(Process& process) {
  for (const Element& element : process.elements) {
    if (element.attached_to != ElementIndex::none) {
      element_at(process, element.attached_to).boundary_events.push_back(element.index);
    }
    if (element.scope == ElementIndex::none) continue;

    Element& scope = element_at(process, element.scope);
    scope.children.push_back(element.index);
    if (element.kind == ElementKind::event_sub_process) {
      scope.event_sub_processes.push_back(element.index);
    }
    if (element.kind != ElementKind::start_event) continue;
    scope.start_events.push_back(element.index);
    const bool first_none = scope.none_start == ElementIndex::none;
    if (element.event == EventKind::none && first_none) scope.none_start = element.index;
  }
}

// An event sub-process is told apart by what starts it.
void copy_trigger_of_event_sub_processes(Process& process) {
  for (Element& element : process.elements) {
    if (element.kind != ElementKind::event_sub_process || element.start_events.empty()) continue;
    const Element& start = process.at(element.start_events.front());
    element.event = start.event;
    element.interrupting = start.interrupting;
  }
}

// BPMN 2.0, 13.3.4: without a start event all that has no incoming flow begins by itself, except
// what something else starts: an event, a compensation, a link. In an ad-hoc sub-process it is what
// somebody can start.
bool may_begin_by_itself(const Element& element) {
  const bool catches_link =
      element.kind == ElementKind::intermediate_catch_event && element.event == EventKind::link;
  return element.incoming.empty() && element.kind != ElementKind::boundary_event &&
         element.kind != ElementKind::event_sub_process && !element.for_compensation &&
         !catches_link;
}

void find_implicit_starts(Process& process) {
  for (Element& scope : process.elements) {
    if (!is_container(scope.kind) || !scope.start_events.empty()) continue;
    for (const ElementIndex child : scope.children) {
      if (may_begin_by_itself(process.at(child))) scope.implicit_starts.push_back(child);
    }
  }
}

std::pair<ElementIndex, std::string> link_key(const Element& element) {
  const Expression& name = element.events.front().name;
  return {element.scope, name.text};
}

bool is_link(const Element& element, ElementKind kind) {
  return element.kind == kind && element.event == EventKind::link && !element.events.empty();
}

void join_links(Process& process) {
  std::map<std::pair<ElementIndex, std::string>, ElementIndex> catches;
  for (const Element& element : process.elements) {
    if (!is_link(element, ElementKind::intermediate_catch_event)) continue;
    catches.emplace(link_key(element), element.index);
  }
  for (Element& element : process.elements) {
    if (!is_link(element, ElementKind::intermediate_throw_event)) continue;
    const auto found = catches.find(link_key(element));
    if (found != catches.end()) element.link_target = found->second;
  }
}

void find_compensated(Process& process) {
  for (Element& element : process.elements) {
    if (element.event != EventKind::compensation || element.events.empty()) continue;
    const Element* activity = process.find(element.events.front().activity_ref);
    if (activity) element.compensates = activity->index;
  }
}

// Scopes first, then what is in them: a container's rule must be known before its children's.
void inherit_write_rules(Process& process) {
  const WriteRule usual =
      process.dialect == Dialect::plain ? WriteRule::isolated : WriteRule::shared;
  Element& root = process.elements.front();
  root.write_rule = root.own_write_rule.value_or(usual);

  std::vector<ElementIndex> open{root.index};
  while (!open.empty()) {
    const Element& scope = process.at(open.back());
    open.pop_back();
    for (const ElementIndex child : scope.children) {
      Element& element = element_at(process, child);
      element.write_rule = element.own_write_rule.value_or(scope.write_rule);
      if (is_container(element.kind)) open.push_back(child);
    }
  }
}

void name_job(JobDefinition& job) {
  if (!job.type.is_literal() || !job.type.literal.is_string()) return;
  job.type_name = Name(job.type.literal.as_string());
}

void name_jobs(Process& process) {
  for (Element& element : process.elements) {
    if (element.job) name_job(*element.job);
    if (!element.listeners) continue;
    Listeners& listeners = *element.listeners;
    for (auto* jobs : {&listeners.before_all, &listeners.start, &listeners.end}) {
      for (JobDefinition& job : *jobs) name_job(job);
    }
  }
}

}  // namespace

const Element* Process::find(std::string_view element_id) const {
  for (const Element& element : elements) {
    if (element.id == element_id) return &element;
  }
  return nullptr;
}

void link(Process& process) {
  PAWL_ASSERT(!process.elements.empty());
  number_everything(process);
  for (Element& element : process.elements) forget_lists(element);
  connect_flows(process);
  fill_containers(process);
  copy_trigger_of_event_sub_processes(process);
  find_implicit_starts(process);
  join_links(process);
  find_compensated(process);
  inherit_write_rules(process);
  prepare_inclusive_joins(process);
  name_jobs(process);
}

}  // namespace pawl::model
