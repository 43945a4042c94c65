// SPDX-License-Identifier: Apache-2.0
#include "engine/failure.hpp"

#include <fmt/format.h>

#include <set>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "engine/elements/multi_instance.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

using OnError = model::LoopOptions::OnError;

std::string shortened(std::string_view text) { return cut_text(text, limits::message_bytes); }

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

std::string catchable_codes(const Instance& state, Slot thrower) {
  std::string codes;
  for (const CatchingPlace& place : places_around(state, thrower, model::EventKind::error)) {
    for (const model::Element* event : place.events) {
      codes += fmt::format("{}\"{}\"", codes.empty() ? "" : ", ", code_caught_by(*event));
    }
  }
  return codes;
}

Value codes_caught_around(const Instance& state, Slot slot) {
  std::set<std::string> codes;
  for (const CatchingPlace& place : places_around(state, slot, model::EventKind::error)) {
    for (const model::Element* event : place.events) codes.emplace(code_caught_by(*event));
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
  return policy_of(state, iteration) != OnError::incident;
}

bool is_taken_around(const Instance& state, Slot slot) {
  const Slot iteration = enclosing_iteration(state, slot);
  if (iteration == Slot::none) return state.caller && state.caller->takes_failures;
  return takes_one_by_one(policy_of(state, iteration));
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
                           static_cast<std::uint16_t>(error.code), shortened(error.text)});
}

namespace {

bool is_caught_above(const Instance& state, std::string_view code) {
  if (!state.caller || !state.caller->catches.is_list()) return false;
  const List& codes = state.caller->catches.as_list();
  return std::any_of(codes.begin(), codes.end(), [&](const Value& one) {
    return one.as_string().empty() || (one.as_string() == code && !code.empty());
  });
}

// A failure that looks for somebody who takes it.
struct Thrown {
  BpmnError error{};                   // as which events catch it
  std::optional<Failure> technical{};  // what it is, if nobody threw it
};

struct Way {
  std::optional<Catcher> catcher{};
  Slot taken_by{Slot::none};  // an iteration whose loop takes the failure
  Slot failed{Slot::none};    // the outermost body that has failed on the way
  bool stopped{false};        // by a loop that leaves failures where they are
};

// From the inside out, loop by loop. Events inside an iteration come first, then, for BPMN errors,
// those on the border of the body, then the policy of the loop. A technical failure is caught as
// error 500: in Zeebe models only if a loop has failed, or fails, as a whole.
Way way_outward(const Step& step, Slot from, Slot failed, const Thrown& thrown) {
  const Instance& state = step.state();
  const bool zeebe = step.dialect() == model::Dialect::zeebe;
  Way way{.failed = failed};
  for (Slot at = from;;) {
    const Slot iteration = enclosing_iteration(state, at);
    const Slot body = iteration == Slot::none ? Slot::none : state.at(iteration).parent;
    const OnError policy =
        iteration == Slot::none ? OnError::by_dialect : policy_of(state, iteration);
    const bool as_a_whole = policy == OnError::fail;
    if (!thrown.technical || !zeebe || as_a_whole || way.failed != Slot::none) {
      const bool to_border = body != Slot::none && (!thrown.technical || as_a_whole);
      const Slot until = to_border ? state.at(body).parent : body;
      way.catcher = find_catcher(state, at, model::EventKind::error, thrown.error.code, until);
    }
    if (way.catcher || body == Slot::none) return way;
    if (takes_one_by_one(policy) && !way.stopped && has_room_for_failure(state, iteration)) {
      way.taken_by = iteration;
      return way;
    }
    if (policy == OnError::incident) {
      way.stopped = true;
      if (thrown.technical) return way;
    } else if (!way.stopped) {
      way.failed = body;
    }
    at = body;
  }
}

// Somebody in a caller catches it, or a loop there decides.
bool is_taken_above(const Step& step, const Way& way, const Thrown& thrown) {
  const Instance& state = step.state();
  if (!state.caller) return false;
  if (thrown.technical) {
    if (way.stopped) return false;
    if (state.caller->takes_failures) return true;
    return step.dialect() != model::Dialect::zeebe && is_caught_above(state, thrown.error.code);
  }
  return is_caught_above(state, thrown.error.code) || (!way.stopped && state.caller->tolerates);
}

// The instance ends, and the call activity that called it fails with this.
void escape(Step& step, const Thrown& thrown) {
  step.emit(ErrorEscaped{.code = thrown.error.code,
                         .message = shortened(thrown.error.message),
                         .variables = thrown.error.variables,
                         .technical = thrown.technical.has_value()});
  terminate(step, step.state().root);
}

void go_outward(Step& step, Slot slot, Slot failed, const Thrown& thrown) {
  const Way way = way_outward(step, slot, failed, thrown);
  const bool above =
      !way.catcher && way.taken_by == Slot::none && is_taken_above(step, way, thrown);
  if (!thrown.technical || way.catcher || above) {
    step.emit(ErrorThrown{step.state().at(slot).key, thrown.error.code,
                          shortened(thrown.error.message),
                          way.catcher ? way.catcher->event : ElementIndex::none});
  }
  if (way.catcher) return trigger(step, *way.catcher, thrown.error);
  if (way.taken_by != Slot::none) {
    return take_failure(step, way.taken_by, thrown.error.code, shortened(thrown.error.message));
  }
  if (above) return escape(step, thrown);
  const Failure failure =
      thrown.technical.value_or(Failure{uncaught(step.state(), slot, thrown.error),
                                        IncidentKind::unhandled_error, thrown.error.code});
  if (way.failed != Slot::none) return fail_loop(step, way.failed, failure);
  raise_incident(step, slot, failure.kind, failure.error);
}

Thrown technical(const Failure& failure) { return {{"500", failure.error.text, {}}, failure}; }

}  // namespace

void throw_error(Step& step, Slot thrower, const BpmnError& error) {
  go_outward(step, thrower, Slot::none, {error, std::nullopt});
}

void fail_at(Step& step, Slot slot, const Failure& failure) {
  if (failure.bpmn_code) {
    return throw_error(step, slot, {*failure.bpmn_code, failure.error.text, {}});
  }
  go_outward(step, slot, Slot::none, technical(failure));
}

void fail_body(Step& step, Slot body, const Failure& failure) {
  go_outward(step, body, body, technical(failure));
}

}  // namespace pawl::engine
