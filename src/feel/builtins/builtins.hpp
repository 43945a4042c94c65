// SPDX-License-Identifier: Apache-2.0
// Built-in functions as tables, one file by family. A row has a signature that a reader
// understands, and a function; arguments are counted, ordered by name, converted and checked by
// the signature, so that the function sees only what it can use:
//
//   {"substring(string: string, start position: number, length?: number)", substring}
//
// `name?` may be left out, `type?` may be null, `a|b` are two names of a parameter, `type...` takes
// one list or all the arguments. Rows with the same name are tried in order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "feel/machine.hpp"

namespace pawl::feel {

struct Call {
  Machine& machine;
  std::string_view name;
  std::vector<Value> arguments;  // one for each parameter; what was left out is null

  const Value& operator[](std::size_t index) const { return arguments[index]; }
  bool has(std::size_t index) const { return !arguments[index].is_null(); }
  std::string_view text(std::size_t index) const { return arguments[index].as_string(); }
  const List& list(std::size_t index) const { return arguments[index].as_list(); }
  // A position or length: digits behind the point are dropped.
  std::optional<std::int64_t> whole(std::size_t index) const;
  // Null, with a problem that begins with the name of the function.
  Value refuse(std::string_view why) const;
};

struct Builtin {
  std::string_view signature{};
  Value (*function)(Call&){};
};

std::uint32_t builtin_group(std::string_view name);  // none: there is no such function
std::string_view builtin_name(std::uint32_t group);
std::vector<std::string_view> builtin_names();
Value call_builtin(Machine& machine, std::uint32_t group, Arguments arguments);

std::span<const Builtin> string_builtins();
std::span<const Builtin> pattern_builtins();
std::span<const Builtin> number_builtins();
std::span<const Builtin> list_builtins();
std::span<const Builtin> statistics_builtins();
std::span<const Builtin> context_builtins();
std::span<const Builtin> conversion_builtins();
std::span<const Builtin> temporal_builtins();
std::span<const Builtin> range_builtins();
std::span<const Builtin> logic_builtins();

}  // namespace pawl::feel
