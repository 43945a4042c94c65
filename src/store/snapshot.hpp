// SPDX-License-Identifier: Apache-2.0
// Snapshot: the whole state of one instance as bytes, so that one with a long past comes back
// without folding all of it. A projection like everything but the journal: it can be thrown away.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/state.hpp"

namespace pawl::store {

Result<std::string> encode_snapshot(const engine::Instance& instance);
// Error store_damaged if the bytes are broken or do not fit the process.
Result<engine::Instance> decode_snapshot(const model::ProcessPtr& process, std::string_view bytes);

}  // namespace pawl::store
