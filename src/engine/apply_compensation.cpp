// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_compensation.hpp"

#include <algorithm>

#include "engine/variable_context.hpp"
#include "engine/weight.hpp"

namespace pawl::engine {
namespace {

using model::ElementKind;

// The event sub-process that undoes the scope as a whole.
ElementIndex own_handler(const Instance& state, const model::Element& scope) {
  for (const ElementIndex index : scope.event_sub_processes) {
    if (state.process->at(index).event == model::EventKind::compensation) return index;
  }
  return ElementIndex::none;
}

// Handlers of scopes that are undone piece by piece, in order of completion. What is inside sees
// what is around it.
void flatten(Undoable one, std::vector<Value>& around, std::vector<Undoable>& out) {
  if (one.handler != ElementIndex::none) {
    one.around = around;
    out.push_back(std::move(one));
    return;
  }
  around.push_back(one.variables);
  for (Undoable& inner : one.inside) flatten(std::move(inner), around, out);
  around.pop_back();
}

// The records of one activity, from a scope or, of an ad-hoc sub-process, from its paths, which
// leave what was done in them as one record each.
void take_those_of(ElementIndex activity, ElementIndex scope, std::vector<Value>& around,
                   std::vector<Undoable>& done, std::vector<Undoable>& taken) {
  const auto meant = [activity](const Undoable& one) { return one.element == activity; };
  for (Undoable& one : done) {
    if (meant(one)) {
      flatten(std::move(one), around, taken);
    } else if (one.element == scope && one.handler == ElementIndex::none) {
      around.push_back(one.variables);
      take_those_of(activity, scope, around, one.inside, taken);
      around.pop_back();
    }
  }
  std::erase_if(done, meant);
}

}  // namespace

Compensation& compensation_of(ElementInstance& one) {
  if (!one.compensation) one.compensation = std::make_unique<Compensation>();
  return *one.compensation;
}

void leave_undoable(Instance& state, ElementInstance& scope, ElementInstance& completed) {
  const model::Element& definition = state.definition_of(completed);
  const bool holds = model::is_container(definition.kind) || completed.is_body;
  if (!holds) return;
  const ElementIndex handler =
      completed.is_body || completed.is_path ? ElementIndex::none : own_handler(state, definition);
  const bool any = completed.compensation && !completed.compensation->done.empty();
  if (!any && handler == ElementIndex::none) return;
  Undoable whole{.element = completed.element,
                 .handler = handler,
                 .variables = context_of(completed.variables)};
  if (any) whole.inside = std::move(completed.compensation->done);
  std::vector<Undoable>& done = compensation_of(scope).done;
  done.push_back(std::move(whole));
  state.value_bytes += bytes_of(std::span(done).last(1));
}

std::vector<Slot> undone_scopes(const Instance& state, Slot slot) {
  std::vector<Slot> scopes;
  for (Slot at = state.at(slot).parent; at != Slot::none; at = state.at(at).parent) {
    scopes.push_back(at);
    const ElementInstance& one = state.at(at);
    if (one.is_path) continue;
    // What runs to undo something has that in itself; it does not reach around.
    const bool undoes = state.definition_of(one).event == model::EventKind::compensation;
    if (state.definition_of(one).kind != ElementKind::event_sub_process || undoes) break;
  }
  return scopes;
}

void take_undoable(Instance& state, ElementInstance& thrower, ElementIndex activity) {
  std::vector<Undoable> taken;
  std::vector<Value> around;
  std::vector<Slot> scopes = undone_scopes(state, state.slot_of.find(thrower.key));
  std::reverse(scopes.begin(), scopes.end());  // what is around was done first
  for (const Slot slot : scopes) {
    ElementInstance& scope = state.slots[number(slot)];
    if (!scope.compensation) continue;
    std::vector<Undoable>& done = scope.compensation->done;
    state.value_bytes -= bytes_of(done);
    if (activity != ElementIndex::none) {
      take_those_of(activity, scope.element, around, done, taken);
      state.value_bytes += bytes_of(done);
      continue;
    }
    for (Undoable& one : done) flatten(std::move(one), around, taken);
    done.clear();
  }
  // Zeebe begins with what was done first, others with what was done last.
  if (state.process->dialect == model::Dialect::zeebe) std::reverse(taken.begin(), taken.end());
  Compensation& own = compensation_of(thrower);
  own.pending = std::move(taken);
  state.value_bytes += bytes_of(own.pending);
  own.thrown = true;
}

void hand_over_undoable(Instance& state, ElementInstance& thrower, ElementInstance& handler) {
  state.value_bytes -= bytes_of(std::span(thrower.compensation->pending).last(1));
  Undoable one = std::move(thrower.compensation->pending.back());
  thrower.compensation->pending.pop_back();
  if (one.inside.empty()) return;
  state.value_bytes += bytes_of(one.inside);
  compensation_of(handler).done = std::move(one.inside);
}

}  // namespace pawl::engine
