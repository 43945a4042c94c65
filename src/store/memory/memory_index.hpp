// SPDX-License-Identifier: Apache-2.0
// MemoryIndex: the index as maps in memory, for tests and simulation, and the standard that the
// other indexes are measured by.
#pragma once

#include <mutex>

#include "store/memory/memory_state.hpp"

namespace pawl::store {

class MemoryIndex final : public Index {
 public:
  explicit MemoryIndex(ElementNames names = {}) : names_(std::move(names)) {}

  // A crash is simulated by going back to an older state.
  MemoryState state() const;
  void restore(MemoryState state);

  Result<void> apply(std::span<const Committed> records) override;
  Result<void> keep_snapshot(Key instance, Position at, std::string bytes) override;
  Position applied() const override;
  Result<Position> make_durable() override { return applied(); }

  Result<Key> forget_ended(Key after, std::size_t rows, const MayForget& may) override;
  Result<Instant> forgotten() const override;

  Result<std::uint64_t> next_key(std::uint32_t shard) const override;
  Result<std::optional<Past>> past_of(Key instance) const override;
  Result<std::optional<Key>> owner_of(Key key) const override;
  Result<std::vector<JobRow>> offerable_jobs(const std::string& type,
                                             std::size_t limit) const override;
  Result<std::vector<std::string>> offerable_types() const override;
  Result<std::vector<TimerRow>> timers_after(Instant due, Key key,
                                             std::size_t limit) const override;
  Result<std::vector<SubscriptionRow>> subscriptions() const override;
  Result<std::vector<MessageRow>> messages() const override;
  Result<std::vector<SignalRow>> signals() const override;
  Result<std::vector<DefinitionRow>> definitions() const override;
  Result<std::string> resource(Key resource) const override;

  Result<std::vector<InstanceRow>> instances(const InstanceQuery& query) const override;
  Result<std::vector<JobRow>> jobs(const JobQuery& query) const override;
  Result<std::vector<IncidentRow>> incidents(Key instance) const override;
  Result<std::vector<VariableRow>> variables(Key instance) const override;
  Result<std::vector<ElementRow>> elements(Key instance) const override;
  Result<std::vector<TimerRow>> timers(Key instance) const override;
  Result<std::vector<SubscriptionRow>> subscriptions_of(Key instance) const override;
  Result<std::vector<HistoryEntry>> history(Key instance) const override;
  Result<std::size_t> history_bytes(Key instance) const override;
  Result<Selected> find_rows(const Selection& selection) const override;
  Result<std::optional<Key>> maker_of(Key key) const override;

 private:
  InstanceRow row_of(const MemoryState::Instance& instance) const;

  ElementNames names_;
  // The names of elements are asked for in the middle of `apply`, and may be found here.
  mutable std::recursive_mutex mutex_{};
  MemoryState state_{};
};

}  // namespace pawl::store
