// SPDX-License-Identifier: Apache-2.0
// Tasks and calls: what each needs to be able to do its work.
#include <fmt/format.h>

#include <map>

#include "bpmn/validate/check.hpp"
#include "bpmn/vocabulary.hpp"

namespace pawl::bpmn {
namespace {

using model::Dialect;
using model::Element;
using model::ElementKind;

bool does_something(const Element& element) {
  if (element.job && !element.job->type.empty()) return true;
  if (element.decision && !element.decision->decision_id.empty()) return true;
  return element.script.has_value() || !element.unsupported.empty();
}

bool needs_work(const Reading& reading, const Element& element) {
  const bool zeebe = reading.dialect() == Dialect::zeebe;
  switch (element.kind) {
    case ElementKind::service_task:
    case ElementKind::send_task:
    case ElementKind::business_rule_task:
      return true;
    case ElementKind::script_task:
      return zeebe;
    case ElementKind::end_event:
    case ElementKind::intermediate_throw_event:
      return zeebe && has_kind(element, model::EventKind::message);
    default:
      return false;
  }
}

std::string_view what_is_missing(const Reading& reading) {
  if (reading.dialect() == Dialect::zeebe) {
    return "it has no job type; add zeebe:taskDefinition with a type";
  }
  return "it says not what to do; add camunda:type=\"external\" with a topic, or a class, "
         "delegateExpression or expression";
}

// Whether a call can start the process: it has a none start event, or no start event at all.
bool can_be_called(xml::Element process) {
  bool starts = false;
  bool starts_by_itself = false;
  xml::each_child(process, [&](xml::Element child) {
    if (!child.is("startEvent")) return;
    starts = true;
    bool triggered = false;
    xml::each_child(child, [&](xml::Element part) {
      triggered = triggered || event_of_tag(part.name()) || part.is("eventDefinitionRef");
    });
    starts_by_itself = starts_by_itself || !triggered;
  });
  return !starts || starts_by_itself;
}

// Many activities may call one large process; it is looked at once.
using Callable = std::map<std::string_view, bool>;

void check_called_process(const Reading& reading, const Element& element, Callable& callable) {
  const xml::Element node = reading.drawing.of(element.index);
  const bool calls_case = !node.attribute("caseRef", Vocabulary::camunda).empty();
  if (!element.call || element.call->process_id.empty()) {
    if (calls_case) return;
    complain(reading, Rule::called_element_missing, element,
             "it says not which process to call; set the called element");
    return;
  }
  if (!element.call->process_id.is_literal()) return;
  const xml::Element called = reading.source.find(element.call->process_id.text);
  if (!called) return;  // in another file, perhaps
  if (!called.is("process") && !is_global_task(called.name())) {
    complain(reading, Rule::called_element_unknown, element,
             fmt::format("\"{}\" is {}, which cannot be called", element.call->process_id.text,
                         with_article(called.name())));
    return;
  }
  if (!called.is("process")) return;
  const std::string_view id = called.attribute("id");
  const auto known = callable.find(id);
  const bool fine = known != callable.end()
                        ? known->second
                        : callable.emplace(id, can_be_called(called)).first->second;
  if (fine) return;
  complain(reading, Rule::called_process_start, element,
           fmt::format("the process \"{}\" that it calls has no none start event; add one", id));
}

}  // namespace

void check_tasks(const Reading& reading) {
  Callable callable;
  for (const Element& element : reading.drawing.process.elements) {
    if (needs_work(reading, element) && !does_something(element)) {
      complain(reading, Rule::job_type_missing, element, what_is_missing(reading));
    }
    if (element.kind == ElementKind::call_activity)
      check_called_process(reading, element, callable);
  }
}

}  // namespace pawl::bpmn
