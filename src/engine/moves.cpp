// SPDX-License-Identifier: Apache-2.0
#include "engine/moves.hpp"

namespace pawl::engine {

Moves::Moves(const model::Process& from, const model::Process& to,
             const std::vector<ElementMove>& moves)
    : from_(from), to_(to), places_(from.elements.size(), ElementIndex::none) {
  places_[number(from.root().index)] = to.root().index;
  for (const ElementMove& move : moves) {
    const bool known =
        number(move.from) < from.elements.size() && number(move.to) < to.elements.size();
    if (!known || places_[number(move.from)] != ElementIndex::none) continue;
    places_[number(move.from)] = move.to;
  }
}

ElementIndex Moves::operator()(ElementIndex element) const {
  return element == ElementIndex::none ? element : places_[number(element)];
}

FlowIndex Moves::operator()(FlowIndex index) const {
  const model::Flow& flow = from_.at(index);
  const ElementIndex source = (*this)(flow.source);
  const ElementIndex target = (*this)(flow.target);
  if (target == ElementIndex::none) return FlowIndex::none;
  FlowIndex between = FlowIndex::none;
  FlowIndex by_id = FlowIndex::none;
  std::size_t count = 0;
  for (const FlowIndex incoming : to_.at(target).incoming) {
    const model::Flow& one = to_.at(incoming);
    if (one.id == flow.id) by_id = incoming;
    if (source == ElementIndex::none || one.source != source) continue;
    between = one.id == flow.id || count == 0 ? incoming : between;
    ++count;
  }
  const bool clear = count == 1 || (count > 1 && to_.at(between).id == flow.id);
  return clear ? between : count == 0 ? by_id : FlowIndex::none;
}

}  // namespace pawl::engine
