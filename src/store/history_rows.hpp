// SPDX-License-Identifier: Apache-2.0
// A row of history: the records of one instance that were applied together. Each is its distance
// from the row's position and its length, both as varints, then its bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/index.hpp"

namespace pawl::store {

// Adds a record to the row that begins at `row`.
void pack_history(std::string& out, Position row, Position position, std::string_view bytes);
// Error: store_damaged.
Result<std::vector<HistoryEntry>> unpack_history(Position row, std::string_view packed);

}  // namespace pawl::store
