// SPDX-License-Identifier: Apache-2.0
// + - * / ** and the minus sign for numbers, texts, dates, times and durations (DMN 1.5, 10.3.2.3).
// What cannot be done gives null and a problem that names both types.
#pragma once

#include "feel/machine.hpp"

namespace pawl::feel {

Value add(Machine& machine, const Value& a, const Value& b);
Value subtract(Machine& machine, const Value& a, const Value& b);
Value multiply(Machine& machine, const Value& a, const Value& b);
Value divide(Machine& machine, const Value& a, const Value& b);
Value power(Machine& machine, const Value& a, const Value& b);
Value negate(Machine& machine, const Value& a);

}  // namespace pawl::feel
