// SPDX-License-Identifier: Apache-2.0
// Intermediate catch event (message, signal, timer) and receive task: the token waits for its event
// and goes on with what came with it (waits.cpp). Where it follows an event-based gateway, the
// gateway waits in its place.

#include "engine/behaviour.hpp"

namespace pawl::engine {

const Behaviour catch_event{
    .activate = activate_and_wait, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
