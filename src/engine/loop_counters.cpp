// SPDX-License-Identifier: Apache-2.0
#include "engine/loop_counters.hpp"

#include <algorithm>

namespace pawl::engine {

LoopCounts counts_of(const Instance& state, const ElementInstance& body) {
  const Loop& loop = *body.loop;
  const bool one_by_one = state.definition_of(body).loop->sequential;
  const bool so_far = one_by_one && state.process->dialect == model::Dialect::zeebe;
  const auto removed = static_cast<std::uint32_t>(loop.removed.size());
  const std::uint32_t not_started = loop.concurrency == 0 ? loop.total - loop.spawned : 0;
  return {.instances = (so_far ? loop.spawned : loop.total) - removed,
          .active = body.active_children + not_started,
          .completed = loop.completed,
          .terminated = loop.terminated - std::min(loop.terminated, removed),
          .failed = loop.failed};
}

LoopProgress progress_of(const ElementInstance& body) {
  const Loop& loop = *body.loop;
  const auto removed = static_cast<std::uint32_t>(loop.removed.size());
  return {.total = loop.total - removed,
          .done = loop.completed,
          .active = body.active_children,
          .failed = loop.failed,
          .cancelled = loop.terminated - std::min(loop.terminated, removed)};
}

std::optional<Value> counter(const LoopCounts& counts, std::string_view name) {
  const std::pair<std::string_view, std::uint32_t> rows[] = {
      {"numberOfInstances", counts.instances},
      {"numberOfActiveInstances", counts.active},
      {"numberOfCompletedInstances", counts.completed},
      {"numberOfTerminatedInstances", counts.terminated},
      {"nrOfInstances", counts.instances},
      {"nrOfActiveInstances", counts.active},
      {"nrOfCompletedInstances", counts.completed}};
  for (const auto& [known, count] : rows) {
    if (known == name) return Value(static_cast<std::int64_t>(count));
  }
  return std::nullopt;
}

}  // namespace pawl::engine
