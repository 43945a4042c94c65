// SPDX-License-Identifier: Apache-2.0
// Event-based gateway: waits for the events behind it. The first that happens takes its branch; the
// gateway is then done and the others are no longer waited for (waits.cpp, which also takes the
// flow).

#include "engine/behaviour.hpp"

namespace pawl::engine {

const Behaviour event_based_gateway{
    .activate = activate_and_wait, .leave = leave_by_none, .after = after_nothing};

}  // namespace pawl::engine
