// SPDX-License-Identifier: Apache-2.0
// Boundary event that has caught something. If it interrupts, its host is already gone
// (lifecycle.cpp); if not, it runs beside its host, one instance for each time. What came with the
// event is in its own variables; it is mapped or merged outward when the event completes.

#include "engine/behaviour.hpp"

namespace pawl::engine {

const Behaviour boundary_event{
    .activate = activate_nothing, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
