// SPDX-License-Identifier: Apache-2.0
// The part of apply that exchanges the process of an instance. An event names the process, it does
// not hold it: whoever applies a migration gives it (Step, which has it from the command, and
// `replay`, which asks for it).
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

// Everything that is in the state must have a place in the other process (migration.cpp sees to
// it).
void migrate(Instance& state, const InstanceMigrated& event, const model::ProcessPtr& process);

}  // namespace pawl::engine
