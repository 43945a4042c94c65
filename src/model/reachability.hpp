// SPDX-License-Identifier: Apache-2.0
// Which inclusive joins of its scope a token can still come to, for every element; found once, by
// `link`. Kept as ranges of places in Element::inclusive_joins: joins that follow each other in a
// model mostly follow each other there, so that even thousands of them are a few ranges.
#pragma once

#include "model/process.hpp"

namespace pawl::model {

// Fills the joins of every scope, and what is ahead of each element. If that takes more than
// limits::join_ranges, nothing is known and Process::joins_unknown is set: it cannot be run. Needs
// the lists that `link` makes.
void prepare_inclusive_joins(Process& process);

}  // namespace pawl::model
