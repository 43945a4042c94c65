// SPDX-License-Identifier: Apache-2.0
#include "engine/lifecycle.hpp"

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "engine/apply_tokens.hpp"
#include "engine/compensation.hpp"
#include "engine/elements/ad_hoc_sub_process.hpp"
#include "engine/elements/call_activity.hpp"
#include "engine/elements/multi_instance.hpp"
#include "engine/failure.hpp"
#include "engine/joins.hpp"
#include "engine/listeners.hpp"
#include "engine/variables.hpp"
#include "engine/waits.hpp"

namespace pawl::engine {
namespace {

// A scope that takes tokens: not one that ends, nor one that is already gone.
Slot open_scope(const Instance& state, Key key) {
  const Slot slot = state.slot_of.find(key);
  if (slot == Slot::none) return Slot::none;
  return state.at(slot).is_open() ? slot : Slot::none;
}

void defer(Step& step, Work::Kind kind, Key key, bool first) {
  step.emit(Deferred{Work{.kind = kind, .key = key}, first});
}

// A called instance that ends tells its caller how, with what it was asked for.
void answer_caller(Step& step, CallOutcome outcome) {
  const Instance& state = step.state();
  if (!state.caller || state.continues) return;
  CallerAnswered answer{.caller = state.caller->instance,
                        .element = state.caller->element,
                        .outcome = outcome,
                        .number = state.caller->escalated};
  if (outcome == CallOutcome::completed && !state.caller->ignores_result) {
    std::vector<Entry> entries;
    for (const Variable& variable : state.root_scope().variables.all()) {
      entries.push_back({variable.name.string(), variable.value});
    }
    answer.variables = Value::context(std::move(entries));
  }
  if (outcome == CallOutcome::terminated && state.escaped) {
    const bool escalation = state.escaped->escalation;
    answer.outcome = escalation ? CallOutcome::escalated_and_ended : CallOutcome::failed;
    answer.code = state.escaped->code;
    answer.message = state.escaped->message;
    answer.variables = state.escaped->variables;
  }
  step.emit(std::move(answer));
}

void finish(Step& step, Slot slot) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(slot);
  if (one.is_body) return finish_loop(step, slot);
  if (one.is_path) return finish_path(step, slot);
  const Behaviour& behaviour = behaviour_of(state.definition_of(one));
  if (one.call && !one.mappings_applied) {
    if (const auto taken = take_call_result(step, slot); !taken) {
      return fail_at(step, slot, {taken.error(), IncidentKind::mapping, {}});
    }
  }
  hand_out_results(step, slot);
  merge_into_parent(step, slot);
  if (const auto mapped = apply_outputs(step, slot); !mapped) {
    return fail_at(step, slot, {mapped.error(), IncidentKind::mapping, {}});
  }
  if (waits_for_listener(step, slot)) return;
  if (one.iteration != 0) return finish_iteration(step, slot);
  const auto leaving = behaviour.leave(step, slot);
  if (const auto* failure = std::get_if<Failure>(&leaving)) {
    remember_mappings(step, slot);
    return fail_at(step, slot, *failure);
  }
  const Slot scope = one.parent;
  close_waits(step, slot);
  if (scope == Slot::none) answer_caller(step, CallOutcome::completed);
  if (scope != Slot::none) record_undoable(step, slot);
  step.emit(ElementCompleted{one.key});
  if (scope == Slot::none) return;
  const Key scope_key = state.at(scope).key;
  for (const FlowIndex flow : std::get<std::vector<FlowIndex>>(leaving)) {
    step.emit(FlowTaken{state.at(scope).key, flow});
  }
  behaviour.after(step, scope);
  if (state.slot_of.find(scope_key) != scope) return;  // it has ended more than itself
  check_scope(step, scope);
}

// What it waits for ends at once, so that nothing happens to it while its children end.
void begin_termination(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  step.emit(ElementTerminating{one.key});
  close_waits(step, slot);
  if (one.waits_for_call()) step.emit(CallCancelRequested{one.key, one.call->child});
}

// The last act of a terminated element instance, whose children are all gone.
void finish_termination(Step& step, Slot slot) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(slot);
  if (one.job && one.job->state != JobState::error_thrown) step.emit(JobCanceled{one.job->key});
  if (one.incident) step.emit(IncidentResolved{one.incident->key});
  const Slot scope = one.parent;
  const auto trigger = one.trigger ? std::make_optional(*one.trigger) : std::nullopt;
  if (scope == Slot::none) answer_caller(step, CallOutcome::terminated);
  step.emit(ElementTerminated{one.key});
  if (scope == Slot::none) return;
  // The scope may itself have begun to end meanwhile; then the handler does not start. Nor does an
  // event sub-process for which this was to become empty.
  const bool handled =
      trigger && state.at(scope).is_open() &&
      step.process().at(trigger->boundary).kind == model::ElementKind::boundary_event;
  if (!handled) return check_scope(step, scope);
  enter_triggered(step, scope, trigger->boundary, trigger->variables);
}

// All that was in the scope is gone, or goes on.
void enter_event_sub_process(Step& step, Slot scope) {
  const ElementIndex start = step.state().at(scope).trigger->boundary;
  enter(step, scope, step.process().at(start).scope);
}

