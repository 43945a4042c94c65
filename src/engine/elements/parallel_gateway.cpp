// SPDX-License-Identifier: Apache-2.0
// Parallel gateway: waits for one token on each incoming flow (joins.cpp), then leaves by all.

#include "engine/behaviour.hpp"

namespace pawl::engine {

const Behaviour parallel_gateway{
    .activate = activate_nothing, .leave = leave_by_all, .after = after_nothing};

}  // namespace pawl::engine
