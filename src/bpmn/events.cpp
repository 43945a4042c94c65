// SPDX-License-Identifier: Apache-2.0
#include "bpmn/events.hpp"

#include <fmt/format.h>

#include "bpmn/vocabulary.hpp"

namespace pawl::bpmn {
namespace {

using model::Dialect;
using model::EventDefinition;
using model::EventKind;
using model::Expression;

// What a reference points to, or none after a report.
xml::Element resolve(const Reading& reading, xml::Element user, std::string_view reference,
                     std::string_view tag, Rule rule) {
  const xml::Element found = reading.source.find(reference);
  if (found && found.is(tag)) return found;
  reading.report.add(rule, user,
                     fmt::format("{}: there is no {} with the id \"{}\"; define it or correct the "
                                 "reference",
                                 title(user), tag, reference.substr(0, 80)));
  return {};
}

// A name that must be there in Zeebe; elsewhere the id does as well.
Expression name_expression(const Reading& reading, xml::Element named, Rule missing) {
  const std::string_view name = named.attribute("name");
  if (!name.empty()) return reading.expressions.value(named, name);
  if (reading.dialect() == Dialect::zeebe) {
    reading.report.add(missing, named,
                       fmt::format("{}: it has no name; give it one", title(named)));
    return {};
  }
  return Expression::of_literal(Value(named.attribute("id")));
}

void read_signal(const Reading& reading, xml::Element definition, EventDefinition& made) {
  made.ref_id = definition.attribute("signalRef");
  if (made.ref_id.empty()) {
    reading.report.add(Rule::signal_ref_missing, definition,
                       fmt::format("{}: it names no signal; set signalRef", title(definition)));
    return;
  }
  const xml::Element signal =
      resolve(reading, definition, made.ref_id, "signal", Rule::signal_ref_unknown);
  if (signal) made.name = name_expression(reading, signal, Rule::signal_name_missing);
}

// Outside of Zeebe a reference that nothing defines is taken for the code itself.
void read_error(const Reading& reading, xml::Element definition, EventDefinition& made) {
  made.ref_id = definition.attribute("errorRef");
  made.code_variable = definition.attribute("errorCodeVariable", Vocabulary::camunda);
  made.message_variable = definition.attribute("errorMessageVariable", Vocabulary::camunda);
  if (made.ref_id.empty()) return;
  if (reading.dialect() != Dialect::zeebe && !reading.source.find(made.ref_id)) {
    made.code = Expression::of_literal(Value(made.ref_id));
    reading.report.add(Rule::reference_unknown, definition,
                       fmt::format("{}: errorRef refers to \"{}\", which does not exist",
                                   title(definition), made.ref_id));
    return;
  }
  const xml::Element error =
      resolve(reading, definition, made.ref_id, "error", Rule::error_ref_unknown);
  if (!error) return;
  const std::string_view code = error.attribute("errorCode");
  if (!code.empty()) {
    made.code = reading.expressions.value(error, code);
  } else if (reading.dialect() != Dialect::zeebe) {
    made.code = Expression::of_literal(Value(error.attribute("id")));
  }
}

void read_escalation(const Reading& reading, xml::Element definition, EventDefinition& made) {
  made.ref_id = definition.attribute("escalationRef");
  made.code_variable = definition.attribute("escalationCodeVariable", Vocabulary::camunda);
  if (made.ref_id.empty()) return;
  const xml::Element escalation =
      resolve(reading, definition, made.ref_id, "escalation", Rule::escalation_ref_unknown);
  if (!escalation) return;
  made.code = reading.expressions.value(escalation, escalation.attribute("escalationCode"));
}

void read_timer(const Reading& reading, xml::Element definition, EventDefinition& made) {
  using Kind = model::TimerDefinition::Kind;
  int found = 0;
  const auto read = [&](std::string_view tag, Kind kind) {
    const xml::Element written = definition.child(tag);
    if (!written) return;
    ++found;
    if (!made.timer) made.timer = {kind, reading.expressions.timer(written, kind)};
    if (written.text().empty()) {
      reading.report.add(Rule::timer_missing, written,
                         fmt::format("{}: it is empty; write the time", title(written)));
    }
  };
  read("timeDate", Kind::date);
  read("timeDuration", Kind::duration);
  read("timeCycle", Kind::cycle);
  if (found == 1) return;
  if (found == 0) {
    reading.report.add(Rule::timer_missing, definition,
                       fmt::format("{}: it says no time; add timeDate, timeDuration or timeCycle",
                                   title(definition)));
  } else {
    reading.report.add(Rule::timer_several, definition,
                       fmt::format("{}: timeDate, timeDuration and timeCycle exclude each other; "
                                   "keep one",
                                   title(definition)));
  }
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return parts;
}

void read_event_condition(const Reading& reading, xml::Element definition, EventDefinition& made) {
  const xml::Element condition = definition.child("condition");
  if (!condition || condition.text().empty()) {
    reading.report.add(Rule::condition_missing, definition,
                       fmt::format("{}: it has no condition; add one", title(definition)));
  } else {
    made.condition = reading.expressions.formal(condition);
  }
  made.variable_name = definition.attribute("variableName", Vocabulary::camunda);
  std::string_view events = definition.attribute("variableEvents", Vocabulary::camunda);
  if (const xml::Element filter = definition.extension("conditionalFilter", Vocabulary::zeebe)) {
    made.variable_name = filter.attribute("variableNames");
    events = filter.attribute("variableEvents");
  }
  made.variable_events = split_at_commas(events);
}

// A <target> leads to the catch event's definition, whatever the two are called.
void read_link(const Reading& reading, xml::Element definition, EventDefinition& made) {
  std::string_view name = definition.attribute("name");
  if (const xml::Element target = definition.child("target")) {
    const xml::Element other = reading.source.find(target.text());
    if (other && other.is("linkEventDefinition")) name = other.attribute("name");
  }
  if (name.empty()) {
    reading.report.add(Rule::link_name_missing, definition,
                       fmt::format("{}: a link needs a name; set it", title(definition)));
    return;
  }
  made.name = Expression::of_literal(Value(name));
}

// Definitions of an event, its own and those it refers to, in file order.
std::vector<xml::Element> definitions_of(const Reading& reading, xml::Element event) {
  std::vector<xml::Element> found;
  xml::each_child(event, [&](xml::Element child) {
    if (event_of_tag(child.name())) found.push_back(child);
    if (!child.is("eventDefinitionRef")) return;
    const xml::Element target = reading.source.find(child.text());
    if (!target || !event_of_tag(target.name())) {
      reading.report.add(Rule::event_definition_ref_unknown, child,
                         fmt::format("{}: there is no event definition with the id \"{}\"",
                                     title(event), child.text().substr(0, 80)));
    } else if (!target.parent().is("definitions")) {
      reading.report.add(Rule::event_definition_ref_unknown, child,
                         fmt::format("{}: the event definition \"{}\" belongs to another event; "
                                     "move it to the definitions to share it",
                                     title(event), child.text().substr(0, 80)));
    } else {
      found.push_back(target);
    }
  });
  return found;
}

EventKind kind_of(const std::vector<EventDefinition>& definitions, xml::Element event) {
  if (definitions.empty()) return EventKind::none;
  if (definitions.size() == 1) return definitions.front().kind;
  return event.flag("parallelMultiple", false) ? EventKind::parallel_multiple : EventKind::multiple;
}

}  // namespace

EventDefinition read_message(const Reading& reading, xml::Element user,
                             std::string_view reference) {
  EventDefinition made;
  made.kind = EventKind::message;
  made.place = user.place();
  made.ref_id = reference;
  const xml::Element message =
      resolve(reading, user, reference, "message", Rule::message_ref_unknown);
  if (!message) return made;
  made.name = name_expression(reading, message, Rule::message_name_missing);
  if (const xml::Element key = message.extension("subscription", Vocabulary::zeebe)) {
    made.correlation_key = reading.expressions.value(key, key.attribute("correlationKey"));
  }
  return made;
}

EventDefinition read_event_definition(const Reading& reading, xml::Element definition) {
  EventDefinition made;
  made.kind = event_of_tag(definition.name()).value_or(EventKind::none);
  made.place = definition.place();
  switch (made.kind) {
    case EventKind::message:
      if (const std::string_view ref = definition.attribute("messageRef"); !ref.empty()) {
        made = read_message(reading, definition, ref);
      }
      break;
    case EventKind::signal:
      read_signal(reading, definition, made);
      break;
    case EventKind::error:
      read_error(reading, definition, made);
      break;
    case EventKind::escalation:
      read_escalation(reading, definition, made);
      break;
    case EventKind::timer:
      read_timer(reading, definition, made);
      break;
    case EventKind::conditional:
      read_event_condition(reading, definition, made);
      break;
    case EventKind::link:
      read_link(reading, definition, made);
      break;
    case EventKind::compensation:
      made.activity_ref = definition.attribute("activityRef");
      made.wait_for_completion = definition.flag("waitForCompletion", true);
      break;
    case EventKind::cancel:
    case EventKind::terminate:
    case EventKind::none:
    case EventKind::multiple:
    case EventKind::parallel_multiple:
      break;
  }
  return made;
}

void read_event(const Reading& reading, xml::Element event, model::Element& element) {
  for (const xml::Element& definition : definitions_of(reading, event)) {
    element.events.push_back(read_event_definition(reading, definition));
  }
  element.event = kind_of(element.events, event);
  if (element.kind == model::ElementKind::start_event) {
    element.interrupting = event.flag("isInterrupting", true);
  }
  if (element.kind != model::ElementKind::boundary_event) return;
  // Camunda 7: an escalation boundary event interrupts only when it says so, an error always does.
  const bool camunda = reading.dialect() == Dialect::camunda7;
  element.interrupting =
      event.flag("cancelActivity", !(camunda && element.event == EventKind::escalation));
  if (camunda && element.event == EventKind::error) element.interrupting = true;
}

}  // namespace pawl::bpmn
