// SPDX-License-Identifier: Apache-2.0
#include "bpmn/elements.hpp"

#include <fmt/format.h>

#include <charconv>

#include "bpmn/camunda7.hpp"
#include "bpmn/events.hpp"
#include "bpmn/loops.hpp"
#include "bpmn/vocabulary.hpp"
#include "bpmn/zeebe.hpp"

namespace pawl::bpmn {
namespace {

using model::Dialect;
using model::Element;
using model::ElementKind;
using model::Expression;

std::int64_t read_quantity(const Reading& reading, xml::Element node, std::string_view name,
                           Element& element) {
  const std::string_view text = node.attribute(name);
  if (text.empty()) return 1;
  std::int64_t quantity = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quantity);
  if (error != std::errc{} || end != text.data() + text.size() || quantity < 0) {
    reading.report.add(Rule::quantity_invalid, node,
                       fmt::format("{}: {} \"{}\" must be a whole number of at least 1",
                                   title(node), name, text.substr(0, 40)));
    return 1;
  }
  if (quantity != 1) element.unsupported.push_back(fmt::format("{}=\"{}\"", name, quantity));
  return quantity;
}

// Plain models say nothing about workers: the operation's name, or else the id, is the job type.
Expression plain_job_type(const Reading& reading, xml::Element node) {
  const std::string_view type = node.attribute("type", Vocabulary::pawl);
  if (!type.empty()) return reading.expressions.value(node, type);
  if (const xml::Element operation = reading.source.find(node.attribute("operationRef"))) {
    const std::string_view name = operation.attribute("name");
    if (operation.is("operation") && !name.empty()) return Expression::of_literal(Value(name));
  }
  return Expression::of_literal(Value(node.attribute("id")));
}

bool is_job_kind(ElementKind kind) {
  return kind == ElementKind::service_task || kind == ElementKind::send_task ||
         kind == ElementKind::business_rule_task;
}

// pawl:type works in each dialect; the defaults only in plain models.
void read_plain_job(const Reading& reading, xml::Element node, Element& element) {
  if (!is_job_kind(element.kind)) return;
  const bool asked = node.find("type", Vocabulary::pawl) != nullptr;
  if (reading.dialect() != Dialect::plain && !asked) return;
  if (!element.job) element.job.emplace();
  element.job->type = plain_job_type(reading, node);
}

void read_script_task(const Reading& reading, xml::Element node, Element& element) {
  const xml::Element script = node.child("script");
  const bool camunda = reading.dialect() == Dialect::camunda7;
  const std::string_view format = node.attribute("scriptFormat");
  model::ScriptDefinition made;
  made.result_variable =
      node.attribute("resultVariable", camunda ? Vocabulary::camunda : Vocabulary::pawl);
  if (camunda && !node.attribute("resource", Vocabulary::camunda).empty()) {
    element.unsupported.push_back("a script in a file of its own");
  } else if (script) {
    auto compiled = reading.expressions.script(script, script.text(), format);
    if (compiled) made.script = std::move(*compiled);
    if (!compiled) element.unsupported.push_back(fmt::format("a script in \"{}\"", format));
  } else {
    reading.report.add(Rule::script_missing, node,
                       fmt::format("{}: it has no script; add one", title(node)));
  }
  element.script = std::move(made);
}

void read_plain_call(const Reading& reading, xml::Element node, Element& element) {
  model::CallDefinition call;
  std::string_view called = node.attribute("calledElement");
  // A reference, not an expression: only its local part is the id.
  if (const xml::Element local = reading.source.find(called)) called = local.attribute("id");
  call.process_id = reading.expressions.value(node, called);
  element.call = std::move(call);
}

void read_receive_task(const Reading& reading, xml::Element node, Element& element) {
  element.instantiate = node.flag("instantiate", false);
  const std::string_view ref = node.attribute("messageRef");
  if (!ref.empty()) {
    element.events.push_back(read_message(reading, node, ref));
    element.event = model::EventKind::message;
  } else if (reading.dialect() == Dialect::zeebe) {
    reading.report.add(Rule::message_ref_missing, node,
                       fmt::format("{}: it waits for no message; set messageRef", title(node)));
  }
}

void read_send_task(const Reading& reading, xml::Element node, Element& element) {
  const std::string_view ref = node.attribute("messageRef");
  if (ref.empty() || reading.dialect() == Dialect::zeebe) return;
  element.events.push_back(read_message(reading, node, ref));
  element.event = model::EventKind::message;
}

void read_ad_hoc(const Reading& reading, xml::Element node, Element& element) {
  element.completion_condition = reading.expressions.formal(node.child("completionCondition"));
  element.cancel_remaining = node.flag("cancelRemainingInstances", true);
  element.sequential_ordering = node.attribute("ordering") == "Sequential";
}

// What a kind of element has of its own in the standard.
void read_own_parts(const Reading& reading, xml::Element node, Element& element) {
  const bool zeebe = reading.dialect() == Dialect::zeebe;
  switch (element.kind) {
    case ElementKind::start_event:
    case ElementKind::end_event:
    case ElementKind::intermediate_catch_event:
    case ElementKind::intermediate_throw_event:
    case ElementKind::boundary_event:
      read_event(reading, node, element);
      element.continue_as_new = node.attribute("continueAsNew", Vocabulary::pawl) == "true";
      break;
    case ElementKind::script_task:
      if (!zeebe) read_script_task(reading, node, element);
      break;
    case ElementKind::call_activity:
      if (!zeebe) read_plain_call(reading, node, element);
      break;
    case ElementKind::user_task:
      element.user_task.emplace();
      break;
    case ElementKind::receive_task:
      read_receive_task(reading, node, element);
      break;
    case ElementKind::send_task:
      read_send_task(reading, node, element);
      break;
    case ElementKind::ad_hoc_sub_process:
      read_ad_hoc(reading, node, element);
      break;
    case ElementKind::event_based_gateway:
      element.instantiate = node.flag("instantiate", false);
      if (node.attribute("eventGatewayType") == "Parallel") {
        element.event = model::EventKind::parallel_multiple;
      }
      break;
    case ElementKind::complex_gateway:
      element.activation_condition = reading.expressions.formal(node.child("activationCondition"));
      break;
    default:
      break;
  }
}

void refuse_unknown_children(const Reading& reading, xml::Element node) {
  xml::each_child(node, [&](xml::Element child) {
    if (is_known_inside_node(child.name())) return;
    reading.report.add(Rule::element_unknown, child,
                       fmt::format("{}: <{}> is not known here; remove it or correct its name",
                                   title(node), child.name()));
  });
}

}  // namespace

