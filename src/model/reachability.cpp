// SPDX-License-Identifier: Apache-2.0
#include "model/reachability.hpp"

#include "base/limits.hpp"

namespace pawl::model {
namespace {

// The elements a token can go to from `element` in one step.
template <class Visit>
void each_next(const Process& process, const Element& element, Visit visit) {
  for (const FlowIndex flow : element.outgoing) visit(process.at(flow).target);
  for (const ElementIndex boundary : element.boundary_events) visit(boundary);
  if (element.link_target != ElementIndex::none) visit(element.link_target);
}

using Edges = std::vector<std::vector<ElementIndex>>;

Edges edges_backwards(const Process& process) {
  Edges before(process.elements.size());
  for (const Element& element : process.elements) {
    each_next(process, element,
              [&](ElementIndex next) { before[number(next)].push_back(element.index); });
  }
  return before;
}

std::vector<bool> all_before(const Edges& before, ElementIndex target) {
  std::vector<bool> seen(before.size(), false);
  std::vector<ElementIndex> open{target};
  while (!open.empty()) {
    const ElementIndex at = open.back();
    open.pop_back();
    for (const ElementIndex previous : before[number(at)]) {
      if (previous == target || seen[number(previous)]) continue;
      seen[number(previous)] = true;
      open.push_back(previous);
    }
  }
  return seen;
}

bool is_inclusive_join(const Element& element) {
  return element.kind == ElementKind::inclusive_gateway && element.incoming.size() > 1;
}

// Depth first with an early end: tokens that matter are usually a few flows away.
bool search(const Process& process, ElementIndex from, ElementIndex target) {
  std::vector<bool> seen(process.elements.size(), false);
  std::vector<ElementIndex> open{from};
  bool found = false;
  while (!open.empty() && !found) {
    const ElementIndex at = open.back();
    open.pop_back();
    each_next(process, process.at(at), [&](ElementIndex next) {
      found = found || next == target;
      if (seen[number(next)]) return;
      seen[number(next)] = true;
      open.push_back(next);
    });
  }
  return found;
}

}  // namespace

void prepare_inclusive_joins(Process& process) {
  std::size_t joins = 0;
  for (const Element& element : process.elements) {
    if (!is_inclusive_join(element)) continue;
    ++joins;
    process.elements[number(element.scope)].inclusive_joins.push_back(element.index);
  }
  if (joins == 0 || process.elements.size() > limits::reachability_bits / joins) return;

  const Edges before = edges_backwards(process);
  for (Element& element : process.elements) {
    if (is_inclusive_join(element)) element.reached_from = all_before(before, element.index);
  }
}

bool Process::reaches(ElementIndex from, ElementIndex target) const {
  if (from == target) return false;
  const std::vector<bool>& prepared = at(target).reached_from;
  if (!prepared.empty()) return prepared[number(from)];
  return search(*this, from, target);
}

}  // namespace pawl::model
