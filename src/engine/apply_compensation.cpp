// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_compensation.hpp"

#include <algorithm>

#include "engine/variable_context.hpp"

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

// What is inside sees what is around it, but its own comes first.
Value seen_from_inside(const Value& around, const Value& own) {
  if (!around.is_context()) return own;
  Value all = around;
  if (!own.is_context()) return all;
  for (const Entry& entry : own.entries()) all = with(all, entry.key, entry.value);
  return all;
}

// Handlers of scopes that are undone piece by piece, in order of completion.
void flatten(Undoable one, const Value& around, std::vector<Undoable>& out) {
  Value variables = seen_from_inside(around, one.variables);
  if (one.handler != ElementIndex::none) {
    one.variables = std::move(variables);
    out.push_back(std::move(one));
    return;
  }
  for (Undoable& inner : one.inside) flatten(std::move(inner), variables, out);
}

// The records of one activity, from a scope or, of an ad-hoc sub-process, from its paths, which
// leave what was done in them as one record each.
void take_those_of(ElementIndex activity, ElementIndex scope, const Value& around,
                   std::vector<Undoable>& done, std::vector<Undoable>& taken) {
  const auto meant = [activity](const Undoable& one) { return one.element == activity; };
  for (Undoable& one : done) {
    if (meant(one)) {
      flatten(std::move(one), around, taken);
    } else if (one.element == scope && one.handler == ElementIndex::none) {
      take_those_of(activity, scope, one.variables, one.inside, taken);
    }
  }
  std::erase_if(done, meant);
}

}  // namespace

Compensation& compensation_of(ElementInstance& one) {
  if (!one.compensation) one.compensation = std::make_unique<Compensation>();
  return *one.compensation;
}

void leave_undoable(const Instance& state, ElementInstance& scope, ElementInstance& completed) {
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
  compensation_of(scope).done.push_back(std::move(whole));
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
  std::vector<Slot> scopes = undone_scopes(state, state.slot_of.find(thrower.key));
  std::reverse(scopes.begin(), scopes.end());  // what is around was done first
  for (const Slot slot : scopes) {
    ElementInstance& scope = state.slots[number(slot)];
    if (!scope.compensation) continue;
    std::vector<Undoable>& done = scope.compensation->done;
    if (activity != ElementIndex::none) {
      take_those_of(activity, scope.element, {}, done, taken);
      continue;
    }
    for (Undoable& one : done) flatten(std::move(one), {}, taken);
    done.clear();
  }
  // Zeebe begins with what was done first, others with what was done last.
  if (state.process->dialect == model::Dialect::zeebe) std::reverse(taken.begin(), taken.end());
  Compensation& own = compensation_of(thrower);
  own.pending = std::move(taken);
  own.thrown = true;
}

void hand_over_undoable(ElementInstance& thrower, ElementInstance& handler) {
  Undoable one = std::move(thrower.compensation->pending.back());
  thrower.compensation->pending.pop_back();
  if (!one.inside.empty()) compensation_of(handler).done = std::move(one.inside);
}

}  // namespace pawl::engine
