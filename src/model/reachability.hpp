// SPDX-License-Identifier: Apache-2.0
// Which element can still send a token to which other one, inside one scope. Used by `link` to
// prepare the inclusive joins, and by Process::reaches where preparing would cost too much.
#pragma once

#include "model/process.hpp"

namespace pawl::model {

// Fills `reached_from` of the inclusive joins, as long as all of them together stay within
// limits::reachability_bits. Needs the lists that `link` makes.
void prepare_inclusive_joins(Process& process);

}  // namespace pawl::model
