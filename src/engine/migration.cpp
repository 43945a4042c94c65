// SPDX-License-Identifier: Apache-2.0
// Migration: a running instance goes on in another version of its process, or in another process.
// Its elements keep their keys, jobs, variables and incidents. What they wait for is kept where
// both processes have it, closed where only the old one has it, and opened where only the new one
// has it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/elements/ad_hoc_sub_process.hpp"
#include "engine/handlers.hpp"
#include "engine/migration_checks.hpp"
#include "engine/waits.hpp"

namespace pawl::engine {
namespace {

using model::Element;

// It is one turn and one commit.
constexpr std::size_t most_changes = 10'000;

struct Opening {
  Slot owner{Slot::none};
  Wait wait{};
};
struct Join {
  Key scope{Key::none};
  ElementIndex gateway{ElementIndex::none};  // in the other process
};
struct Changes {
  std::size_t size() const { return closed.size() + opened.size() + joins.size() + ad_hocs.size(); }
  std::vector<Event> closed{};
  std::vector<Opening> opened{};
  std::vector<Join> joins{};   // with waiting tokens: perhaps they need no more
  std::vector<Key> ad_hocs{};  // empty sub-processes: perhaps they need not wait any more
};

// One element instance, before and after.
struct Owner {
  Slot slot{Slot::none};
  const ElementInstance& one;
  const Element& source;
  const Element& target;
  Awaited before{};
  Awaited after{};
};

bool contains(const std::vector<ElementIndex>& all, ElementIndex one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}
bool contains(const Awaited& all, ElementIndex one) {
  return contains(all.own, one) || contains(all.inside, one) || contains(all.border, one);
}

// --- what it waits for already
Result<void> check_kept(const Moves& moves, const Owner& owner, ElementIndex target) {
  const Element& event = moves.from().at(target);
  const Element& place = moves.to().at(moves(target));
  if (!contains(owner.after, place.index)) {
    return not_migrated(moves.to(),
                        fmt::format("\"{}\" waits for the event \"{}\", which is mapped to \"{}\", "
                                    "but \"{}\" does not wait for that",
                                    owner.source.id, event.id, place.id, owner.target.id));
  }
  return check_same_kind(moves, event);
}

Result<void> keep_or_close(const Moves& moves, const Owner& owner, Changes& changes) {
  if (!owner.one.waits) return {};
  std::map<ElementIndex, ElementIndex> kept;  // after → before
  const auto decide = [&](ElementIndex target, Event closed) -> Result<void> {
    const ElementIndex place = moves(target);
    if (place == ElementIndex::none) {
      changes.closed.push_back(std::move(closed));
      return {};
    }
    PAWL_CHECK(check_kept(moves, owner, target));
    const ElementIndex first = kept.try_emplace(place, target).first->second;
    if (first == target) return {};
    return not_migrated(moves.to(),
                        fmt::format("the events \"{}\" and \"{}\" are both mapped to \"{}\"",
                                    moves.from().at(first).id, moves.from().at(target).id,
                                    moves.to().at(place).id));
  };
  for (const Waits::Timer& timer : owner.one.waits->timers) {
    PAWL_CHECK(decide(timer.target, TimerCanceled{timer.key}));
  }
  for (const Waits::Subscription& mail : owner.one.waits->subscriptions) {
    PAWL_CHECK(decide(mail.target, SubscriptionClosed{mail.key}));
  }
  return {};
}

// --- what it will wait for, too
Result<void> open_later(Step& step, const Moves& moves, const Owner& owner, ElementIndex target,
                        Changes& changes) {
  const Element& event = moves.to().at(target);
  auto wait = evaluate_wait(step, owner.slot, event);
  if (!wait) {
    return not_migrated(moves.to(), fmt::format("the event \"{}\" cannot be waited for: {}",
                                                event.id, wait.error().text));
  }
  changes.opened.push_back({owner.slot, std::move(*wait)});
  return {};
}

// Events that both have stay as they are, also those that have happened and are over.
Result<void> open_new(Step& step, const Moves& moves, const Owner& owner,
                      const std::vector<ElementIndex>& targets, Changes& changes) {
  const auto is_old = [&](ElementIndex target) {
    const auto becomes = [&](ElementIndex one) { return moves(one) == target; };
    const auto some = [&](const auto& all) { return std::any_of(all.begin(), all.end(), becomes); };
    return some(owner.before.own) || some(owner.before.inside) || some(owner.before.border);
  };
  for (const ElementIndex target : targets) {
    if (!is_old(target)) PAWL_CHECK(open_later(step, moves, owner, target, changes));
  }
  return {};
}

// The start event of the container is still under way.
bool begins(const Instance& state, const Owner& owner) {
  const bool handler = owner.source.kind == model::ElementKind::event_sub_process;
  const ElementIndex start = handler ? owner.source.start_events.front() : owner.source.none_start;
  Slot child = owner.one.first_child;
  while (child != Slot::none && state.at(child).element != start) child = state.at(child).next;
  return child != Slot::none;
}

// Events of event sub-processes are waited for from the beginning, or when the start event has
// completed, which may make what they need (waits.hpp, opens_late).
Result<void> open_inside(Step& step, const Moves& moves, const Owner& owner, Changes& changes) {
  if (!owner.one.is_open() || owner.after.inside.empty()) return {};
  const bool early = begins(step.state(), owner);
  const bool still_to_open = early && opens_late(moves.from(), owner.source);
  const bool will_open = early && opens_late(moves.to(), owner.target);
  if (!will_open && !still_to_open) {
    return open_new(step, moves, owner, owner.after.inside, changes);
  }
  if (will_open && !still_to_open && !owner.before.inside.empty()) {
    return not_migrated(moves.to(),
                        fmt::format("\"{}\" waits for its event sub-processes already, \"{}\" does "
                                    "only after its start event; try again when that is over",
                                    owner.source.id, owner.target.id));
  }
  if (will_open) return {};
  for (const ElementIndex target : owner.after.inside) {
    PAWL_CHECK(open_later(step, moves, owner, target, changes));
  }
  return {};
}

Result<void> plan_waits(Step& step, const Moves& moves, const Owner& owner, Changes& changes) {
  // It waits for nothing yet; or never, as a path of an ad-hoc sub-process, which has the events.
  if (owner.one.life == Life::activating || owner.one.is_path) return {};
  PAWL_CHECK(keep_or_close(moves, owner, changes));
  if (owner.one.life == Life::activated) {
    PAWL_CHECK(open_new(step, moves, owner, owner.after.own, changes));
    PAWL_CHECK(open_inside(step, moves, owner, changes));
  }
  return open_new(step, moves, owner, owner.after.border, changes);
}

void plan_joins(const Moves& moves, const ElementInstance& scope, Changes& changes) {
  if (!scope.arrivals) return;
  const auto before = static_cast<std::ptrdiff_t>(changes.joins.size());
  for (const Arrivals::Waiting& waiting : scope.arrivals->waiting) {
    const ElementIndex gateway = moves(moves.from().at(waiting.flow).target);
    const bool known = std::any_of(changes.joins.begin() + before, changes.joins.end(),
                                   [&](const Join& join) { return join.gateway == gateway; });
    if (!known) changes.joins.push_back({scope.key, gateway});
  }
}

Result<Changes> plan(Step& step, const Moves& moves) {
  const Instance& state = step.state();
  Changes changes;
  for (const Slot slot : in_order(state)) {
    const ElementInstance& one = state.at(slot);
    const Element& source = moves.from().at(one.element);
    const Element& target = moves.to().at(moves(one.element));
    PAWL_CHECK(plan_waits(step, moves,
                          {slot, one, source, target, awaited_by(moves.from(), source, one),
                           awaited_by(moves.to(), target, one)},
                          changes));
    plan_joins(moves, one, changes);
    if (is_ad_hoc(state, one) && one.is_open() && one.is_empty())
      changes.ad_hocs.push_back(one.key);
    if (changes.size() <= most_changes) continue;
    return not_migrated(moves.to(),
                        fmt::format("it has more than {} timers and subscriptions to open and "
                                    "close, and gateways to ask; try again when less is active",
                                    most_changes));
  }
  return changes;
}

Result<void> check_instance(const Instance& state, const MigrateInstance& command) {
  if (state.root == Slot::none) {
    return fail(
        Whose::caller, Code::not_found,
        fmt::format("there is no running instance with key {} (any more)", number(state.key)));
  }
  const model::Process& target = *command.process;
  if (state.continues || state.escaped || state.root_scope().life == Life::terminating) {
    return not_migrated(target, "it is about to end");
  }
  if (state.halted != Key::none) {
    return fail(
        Whose::caller, Code::invalid_state,
        fmt::format("the instance was stopped in the middle of its work and can be migrated "
                    "only when it waits for something: set variables that lead it there and "
                    "resolve incident {}, or cancel it",
                    number(state.halted)));
  }
  if (!state.agenda.empty()) {
    return fail(Whose::caller, Code::busy, "the instance is busy; try again in a moment");
  }
  if (state.process->dialect != target.dialect) {
    return not_migrated(target, fmt::format("its dialect is {}, that of \"{}\" is {}",
                                            model::name_of(target.dialect), state.process->id,
                                            model::name_of(state.process->dialect)));
  }
  return check_plan(*state.process, command);
}

}  // namespace

Result<void> handle(Step& step, const MigrateInstance& command) {
  PAWL_CHECK(check_instance(step.state(), command));
  const model::ProcessPtr source = step.state().process;  // lives as long as the moves
  const Moves moves(*source, *command.process, command.moves);
  PAWL_CHECK(check_places(step.state(), moves));
  PAWL_TRY(changes, plan(step, moves));
  for (Event& event : changes.closed) step.emit(std::move(event));
  step.migrate({.definition = command.definition,
                .process = Name(command.process->id),
                .version = command.version,
                .moves = command.moves},
               command.process);
  for (const Opening& opening : changes.opened) open(step, opening.owner, {opening.wait});
  for (const Join& join : changes.joins) {
    step.emit(Deferred{Work{.kind = Work::Kind::join, .key = join.scope, .element = join.gateway},
                       false});
  }
  for (const Key key : changes.ad_hocs) {
    step.emit(Deferred{Work{.kind = Work::Kind::proceed, .key = key}, false});
  }
  return {};
}

}  // namespace pawl::engine
