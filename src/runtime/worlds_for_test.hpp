// SPDX-License-Identifier: Apache-2.0
// What several tests put into a simulated world. Processes are called p0, p1 … in their order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testkit/sim/world.hpp"

namespace pawl::testkit::sim {

inline const std::string one_job = "start  ->  job a   type work\n a  ->  end\n";
inline const std::string calls = "start  ->  call c   process p0\n c  ->  end\n";

inline Setting setting_of(std::vector<std::string> drawings, std::uint32_t shards = 1) {
  return {.seed = 5, .shards = shards, .drawings = std::move(drawings)};
}

}  // namespace pawl::testkit::sim
