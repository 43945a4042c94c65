// SPDX-License-Identifier: Apache-2.0
// What steps cost, in nanoseconds, estimated: counted from what was done, not measured by a clock,
// so that a turn is cut at the same place whenever it is taken. (Only scripts are measured.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/events.hpp"

namespace pawl::engine::cost {

inline constexpr std::uint64_t event = 800;     // applied, encoded, written, indexed
inline constexpr std::uint64_t feel_step = 25;  // of limits::feel_steps
inline constexpr std::uint64_t byte = 3;        // of a value in an event
inline constexpr std::uint64_t entry = 50;      // of a context that is copied
inline constexpr std::uint64_t join = 2;  // an inclusive join that may be waited for, per token
inline constexpr std::uint64_t work = 1;  // of the agenda that is looked through

// Of the values and texts in it. Asserts that it can be stored.
std::size_t bytes_in(const Event& event);

}  // namespace pawl::engine::cost
