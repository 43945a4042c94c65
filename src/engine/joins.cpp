// SPDX-License-Identifier: Apache-2.0
#include "engine/joins.hpp"

#include <algorithm>

namespace pawl::engine {
namespace {

// How many of its incoming flows have a token.
std::size_t flows_arrived(const Instance& state, const ElementInstance& scope,
                          const model::Element& gateway) {
  if (!scope.arrivals) return 0;
  const auto& waiting = scope.arrivals->waiting;
  return static_cast<std::size_t>(std::count_if(
      waiting.begin(), waiting.end(),
      [&](const auto& one) { return state.process->at(one.flow).target == gateway.index; }));
}

bool nothing_can_arrive(const ElementInstance& scope, const model::Element& gateway) {
  return scope.arrivals->approaching[gateway.join_place] == 0;
}

bool has_work(const Instance& state, const ElementInstance& scope) {
  return std::any_of(state.agenda.begin(), state.agenda.end(), [&](const Work& work) {
    return work.key == scope.key && work.kind != Work::Kind::wind_down;
  });
}

}  // namespace

bool fires(const Instance& state, const ElementInstance& scope, const model::Element& gateway) {
  const std::size_t arrived = flows_arrived(state, scope, gateway);
  if (arrived == 0) return false;
  if (arrived == gateway.incoming.size()) return true;
  return gateway.kind == model::ElementKind::inclusive_gateway &&
         nothing_can_arrive(scope, gateway);
}

ElementIndex held_join(const Instance& state, const ElementInstance& scope) {
  const bool all_wait =
      scope.arrivals && scope.active_children == 0 && scope.active_tokens == scope.arrivals->parked;
  if (!all_wait || has_work(state, scope)) return ElementIndex::none;
  for (const ElementIndex join : state.definition_of(scope).inclusive_joins) {
    if (has_waiting(state, scope, state.process->at(join))) return join;
  }
  return ElementIndex::none;
}

bool has_waiting(const Instance& state, const ElementInstance& scope,
                 const model::Element& gateway) {
  return flows_arrived(state, scope, gateway) != 0;
}

}  // namespace pawl::engine
