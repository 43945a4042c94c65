// SPDX-License-Identifier: Apache-2.0
// The part of apply that keeps what the paths of an ad-hoc sub-process leave behind. Used by
// apply.cpp and apply_tokens.cpp only.
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

// A path has ended, in whatever way: from now on the sub-process knows that there was one.
AdHoc& remember_path(ElementInstance& ad_hoc);
// The result of a path. The list begins as a variable of the sub-process and moves out of it with
// the first result, so that adding one costs the same whatever the size. A variable of that name
// that is there later was set by somebody, and counts.
void collect_path(Instance& state, ElementInstance& ad_hoc, const Value& value);

}  // namespace pawl::engine
