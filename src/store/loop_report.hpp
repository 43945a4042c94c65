// SPDX-License-Identifier: Apache-2.0
// loop_report: how far a multi-instance body that runs has come, asked of the index by its key.
#pragma once

#include "engine/loop_counters.hpp"
#include "store/bring_back.hpp"

namespace pawl::store {

struct LoopReport {
  Key instance{Key::none};
  std::string element{};
  engine::LoopProgress progress{};
};

// Error not_found: no body that runs has this key.
Result<LoopReport> loop_report(const Index& index, Key body, const engine::FindProcess& find);

}  // namespace pawl::store
