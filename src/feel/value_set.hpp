// SPDX-License-Identifier: Apache-2.0
// A set of values that are the same by FEEL's rules (feel/compare.hpp), so that the functions on
// lists need not compare each item with each. The values must outlive the set.
#pragma once

#include <cstdint>
#include <vector>

#include "feel/machine.hpp"

namespace pawl::feel {

class ValueSet {
 public:
  explicit ValueSet(Machine& machine) : machine_(machine), places_(8) {}

  // False if one that is the same is in it already.
  bool insert(const Value& value);
  bool contains(const Value& value) const;

 private:
  struct Member {
    const Value* value{};
    std::uint64_t hash{0};
  };

  // Where it is, or where it would be.
  std::size_t place_of(const Value& value, std::uint64_t hash) const;
  void grow();

  Machine& machine_;
  std::vector<Member> members_;
  std::vector<std::uint32_t> places_;  // a power of two: indices of members, from 1; 0: free
};

}  // namespace pawl::feel
