// SPDX-License-Identifier: Apache-2.0
// An event means one thing for ever. Part of what it means is what `apply` puts on the agenda and
// counts, which is not said by events of its own; so the start of an instance says by which rules
// its events are folded, and `apply` keeps the old ones (Instance::rules).
//
// Whoever changes what `apply` makes of an event raises the number, keeps what was for instances
// with a smaller one, adds a line here, and records a journal (tests/replay/README.md). The tests
// fold the recorded ones after every turn and compare the bytes.
//
//   0, 1  the first rules
#pragma once

#include <cstdint>

namespace pawl::engine {

inline constexpr std::uint32_t newest_rules = 1;

}  // namespace pawl::engine
