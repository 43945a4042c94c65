// SPDX-License-Identifier: Apache-2.0
#include "bpmn/camunda7.hpp"

#include <fmt/format.h>

#include "bpmn/camunda7_mappings.hpp"
#include "bpmn/listeners.hpp"
#include "bpmn/mappings.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;
using model::Expression;

std::string_view own(xml::Element node, std::string_view name) {
  return node.attribute(name, Vocabulary::camunda);
}

void read_user_task(const Reading& reading, xml::Element node, Element& element) {
  model::UserTaskDefinition task;
  const auto value = [&](std::string_view name) {
    return reading.expressions.value(node, own(node, name));
  };
  task.assignee = value("assignee");
  task.candidate_groups = value("candidateGroups");
  task.candidate_users = value("candidateUsers");
  task.due_date = value("dueDate");
  task.follow_up_date = value("followUpDate");
  task.priority = value("priority");
  task.form_key = own(node, "formKey");
  task.form_id = own(node, "formRef");
  element.user_task = std::move(task);
}

void read_decision(const Reading& reading, xml::Element node, Element& element) {
  const std::string_view ref = own(node, "decisionRef");
  if (ref.empty()) return;
  element.job.reset();
  const std::string_view tag = own(node, "decisionRefVersionTag");
  element.decision = model::DecisionDefinition{
      reading.expressions.value(node, ref), std::string(own(node, "resultVariable")),
      std::string(own(node, "decisionRefBinding")),
      std::string(tag.empty() ? own(node, "decisionRefVersion") : tag)};
}

void read_call(const Reading& reading, xml::Element node, Element& element) {
  model::CallDefinition call;
  call.process_id = reading.expressions.value(node, node.attribute("calledElement"));
  read_call_binding(own(node, "calledElementBinding"), element, call);
  const std::string_view tag = own(node, "calledElementVersionTag");
  call.version =
      reading.expressions.value(node, tag.empty() ? own(node, "calledElementVersion") : tag);
  call.propagate_all_parent = call.propagate_all_child = call.passes_locals = false;
  element.call = std::move(call);
  if (!own(node, "caseRef").empty()) element.unsupported.push_back("a call of a CMMN case");
  for (const std::string_view name :
       {"variableMappingClass", "variableMappingDelegateExpression"}) {
    if (own(node, name).empty()) continue;
    element.unsupported.push_back(fmt::format("{} \"{}\"", name, own(node, name)));
  }
}

// Read elsewhere, refused elsewhere, or only for forms and tools.
constexpr std::string_view known_extensions[] = {"connector",
                                                 "errorEventDefinition",
                                                 "executionListener",
                                                 "failedJobRetryTimeCycle",
                                                 "field",
                                                 "formData",
                                                 "formProperty",
                                                 "in",
                                                 "inputOutput",
                                                 "out",
                                                 "potentialStarter",
                                                 "properties",
                                                 "taskListener",
                                                 "customProperties",
                                                 "modelerTemplate"};

void note_unknown(const Reading& reading, xml::Element node) {
  xml::each_extension(node, Vocabulary::camunda, [&](xml::Element extension) {
    for (const std::string_view known : known_extensions) {
      if (extension.name() == known) return;
    }
    reading.report.add(Rule::extension_unknown, extension,
                       fmt::format("the extension element \"{}\" is not known here and has no "
                                   "effect",
                                   extension.name()));
  });
}

// What would let the element do something else.
void note_changes(xml::Element node, Element& element) {
  if (const std::string_view skip = own(node, "skipExpression"); !skip.empty()) {
    element.unsupported.push_back(fmt::format("skipExpression \"{}\"", skip));
  }
  if (own(node, "triggerable") == "true") element.unsupported.push_back("triggerable=\"true\"");
  const xml::Element loop = node.child("multiInstanceLoopCharacteristics");
  if (loop && loop.extension("variableAggregation", Vocabulary::camunda)) {
    element.unsupported.push_back("variableAggregation of a loop");
  }
}

void note_rest(xml::Element node, Element& element) {
  if (node.extension("connector", Vocabulary::camunda))
    element.unsupported.push_back("a connector");
  if (element.kind != ElementKind::service_task) return;
  xml::each_extension(node, Vocabulary::camunda, [&](xml::Element extension) {
    if (extension.name() != "errorEventDefinition") return;
    element.unsupported.push_back("an error definition on an external task");
  });
}

// Of a task: `name`, with its value as an attribute or inside.
struct Field {
  std::string_view value{};
  bool is_expression{false};
};

