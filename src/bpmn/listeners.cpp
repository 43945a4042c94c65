// SPDX-License-Identifier: Apache-2.0
#include "bpmn/listeners.hpp"

#include <fmt/format.h>

#include "bpmn/camunda7.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using Jobs = std::vector<model::JobDefinition>;

bool is_multi_instance(const Element& element) {
  return element.loop && element.loop->kind == model::LoopDefinition::Kind::multi_instance;
}

// The list that an event of this name belongs to; nullptr, and a finding, if there is none.
Jobs* jobs_for(const Reading& reading, xml::Element listener, std::string_view event,
               Element& element) {
  const bool zeebe = reading.dialect() == model::Dialect::zeebe;
  if (!element.listeners) element.listeners.emplace();
  if (event == "start") return &element.listeners->start;
  if (event == "end") return &element.listeners->end;
  const bool before_all = zeebe && event == "beforeAll";
  if (before_all && is_multi_instance(element)) return &element.listeners->before_all;
  const std::string_view wanted =
      before_all ? "beforeAll is for multi-instance activities; write start or end"
      : zeebe    ? "write start, end or, on a multi-instance activity, beforeAll"
                 : "write start or end";
  reading.report.add(Rule::listener_event_unknown, listener,
                     fmt::format("{}: it cannot listen to \"{}\"; {}", title(listener),
                                 event.substr(0, 40), wanted));
  return nullptr;
}

// What the listener runs: the first of these that it has.
std::string_view java_of(xml::Element listener) {
  for (const std::string_view name : {"class", "delegateExpression", "expression"}) {
    if (const std::string_view text = listener.attribute(name); !text.empty()) return text;
  }
  return {};
}

// Why a worker cannot take the place of the Java code; empty: it can.
std::string needs_java(xml::Element listener) {
  if (listener.child("script", Vocabulary::camunda)) return "a script in an execution listener";
  const std::string_view java = java_of(listener);
  for (const std::string_view name : {"type", "onTransaction"}) {
    const std::string_view text = listener.attribute(name);
    if (text.empty()) continue;
    return fmt::format("execution listener \"{}\" with {}=\"{}\"", java, name, text);
  }
  if (!listener.child("field", Vocabulary::camunda)) return {};
  return fmt::format("fields of the execution listener \"{}\"", java);
}

void read_camunda7_listener(const Reading& reading, xml::Element node, xml::Element listener,
                            Element& element) {
  if (std::string why = needs_java(listener); !why.empty()) {
    element.unsupported.push_back(std::move(why));
    return;
  }
  Jobs* jobs = jobs_for(reading, listener, listener.attribute("event"), element);
  const std::string_view java = java_of(listener);
  if (java.empty()) {
    reading.report.add(Rule::job_type_missing, listener,
                       fmt::format("{}: it runs nothing; give it a class, delegateExpression or "
                                   "expression",
                                   title(listener)));
  }
  if (jobs == nullptr || java.empty()) return;
  jobs->push_back({.type = model::Expression::of_literal(Value(java), std::string(java)),
                   .retries = read_camunda7_retries(node)});
}

}  // namespace

void read_zeebe_listeners(const Reading& reading, xml::Element own, Element& element) {
  const auto read = [&](xml::Element listener) {
    const std::string_view type = listener.attribute("type");
    Jobs* jobs = jobs_for(reading, listener, listener.attribute("eventType"), element);
    if (type.empty()) {
      reading.report.add(Rule::job_type_missing, listener,
                         fmt::format("{}: it has no job type; set type", title(listener)));
    }
    if (jobs == nullptr || type.empty()) return;
    jobs->push_back(
        {.type = reading.expressions.value(listener, type),
         .retries = reading.expressions.value(listener, listener.attribute("retries"))});
  };
  xml::each_child(own, read, Vocabulary::zeebe);
}

void read_camunda7_listeners(const Reading& reading, xml::Element node, Element& element) {
  xml::each_extension(node, Vocabulary::camunda, [&](xml::Element listener) {
    if (listener.name() == "executionListener") {
      read_camunda7_listener(reading, node, listener, element);
    }
    if (listener.name() != "taskListener") return;
    const std::string_view java = java_of(listener);
    element.unsupported.push_back(
        fmt::format("task listener \"{}\"", java.empty() ? listener.attribute("event") : java));
  });
}

void note_flow_listeners(xml::Element flow, Element& source) {
  xml::each_extension(flow, Vocabulary::camunda, [&](xml::Element listener) {
    if (listener.name() != "executionListener") return;
    source.unsupported.push_back(
        fmt::format("execution listener \"{}\" on a flow that leaves", java_of(listener)));
  });
  const std::string_view skip = flow.attribute("skipExpression", Vocabulary::camunda);
  if (!skip.empty()) {
    source.unsupported.push_back(fmt::format("skipExpression \"{}\" on a flow that leaves", skip));
  }
  if (!flow.extension("executionListeners", Vocabulary::zeebe)) return;
  source.unsupported.emplace_back("execution listeners on a flow that leaves");
}

}  // namespace pawl::bpmn
