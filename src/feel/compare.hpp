// SPDX-License-Identifier: Apache-2.0
// FEEL's equality, order and tests. nullopt is FEEL's null: the two cannot be compared.
// A list of one item stands for its item where the other side is no list.
#pragma once

#include <compare>
#include <optional>

#include "feel/machine.hpp"

namespace pawl::feel {

std::optional<bool> equals(Machine& machine, const Value& a, const Value& b);
// As `equals`, but what cannot be compared is different: for list functions.
bool same(Machine& machine, const Value& a, const Value& b);

std::optional<std::strong_ordering> order(Machine& machine, const Value& a, const Value& b);

// Is the value inside of the range? Ends of null are open.
std::optional<bool> contains(Machine& machine, const Range& range, const Value& value);

// Does `input` pass the test that `test` stands for: a range, a list with the value, an equal
// value?
std::optional<bool> passes(Machine& machine, const Value& input, const Value& test);

inline Value as_value(std::optional<bool> truth) { return truth ? Value(*truth) : Value(); }

}  // namespace pawl::feel
