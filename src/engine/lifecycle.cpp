// SPDX-License-Identifier: Apache-2.0
#include "engine/lifecycle.hpp"

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "engine/apply_tokens.hpp"
#include "engine/compensation.hpp"
#include "engine/cost.hpp"
#include "engine/elements/ad_hoc_sub_process.hpp"
#include "engine/elements/call_activity.hpp"
#include "engine/elements/multi_instance.hpp"
#include "engine/failure.hpp"
#include "engine/joins.hpp"
#include "engine/listeners.hpp"
#include "engine/variable_context.hpp"
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
    // What follows may fail: it is repeated, but not this, which somebody may have corrected.
    step.emit(CallResultTaken{one.key});
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
  step.charge(cost::work * step.state().agenda.size());
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
  step.begin_step();
  step.emit(StepTaken{});
  switch (work.kind) {
    case Work::Kind::enter: {
      const Slot scope = open_scope(step.state(), work.key);
      if (scope != Slot::none) enter(step, scope, step.process().at(work.flow).target, work.flow);
      return;
    }
    case Work::Kind::begin: {
      const Slot scope = open_scope(step.state(), work.key);
      if (scope != Slot::none) begin(step, scope, work.element);
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

void answer_caller(Step& step, CallOutcome outcome) {
  const Instance& state = step.state();
  if (!state.caller || state.continues) return;
  CallerAnswered answer{.caller = state.caller->instance,
                        .element = state.caller->element,
                        .outcome = outcome,
                        .number = state.caller->escalated};
  if (outcome == CallOutcome::completed && !state.caller->ignores_result) {
    answer.variables = context_of(state.root_scope().variables);
  }
  if (outcome == CallOutcome::terminated && state.escaped) {
    answer.outcome = state.escaped->escalation  ? CallOutcome::escalated_and_ended
                     : state.escaped->technical ? CallOutcome::failed_technically
                                                : CallOutcome::failed;
    answer.code = state.escaped->code;
    answer.message = state.escaped->message;
    answer.variables = state.escaped->variables;
  }
  step.emit(std::move(answer));
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

namespace {

void activate_in(Step& step, Slot scope, ElementActivating event) {
  event.key = step.new_key();
  event.scope = step.state().at(scope).key;
  event.body = step.process().at(event.element).loop.has_value();
  step.emit(event);
  start(step, step.state().slot_of.find(event.key));
}

}  // namespace

void enter(Step& step, Slot scope, ElementIndex element, FlowIndex flow) {
  activate_in(step, scope, {.element = element, .flow = flow});
}

void begin(Step& step, Slot scope, ElementIndex element) {
  activate_in(step, scope, {.element = element, .begins = true});
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
      if (one.is_body) return resume_loop(step, slot);
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

void continue_as_new(Step& step, const Value& variables) {
  Value next = variables;
  if (next.is_null()) next = context_of(step.state().root_scope().variables);
  step.emit(InstanceContinued{std::move(next)});
  terminate(step, step.state().root);
}

}  // namespace pawl::engine