// The cancel end event of a transaction stays while all else in it ends.
bool stays(const ElementInstance& scope, const ElementInstance& child) {
  return scope.life == Life::activated && scope.trigger && scope.trigger->boundary == child.element;
}

std::uint32_t how_many_stay(const Instance& state, const ElementInstance& scope) {
  if (scope.life != Life::activated || !scope.trigger) return 0;
  return state.process->at(scope.trigger->boundary).kind == model::ElementKind::end_event ? 1 : 0;
}

void undo_transaction(Step& step, Slot end_event) {
  if (!throw_compensation(step, end_event)) complete(step, end_event);
}

// Nothing is left inside: what was decided happens, also to the scopes around that waited for it.
void end_wound_down(Step& step, Slot slot) {
  const Instance& state = step.state();
  while (slot != Slot::none && lets_go(state.at(slot))) {
    const ElementInstance& one = state.at(slot);
    const std::uint32_t staying = how_many_stay(state, one);
    if (one.active_children != staying || one.waits_for_call()) return;
    if (staying != 0) return undo_transaction(step, one.first_child);
    if (one.life != Life::terminating) {
      if (one.loop && one.loop->failure) {
        return one.incident ? void() : report_failed_loop(step, slot);
      }
      return one.trigger ? enter_event_sub_process(step, slot) : complete(step, slot);
    }
    const Key scope = one.parent == Slot::none ? Key::none : state.at(one.parent).key;
    finish_termination(step, slot);
    slot = scope == Key::none ? Slot::none : state.slot_of.find(scope);
  }
}

// The first child that has not begun to end. Those that have are moved behind all others, so that
// looking for it takes no time; they end by work of their own, or when what they have called is
// gone.
Slot next_to_end(const Instance& state, const ElementInstance& scope) {
  Slot child = scope.first_child;
  while (child != Slot::none &&
         (state.at(child).life == Life::terminating || stays(scope, state.at(child)))) {
    child = state.at(child).next;
  }
  return child;
}

// Terminates children, first to last and each with all that is inside it before the next. What does
// not fit into this step goes back to the front of the agenda.
void wind_down(Step& step, Slot slot) {
  const Instance& state = step.state();
  if (!lets_go(state.at(slot))) return;  // its last child has ended all of it already
  const Key key = state.at(slot).key;
  for (std::size_t done = 0;; ++done) {
    const Slot child = next_to_end(state, state.at(slot));
    if (child == Slot::none) break;
    const ElementInstance& one = state.at(child);
    begin_termination(step, child);
    if (one.active_children != 0 || done == limits::children_per_step) {
      defer(step, Work::Kind::wind_down, key, true);
      defer(step, Work::Kind::wind_down, one.key, true);
      return;
    }
    if (!one.waits_for_call()) finish_termination(step, child);
  }
  end_wound_down(step, slot);
}

// Any of the incoming flows stands for all the tokens that the gateway uses up.
FlowIndex a_waiting_flow(const Instance& state, const ElementInstance& scope, ElementIndex join) {
  for (const auto& waiting : scope.arrivals->waiting) {
    if (state.process->at(waiting.flow).target == join) return waiting.flow;
  }
  return FlowIndex::none;
}

void join(Step& step, const Work& work) {
  const Slot slot = open_scope(step.state(), work.key);
  if (slot == Slot::none) return;
  const ElementInstance& scope = step.state().at(slot);
  ElementIndex firing = work.element;
  if (!fires(step.state(), scope, step.process().at(firing))) {
    firing = held_join(step.state(), scope);
    if (firing == ElementIndex::none) return;
  }
  enter(step, slot, firing, a_waiting_flow(step.state(), scope, firing));
  // Tokens that came twice over one flow may make the next set.
  if (const Slot still = open_scope(step.state(), work.key);
      still != Slot::none &&
      has_waiting(step.state(), step.state().at(still), step.process().at(firing))) {
    step.emit(Deferred{Work{.kind = Work::Kind::join, .key = work.key, .element = firing}, false});
  }
}

}  // namespace

void run_step(Step& step) {
  const Work work = step.state().agenda.front();
  step.emit(StepTaken{});
  switch (work.kind) {
    case Work::Kind::enter: {
      const Slot scope = open_scope(step.state(), work.key);
      if (scope != Slot::none) enter(step, scope, step.process().at(work.flow).target, work.flow);
      return;
    }
    case Work::Kind::join:
      return join(step, work);
    case Work::Kind::proceed: {
      const Slot slot = step.state().slot_of.find(work.key);
      if (slot != Slot::none) proceed(step, slot);
      return;
    }
    case Work::Kind::spawn:
      return spawn(step, work.key);
    case Work::Kind::compensate:
      return compensate(step, work.key);
    case Work::Kind::wind_down: {
      const Slot slot = step.state().slot_of.find(work.key);
      if (slot != Slot::none) wind_down(step, slot);
      return;
    }
  }
}

void remember_mappings(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  if (!one.mappings_applied) step.emit(MappingsApplied{one.key});
}

