// SPDX-License-Identifier: Apache-2.0
// MemoryState: what an index knows, as plain maps, and the function that takes one record after the
// other. Slow and simple on purpose: the other indexes are compared with it. A copy is a moment to
// which a simulated crash can go back.
#pragma once

#include <map>

#include "store/element_part.hpp"
#include "store/index.hpp"

namespace pawl::store {

struct MemoryState {
  struct Instance {
    InstanceRow row{};  // `incidents` is counted when it is asked for
    bool continues{false};
    bool running{false};  // the root scope is open
    Position since{Position::none};
    std::map<std::string, Value> variables{};
    std::map<Key, ElementRow> elements{};
    std::map<Key, ElementPart> parts{};  // of the elements above
    std::vector<HistoryEntry> history{};
    std::string snapshot{};
    Position snapshot_at{Position::none};
  };
  struct Message {
    MessageRow row{};
    Instant published{};
  };

  Position applied{Position::none};
  Instant forgotten{};
  std::map<std::uint32_t, std::uint64_t> next_keys{};
  std::map<Key, Instance> instances{};
  std::map<Key, JobRow> jobs{};
  std::map<Key, engine::JobKind> job_kinds{};  // of the same jobs
  std::map<Key, TimerRow> timers{};
  std::map<Key, SubscriptionRow> subscriptions{};
  std::map<Key, Message> messages{};
  std::map<Key, SignalRow> signals{};
  std::map<Key, IncidentRow> incidents{};
  std::map<Key, ResourceDeployed> resources{};
  std::map<Key, ProcessDeployed> processes{};
};

void take(MemoryState& state, const Committed& committed, const ElementNames& names);

}  // namespace pawl::store
