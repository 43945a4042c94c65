// SPDX-License-Identifier: Apache-2.0
#include "engine/escalation.hpp"

#include "engine/catchers.hpp"
#include "engine/lifecycle.hpp"
#include "engine/waits.hpp"

namespace pawl::engine {
namespace {

using model::EventKind;

constexpr const char* code_field = "code";
constexpr const char* interrupts_field = "interrupts";

// The first that matches: the list has the nearest first, and exact codes before any code.
const Value* caught_above(const Instance& state, std::string_view code) {
  if (!state.caller || !state.caller->escalations.is_list()) return nullptr;
  for (const Value& one : state.caller->escalations.as_list()) {
    const std::string_view caught = one.find(code_field)->as_string();
    if (caught.empty() || caught == code) return &one;
  }
  return nullptr;
}

// The caller throws it again. If what catches it interrupts, this instance has ended by then.
bool tell_caller(Step& step, const std::string& code, bool interrupts) {
  if (interrupts) {
    step.emit(ErrorEscaped{.code = code, .escalation = true});
    terminate(step, step.state().root);
    return false;
  }
  const Caller& caller = *step.state().caller;
  step.emit(CallerAnswered{.caller = caller.instance,
                           .element = caller.element,
                           .outcome = CallOutcome::escalated,
                           .code = code,
                           .number = caller.escalated + 1});
  return true;
}

Value details_for(const model::Element& event, const std::string& code) {
  const std::string& variable = event.events.front().code_variable;
  return variable.empty() ? Value() : object({{variable, code}});
}

void add_caught(List& list, const CatchingEvents& events, bool exact) {
  for (const model::Element* event : events) {
    const std::string_view code = code_caught_by(*event);
    if (code.empty() == exact) continue;
    list.push_back(object({{code_field, code}, {interrupts_field, event->interrupting}}));
  }
}

}  // namespace

bool throw_escalation(Step& step, Slot thrower, const std::string& code) {
  const Instance& state = step.state();
  const auto catcher = find_catcher(state, thrower, EventKind::escalation, code);
  const Value* above = catcher ? nullptr : caught_above(state, code);
  step.emit(
      EscalationThrown{state.at(thrower).key, code, catcher ? catcher->event : ElementIndex::none});
  if (above) return tell_caller(step, code, above->find(interrupts_field)->as_boolean());
  if (!catcher) return true;
  const model::Element& event = step.process().at(catcher->event);
  occur(step, catcher->host, event.index, details_for(event, code));
  return !event.interrupting;
}

Value escalations_caught_around(const Instance& state, Slot slot) {
  List list;
  for (const CatchingPlace& place : places_around(state, slot, EventKind::escalation)) {
    add_caught(list, place.events, true);
    add_caught(list, place.events, false);
  }
  if (state.caller && state.caller->escalations.is_list()) {
    const List& above = state.caller->escalations.as_list();
    list.insert(list.end(), above.begin(), above.end());
  }
  return list.empty() ? Value() : Value(std::move(list));
}

}  // namespace pawl::engine