void read_write_rule(const Reading& reading, xml::Element node, Element& element) {
  const std::string_view rule = node.attribute("variables", Vocabulary::pawl);
  if (rule == "shared") element.own_write_rule = model::WriteRule::shared;
  if (rule == "isolated") element.own_write_rule = model::WriteRule::isolated;
  if (rule.empty() || element.own_write_rule) return;
  reading.report.add(Rule::write_rule_unknown, node,
                     fmt::format("{}: pawl:variables \"{}\" is not known; write shared or isolated",
                                 title(node), rule.substr(0, 40)));
}

void read_element(const Reading& reading, xml::Element node, Element& element) {
  element.id = node.attribute("id");
  element.name = node.attribute("name");
  element.place = node.place();
  element.for_compensation = node.flag("isForCompensation", false);
  read_own_parts(reading, node, element);
  if (model::is_activity(element.kind) || element.kind == ElementKind::event_sub_process) {
    element.start_quantity = read_quantity(reading, node, "startQuantity", element);
    element.completion_quantity = read_quantity(reading, node, "completionQuantity", element);
    read_loop(reading, node, element);
  }
  if (reading.dialect() == Dialect::zeebe) read_zeebe(reading, node, element);
  if (reading.dialect() == Dialect::camunda7) read_camunda7(reading, node, element);
  read_plain_job(reading, node, element);
  if (model::is_container(element.kind)) {
    read_write_rule(reading, node, element);
  } else {
    refuse_unknown_children(reading, node);
  }
}

}  // namespace pawl::bpmn
