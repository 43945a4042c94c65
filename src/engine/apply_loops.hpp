// SPDX-License-Identifier: Apache-2.0
// The part of apply that keeps the state of loops. Used by apply.cpp and apply_tokens.cpp only.
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

// Puts the output of an iteration into its place. O(1).
void collect_output(Instance& state, ElementInstance& body, std::uint32_t iteration,
                    const Value& value);

// The variable that an iteration's result is collected from, created as null so that a result stays
// local; empty if nothing is collected, or an expression, the item or the counter.
std::string local_output_of(const model::LoopDefinition& definition);

// Counts an iteration that has ended.
void count_iteration(ElementInstance& body, const ElementInstance& iteration, Ended how);

}  // namespace pawl::engine
