// SPDX-License-Identifier: Apache-2.0
#include "engine/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "engine/compensation.hpp"
#include "engine/cost.hpp"
#include "engine/gate.hpp"
#include "engine/scope_names.hpp"

namespace pawl::engine {
namespace {

using Path = std::span<const std::string>;

// Results stay where they are written, or go to whoever owns the name. A loop's body follows the
// container around it.
bool is_isolated(const Instance& state, const ElementInstance& scope) {
  const model::Element& definition = state.definition_of(scope);
  const bool own = model::is_container(definition.kind) && !scope.is_body;
  const model::Element& container = own ? definition : state.process->at(definition.scope);
  return container.write_rule == model::WriteRule::isolated;
}

// An iteration whose results are its own: only its output leaves it.
bool keeps_results(const Instance& state, const ElementInstance& one) {
  if (one.iteration == 0) return false;
  const bool multi =
      state.definition_of(one).loop->kind == model::LoopDefinition::Kind::multi_instance;
  return multi && is_isolated(state, state.at(one.parent));
}

// What undoes an activity sees the variables of that time. They are not its own: in isolated scopes
// all results are among them, and what it gives goes where results of other activities go.
bool is_of_that_time(const Instance& state, const ElementInstance& one, std::string_view name) {
  const ElementInstance* thrower = state.parent_of(one);
  if (!thrower || !undoes(*thrower) || !is_isolated(state, *thrower)) return false;
  const auto& inputs = state.definition_of(one).inputs;
  return std::none_of(inputs.begin(), inputs.end(),
                      [name](const auto& input) { return input.path.front() == name; });
}

// Into a scope, as its container's rule says: isolated keeps it there, shared gives it to the
// nearest scope that has the name, else to the root.
void write_into(Step& step, Slot scope, std::string_view name, const Value& value) {
  const Instance& state = step.state();
  Slot owner = scope;
  if (is_isolated(state, state.at(scope))) {
    while (state.at(owner).is_body || undoes(state.at(owner))) owner = state.at(owner).parent;
  } else {
    owner = owner_of(state, scope, name);
    if (owner == Slot::none) owner = state.root;
  }
  write_local(step, owner, name, value);
}

// Sets a member deep inside. A level that is null or absent becomes a context; a level that holds
// something else cannot be merged into and becomes null.
Value put_at_path(const Value& base, Path path, const Value& value) {
  if (path.empty()) return value;
  if (!base.is_null() && !base.is_context()) return {};
  const Value* member = base.find(path.front());
  return with(base.is_null() ? Value::context({}) : base, path.front(),
              put_at_path(member ? *member : Value(), path.subspan(1), value));
}

// Fields of `over` on top of those of `under`, at every level; anything but contexts is replaced.
Value overlay(const Value& under, const Value& over) {
  if (!under.is_context() || !over.is_context()) return over;
  Value merged = under;
  for (const Entry& entry : over.entries()) {
    const Value* below = under.find(entry.key);
    merged = with(merged, entry.key, below ? overlay(*below, entry.value) : entry.value);
  }
  return merged;
}

// What the mappings of an element have produced so far; visible to the mappings after them.
struct Produced {
  struct One {
    std::string name{};
    Value value{};
    bool partial{false};  // only fields were set: the outer object shines through when read
  };
  std::vector<One> all{};

  One* find(std::string_view name) {
    for (One& one : all) {
      if (one.name == name) return &one;
    }
    return nullptr;
  }
  const One* find(std::string_view name) const { return const_cast<Produced*>(this)->find(name); }
};

class MappingNames final : public VisibleNames {
 public:
  MappingNames(const Instance& state, Slot scope, const Produced& produced)
      : outer_(state, scope), produced_(produced) {}

  std::optional<Value> find(std::string_view name) const override {
    const Produced::One* one = produced_.find(name);
    if (!one) return outer_.find(name);
    if (!one->partial) return one->value;
    const auto below = outer_.find(name);
    return below ? overlay(*below, one->value) : one->value;
  }

