// SPDX-License-Identifier: Apache-2.0
// The counters of a loop, in both families of names: numberOfInstances … (Zeebe) and
// nrOfInstances … (Camunda 7).
#pragma once

#include <optional>
#include <string_view>

#include "engine/state.hpp"

namespace pawl::engine {

struct LoopCounts {
  std::uint32_t instances{0};
  std::uint32_t active{0};
  std::uint32_t completed{0};
  std::uint32_t terminated{0};
  std::uint32_t failed{0};
};

// As they are now. In a sequential Zeebe loop the instances are those created so far, elsewhere the
// planned ones (Zeebe creates all of a parallel loop before any completes).
LoopCounts counts_of(const Instance& state, const ElementInstance& body);

// How far a loop has come, for people (M18). What is in none of the parts has not begun.
struct LoopProgress {
  std::uint32_t total{0};
  std::uint32_t done{0};
  std::uint32_t active{0};
  std::uint32_t failed{0};
  std::uint32_t cancelled{0};
};
LoopProgress progress_of(const ElementInstance& body);

// nullopt: the name is no counter.
std::optional<Value> counter(const LoopCounts& counts, std::string_view name);

}  // namespace pawl::engine
