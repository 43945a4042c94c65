// SPDX-License-Identifier: Apache-2.0
#include "bpmn/zeebe.hpp"

#include <fmt/format.h>

#include "bpmn/listeners.hpp"
#include "bpmn/mappings.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;

// Reads one extension element into `element`.
using ReadExtension = void (*)(const Reading&, xml::Element extension, Element& element);

model::JobDefinition& job_of(Element& element) {
  if (!element.job) element.job.emplace();
  return *element.job;
}

model::UserTaskDefinition& user_task_of(Element& element) {
  if (!element.user_task) element.user_task.emplace();
  return *element.user_task;
}

void task_definition(const Reading& reading, xml::Element own, Element& element) {
  job_of(element).type = reading.expressions.value(own, own.attribute("type"));
  job_of(element).retries = reading.expressions.value(own, own.attribute("retries"));
}

void job_priority(const Reading& reading, xml::Element own, Element& element) {
  job_of(element).priority = reading.expressions.value(own, own.attribute("priority"));
}

void task_headers(const Reading&, xml::Element own, Element& element) {
  xml::each_child(
      own,
      [&](xml::Element header) {
        job_of(element).headers.emplace_back(header.attribute("key"), header.attribute("value"));
      },
      Vocabulary::zeebe);
}

void io_mapping(const Reading& reading, xml::Element own, Element& element) {
  xml::each_child(
      own,
      [&](xml::Element mapping) {
        const bool input = mapping.name() == "input";
        add_mapping(reading, mapping, input ? element.inputs : element.outputs,
                    reading.expressions.value(mapping, mapping.attribute("source")),
                    mapping.attribute("target"));
      },
      Vocabulary::zeebe);
}

void script(const Reading& reading, xml::Element own, Element& element) {
  element.script =
      model::ScriptDefinition{reading.expressions.code(own, own.attribute("expression")),
                              std::string(own.attribute("resultVariable"))};
}

void called_decision(const Reading& reading, xml::Element own, Element& element) {
  element.decision = model::DecisionDefinition{
      reading.expressions.value(own, own.attribute("decisionId")),
      std::string(own.attribute("resultVariable")), std::string(own.attribute("bindingType")),
      std::string(own.attribute("versionTag"))};
}

void called_element(const Reading& reading, xml::Element own, Element& element) {
  model::CallDefinition call;
  call.process_id = reading.expressions.value(own, own.attribute("processId"));
  read_call_binding(own.attribute("bindingType"), element, call);
  call.version = reading.expressions.value(own, own.attribute("versionTag"));
  call.propagate_all_child = own.flag("propagateAllChildVariables", true);
  call.propagate_all_parent = own.flag("propagateAllParentVariables", true);
  element.call = std::move(call);
}

void native_user_task(const Reading&, xml::Element, Element& element) {
  user_task_of(element).native = true;
}

void assignment(const Reading& reading, xml::Element own, Element& element) {
  model::UserTaskDefinition& task = user_task_of(element);
  task.assignee = reading.expressions.value(own, own.attribute("assignee"));
  task.candidate_groups = reading.expressions.value(own, own.attribute("candidateGroups"));
  task.candidate_users = reading.expressions.value(own, own.attribute("candidateUsers"));
}

void schedule(const Reading& reading, xml::Element own, Element& element) {
  model::UserTaskDefinition& task = user_task_of(element);
  task.due_date = reading.expressions.value(own, own.attribute("dueDate"));
  task.follow_up_date = reading.expressions.value(own, own.attribute("followUpDate"));
}

void priority(const Reading& reading, xml::Element own, Element& element) {
  user_task_of(element).priority = reading.expressions.value(own, own.attribute("priority"));
}

void form(const Reading&, xml::Element own, Element& element) {
  model::UserTaskDefinition& task = user_task_of(element);
  task.form_id = own.attribute("formId");
  const std::string_view external = own.attribute("externalReference");
  task.form_key = external.empty() ? own.attribute("formKey") : external;
}

