// SPDX-License-Identifier: Apache-2.0
// How element instances end before their time, with all that is inside them.
#include "base/limits.hpp"
#include "engine/apply_tokens.hpp"
#include "engine/compensation.hpp"
#include "engine/elements/multi_instance.hpp"
#include "engine/failure.hpp"
#include "engine/lifecycle.hpp"
#include "engine/waits.hpp"

namespace pawl::engine {
namespace {

void wind_down_first(Step& step, Key key) {
  step.emit(Deferred{Work{.kind = Work::Kind::wind_down, .key = key}, true});
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

// The cancel end event of a transaction stays while all else in it ends, also what has come to the
// same event and is not activated.
bool stays(const ElementInstance& scope, const ElementInstance& child) {
  return scope.life == Life::activated && scope.trigger &&
         scope.trigger->boundary == child.element && child.life == Life::activated;
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

}  // namespace

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
      wind_down_first(step, key);
      wind_down_first(step, one.key);
      return;
    }
    if (!one.waits_for_call()) finish_termination(step, child);
  }
  end_wound_down(step, slot);
}

void terminate(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  if (one.life == Life::terminating) return;
  begin_termination(step, slot);
  if (one.waits_for_call()) return;
  if (one.active_children == 0) return finish_termination(step, slot);
  wind_down_first(step, one.key);
}

void end_terminated(Step& step, Slot slot) { end_wound_down(step, slot); }

void interrupt(Step& step, Slot scope) {
  const ElementInstance& one = step.state().at(scope);
  if (one.is_empty()) return;
  step.emit(ScopeInterrupted{one.key});
  close_event_sub_processes(step, scope);
  wind_down_first(step, one.key);
}

void trigger_event_sub_process(Step& step, Slot scope, ElementIndex start, const Value& variables) {
  const ElementInstance& one = step.state().at(scope);
  step.emit(EventSubProcessTriggered{one.key, start, variables});
  if (!step.process().at(start).interrupting) return enter_event_sub_process(step, scope);
  step.emit(ScopeInterrupted{one.key});
  close_event_sub_processes(step, scope);
  if (one.active_children == 0) return enter_event_sub_process(step, scope);
  wind_down_first(step, one.key);
}

void cancel_transaction(Step& step, Slot end_event) {
  const Instance& state = step.state();
  const Slot transaction = state.at(end_event).parent;
  step.emit(TransactionCancelled{state.at(end_event).key});
  close_event_sub_processes(step, transaction);
  if (state.at(transaction).active_children == 1) return undo_transaction(step, end_event);
  wind_down_first(step, state.at(transaction).key);
}

}  // namespace pawl::engine