Field field_of(xml::Element field) {
  for (const std::string_view name : {"stringValue", "string"}) {
    if (const std::string_view text = field.attribute(name); !text.empty()) return {text};
  }
  if (const xml::Element text = field.child("string", Vocabulary::camunda)) return {text.text()};
  const xml::Element code = field.child("expression", Vocabulary::camunda);
  return {code ? code.text() : field.attribute("expression"), true};
}

// What Java code would be given is a header for the worker that takes its place.
void read_fields(const Reading& reading, xml::Element node, Element& element) {
  xml::each_extension(node, Vocabulary::camunda, [&](xml::Element extension) {
    if (extension.name() != "field") return;
    if (!element.job) {
      element.unsupported.push_back(fmt::format("field \"{}\"", extension.attribute("name")));
      return;
    }
    const Field field = field_of(extension);
    element.job->headers.emplace_back(extension.attribute("name"), field.value);
    if (!field.is_expression) return;
    reading.report.add(
        Rule::extension_unknown, extension,
        fmt::format("field \"{}\" has an expression, which is not evaluated: workers get its text "
                    "as a header",
                    extension.attribute("name")));
  });
}

// A message that is sent by Java code or by an external worker: the event is a job.
void read_sending_event(const Reading& reading, xml::Element node, Element& element) {
  xml::each_child(node, [&](xml::Element definition) {
    if (!definition.is("messageEventDefinition")) return;
    if (auto job = read_camunda7_job(reading, definition, element)) element.job = std::move(*job);
    read_fields(reading, definition, element);
  });
}

// Camunda puts the data of a signal into its event definition.
void read_signal_data(const Reading& reading, xml::Element node, Element& element) {
  xml::each_child(node, [&](xml::Element definition) {
    if (definition.is("signalEventDefinition")) read_camunda7_call(reading, definition, element);
  });
}

}  // namespace

Expression read_camunda7_retries(xml::Element node) {
  const xml::Element cycle = node.extension("failedJobRetryTimeCycle", Vocabulary::camunda);
  std::string_view text = cycle.text();
  if (text.size() < 2 || text[0] != 'R') return {};
  text = text.substr(1, text.find('/') - 1);
  std::int64_t retries = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || retries > 1'000'000) return {};
    retries = retries * 10 + (c - '0');
  }
  return Expression::of_literal(Value(retries), std::string(text));
}

std::optional<model::JobDefinition> read_camunda7_job(const Reading& reading, xml::Element node,
                                                      Element& element) {
  model::JobDefinition job;
  const std::string_view type = own(node, "type");
  if (type == "external") {
    job.type = reading.expressions.value(node, own(node, "topic"));
  } else if (!type.empty()) {
    element.unsupported.push_back(fmt::format("a task of the type \"{}\"", type));
    return std::nullopt;
  }
  for (const std::string_view name : {"class", "delegateExpression", "expression"}) {
    const std::string_view text = own(node, name);
    if (job.type.empty() && !text.empty()) {
      job.type = Expression::of_literal(Value(text), std::string(text));
    }
  }
  if (job.type.empty()) return std::nullopt;
  job.priority = reading.expressions.value(node, own(node, "taskPriority"));
  job.retries = read_camunda7_retries(node);
  return job;
}

void read_camunda7(const Reading& reading, xml::Element node, Element& element) {
  switch (element.kind) {
    case ElementKind::service_task:
    case ElementKind::send_task:
    case ElementKind::business_rule_task:
      if (auto job = read_camunda7_job(reading, node, element)) element.job = std::move(*job);
      read_decision(reading, node, element);
      break;
    case ElementKind::user_task:
      read_user_task(reading, node, element);
      break;
    case ElementKind::call_activity:
      read_call(reading, node, element);
      break;
    case ElementKind::end_event:
    case ElementKind::intermediate_throw_event:
      read_sending_event(reading, node, element);
      read_signal_data(reading, node, element);
      break;
    default:
      break;
  }
  read_camunda7_parameters(reading, node, element);
  if (element.kind == ElementKind::call_activity) read_camunda7_call(reading, node, element);
  read_camunda7_listeners(reading, node, element);
  read_fields(reading, node, element);
  note_rest(node, element);
  note_changes(node, element);
  note_unknown(reading, node);
}

void read_camunda7_process(xml::Element node, model::Process& process) {
  process.version_tag = own(node, "versionTag");
}

}  // namespace pawl::bpmn
