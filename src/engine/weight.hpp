// SPDX-License-Identifier: Apache-2.0
// What an instance weighs: the bytes of its values as stored, and a round figure for each element
// instance and each piece of work. The appliers keep the sum of the values (Instance::value_bytes)
// right, so the question costs nothing.
#pragma once

#include <span>

#include "engine/state.hpp"

namespace pawl::engine {

// Of the values and texts that came from outside of the model.
std::size_t bytes_of(const Name& name, const Value& value);
std::size_t bytes_of(const Loop& loop);
std::size_t bytes_of(std::span<const Undoable> undoables);
std::size_t bytes_of(const ElementInstance& one);

std::size_t weight_of(const Instance& instance);

}  // namespace pawl::engine
