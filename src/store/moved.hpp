// SPDX-License-Identifier: Apache-2.0
// Where an open element instance is after its instance was migrated. For the indexes, which know
// places only by number.
#pragma once

#include "engine/events.hpp"

namespace pawl::store {

// All that is open is in the moves, but for the process itself, which stays at its place.
inline ElementIndex moved(const engine::InstanceMigrated& migration, ElementIndex element) {
  for (const engine::ElementMove& move : migration.moves) {
    if (move.from == element) return move.to;
  }
  return element;
}

}  // namespace pawl::store
