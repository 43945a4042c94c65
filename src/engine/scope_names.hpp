// SPDX-License-Identifier: Apache-2.0
// The names that are visible in a scope, nearest first, for FEEL and for scripts. Only names that
// are asked for are looked up; nothing is copied.
#pragma once

#include "engine/state.hpp"
#include "feel/feel.hpp"
#include "script/script.hpp"

namespace pawl::engine {

// The value of a name as seen from the scope. A loop's body adds what it collects and, in dialects
// that have them inside of loops, its counters.
std::optional<Value> visible_value(const Instance& state, Slot scope, std::string_view name);

// The nearest scope that has the name, where a shared result goes; none: no scope has it.
Slot owner_of(const Instance& state, Slot scope, std::string_view name);

// What both languages ask for a name.
class VisibleNames : public feel::Names, public script::Variables {
 public:
  std::optional<Value> find(std::string_view name) const override = 0;
};

class ScopeNames final : public VisibleNames {
 public:
  ScopeNames(const Instance& state, Slot scope) : state_(state), scope_(scope) {}

  std::optional<Value> find(std::string_view name) const override {
    return visible_value(state_, scope_, name);
  }

 private:
  const Instance& state_;
  Slot scope_;
};

}  // namespace pawl::engine
