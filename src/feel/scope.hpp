// SPDX-License-Identifier: Apache-2.0
// Static scopes: while an expression is parsed, they say which slot a name of the expression stands
// for. A filter is a special scope: its item may be a context whose members are names, which only
// the evaluation knows; so a name inside a filter also gets the list of filters to ask first.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "feel/tree.hpp"

namespace pawl::feel {

struct Resolution {
  std::vector<std::uint32_t> filters{};  // slots of items to ask for a member, innermost first
  std::uint32_t slot{none};              // none: a free name
};

// The scopes of one function body, or of the whole expression.
class Activation {
 public:
  // `work` grows with what is looked at, here and outside.
  Activation(Activation* outer, std::uint64_t& work) : outer_(outer), work_(work) {}

  std::uint32_t new_slot() { return slots_++; }
  std::uint32_t slots() const { return slots_; }
  Activation* outer() const { return outer_; }
  const std::vector<Function::Capture>& captures() const { return captures_; }

  void open();                           // a block that binds names
  void open_filter(std::uint32_t slot);  // binds `item`
  void close();
  void bind(std::string name, std::uint32_t slot);

  Resolution resolve(std::string_view name);
  // True if the name is bound here or outside, or could be a member of a filter's item.
  bool may_be_bound(std::string_view name) const;

 private:
  struct Binder {
    std::size_t scope{0};
    std::uint32_t slot{none};
  };
  struct Scope {
    std::uint32_t filter_slot{none};  // none: not a filter
    std::vector<std::string> names{};
  };

  std::uint32_t captured(std::uint32_t outer_slot);

  Activation* outer_;
  std::uint64_t& work_;
  std::uint32_t slots_{0};
  std::vector<Scope> scopes_;
  std::vector<std::size_t> filters_;  // which of the scopes are filters
  std::map<std::string, std::vector<Binder>, std::less<>> binders_;  // innermost last
  std::vector<Function::Capture> captures_;
  std::map<std::uint32_t, std::uint32_t> captured_;  // outer slot to inner slot
};

}  // namespace pawl::feel
