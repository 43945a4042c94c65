// SPDX-License-Identifier: Apache-2.0
#include "engine/failure.hpp"

#include <fmt/format.h>

#include <set>

#include "base/limits.hpp"
#include "engine/elements/multi_instance.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

using ErrorEvents = std::vector<const model::Element*>;

// The code an error event waits for; empty: any.
std::string_view code_of(const model::Element& event) {
  if (event.events.empty()) return {};
  const model::Expression& code = event.events.front().code;
  return code.literal.is_string() ? code.literal.as_string() : std::string_view();
}

// The boundary events of a loop belong to its body, not to its iterations; those of an ad-hoc
// sub-process not to its paths.
ErrorEvents on_border(const Instance& state, const ElementInstance& host) {
  ErrorEvents events;
  if (host.iteration != 0 || host.is_path) return events;
  for (const ElementIndex index : state.definition_of(host).boundary_events) {
    const model::Element& boundary = state.process->at(index);
    if (boundary.event == model::EventKind::error) events.push_back(&boundary);
  }
  return events;
}

// Starts of event sub-processes. A scope that one of them has interrupted catches nothing more:
// what they throw themselves goes on outward.
ErrorEvents inside(const Instance& state, const ElementInstance& scope) {
  ErrorEvents events;
  if (scope.is_body || scope.is_path || !scope.is_open()) return events;
  for (const ElementIndex index : state.definition_of(scope).event_sub_processes) {
    const model::Element& handler = state.process->at(index);
    if (handler.event != model::EventKind::error) continue;
    events.push_back(&state.process->at(handler.start_events.front()));
  }
  return events;
}

