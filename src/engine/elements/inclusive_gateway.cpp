// SPDX-License-Identifier: Apache-2.0
// Inclusive gateway: waits until no further token can reach it (joins.cpp), then leaves by every
// flow whose condition holds, or by the default flow if none does.

#include "engine/behaviour.hpp"

namespace pawl::engine {

const Behaviour inclusive_gateway{
    .activate = activate_nothing, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
