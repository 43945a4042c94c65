// SPDX-License-Identifier: Apache-2.0
// `instance of`, and arguments for typed parameters.
#pragma once

#include "feel/machine.hpp"

namespace pawl::feel {

bool is_instance(Machine& machine, const Tree& tree, std::uint32_t type, const Value& value);

// Makes a list of one item from an item, or the item from such a list, where the type asks for it.
// False if the value does not fit; null fits every type.
bool coerce(Machine& machine, const Tree& tree, std::uint32_t type, Value& value);

}  // namespace pawl::feel
