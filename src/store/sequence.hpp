// SPDX-License-Identifier: Apache-2.0
// What every index does in the same way: it passes over the records that it has, refuses a gap, and
// says so when a resource is not there.
#pragma once

#include <span>

#include "store/index.hpp"

namespace pawl::store {

// The records after `applied`. Error store_damaged: the next one is missing, or they are not in
// order.
Result<std::span<const Committed>> not_yet_applied(std::span<const Committed> records,
                                                   Position applied);

Error unknown_resource(Key resource);

}  // namespace pawl::store
