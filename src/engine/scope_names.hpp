// SPDX-License-Identifier: Apache-2.0
// The names that are visible in a scope, nearest first, for FEEL and for scripts. Only names that
// are asked for are looked up; nothing is copied.
#pragma once

#include "engine/state.hpp"
#include "feel/feel.hpp"
#include "script/script.hpp"

namespace pawl::engine {

// The variable as seen from the scope, or nullptr; `owner` tells where it was found.
const Variable* find_variable(const Instance& state, Slot scope, std::string_view name,
                              Slot* owner = nullptr);

// What both languages ask for a name.
class VisibleNames : public feel::Names, public script::Variables {
 public:
  std::optional<Value> find(std::string_view name) const override = 0;
};

class ScopeNames final : public VisibleNames {
 public:
  ScopeNames(const Instance& state, Slot scope) : state_(state), scope_(scope) {}

  std::optional<Value> find(std::string_view name) const override {
    const Variable* variable = find_variable(state_, scope_, name);
    return variable ? std::optional<Value>(variable->value) : std::nullopt;
  }

 private:
  const Instance& state_;
  Slot scope_;
};

}  // namespace pawl::engine
