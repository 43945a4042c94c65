// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_tokens.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "engine/apply_ad_hoc.hpp"
#include "engine/apply_compensation.hpp"
#include "engine/apply_loops.hpp"
#include "engine/weight.hpp"

namespace pawl::engine {

using model::Element;
using model::ElementKind;

bool is_join(const Element& element) {
  return element.incoming.size() > 1 && (element.kind == ElementKind::parallel_gateway ||
                                         element.kind == ElementKind::inclusive_gateway);
}

void count_approaching(const Instance& state, ElementInstance& scope, ElementIndex place,
                       std::uint32_t change) {
  const Element& definition = state.definition_of(scope);
  if (definition.inclusive_joins.empty() || scope.is_body) return;
  if (!scope.arrivals) scope.arrivals = std::make_unique<Arrivals>();
  auto& counts = scope.arrivals->approaching;
  counts.resize(definition.inclusive_joins.size());
  const Element& element = state.process->at(place);
  if (element.scope != definition.index) return;  // the path of an ad-hoc sub-process, say
  for (const model::JoinRange& range : state.process->joins_ahead(place)) {
    for (std::uint32_t i = range.from; i < range.to; ++i) counts[i] += change;
    const bool itself = range.from <= element.join_place && element.join_place < range.to;
    if (itself) counts[element.join_place] -= change;
  }
}

namespace {

constexpr std::uint32_t one_less = static_cast<std::uint32_t>(-1);

// Something in the scope has ended or moved: inclusive joins with waiting tokens look again. Those
// that cannot fire yet find that out in their step; this only must not miss one.
void wake_joins(Instance& state, const ElementInstance& scope) {
  if (!scope.arrivals || scope.arrivals->parked == 0 || scope.life != Life::activated) return;
  const bool all_parked =
      scope.active_children == 0 && scope.active_tokens == scope.arrivals->parked;
  std::vector<ElementIndex> woken;
  for (const Arrivals::Waiting& waiting : scope.arrivals->waiting) {
    const Element& join = state.process->at(state.process->at(waiting.flow).target);
    if (join.join_place == model::no_join) continue;
    if (all_parked || scope.arrivals->approaching[join.join_place] == 0) {
      woken.push_back(join.index);
    }
  }
  // In the order of the model, each once.
  std::sort(woken.begin(), woken.end());
  woken.erase(std::unique(woken.begin(), woken.end()), woken.end());
  for (const ElementIndex join : woken) {
    state.agenda.push_back({.kind = Work::Kind::join, .key = scope.key, .element = join});
  }
}

void park(ElementInstance& scope, FlowIndex flow) {
  if (!scope.arrivals) scope.arrivals = std::make_unique<Arrivals>();
  auto& waiting = scope.arrivals->waiting;
  const auto same = std::find_if(waiting.begin(), waiting.end(),
                                 [&](const auto& one) { return one.flow == flow; });
  if (same == waiting.end()) {
    waiting.push_back({flow, 1});
  } else {
    ++same->count;
  }
  ++scope.arrivals->parked;
}

// One token of each incoming flow that has one.
void unpark(Instance& state, ElementInstance& scope, const Element& join) {
  auto& waiting = scope.arrivals->waiting;
  for (auto& one : waiting) {
    if (state.process->at(one.flow).target != join.index) continue;
    --one.count;
    --scope.arrivals->parked;
    --scope.active_tokens;
    count_approaching(state, scope, join.index, one_less);
  }
  std::erase_if(waiting, [](const auto& one) { return one.count == 0; });
}

Slot new_slot(Instance& state) {
  if (state.free_slots.empty()) {
    state.slots.emplace_back();
    return static_cast<Slot>(state.slots.size() - 1);
  }
  const Slot slot = state.free_slots.back();
  state.free_slots.pop_back();
  return slot;
}

void append_child(Instance& state, ElementInstance& scope, Slot slot) {
  ElementInstance& child = state.slots[number(slot)];
  child.previous = scope.last_child;
  if (scope.last_child == Slot::none) {
    scope.first_child = slot;
  } else {
    state.slots[number(scope.last_child)].next = slot;
  }
  scope.last_child = slot;
  ++scope.active_children;
}

void unlink_child(Instance& state, ElementInstance& scope, const ElementInstance& child) {
  (child.previous == Slot::none ? scope.first_child : state.slots[number(child.previous)].next) =
      child.next;
  (child.next == Slot::none ? scope.last_child : state.slots[number(child.next)].previous) =
      child.previous;
  --scope.active_children;
}

void use_up_token(Instance& state, ElementInstance& scope, const ElementActivating& event) {
  const Element& element = state.process->at(event.element);
  if (is_join(element)) {
    unpark(state, scope, element);
  } else {
    PAWL_ASSERT(scope.active_tokens > 0);
    --scope.active_tokens;
    count_approaching(state, scope, event.element, one_less);
  }
}

// What was triggered goes from the scope to the event sub-process, and from there to its start
// event, which has it as its own variables.
void pass_on_trigger(Instance& state, ElementInstance& scope, ElementInstance& child) {
  const ElementIndex start = scope.trigger->boundary;
  if (start == child.element) {
    state.value_bytes -= scope.trigger->variables.encoded_size();
    scope.trigger.reset();
  } else if (state.process->at(start).scope == child.element) {
    child.trigger = std::move(scope.trigger);
    scope.taken_over = scope.interrupted;
  }
}

}  // namespace

void add_token(Instance& state, ElementInstance& scope, FlowIndex flow) {
  if (!scope.is_open()) return;  // it ends: what still completes in it leads nowhere
  const Element& target = state.process->at(state.process->at(flow).target);
  ++scope.active_tokens;
  count_approaching(state, scope, target.index, 1);
  // Behind an event-based gateway the event has happened: it is activated with the flow.
  const Element& source = state.process->at(state.process->at(flow).source);
  if (source.kind == ElementKind::event_based_gateway) return;
  if (is_join(target)) {
    park(scope, flow);
    state.agenda.push_back({.kind = Work::Kind::join, .key = scope.key, .element = target.index});
  } else {
    state.agenda.push_back({.kind = Work::Kind::enter, .key = scope.key, .flow = flow});
  }
}

void add_starts(Instance& state, ElementInstance& scope,
                const std::vector<ElementIndex>& elements) {
  for (const ElementIndex element : elements) {
    ++scope.active_tokens;
    count_approaching(state, scope, element, 1);
    state.agenda.push_back({.kind = Work::Kind::begin, .key = scope.key, .element = element});
  }
}

void add_element(Instance& state, const ElementActivating& event) {
  const Slot slot = new_slot(state);
  ElementInstance& instance = state.slots[number(slot)];
  instance.key = event.key;
  instance.element = event.element;
  instance.is_body = event.body;
  instance.iteration = event.iteration;
  instance.is_path = event.path;
  state.slot_of.insert(event.key, slot);
  if (event.scope == Key::none) {
    state.root = slot;
    return;
  }
  instance.parent = state.slot_of.find(event.scope);
  PAWL_ASSERT(instance.parent != Slot::none);
  ElementInstance& scope = state.slots[number(instance.parent)];
  append_child(state, scope, slot);
  if (scope.trigger) pass_on_trigger(state, scope, instance);
  if (event.iteration != 0) ++scope.loop->spawned;
  if (event.handler) hand_over_undoable(state, scope, instance);
  count_approaching(state, scope, event.element, 1);
  if (event.flow != FlowIndex::none || event.begins) {
    use_up_token(state, scope, event);
    wake_joins(state, scope);
  }
}

void remove_element(Instance& state, Slot slot, Ended how) {
  PAWL_ASSERT(slot != Slot::none);
  ElementInstance& instance = state.slots[number(slot)];
  PAWL_ASSERT(instance.active_children == 0);
  if (instance.job) state.slot_of.erase(instance.job->key);
  if (instance.incident) state.slot_of.erase(instance.incident->key);
  state.slot_of.erase(instance.key);
  state.value_bytes -= bytes_of(instance);
  if (instance.parent == Slot::none) {
    state.ended = state.continues ? Ended::continued : how;
    state.root = Slot::none;
    state.last_variables = std::move(instance.variables);
  } else {
    ElementInstance& scope = state.slots[number(instance.parent)];
    unlink_child(state, scope, instance);
    if (instance.iteration != 0) count_iteration(scope, instance, how);
    if (instance.is_path) remember_path(scope);
    if (how == Ended::completed) leave_undoable(state, scope, instance);
    count_approaching(state, scope, instance.element, one_less);
    wake_joins(state, scope);
  }
  instance = ElementInstance{};
  state.free_slots.push_back(slot);
}

bool lets_go(const ElementInstance& one) {
  return one.life == Life::terminating || (one.life == Life::activated && one.winds_down());
}

void move_to_the_end(Instance& state, Slot slot) {
  ElementInstance& child = state.slots[number(slot)];
  ElementInstance& scope = state.slots[number(child.parent)];
  unlink_child(state, scope, child);
  child.next = Slot::none;
  append_child(state, scope, slot);
}

void drop_tokens(Instance& state, ElementInstance& scope) {
  scope.active_tokens = 0;
  if (!scope.arrivals) return;
  scope.arrivals.reset();
  for (Slot child = scope.first_child; child != Slot::none; child = state.at(child).next) {
    count_approaching(state, scope, state.at(child).element, 1);
  }
}

}  // namespace pawl::engine
