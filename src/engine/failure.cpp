// SPDX-License-Identifier: Apache-2.0
#include "engine/failure.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

// The code a boundary event waits for; empty: any.
std::string_view code_of(const model::Element& boundary) {
  if (boundary.events.empty()) return {};
  const model::Expression& code = boundary.events.front().code;
  return code.literal.is_string() ? code.literal.as_string() : std::string_view();
}

const model::Element* catching_boundary(const Instance& state, const ElementInstance& host,
                                        std::string_view code) {
  const model::Element* catch_all = nullptr;
  for (const ElementIndex index : state.definition_of(host).boundary_events) {
    const model::Element& boundary = state.process->at(index);
    if (boundary.event != model::EventKind::error) continue;
    if (code_of(boundary) == code && !code.empty()) return &boundary;
    if (code_of(boundary).empty() && !catch_all) catch_all = &boundary;
  }
  return catch_all;
}

std::string cut(std::string text) {
  if (text.size() > limits::message_bytes) {
    text.resize(limits::message_bytes);
    text += "…";
  }
  return text;
}

// A boundary event may ask for the code and the message as variables.
Value with_details(const model::Element& boundary, const BpmnError& error) {
  Value variables = error.variables.is_context() ? error.variables : Value::context({});
  if (boundary.events.empty()) return variables;
  const model::EventDefinition& definition = boundary.events.front();
  if (!definition.code_variable.empty()) {
    variables = with(variables, definition.code_variable, error.code);
  }
  if (!definition.message_variable.empty()) {
    variables = with(variables, definition.message_variable, error.message);
  }
  return variables;
}

Error uncaught(const Instance& state, Slot thrower, const BpmnError& error) {
  const std::string codes = catchable_codes(state, thrower);
  return fail(Whose::operators, Code::unhandled_error,
              fmt::format("error \"{}\"{} is not caught by any event around \"{}\"; {}", error.code,
                          error.message.empty() ? "" : " (" + error.message + ")",
                          state.definition_of(state.at(thrower)).id,
                          codes.empty() ? "there are no error events in the enclosing scopes"
                                        : "the enclosing scopes catch: " + codes));
}

}  // namespace

std::optional<Catcher> find_catcher(const Instance& state, Slot thrower, std::string_view code) {
  for (Slot slot = thrower; slot != Slot::none; slot = state.at(slot).parent) {
    const ElementInstance& one = state.at(slot);
    if (one.life == Life::terminating) continue;
    if (const auto* boundary = catching_boundary(state, one, code)) {
      return Catcher{slot, boundary->index};
    }
  }
  return std::nullopt;
}

std::string catchable_codes(const Instance& state, Slot thrower) {
  std::string codes;
  for (Slot slot = thrower; slot != Slot::none; slot = state.at(slot).parent) {
    for (const ElementIndex index : state.definition_of(state.at(slot)).boundary_events) {
      const model::Element& boundary = state.process->at(index);
      if (boundary.event != model::EventKind::error) continue;
      codes += fmt::format("{}\"{}\"", codes.empty() ? "" : ", ", code_of(boundary));
    }
  }
  return codes;
}

void trigger(Step& step, const Catcher& catcher, const BpmnError& error) {
  const model::Element& boundary = step.process().at(catcher.boundary);
  step.emit(BoundaryTriggered{step.state().at(catcher.host).key, catcher.boundary,
                              with_details(boundary, error)});
  terminate(step, catcher.host);
}

void raise_incident(Step& step, Slot slot, IncidentKind kind, const Error& error) {
  step.emit(IncidentRaised{step.new_key(), step.state().at(slot).key, kind,
                           static_cast<std::uint16_t>(error.code), cut(error.text)});
}

void throw_error(Step& step, Slot thrower, const BpmnError& error) {
  const auto catcher = find_catcher(step.state(), thrower, error.code);
  step.emit(ErrorThrown{step.state().at(thrower).key, error.code, cut(error.message),
                        catcher ? catcher->boundary : ElementIndex::none});
  if (catcher) return trigger(step, *catcher, error);
  raise_incident(step, thrower, IncidentKind::unhandled_error,
                 uncaught(step.state(), thrower, error));
}

void fail_at(Step& step, Slot slot, const Failure& failure) {
  if (failure.bpmn_code) {
    return throw_error(step, slot, {*failure.bpmn_code, failure.error.text, {}});
  }
  if (step.dialect() != model::Dialect::zeebe) {
    const BpmnError technical{"500", failure.error.text, {}};
    if (const auto catcher = find_catcher(step.state(), slot, technical.code)) {
      return throw_error(step, slot, technical);
    }
  }
  raise_incident(step, slot, failure.kind, failure.error);
}

}  // namespace pawl::engine
