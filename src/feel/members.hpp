// SPDX-License-Identifier: Apache-2.0
// What follows a dot: members of contexts (of each context in a list), and the properties of
// dates, times, durations and ranges.
#pragma once

#include <string>

#include "feel/machine.hpp"

namespace pawl::feel {

Value member_of(Machine& machine, const Value& object, const std::string& name);

}  // namespace pawl::feel
