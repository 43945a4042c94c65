// SPDX-License-Identifier: Apache-2.0
#include "engine/compensation.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "engine/lifecycle.hpp"
#include "engine/variable_context.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {
namespace {

using model::ElementKind;

ElementIndex handler_of(const model::Process& process, const model::Element& activity) {
  for (const ElementIndex index : activity.boundary_events) {
    const model::Element& boundary = process.at(index);
    if (boundary.event == model::EventKind::compensation) return boundary.compensation_handler;
  }
  return ElementIndex::none;
}

bool is_undone_as_one(const Step& step, const ElementInstance& one) {
  return step.dialect() == model::Dialect::zeebe ? one.iteration == 0 : !one.is_body;
}

// What it sees of its own comes before what it sees of the scopes around it.
Value seen_by_handler(const Undoable& undone) {
  if (undone.around.empty()) return undone.variables;
  std::vector<Entry> entries;
  const auto add = [&entries](const Value& variables) {
    if (!variables.is_context()) return;
    entries.insert(entries.end(), variables.entries().begin(), variables.entries().end());
  };
  std::for_each(undone.around.begin(), undone.around.end(), add);
  add(undone.variables);
  return Value::context(std::move(entries));
}

void start_handler(Step& step, Slot thrower) {
  const ElementInstance& one = step.state().at(thrower);
  const ElementIndex handler = one.compensation->pending.back().handler;
  const Value variables = seen_by_handler(one.compensation->pending.back());
  const model::Element& element = step.process().at(handler);
  if (element.kind == ElementKind::event_sub_process) {
    step.emit(EventSubProcessTriggered{one.key, element.start_events.front(), {}});
  }
  const Key key = step.new_key();
  step.emit(ElementActivating{.key = key,
                              .scope = one.key,
                              .element = handler,
                              .body = element.loop.has_value(),
                              .handler = true});
  const Slot slot = step.state().slot_of.find(key);
  // A list that the handler itself makes begins anew.
  const std::string made = element.loop ? element.loop->output_collection : "";
  if (variables.is_context()) {
    for (const Entry& entry : variables.entries()) {
      if (entry.key != made) write_local(step, slot, entry.key, entry.value, true);
    }
  }
  start(step, slot);
}

// It may have been ended by a handler that threw an error.
Slot open_thrower(const Instance& state, Key key) {
  const Slot slot = state.slot_of.find(key);
  if (slot == Slot::none || state.at(slot).life != Life::activated) return Slot::none;
  return is_ending(state, slot) ? Slot::none : slot;
}

}  // namespace

void record_undoable(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  const model::Element& activity = step.state().definition_of(one);
  if (activity.boundary_events.empty() || one.is_path || !is_undone_as_one(step, one)) return;
  const ElementIndex handler = handler_of(step.process(), activity);
  if (handler == ElementIndex::none) return;
  const bool zeebe = step.dialect() == model::Dialect::zeebe;
  step.emit(CompensationRecorded{.scope = step.state().at(one.parent).key,
                                 .element = one.element,
                                 .handler = handler,
                                 .variables = zeebe ? Value() : context_of(one.variables)});
}

bool throw_compensation(Step& step, Slot thrower) {
  const ElementInstance& one = step.state().at(thrower);
  const ElementIndex only = step.state().definition_of(one).compensates;
  step.emit(CompensationThrown{one.key, only});
  if (one.compensation->pending.empty()) return false;
  step.emit(Deferred{Work{.kind = Work::Kind::compensate, .key = one.key}, false});
  return true;
}

void compensate(Step& step, Key key) {
  for (std::size_t started = 0;; ++started) {
    const Slot slot = open_thrower(step.state(), key);
    if (slot == Slot::none) return;
    if (step.state().at(slot).compensation->pending.empty()) return check_scope(step, slot);
    if (started == limits::iterations_per_step || (started > 0 && step.is_spent())) break;
    start_handler(step, slot);
  }
  step.emit(Deferred{Work{.kind = Work::Kind::compensate, .key = key}, false});
}

bool undoes(const ElementInstance& one) { return one.compensation && one.compensation->thrown; }

bool has_undone(const ElementInstance& one) {
  return undoes(one) && one.compensation->pending.empty() && one.is_empty();
}

}  // namespace pawl::engine
