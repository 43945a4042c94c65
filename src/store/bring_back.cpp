// SPDX-License-Identifier: Apache-2.0
#include "store/bring_back.hpp"

#include <algorithm>

#include "store/codec.hpp"
#include "store/patience.hpp"
#include "store/snapshot.hpp"

namespace pawl::store {
namespace {

using Turns = std::vector<engine::Events>;

template <class Event>
bool has(const engine::Events& events) {
  return std::any_of(events.begin(), events.end(),
                     [](const auto& one) { return std::holds_alternative<Event>(one); });
}

Result<Turns> turns_of(const Past& past) {
  Turns turns;
  for (const std::string& bytes : past.turns) {
    PAWL_TRY(record, decode_record(bytes));
    turns.push_back(std::move(record.events));
  }
  return turns;
}

// All turns of the newest execution.
Result<Turns> whole_past(const Index& index, Key instance) {
  PAWL_TRY(history, index.history(instance));
  Turns turns;
  for (const HistoryEntry& entry : history) {
    PAWL_TRY(record, decode_record(entry.bytes));
    if (has<engine::InstanceStarted>(record.events)) turns.clear();
    turns.push_back(std::move(record.events));
  }
  return turns;
}

Result<BroughtBack> begin(const Past& past, const Turns& turns, bool from_snapshot,
                          const engine::FindProcess& find) {
  const auto* started = turns.empty() || turns.front().empty()
                            ? nullptr
                            : std::get_if<engine::InstanceStarted>(&turns.front().front());
  const Key definition = !from_snapshot && started ? started->definition : past.row.definition;
  PAWL_TRY(process, find(definition));
  if (!from_snapshot) return BroughtBack{engine::Instance(process), definition};
  PAWL_TRY(state, decode_snapshot(process, past.snapshot));
  return BroughtBack{std::move(state), definition};
}

}  // namespace

Result<BroughtBack> bring_back(const Index& index, const Past& past,
                               const engine::FindProcess& find) {
  PAWL_TRY(turns, turns_of(past));
  const bool outdated = !past.snapshot.empty() &&
                        std::any_of(turns.begin(), turns.end(), has<engine::InstanceMigrated>);
  const bool from_snapshot = !past.snapshot.empty() && !outdated;
  if (outdated) {
    PAWL_TRY(all, whole_past(index, past.row.key));
    turns = std::move(all);
  }
  PAWL_TRY(back, begin(past, turns, from_snapshot, find));
  back.without_snapshot = outdated;
  for (const engine::Events& events : turns) {
    PAWL_CHECK(check_patience());
    PAWL_CHECK(engine::replay(back.state, events, find));
    back.definition = engine::definition_after(events, back.definition);
  }
  return std::move(back);
}

}  // namespace pawl::store
