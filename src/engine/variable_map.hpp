// SPDX-License-Identifier: Apache-2.0
// The variables of one scope, in order of creation. Few are usual and are searched in place; a
// scope with many gets an index, so that a look-up stays O(1).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/key_map.hpp"
#include "value/name.hpp"
#include "value/value.hpp"

namespace pawl::engine {

struct Variable {
  Name name{};
  Value value{};
  Key key{Key::none};
  bool local{false};
};

class VariableMap {
 public:
  const Variable* find(std::string_view name) const {
    return places_ ? look_up(name, hash_of(name)) : search(name);
  }
  const Variable* find_named(const Name& name) const {  // needs no hash of the text
    return places_ ? look_up(name.text(), name.hash()) : search(name.text());
  }
  void create(Variable variable);               // precondition: the name is new
  Value update(const Name& name, Value value);  // gives the old one; precondition: the name exists
  void erase(std::string_view name);            // nothing happens if it is not there

  const std::vector<Variable>& all() const { return variables_; }
  bool empty() const { return variables_.empty(); }

 private:
  static constexpr std::size_t searched_in_place = 12;
  const Variable* search(std::string_view name) const;
  const Variable* look_up(std::string_view name, std::uint32_t hash) const;
  void index(std::uint32_t position);

  std::vector<Variable> variables_;
  // hash → position + 1; none while there are few: most scopes need no room for it
  std::unique_ptr<std::vector<std::uint32_t>> places_;
};

}  // namespace pawl::engine