void start(Step& step, Slot slot) {
  const model::Element& definition = step.state().definition_of(step.state().at(slot));
  if (step.state().at(slot).is_body) return start_loop(step, slot);
  if (step.state().at(slot).is_path) return start_path(step, slot);
  if (const auto mapped = apply_inputs(step, slot); !mapped) {
    return fail_at(step, slot, {mapped.error(), IncidentKind::mapping, {}});
  }
  if (waits_for_listener(step, slot)) return;
  if (definition.listeners && is_behind_gateway(step.process(), definition)) {
    return go_on_behind_gateway(step, slot);
  }
  const auto waiting = evaluate_waits(step, slot);
  if (!waiting) {
    remember_mappings(step, slot);
    return fail_at(step, slot, {waiting.error(), IncidentKind::extract_value, {}});
  }
  const auto outcome = behaviour_of(definition).activate(step, slot, *waiting);
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    remember_mappings(step, slot);
    return fail_at(step, slot, *failure);
  }
  if (std::get<Next>(outcome) == Next::complete) complete(step, slot);
}

void enter(Step& step, Slot scope, ElementIndex element, FlowIndex flow) {
  const Key key = step.new_key();
  step.emit(ElementActivating{.key = key,
                              .scope = step.state().at(scope).key,
                              .element = element,
                              .flow = flow,
                              .body = step.process().at(element).loop.has_value()});
  start(step, step.state().slot_of.find(key));
}

void enter_triggered(Step& step, Slot scope, ElementIndex event, const Value& variables) {
  const Key key = step.new_key();
  step.emit(ElementActivating{.key = key, .scope = step.state().at(scope).key, .element = event});
  const Slot slot = step.state().slot_of.find(key);
  write_results(step, slot, variables, true);
  proceed(step, slot);
}

void proceed(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  if (one.incident) return;
  switch (one.life) {
    case Life::activating:
      return start(step, slot);
    case Life::activated: {
      if (one.is_body) return proceed_loop(step, slot);
      const bool calls = step.state().definition_of(one).kind == model::ElementKind::call_activity;
      if (calls && !one.call) return call_again(step, slot);
      if (undoes(one)) return has_undone(one) ? complete(step, slot) : void();
      const bool scope = model::is_container(step.state().definition_of(one).kind);
      const bool empty = one.is_empty() && !one.winds_down();
      if (scope && empty && completes_when_empty(step.state(), one)) complete(step, slot);
      return;
    }
    case Life::completing:
      return finish(step, slot);
    case Life::terminating:
      return wind_down(step, slot);
  }
}

void complete(Step& step, Slot slot) {
  step.emit(ElementCompleting{step.state().at(slot).key});
  close_event_sub_processes(step, slot);
  finish(step, slot);
}

void check_scope(Step& step, Slot scope) {
  const ElementInstance& one = step.state().at(scope);
  if (one.life != Life::activated || one.winds_down()) return;
  if (one.is_body) return proceed_loop(step, scope);
  begin_next_path(step, scope);
  if (!one.is_empty()) return;
  defer(step, Work::Kind::proceed, one.key, false);
}

void terminate(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  if (one.life == Life::terminating) return;
  begin_termination(step, slot);
  if (one.waits_for_call()) return;
  if (one.active_children == 0) return finish_termination(step, slot);
  defer(step, Work::Kind::wind_down, one.key, true);
}

void end_terminated(Step& step, Slot slot) { end_wound_down(step, slot); }

void interrupt(Step& step, Slot scope) {
  const ElementInstance& one = step.state().at(scope);
  if (one.is_empty()) return;
  step.emit(ScopeInterrupted{one.key});
  close_event_sub_processes(step, scope);
  defer(step, Work::Kind::wind_down, one.key, true);
}

void trigger_event_sub_process(Step& step, Slot scope, ElementIndex start, const Value& variables) {
  const ElementInstance& one = step.state().at(scope);
  step.emit(EventSubProcessTriggered{one.key, start, variables});
  if (!step.process().at(start).interrupting) return enter_event_sub_process(step, scope);
  step.emit(ScopeInterrupted{one.key});
  close_event_sub_processes(step, scope);
  if (one.active_children == 0) return enter_event_sub_process(step, scope);
  defer(step, Work::Kind::wind_down, one.key, true);
}

void cancel_transaction(Step& step, Slot end_event) {
  const Instance& state = step.state();
  const Slot transaction = state.at(end_event).parent;
  step.emit(TransactionCancelled{state.at(end_event).key});
  close_event_sub_processes(step, transaction);
  if (state.at(transaction).active_children == 1) return undo_transaction(step, end_event);
  defer(step, Work::Kind::wind_down, state.at(transaction).key, true);
}

void continue_as_new(Step& step, const Value& variables) {
  Value next = storable(variables);
  if (next.is_null()) {
    std::vector<Entry> entries;
    for (const Variable& variable : step.state().root_scope().variables.all()) {
      entries.push_back({variable.name.string(), variable.value});
    }
    next = Value::context(std::move(entries));
  }
  step.emit(InstanceContinued{std::move(next)});
  terminate(step, step.state().root);
}

}  // namespace pawl::engine