const model::Element* catching(const ErrorEvents& events, std::string_view code) {
  const model::Element* catch_all = nullptr;
  for (const model::Element* event : events) {
    if (code_of(*event) == code && !code.empty()) return event;
    if (code_of(*event).empty() && !catch_all) catch_all = event;
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

// An error event may ask for the code and the message as variables.
Value with_details(const model::Element& event, const BpmnError& error) {
  Value variables = error.variables.is_context() ? error.variables : Value::context({});
  if (event.events.empty()) return variables;
  const model::EventDefinition& definition = event.events.front();
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

std::optional<Catcher> find_catcher(const Instance& state, Slot thrower, std::string_view code,
                                    Slot until) {
  for (Slot slot = thrower; slot != until; slot = state.at(slot).parent) {
    const ElementInstance& one = state.at(slot);
    if (one.life == Life::terminating) continue;
    const auto* event = slot == thrower ? nullptr : catching(inside(state, one), code);
    if (!event) event = catching(on_border(state, one), code);
    if (event) return Catcher{slot, event->index};
  }
  return std::nullopt;
}

std::string catchable_codes(const Instance& state, Slot thrower) {
  std::string codes;
  const auto add = [&codes](const ErrorEvents& events) {
    for (const model::Element* event : events) {
      codes += fmt::format("{}\"{}\"", codes.empty() ? "" : ", ", code_of(*event));
    }
  };
  for (Slot slot = thrower; slot != Slot::none; slot = state.at(slot).parent) {
    if (slot != thrower) add(inside(state, state.at(slot)));
    add(on_border(state, state.at(slot)));
  }
  return codes;
}

Value codes_caught_around(const Instance& state, Slot slot) {
  std::set<std::string> codes;
  const auto add = [&codes](const ErrorEvents& events) {
    for (const model::Element* event : events) codes.emplace(code_of(*event));
  };
  for (Slot at = slot; at != Slot::none; at = state.at(at).parent) {
    add(inside(state, state.at(at)));
    add(on_border(state, state.at(at)));
  }
  if (state.caller && state.caller->catches.is_list()) {
    for (const Value& code : state.caller->catches.as_list()) codes.emplace(code.as_string());
  }
  if (codes.empty()) return {};
  return Value(List(codes.begin(), codes.end()));
}

bool is_tolerated_around(const Instance& state, Slot slot) {
  const Slot iteration = enclosing_iteration(state, slot);
  if (iteration == Slot::none) return state.caller && state.caller->tolerates;
  return policy_of(state, iteration) != model::LoopOptions::OnError::incident;
}

void trigger(Step& step, const Catcher& catcher, const BpmnError& error) {
  const model::Element& event = step.process().at(catcher.event);
  const Value variables = with_details(event, error);
  if (event.kind == model::ElementKind::start_event) {
    return trigger_event_sub_process(step, catcher.host, event.index, variables);
  }
  step.emit(BoundaryTriggered{step.state().at(catcher.host).key, event.index, variables});
  terminate(step, catcher.host);
}

void raise_incident(Step& step, Slot slot, IncidentKind kind, const Error& error) {
  step.emit(IncidentRaised{step.new_key(), step.state().at(slot).key, kind,
                           static_cast<std::uint16_t>(error.code), cut(error.text)});
}

namespace {

bool is_caught_above(const Instance& state, std::string_view code) {
  if (!state.caller || !state.caller->catches.is_list()) return false;
  const List& codes = state.caller->catches.as_list();
  return std::any_of(codes.begin(), codes.end(), [&](const Value& one) {
    return one.as_string().empty() || (one.as_string() == code && !code.empty());
  });
}

// The instance ends, and the call activity that called it throws the error.
void escape(Step& step, const BpmnError& error) {
  step.emit(ErrorEscaped{error.code, cut(error.message), storable(error.variables)});
  terminate(step, step.state().root);
}

// Nothing catches it: the loops around decide, from the inside out, else it is an incident here.
void uncaught_at(Step& step, Slot slot, const Failure& failure) {
  using OnError = model::LoopOptions::OnError;
  Slot failed = Slot::none;  // the outermost body that has failed
  for (Slot at = slot;;) {
    const Slot iteration = enclosing_iteration(step.state(), at);
    if (iteration == Slot::none) break;
    const OnError policy = policy_of(step.state(), iteration);
    if (policy == OnError::incident) break;
    if (policy != OnError::fail && tolerate(step, iteration, failure)) return;
    failed = at = step.state().at(iteration).parent;
  }
  if (failed != Slot::none) return fail_loop(step, failed, failure);
  const bool inside_loop = enclosing_iteration(step.state(), slot) != Slot::none;
  if (failure.bpmn_code && !inside_loop && step.state().caller && step.state().caller->tolerates) {
    return escape(step, {*failure.bpmn_code, failure.error.text, {}});
  }
  raise_incident(step, slot, failure.kind, failure.error);
}

// A technical failure may be caught as error 500: in dialects other than Zeebe anywhere, in a loop
// whose failures are handled one by one only inside the iteration. nullopt: not at all.
std::optional<Slot> technical_is_caught_until(const Step& step, Slot slot) {
  using OnError = model::LoopOptions::OnError;
  const Instance& state = step.state();
  const Slot iteration = enclosing_iteration(state, slot);
  const OnError policy =
      iteration == Slot::none ? OnError::by_dialect : policy_of(state, iteration);
  if (step.dialect() == model::Dialect::zeebe && policy != OnError::fail) return std::nullopt;
  const bool inside_only = iteration != Slot::none && policy != OnError::fail;
  return inside_only ? state.at(iteration).parent : Slot::none;
}

}  // namespace

void throw_error(Step& step, Slot thrower, const BpmnError& error) {
  const auto catcher = find_catcher(step.state(), thrower, error.code);
  step.emit(ErrorThrown{step.state().at(thrower).key, error.code, cut(error.message),
                        catcher ? catcher->event : ElementIndex::none});
  if (catcher) return trigger(step, *catcher, error);
  if (is_caught_above(step.state(), error.code)) return escape(step, error);
  uncaught_at(step, thrower,
              {uncaught(step.state(), thrower, error), IncidentKind::unhandled_error, error.code});
}

void fail_at(Step& step, Slot slot, const Failure& failure) {
  if (failure.bpmn_code) {
    return throw_error(step, slot, {*failure.bpmn_code, failure.error.text, {}});
  }
  if (const auto until = technical_is_caught_until(step, slot)) {
    const BpmnError technical{"500", failure.error.text, {}};
    const auto catcher = find_catcher(step.state(), slot, technical.code, *until);
    const bool above = *until == Slot::none && is_caught_above(step.state(), technical.code);
    if (catcher || above) {
      step.emit(ErrorThrown{step.state().at(slot).key, technical.code, cut(technical.message),
                            catcher ? catcher->event : ElementIndex::none});
      return catcher ? trigger(step, *catcher, technical) : escape(step, technical);
    }
  }
  uncaught_at(step, slot, failure);
}

}  // namespace pawl::engine
