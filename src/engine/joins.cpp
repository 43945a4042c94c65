// SPDX-License-Identifier: Apache-2.0
#include "engine/joins.hpp"

#include <algorithm>

namespace pawl::engine {
namespace {

struct Arrived {
  FlowIndex first{FlowIndex::none};
  std::size_t flows{0};  // how many incoming flows have a token
};

Arrived arrived_at(const Instance& state, const ElementInstance& scope,
                   const model::Element& gateway) {
  Arrived arrived;
  if (!scope.arrivals) return arrived;
  for (const auto& waiting : scope.arrivals->waiting) {
    if (state.process->at(waiting.flow).target != gateway.index) continue;
    if (arrived.flows++ == 0) arrived.first = waiting.flow;
  }
  return arrived;
}

// Nothing that still moves in the scope can bring another token. If all tokens of the scope wait at
// joins, waiting longer would be for ever: two inclusive joins in one cycle would hold each other.
bool nothing_can_arrive(const Instance& state, const ElementInstance& scope,
                        const model::Element& gateway) {
  const auto& joins = state.definition_of(scope).inclusive_joins;
  const auto place = std::find(joins.begin(), joins.end(), gateway.index) - joins.begin();
  if (scope.arrivals->approaching[static_cast<std::size_t>(place)] == 0) return true;
  return scope.active_children == 0 && scope.active_tokens == scope.arrivals->parked;
}

}  // namespace

FlowIndex fires_by(const Instance& state, const ElementInstance& scope,
                   const model::Element& gateway) {
  const Arrived arrived = arrived_at(state, scope, gateway);
  if (arrived.flows == 0) return FlowIndex::none;
  if (arrived.flows == gateway.incoming.size()) return arrived.first;
  const bool inclusive = gateway.kind == model::ElementKind::inclusive_gateway;
  return inclusive && nothing_can_arrive(state, scope, gateway) ? arrived.first : FlowIndex::none;
}

bool has_waiting(const Instance& state, const ElementInstance& scope,
                 const model::Element& gateway) {
  return arrived_at(state, scope, gateway).flows != 0;
}

}  // namespace pawl::engine
