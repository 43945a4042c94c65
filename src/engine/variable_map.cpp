// SPDX-License-Identifier: Apache-2.0
#include "engine/variable_map.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace pawl::engine {

const Variable* VariableMap::search(std::string_view name) const {
  for (const Variable& variable : variables_) {
    if (variable.name.text() == name) return &variable;
  }
  return nullptr;
}

const Variable* VariableMap::look_up(std::string_view name, std::uint32_t hash) const {
  const std::vector<std::uint32_t>& places = *places_;
  const std::size_t mask = places.size() - 1;
  for (std::size_t i = hash & mask; places[i] != 0; i = (i + 1) & mask) {
    const Variable& variable = variables_[places[i] - 1];
    if (variable.name.is(name, hash)) return &variable;
  }
  return nullptr;
}

void VariableMap::index(std::uint32_t position) {
  std::vector<std::uint32_t>& places = *places_;
  const std::size_t mask = places.size() - 1;
  std::size_t i = variables_[position].name.hash() & mask;
  while (places[i] != 0) i = (i + 1) & mask;
  places[i] = position + 1;
}

void VariableMap::create(Variable variable) {
  PAWL_ASSERT(find_named(variable.name) == nullptr);
  variables_.push_back(std::move(variable));
  if (variables_.size() <= searched_in_place) return;
  if (!places_ || variables_.size() * 2 > places_->size()) {
    std::size_t wanted = 64;
    while (wanted < variables_.size() * 4) wanted *= 2;
    places_ = std::make_unique<std::vector<std::uint32_t>>(wanted, 0);
    for (std::uint32_t i = 0; i < variables_.size(); ++i) index(i);
  } else {
    index(static_cast<std::uint32_t>(variables_.size() - 1));
  }
}

void VariableMap::erase(std::string_view name) {
  const Variable* variable = find(name);
  if (!variable) return;
  variables_.erase(variables_.begin() + (variable - variables_.data()));
  if (!places_) return;
  std::fill(places_->begin(), places_->end(), 0);
  for (std::uint32_t i = 0; i < variables_.size(); ++i) index(i);
}

Value VariableMap::update(const Name& name, Value value) {
  auto* variable = const_cast<Variable*>(find_named(name));
  PAWL_ASSERT(variable != nullptr);
  return std::exchange(variable->value, std::move(value));
}

}  // namespace pawl::engine
