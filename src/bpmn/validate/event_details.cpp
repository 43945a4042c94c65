// SPDX-License-Identifier: Apache-2.0
// What an event must say to be able to happen: the message, its key, the code it throws.
#include <fmt/format.h>

#include "bpmn/validate/check.hpp"
#include "bpmn/vocabulary.hpp"

namespace pawl::bpmn {
namespace {

using model::Dialect;
using model::Element;
using model::ElementKind;
using model::EventDefinition;
using model::EventKind;

bool throws(const Element& element) {
  return element.kind == ElementKind::end_event ||
         element.kind == ElementKind::intermediate_throw_event;
}

// A message that starts a new instance is not addressed to one.
bool starts_instance(const Reading& reading, const Element& element) {
  return element.kind == ElementKind::start_event &&
         reading.drawing.process.at(element.scope).kind == ElementKind::process;
}

bool starts_event_sub_process(const Reading& reading, const Element& element) {
  return element.kind == ElementKind::start_event &&
         reading.drawing.process.at(element.scope).kind == ElementKind::event_sub_process;
}

void check_message(const Reading& reading, const Element& element,
                   const EventDefinition& definition) {
  const bool zeebe = reading.dialect() == Dialect::zeebe;
  const bool sent_by_job = throws(element) && reading.dialect() != Dialect::plain;
  if (definition.ref_id.empty() && !sent_by_job) {
    complain(reading, Rule::message_ref_missing, element, "it names no message; set messageRef");
    return;
  }
  if (!zeebe || throws(element) || definition.ref_id.empty()) return;
  if (starts_instance(reading, element) || !definition.correlation_key.empty()) return;
  complain(reading, Rule::correlation_key_missing, element,
           fmt::format("the message \"{}\" has no correlation key; add zeebe:subscription with "
                       "correlationKey to it",
                       definition.ref_id));
}

void check_thrown_code(const Reading& reading, const Element& element,
                       const EventDefinition& definition) {
  if (!throws(element) || !definition.code.empty()) return;
  if (definition.kind == EventKind::escalation) {
    complain(reading, Rule::escalation_code_missing, element,
             "it throws an escalation without code; set escalationRef to one with escalationCode");
  }
  if (definition.kind == EventKind::error) {
    complain(reading, Rule::error_code_missing, element,
             "it throws an error without code; set errorRef to one with errorCode");
  }
}

void check_operation(const Reading& reading, const Element& element) {
  xml::each_child(reading.drawing.of(element.index), [&](xml::Element definition) {
    if (!definition.is("messageEventDefinition") || definition.child("operationRef")) return;
    reading.report.add(
        Rule::operation_missing, definition,
        fmt::format("{}: it names no operation; add operationRef", title(definition)));
  });
}

// A cycle goes on while its activity does; where the first time ends the waiting, Zeebe wants a
// date or a duration. Elsewhere the first time counts.
void check_cycle(const Reading& reading, const Element& element,
                 const EventDefinition& definition) {
  const bool cycle =
      definition.timer && definition.timer->kind == model::TimerDefinition::Kind::cycle;
  const bool interrupts = element.interrupting && (element.kind == ElementKind::boundary_event ||
                                                   starts_event_sub_process(reading, element));
  const bool once = element.kind == ElementKind::intermediate_catch_event || interrupts;
  if (!cycle || !once || reading.dialect() != Dialect::zeebe) return;
  complain(reading, Rule::timer_cycle, element,
           "it happens once, so it cannot have a timeCycle; use timeDuration or timeDate, or an "
           "event that does not interrupt (cancelActivity or isInterrupting=\"false\")");
}

void check_continue_as_new(const Reading& reading, const Element& element) {
  const std::string_view asked =
      reading.drawing.of(element.index).attribute("continueAsNew", Vocabulary::pawl);
  if (asked.empty()) return;
  if (asked != "true" && asked != "false") {
    complain(reading, Rule::continue_as_new, element,
             fmt::format("pawl:continueAsNew=\"{}\" cannot be used; write true or false",
                         asked.substr(0, 40)));
    return;
  }
  const bool fits = element.kind == ElementKind::end_event && element.event == EventKind::none &&
                    reading.drawing.process.at(element.scope).kind == ElementKind::process;
  if (fits) return;
  complain(reading, Rule::continue_as_new, element,
           "pawl:continueAsNew ends the whole instance; it can only stand on a none end event of "
           "the process itself");
}

}  // namespace

void check_event_details(const Reading& reading) {
  for (const Element& element : reading.drawing.process.elements) {
    check_continue_as_new(reading, element);
    const bool receives = element.kind == ElementKind::receive_task;
    if (!model::is_event(element.kind) && !receives) continue;
    for (const EventDefinition& definition : element.events) {
      if (definition.kind == EventKind::message) check_message(reading, element, definition);
      check_thrown_code(reading, element, definition);
      check_cycle(reading, element, definition);
    }
    if (!receives) check_operation(reading, element);
  }
}

}  // namespace pawl::bpmn
