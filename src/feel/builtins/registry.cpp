// SPDX-License-Identifier: Apache-2.0
// All tables together, by name.
#include <fmt/format.h>

#include <map>

#include "feel/builtins/builtins.hpp"
#include "feel/builtins/signature.hpp"

namespace pawl::feel {
namespace {

struct SignedFunction {
  Signature signature{};
  Value (*function)(Call&){};
};

struct Group {
  std::string_view name{};
  std::vector<SignedFunction> rows{};
};

struct Registry {
  std::vector<Group> groups{};
  std::map<std::string_view, std::uint32_t> by_name{};

  void add(std::span<const Builtin> table) {
    for (const auto& builtin : table) {
      SignedFunction row{parse_signature(builtin.signature), builtin.function};
      const auto [place, is_new] =
          by_name.try_emplace(row.signature.name, static_cast<std::uint32_t>(groups.size()));
      if (is_new) groups.push_back({row.signature.name, {}});
      groups[place->second].rows.push_back(std::move(row));
    }
  }
};

Registry make_registry() {
  Registry made;
  made.add(string_builtins());
  made.add(pattern_builtins());
  made.add(number_builtins());
  made.add(list_builtins());
  made.add(statistics_builtins());
  made.add(context_builtins());
  made.add(conversion_builtins());
  made.add(temporal_builtins());
  made.add(range_builtins());
  made.add(logic_builtins());
  return made;
}

const Registry& registry() {
  static const Registry made = make_registry();
  return made;
}

}  // namespace

std::optional<std::int64_t> Call::whole(std::size_t index) const {
  const Value& number = arguments[index];
  if (number.is_int()) return number.int_unchecked();
  const auto rounded = round_to(number.as_decimal(), 0, Rounding::down);
  return rounded ? rounded->to_int64() : std::nullopt;
}

Value Call::refuse(std::string_view why) const {
  if (!machine.wants_problems()) return nullptr;
  return machine.problem(Problem::Kind::other, fmt::format("function \"{}\": {}", name, why));
}

std::uint32_t builtin_group(std::string_view name) {
  const auto& by_name = registry().by_name;
  const auto found = by_name.find(name);
  return found == by_name.end() ? none : found->second;
}

std::string_view builtin_name(std::uint32_t group) { return registry().groups[group].name; }

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const auto& group : registry().groups) names.push_back(group.name);
  return names;
}

Value call_builtin(Machine& machine, std::uint32_t index, Arguments arguments) {
  const Group& group = registry().groups[index];
  std::string reason;
  for (const auto& row : group.rows) {
    machine.charge(1);
    machine.charge(arguments.values.size(), cost::item);
    auto fitted = fit(row.signature, arguments, machine.wants_problems() ? &reason : nullptr);
    if (!fitted) continue;
    Call call{machine, group.name, *std::move(fitted)};
    return row.function(call);
  }
  if (!machine.wants_problems()) return nullptr;
  return machine.type_problem(fmt::format("function \"{}\": {}", group.name, reason));
}

}  // namespace pawl::feel
