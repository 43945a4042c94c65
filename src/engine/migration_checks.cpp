// SPDX-License-Identifier: Apache-2.0
#include "engine/migration_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/apply_tokens.hpp"
#include "engine/elements/call_activity.hpp"

namespace pawl::engine {
namespace {

using model::Element;
using model::ElementKind;
using model::LoopDefinition;

std::string id_of(const model::Process& process, ElementIndex index) {
  return index == ElementIndex::none ? "nothing" : fmt::format("\"{}\"", process.at(index).id);
}

Error refuse_migration(const Moves& moves, const std::string& why) {
  return not_migrated(moves.to(), why);
}

// What surrounds it stays around it.
Result<void> check_surroundings(const Moves& moves, const Element& source, const Element& target) {
  const ElementIndex scope = moves(source.scope);
  if (source.scope != ElementIndex::none && scope != target.scope) {
    return refuse_migration(
        moves, fmt::format("\"{}\" is in {}, which is mapped to {}, but \"{}\" is in {}", source.id,
                           id_of(moves.from(), source.scope), id_of(moves.to(), scope), target.id,
                           id_of(moves.to(), target.scope)));
  }
  const ElementIndex host = moves(source.attached_to);
  if (host != ElementIndex::none && host != target.attached_to) {
    return refuse_migration(
        moves,
        fmt::format("\"{}\" is a boundary event of {}, which is mapped to {}, but "
                    "\"{}\" is one of {}",
                    source.id, id_of(moves.from(), source.attached_to), id_of(moves.to(), host),
                    target.id, id_of(moves.to(), target.attached_to)));
  }
  return {};
}

std::string_view kind_of_loop(const model::Held<LoopDefinition>& loop) {
  if (!loop) return "no loop";
  if (loop->kind == LoopDefinition::Kind::standard) return "a standard loop";
  return loop->sequential ? "a sequential loop" : "a parallel loop";
}

// How many iterations there are and what they have given is counted by the one that began.
Result<void> check_loop(const Moves& moves, const Element& source, const Element& target) {
  if (kind_of_loop(source.loop) != kind_of_loop(target.loop)) {
    return refuse_migration(
        moves, fmt::format("\"{}\" has {}, \"{}\" has {}", source.id, kind_of_loop(source.loop),
                           target.id, kind_of_loop(target.loop)));
  }
  if (source.loop &&
      source.loop->options.completion_order != target.loop->options.completion_order) {
    return refuse_migration(moves,
                            fmt::format("\"{}\" and \"{}\" keep the output of their iterations in "
                                        "different orders",
                                        source.id, target.id));
  }
  return {};
}

Result<void> check_user_task(const Moves& moves, const Element& source, const Element& target) {
  const auto native = [](const Element& one) { return one.user_task && one.user_task->native; };
  if (native(source) == native(target)) return {};
  return refuse_migration(
      moves, fmt::format("of the user tasks \"{}\" and \"{}\" one is for a job worker, "
                         "the other is not",
                         source.id, target.id));
}

// What a child sends was settled when it was called.
Result<void> check_call(const Moves& moves, const ElementInstance& one) {
  if (!one.waits_for_call()) return {};
  const Element& source = moves.from().at(one.element);
  const Element& target = moves.to().at(moves(one.element));
  if (!ignores_result(source) || ignores_result(target)) return {};
  return refuse_migration(moves,
                          fmt::format("\"{}\" has called a process and takes nothing from it, but "
                                      "\"{}\" does; try again when it has ended",
                                      source.id, target.id));
}

Result<void> check_ad_hoc(const Moves& moves, const Element& source, const Element& target) {
  if (source.sequential_ordering == target.sequential_ordering) return {};
  const auto how = [](const Element& one) { return one.sequential_ordering ? "" : "not "; };
  return refuse_migration(
      moves, fmt::format("what is started in \"{}\" runs {}one by one, in \"{}\" {}so", source.id,
                         how(source), target.id, how(target)));
}

Result<void> check_place(const Moves& moves, ElementIndex index, std::string_view what) {
  const Element& source = moves.from().at(index);
  if (moves(index) == ElementIndex::none) {
    return refuse_migration(
        moves,
        fmt::format("{} \"{}\" is not mapped; say which element it becomes", what, source.id));
  }
  const Element& target = moves.to().at(moves(index));
  PAWL_CHECK(check_same_kind(moves, source));
  PAWL_CHECK(check_surroundings(moves, source, target));
  PAWL_CHECK(check_loop(moves, source, target));
  PAWL_CHECK(check_ad_hoc(moves, source, target));
  return check_user_task(moves, source, target);
}

// --- tokens that wait at joins
Result<void> check_join(const Moves& moves, ElementIndex gateway) {
  PAWL_CHECK(check_place(moves, gateway, "gateway with waiting tokens"));
  const Element& target = moves.to().at(moves(gateway));
  if (is_join(target)) return {};
  return refuse_migration(moves, fmt::format("tokens wait at gateway {}, but \"{}\" waits for none",
                                             id_of(moves.from(), gateway), target.id));
}

Result<void> check_arrivals(const Moves& moves, const Arrivals& arrivals) {
  std::map<ElementIndex, ElementIndex> joins;  // after → before
  std::set<FlowIndex> flows;
  for (const Arrivals::Waiting& waiting : arrivals.waiting) {
    const model::Flow& flow = moves.from().at(waiting.flow);
    PAWL_CHECK(check_join(moves, flow.target));
    const FlowIndex place = moves(waiting.flow);
    const auto said = [&](std::string_view why) {
      return refuse_migration(
          moves,
          fmt::format("the token that waits at gateway {} and came from {} {}",
                      id_of(moves.from(), flow.target), id_of(moves.from(), flow.source), why));
    };
    if (place == FlowIndex::none) {
      return said("has no flow there: map both elements, or give the flow the same id");
    }
    const bool merged =
        joins.try_emplace(moves(flow.target), flow.target).first->second != flow.target;
    if (merged || !flows.insert(place).second) {
      return said("would be taken for another one; map each gateway and flow to one of its own");
    }
  }
  return {};
}

// --- what can be undone
bool is_handler_of(const model::Process& process, ElementIndex handler, const Element& activity) {
  if (process.at(handler).kind == ElementKind::event_sub_process) return true;  // checked by scope
  return std::any_of(
      activity.boundary_events.begin(), activity.boundary_events.end(),
      [&](ElementIndex boundary) { return process.at(boundary).compensation_handler == handler; });
}

Result<void> check_undoable(const Moves& moves, const std::vector<Undoable>& undoables) {
  for (const Undoable& one : undoables) {
    PAWL_CHECK(check_place(moves, one.element, "completed activity with compensation"));
    PAWL_CHECK(check_undoable(moves, one.inside));
    if (one.handler == ElementIndex::none) continue;
    PAWL_CHECK(check_place(moves, one.handler, "compensation handler"));
    if (is_handler_of(moves.to(), moves(one.handler), moves.to().at(moves(one.element)))) continue;
    return refuse_migration(
        moves,
        fmt::format("{} can be undone by {}, but {} is not undone by {}",
                    id_of(moves.from(), one.element), id_of(moves.from(), one.handler),
                    id_of(moves.to(), moves(one.element)), id_of(moves.to(), moves(one.handler))));
  }
  return {};
}

Result<void> check_element(const Moves& moves, const ElementInstance& one) {
  PAWL_CHECK(check_place(moves, one.element, "active element"));
  if (one.life == Life::terminating) {
    return refuse_migration(moves, fmt::format("{} is about to end; try again when it has",
                                               id_of(moves.from(), one.element)));
  }
  PAWL_CHECK(check_call(moves, one));
  if (one.listened != 0 && one.incident && !one.job) {
    return refuse_migration(moves,
                            fmt::format("{} has an incident after its listeners; resolve it first",
                                        id_of(moves.from(), one.element)));
  }
  if (one.listened != 0 || (one.job && one.job->kind != JobKind::task)) {
    return refuse_migration(moves, fmt::format("the listeners of {} run; try again when they have",
                                               id_of(moves.from(), one.element)));
  }
  if (one.trigger) PAWL_CHECK(check_place(moves, one.trigger->boundary, "triggered event"));
  if (one.arrivals) PAWL_CHECK(check_arrivals(moves, *one.arrivals));
  if (!one.compensation) return {};
  PAWL_CHECK(check_undoable(moves, one.compensation->done));
  return check_undoable(moves, one.compensation->pending);
}

}  // namespace

Error not_migrated(const model::Process& target, const std::string& why) {
  return fail(Whose::caller, Code::invalid_state,
              fmt::format("the instance cannot be migrated to process \"{}\": {}", target.id, why));
}

Result<void> check_plan(const model::Process& source, const MigrateInstance& command) {
  const model::Process& target = *command.process;
  const auto wrong = [](const std::string& why) {
    return fail(Whose::caller, Code::invalid_argument, "the plan of the migration " + why);
  };
  std::set<ElementIndex> seen;
  for (const ElementMove& move : command.moves) {
    const bool known =
        number(move.from) < source.elements.size() && number(move.to) < target.elements.size();
    if (!known || move.from == source.root().index || move.to == target.root().index) {
      return wrong("names an element that does not exist");
    }
    if (seen.insert(move.from).second) continue;
    return wrong(fmt::format("maps {} twice", id_of(source, move.from)));
  }
  return {};
}

Result<void> check_same_kind(const Moves& moves, const Element& source) {
  const Element& target = moves.to().at(moves(source.index));
  if (source.kind != target.kind) {
    return refuse_migration(
        moves, fmt::format("\"{}\" is a {}, \"{}\" is a {}", source.id, model::name_of(source.kind),
                           target.id, model::name_of(target.kind)));
  }
  if (source.event != target.event) {
    return refuse_migration(
        moves, fmt::format("the event of \"{}\" is {}, that of \"{}\" is {}", source.id,
                           model::name_of(source.event), target.id, model::name_of(target.event)));
  }
  return {};
}

Result<void> check_places(const Instance& state, const Moves& moves) {
  for (const Slot slot : in_order(state)) PAWL_CHECK(check_element(moves, state.at(slot)));
  return {};
}

}  // namespace pawl::engine
