// SPDX-License-Identifier: Apache-2.0
// How much one search may ask for and read.
#pragma once

#include <cstddef>

namespace pawl::server::bounds {

inline constexpr std::size_t default_page = 100;     // items
inline constexpr std::size_t largest_page = 10'000;  // items
inline constexpr std::size_t counted = 10'000;       // totalItems is not counted beyond it
inline constexpr std::size_t either = 100;           // filters of one $or
inline constexpr std::size_t values = 10'000;        // that a whole request compares with
inline constexpr std::size_t conditions = 500;       // of one filter
inline constexpr std::size_t sorts = 10;
inline constexpr std::size_t pattern_bytes = 1'000;  // of $like
inline constexpr std::size_t shown_value = 8'191;    // bytes; a longer value of a variable is cut
inline constexpr std::size_t candidates = 10'000;    // rows whose histories are read for a filter
inline constexpr std::size_t folded_bytes = 32u << 20;  // of histories, in one request

}  // namespace pawl::server::bounds