 private:
  ScopeNames outer_;
  const Produced& produced_;
};

std::size_t entries_in(const Value& value) {
  return value.is_context() ? value.entries().size() : 0;
}

Error failed_mapping(const model::Mapping& mapping, const Error& error) {
  return fail(Whose::operators, Code::mapping_failed,
              fmt::format("mapping \"{}\" to \"{}\" failed: {}", mapping.source.text,
                          mapping.target, error.text));
}

// The last one that made the variable.
Error failed_mapping(const std::vector<model::Mapping>& mappings, std::string_view variable,
                     const Error& error) {
  const auto made = std::find_if(mappings.rbegin(), mappings.rend(), [&](const auto& mapping) {
    return mapping.path.front() == variable;
  });
  return failed_mapping(*made, error);
}

// `base_of(name)`: what a nested target is put into; nullopt: a fresh, partial object.
Result<Produced> evaluate_mappings(
    Step& step, Slot slot, const std::vector<model::Mapping>& mappings,
    const std::function<std::optional<Value>(std::string_view)>& base_of) {
  Produced produced;
  for (const model::Mapping& mapping : mappings) {
    step.charge(cost::entry * produced.all.size());
    auto value = step.evaluate(mapping.source, slot, MappingNames(step.state(), slot, produced));
    if (!value) return failed_mapping(mapping, value.error());
    const Path inner = Path(mapping.path).subspan(1);
    Produced::One* one = produced.find(mapping.path.front());
    if (!one) {
      produced.all.push_back({mapping.path.front(), {}, false});
      one = &produced.all.back();
      if (!inner.empty()) {
        const auto base = base_of(one->name);
        one->value = base.value_or(Value());
        one->partial = !base.has_value();
      }
    } else if (!inner.empty() && !one->value.is_context()) {
      one->value = Value();  // a name assigned whole, then a field of it: a fresh object
    }
    if (inner.empty()) {
      *one = {one->name, std::move(value->value), false};
    } else {
      step.charge(cost::entry * (inner.size() + entries_in(one->value)));
      one->value = put_at_path(one->value, inner, value->value);
    }
  }
  Gate gate(step, slot);
  for (Produced::One& one : produced.all) {
    auto admitted = gate.admit({"variable", one.name}, one.value);
    if (!admitted) return failed_mapping(mappings, one.name, admitted.error());
    one.value = std::move(*admitted);
  }
  return produced;
}

}  // namespace

void write_local(Step& step, Slot scope, std::string_view name, const Value& value, bool local) {
  const ElementInstance& owner = step.state().at(scope);
  if (const Variable* known = owner.variables.find(name)) {
    if (known->value == value) return;
    step.emit(VariableUpdated{owner.key, known->name, value});
  } else {
    step.emit(VariableCreated{step.new_key(), owner.key, Name(name), value, local});
  }
}

void create_local(Step& step, Slot scope, const Name& name, const Value& value) {
  const ElementInstance& owner = step.state().at(scope);
  if (owner.variables.find_named(name)) {
    return write_local(step, scope, name.text(), value, true);
  }
  step.emit(VariableCreated{step.new_key(), owner.key, name, value, true});
}

void write_result(Step& step, Slot from, std::string_view name, const Value& value) {
  const ElementInstance& one = step.state().at(from);
  const bool own = one.parent == Slot::none ||
                   (one.variables.find(name) && !is_of_that_time(step.state(), one, name));
  if (own || keeps_results(step.state(), one)) {
    write_local(step, from, name, value);
  } else {
    write_into(step, one.parent, name, value);
  }
}

void write_outside(Step& step, Slot from, std::string_view name, const Value& value) {
  write_into(step, step.state().at(from).parent, name, value);
}

void write_results(Step& step, Slot from, const Value& variables, bool local) {
  if (!variables.is_context()) return;
  for (const Entry& entry : variables.entries()) {
    if (local) {
      write_local(step, from, entry.key, entry.value, true);
    } else {
      write_result(step, from, entry.key, entry.value);
    }
  }
}

void write_last_results(Step& step, Slot from, const Value& variables) {
  if (!variables.is_context()) return;
  const ElementInstance& one = step.state().at(from);
  const bool keeps = one.parent == Slot::none || keeps_results(step.state(), one);
  for (const Entry& entry : variables.entries()) {
    const bool own = one.iteration != 0 && one.variables.find(entry.key);
    if (keeps || own) {
      write_local(step, from, entry.key, entry.value);
    } else {
      write_outside(step, from, entry.key, entry.value);
    }
  }
}

Result<void> apply_inputs(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  const auto& mappings = step.state().definition_of(one).inputs;
  if (mappings.empty() || one.mappings_applied) return {};
  // A nested target starts from this element's own variable, if it has one (a loop's item).
  const auto own = [&one](std::string_view name) -> std::optional<Value> {
    const Variable* variable = one.variables.find(name);
    return variable ? std::optional<Value>(variable->value) : std::nullopt;
  };
  PAWL_TRY(produced, evaluate_mappings(step, slot, mappings, own));
  for (const auto& made : produced.all) write_local(step, slot, made.name, made.value, true);
  return {};
}

Result<void> apply_outputs(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  const auto& mappings = step.state().definition_of(one).outputs;
  if (mappings.empty() || one.mappings_applied) return {};
  // A nested target is merged into what is visible from inside the element.
  const auto visible = [&step, slot](std::string_view name) -> std::optional<Value> {
    return visible_value(step.state(), slot, name).value_or(Value());
  };
  PAWL_TRY(produced, evaluate_mappings(step, slot, mappings, visible));
  const Slot outside = one.parent == Slot::none ? slot : one.parent;
  for (const auto& made : produced.all) {
    // An iteration's output element and item are local: mapping to them feeds the output.
    const bool local = one.iteration != 0 && one.variables.find(made.name);
    local ? write_local(step, slot, made.name, made.value)
          : write_into(step, outside, made.name, made.value);
  }
  return {};
}

void merge_into_parent(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  const model::Element& definition = step.state().definition_of(one);
  const bool maps = !definition.outputs.empty() && !one.is_path;
  if (one.parent == Slot::none || one.mappings_applied || maps) return;
  if (one.is_body || keeps_results(step.state(), one)) return;
  // What other events catch is written as a result at once.
  const bool event = definition.kind == model::ElementKind::boundary_event ||
                     definition.kind == model::ElementKind::start_event;
  const bool isolated =
      model::is_container(definition.kind) && definition.write_rule == model::WriteRule::isolated;
  if (!event && !isolated) return;
  for (const Variable& variable : one.variables.all()) {
    if (event || !variable.local) {
      write_into(step, one.parent, variable.name.text(), variable.value);
    }
  }
}

}  // namespace pawl::engine
