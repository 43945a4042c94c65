// SPDX-License-Identifier: Apache-2.0
#include "feel/types.hpp"

#include "feel/closure.hpp"

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

bool is_list_of(Machine& machine, const Tree& tree, const Type& type, const Value& value) {
  if (!value.is_list()) return false;
  if (type.open) return true;
  for (const auto& item : value.as_list()) {
    if (!item.is_null() && !is_instance(machine, tree, type.parts[0], item)) return false;
  }
  return true;
}

bool is_context_of(Machine& machine, const Tree& tree, const Type& type, const Value& value) {
  if (!value.is_context()) return false;
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    const Value* member = machine.find(value, type.member_names[i]);
    if (member == nullptr) return false;
    if (!member->is_null() && !is_instance(machine, tree, type.parts[i], *member)) return false;
  }
  return true;
}

bool is_range_of(Machine& machine, const Tree& tree, const Type& type, const Value& value) {
  if (value.kind() != Kind::range) return false;
  if (type.open) return true;
  const Range& range = value.as_range();
  const auto fits = [&](const Value& end) {
    return end.is_null() || is_instance(machine, tree, type.parts[0], end);
  };
  return fits(range.low) && fits(range.high);
}

// Does every value of type `inner` also have the type `outer`? They may be of two trees.
bool is_part_of(const Tree& inner_tree, std::uint32_t inner, const Tree& outer_tree,
                std::uint32_t outer) {
  if (outer == none) return true;
  const Type& wide = outer_tree.types[outer];
  if (wide.kind == Type::Kind::any) return true;
  if (inner == none) return false;
  const Type& narrow = inner_tree.types[inner];
  if (narrow.kind != wide.kind) return false;
  if (wide.kind == Type::Kind::plain) {
    return narrow.plain == wide.plain && narrow.any_duration == wide.any_duration;
  }
  if (wide.open || wide.kind != Type::Kind::list) return true;
  return !narrow.open && is_part_of(inner_tree, narrow.parts[0], outer_tree, wide.parts[0]);
}

// The function must take every argument that the type allows; what it returns is not known.
bool is_function_of(const Tree& tree, const Type& type, const Value& value) {
  if (value.kind() != Kind::function) return false;
  if (type.open) return true;
  const auto* closure = dynamic_cast<const Closure*>(value.as_function().get());
  if (closure == nullptr) return true;
  const auto& parameters = closure->function().parameters;
  if (parameters.size() + 1 != type.parts.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!is_part_of(tree, type.parts[i], closure->tree(), parameters[i].type)) return false;
  }
  return true;
}

}  // namespace

bool is_instance(Machine& machine, const Tree& tree, std::uint32_t index, const Value& value) {
  const Machine::Level level(machine);
  const Type& type = tree.types[index];
  if (value.is_null()) return type.kind == Type::Kind::null;
  switch (type.kind) {
    case Type::Kind::any:
      return true;
    case Type::Kind::null:
      return false;
    case Type::Kind::plain:
      if (type.any_duration) {
        return value.kind() == Kind::day_time_duration || value.kind() == Kind::year_month_duration;
      }
      return value.kind() == type.plain;
    case Type::Kind::list:
      return is_list_of(machine, tree, type, value);
    case Type::Kind::range:
      return is_range_of(machine, tree, type, value);
    case Type::Kind::context:
      return is_context_of(machine, tree, type, value);
    case Type::Kind::function:
      return is_function_of(tree, type, value);
  }
  return false;
}

bool coerce(Machine& machine, const Tree& tree, std::uint32_t type, Value& value) {
  if (value.is_null() || is_instance(machine, tree, type, value)) return true;
  Value changed;
  if (tree.types[type].kind == Type::Kind::list && !value.is_list()) {
    changed = Value(List{value});
  } else if (value.is_list() && value.as_list().size() == 1) {
    changed = value.as_list().front();
  } else {
    return false;
  }
  if (!is_instance(machine, tree, type, changed)) return false;
  value = std::move(changed);
  return true;
}

}  // namespace pawl::feel
