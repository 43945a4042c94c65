// SPDX-License-Identifier: Apache-2.0
// SqliteIndex: the index in a SQLite database, a file in WAL mode or in memory. One connection
// writes; queries run on connections of their own, beside the writer. Another process may open the
// same file read-only. docs/store.md explains the tables.
#pragma once

#include <atomic>
#include <mutex>

#include "store/index.hpp"
#include "store/sqlite/readers.hpp"
#include "store/sqlite/window_writer.hpp"

namespace pawl::store {

struct SqliteOptions {
  std::string path{":memory:"};
  ElementNames element_names{};
  bool read_only{false};
  Millis patience{5'000};  // with a lock that another process holds
  std::string image{};     // of `SqliteIndex::image`: opened in memory, `path` is not used
};

class SqliteIndex final : public Index {
 public:
  // Errors: store_damaged (no index of Pawl), store_too_new, store_in_use, disk_full.
  static Result<std::unique_ptr<SqliteIndex>> open(SqliteOptions options);

  // The whole database as it is now; for simulated crashes.
  std::string image() const;
  // A copy of one moment in a new file, durable, beside all other work.
  Result<void> copy_to(const std::string& path) const;

  Result<void> apply(std::span<const Committed> records) override;
  Result<void> keep_snapshot(Key instance, Position at, std::string bytes) override;
  Position applied() const override;
  Result<Position> make_durable() override;
  void forget_cached() override;

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
  SqliteIndex(SqliteOptions options, std::unique_ptr<sqlite::Connection> db);
  Result<void> begin();
  Result<void> prepare_writer();
  Result<void> write(sqlite::Window& window, Position last);
  template <class Act>
  Result<void> in_transaction(Act act);
  Result<void> remove(const std::vector<Ended>& gone);
  Result<void> refuse_read_only() const;
  Result<Position> stored_position() const;
  bool is_file() const { return options_.image.empty() && options_.path != ":memory:"; }

  SqliteOptions options_;
  std::unique_ptr<sqlite::Connection> db_;
  // Of `db_`. The names of elements are asked for in the middle of `apply`, and may be found here.
  mutable std::recursive_mutex mutex_{};
  mutable sqlite::Readers readers_;
  sqlite::Stored stored_;
  std::optional<sqlite::WindowWriter> writer_{};
  std::atomic<std::uint64_t> applied_{0};
};

}  // namespace pawl::store
