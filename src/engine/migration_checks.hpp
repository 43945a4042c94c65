// SPDX-License-Identifier: Apache-2.0
// May an instance follow another process? Everything in its state must have a place there that
// means the same. Each check names the element and the reason; none changes anything.
#pragma once

#include <string>

#include "base/result.hpp"
#include "engine/commands.hpp"
#include "engine/moves.hpp"
#include "engine/state.hpp"

namespace pawl::engine {

Error not_migrated(const model::Process& target, const std::string& why);

// The plan itself: it names places that exist, each source once.
Result<void> check_plan(const model::Process& source, const MigrateInstance& command);
// All that is active, has been triggered, waits at a join or can be undone.
Result<void> check_places(const Instance& state, const Moves& moves);
// `source` is mapped to an element of the same kind.
Result<void> check_same_kind(const Moves& moves, const model::Element& source);

}  // namespace pawl::engine