void ad_hoc(const Reading& reading, xml::Element own, Element& element) {
  const std::string_view active = own.attribute("activeElementsCollection");
  element.active_elements = reading.expressions.code(own, active);
  element.path_output_collection = own.attribute("outputCollection");
  element.path_output_element = reading.expressions.code(own, own.attribute("outputElement"));
  if (own.attribute("outputCollection").empty() != own.attribute("outputElement").empty()) {
    reading.report.add(Rule::loop_output_incomplete, own,
                       fmt::format("{}: it has an output collection or an output element, but not "
                                   "the other; give both, or none",
                                   title(own)));
  }
}

void task_listeners(const Reading&, xml::Element own, Element& element) {
  xml::each_child(
      own,
      [&](xml::Element listener) {
        element.unsupported.push_back(
            fmt::format("task listener \"{}\"", listener.attribute("type")));
      },
      Vocabulary::zeebe);
}

void linked_resources(const Reading&, xml::Element own, Element& element) {
  xml::each_child(
      own,
      [&](xml::Element resource) {
        element.unsupported.push_back(
            fmt::format("linked resource \"{}\"", resource.attribute("resourceId")));
      },
      Vocabulary::zeebe);
}

void nothing(const Reading&, xml::Element, Element&) {}

struct ExtensionReader {
  std::string_view tag;
  ReadExtension read;
};

constexpr ExtensionReader extension_readers[] = {
    {"taskDefinition", task_definition},
    {"jobPriorityDefinition", job_priority},
    {"taskHeaders", task_headers},
    {"ioMapping", io_mapping},
    {"script", script},
    {"calledDecision", called_decision},
    {"calledElement", called_element},
    {"userTask", native_user_task},
    {"assignmentDefinition", assignment},
    {"taskSchedule", schedule},
    {"priorityDefinition", priority},
    {"formDefinition", form},
    {"adHoc", ad_hoc},
    {"executionListeners", read_zeebe_listeners},
    {"taskListeners", task_listeners},
    {"linkedResources", linked_resources},
    {"properties", nothing},           // for templates; nothing at run time
    {"userTaskForm", nothing},         // on a process: a form that formKey names
    {"versionTag", nothing},           // read with the process
    {"loopCharacteristics", nothing},  // read with the loop
    {"subscription", nothing},         // read with the message
    {"modelerTemplate", nothing},
};

void read_extension(const Reading& reading, xml::Element own, Element& element) {
  for (const ExtensionReader& row : extension_readers) {
    if (row.tag == own.name()) return row.read(reading, own, element);
  }
  reading.report.add(Rule::extension_unknown, own,
                     fmt::format("zeebe:{} is not known here and has no effect", own.name()));
}

// Workers of listeners get the headers of the element, too.
void give_headers(Element& element) {
  if (!element.listeners || !element.job) return;
  model::Listeners& listeners = *element.listeners;
  for (auto* jobs : {&listeners.before_all, &listeners.start, &listeners.end}) {
    for (model::JobDefinition& job : *jobs) job.headers = element.job->headers;
  }
}

}  // namespace

void read_zeebe(const Reading& reading, xml::Element node, Element& element) {
  xml::each_extension(node, Vocabulary::zeebe,
                      [&](xml::Element own) { read_extension(reading, own, element); });
  if (element.kind == ElementKind::user_task) user_task_of(element);
  give_headers(element);
  // Headers alone make no job: a script or decision may have them too.
  const bool calls = element.script || element.decision || element.kind == ElementKind::user_task;
  if (element.job && element.job->type.empty() && calls) element.job.reset();
}

void read_zeebe_process(xml::Element node, model::Process& process) {
  const xml::Element tag = node.extension("versionTag", Vocabulary::zeebe);
  if (tag) process.version_tag = tag.attribute("value");
}

}  // namespace pawl::bpmn
