// SPDX-License-Identifier: Apache-2.0
#include "engine/scope_names.hpp"

#include "engine/loop_counters.hpp"

namespace pawl::engine {
namespace {

bool collects_as(const Instance& state, const ElementInstance& one, std::string_view name) {
  return one.is_body && one.loop && state.definition_of(one).loop->output_collection == name;
}

// The results of its paths, once there are some; before that they are a variable of its own.
bool gathers_as(const Instance& state, const ElementInstance& one, std::string_view name) {
  return one.ad_hoc && state.definition_of(one).path_output_collection == name;
}

// What a loop's body adds to its variables.
std::optional<Value> from_body(const Instance& state, const ElementInstance& body,
                               std::string_view name) {
  if (!body.loop) return std::nullopt;
  if (collects_as(state, body, name)) {
    return body.loop->output_list(*state.definition_of(body).loop);
  }
  if (state.process->dialect == model::Dialect::zeebe || !name.starts_with("nrOf")) {
    return std::nullopt;
  }
  return counter(counts_of(state, body), name);
}

}  // namespace

std::optional<Value> visible_value(const Instance& state, Slot scope, std::string_view name) {
  for (Slot slot = scope; slot != Slot::none; slot = state.at(slot).parent) {
    const ElementInstance& one = state.at(slot);
    if (const Variable* variable = one.variables.find(name)) return variable->value;
    if (one.is_body) {
      if (auto value = from_body(state, one, name)) return value;
    }
    if (gathers_as(state, one, name)) return Value(one.ad_hoc->outputs);
  }
  return std::nullopt;
}

Slot owner_of(const Instance& state, Slot scope, std::string_view name) {
  for (Slot slot = scope; slot != Slot::none; slot = state.at(slot).parent) {
    const ElementInstance& one = state.at(slot);
    const bool adds = collects_as(state, one, name) || gathers_as(state, one, name);
    if (adds || one.variables.find(name)) return slot;
  }
  return Slot::none;
}

}  // namespace pawl::engine
