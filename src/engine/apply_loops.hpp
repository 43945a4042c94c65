// SPDX-License-Identifier: Apache-2.0
// The part of apply that keeps the state of loops. Used by apply.cpp and apply_tokens.cpp only.
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

// Puts the output of an iteration into its place. O(1).
void collect_output(Instance& state, ElementInstance& body, std::uint32_t iteration,
                    const Value& value);

// Counts an iteration that has ended.
void count_iteration(ElementInstance& body, const ElementInstance& iteration, Ended how);

}  // namespace pawl::engine
