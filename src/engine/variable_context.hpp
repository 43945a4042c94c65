// SPDX-License-Identifier: Apache-2.0
// The variables of one scope as a value: for the next execution, a caller, a handler.
#pragma once

#include "engine/variable_map.hpp"

namespace pawl::engine {

inline Value context_of(const VariableMap& variables) {
  std::vector<Entry> entries;
  for (const Variable& variable : variables.all()) {
    entries.push_back({variable.name.string(), variable.value});
  }
  return Value::context(std::move(entries));
}

}  // namespace pawl::engine
