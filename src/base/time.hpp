// SPDX-License-Identifier: Apache-2.0
// Points in time and spans of it. The pure modules never ask a clock: time comes in as an Instant.
#pragma once

#include <chrono>

namespace pawl {

using Millis = std::chrono::milliseconds;
// UTC, milliseconds since 1970.
using Instant = std::chrono::time_point<std::chrono::system_clock, Millis>;

}  // namespace pawl
