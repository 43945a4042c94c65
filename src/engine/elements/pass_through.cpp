// SPDX-License-Identifier: Apache-2.0
// Plain task, manual task, none end and none throw event: nothing to do, the token goes on at once.
// Without an outgoing flow it ends there.

#include "engine/behaviour.hpp"

namespace pawl::engine {

const Behaviour pass_through{
    .activate = activate_nothing, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
