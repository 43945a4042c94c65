// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_migration.hpp"

#include "base/assert.hpp"
#include "engine/apply_loops.hpp"
#include "engine/apply_tokens.hpp"
#include "engine/moves.hpp"

namespace pawl::engine {
namespace {

void move(const Moves& moves, ElementIndex& element) {
  const ElementIndex place = moves(element);
  PAWL_ASSERT(place != ElementIndex::none);
  element = place;
}

void move(const Moves& moves, Waits& waits) {
  for (Waits::Timer& timer : waits.timers) move(moves, timer.target);
  for (Waits::Subscription& mail : waits.subscriptions) move(moves, mail.target);
}

void move(const Moves& moves, Arrivals& arrivals) {
  for (Arrivals::Waiting& waiting : arrivals.waiting) {
    const FlowIndex place = moves(waiting.flow);
    PAWL_ASSERT(place != FlowIndex::none);
    waiting.flow = place;
  }
}

void move(const Moves& moves, std::vector<Undoable>& undoables) {
  for (Undoable& one : undoables) {
    move(moves, one.element);
    if (one.handler != ElementIndex::none) move(moves, one.handler);
    move(moves, one.inside);
  }
}

// Iterations that begin from now on follow the other process.
void rename(const model::LoopDefinition& definition, Loop& loop) {
  loop.item_name = Name(definition.item_variable);
  loop.index_name = Name(definition.index_variable);
  loop.output_name = Name(local_output_of(definition));
}

void move(const Moves& moves, ElementInstance& one) {
  move(moves, one.element);
  if (one.waits) move(moves, *one.waits);
  if (one.arrivals) move(moves, *one.arrivals);
  if (one.trigger) move(moves, one.trigger->boundary);
  if (one.compensation) {
    move(moves, one.compensation->done);
    move(moves, one.compensation->pending);
  }
  if (one.loop) rename(*moves.to().at(one.element).loop, *one.loop);
}

// How many tokens of the scope can still come to each of its inclusive joins. The agenda is empty:
// all tokens are element instances or wait at a join.
void count_again(const Instance& state, ElementInstance& scope) {
  const auto& joins = state.definition_of(scope).inclusive_joins;
  const bool counts = !joins.empty() && !scope.is_body && scope.active_children != 0;
  if (!scope.arrivals && !counts) return;
  if (!scope.arrivals) scope.arrivals = std::make_unique<Arrivals>();
  scope.arrivals->approaching.assign(scope.is_body ? 0 : joins.size(), 0);
  for (Slot child = scope.first_child; child != Slot::none; child = state.at(child).next) {
    count_approaching(state, scope, state.at(child).element, 1);
  }
  for (const Arrivals::Waiting& waiting : scope.arrivals->waiting) {
    count_approaching(state, scope, state.process->at(waiting.flow).target, waiting.count);
  }
  const bool nothing = scope.arrivals->approaching.empty() && scope.arrivals->waiting.empty();
  if (nothing) scope.arrivals.reset();
}

}  // namespace

void migrate(Instance& state, const InstanceMigrated& event, const model::ProcessPtr& process) {
  PAWL_ASSERT(process && state.agenda.empty());
  const Moves moves(*state.process, *process, event.moves);
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    if (state.slots[i].key != Key::none) move(moves, state.slots[i]);
  }
  state.process = process;
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    if (state.slots[i].key != Key::none) count_again(state, state.slots[i]);
  }
}

}  // namespace pawl::engine
