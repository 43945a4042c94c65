// SPDX-License-Identifier: Apache-2.0
// What brings instances back: their history, their snapshot, and whose a key is.
#include <fmt/format.h>

#include "store/history_rows.hpp"
#include "store/local/rows.hpp"
#include "store/local/sqlite_index.hpp"

namespace pawl::store {

using namespace sqlite;  // NOLINT: an adapter speaks of little else

namespace {

struct Snapshot {
  Position position{Position::none};
  std::string bytes{};
};

Position read_position(const Statement& row, int at) {
  return position_from(static_cast<std::uint64_t>(row.integer(at)));
}

Result<Snapshot> read_snapshot(const Statement& row) {
  return Snapshot{read_position(row, 0), row.text(1)};
}

Result<std::vector<HistoryEntry>> read_entries(const Statement& row) {
  return unpack_history(read_position(row, 0), row.view(1));
}

Result<std::vector<HistoryEntry>> entries_since(Connection& db, Key instance, Position since) {
  PAWL_TRY(rows, select<std::vector<HistoryEntry>>(
                     db,
                     "SELECT position, bytes FROM history WHERE instance = ?1 AND position >= ?2 "
                     "ORDER BY position",
                     read_entries, instance, since));
  std::vector<HistoryEntry> all;
  for (auto& row : rows) std::move(row.begin(), row.end(), std::back_inserter(all));
  return all;
}

Result<std::optional<InstanceRow>> find_instance(Connection& db, Key key) {
  static const std::string sql =
      fmt::format("SELECT {} FROM instances WHERE key = ?1", instance_columns);
  return select_one<InstanceRow>(db, sql, read_instance, key);
}

}  // namespace

Result<std::vector<HistoryEntry>> SqliteIndex::history(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  return entries_since(*lease, instance, Position::none);
}

Result<std::optional<Past>> SqliteIndex::past_of(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(row, find_instance(*lease, instance));
  if (!row) return std::optional<Past>();
  PAWL_TRY(since, select_one<std::int64_t>(*lease, "SELECT since FROM instances WHERE key = ?1",
                                           read_integer, instance));
  PAWL_TRY(snapshot,
           select_one<Snapshot>(*lease, "SELECT position, bytes FROM snapshots WHERE instance = ?1",
                                read_snapshot, instance));
  Past past{.row = std::move(*row)};
  if (snapshot) {
    past.snapshot = std::move(snapshot->bytes);
    past.snapshot_at = snapshot->position;
  }
  // A row holds several records: that of the snapshot's position may begin before it.
  PAWL_TRY(entries, entries_since(*lease, instance,
                                  position_from(static_cast<std::uint64_t>(since.value_or(0)))));
  for (HistoryEntry& entry : entries) {
    if (entry.position <= past.snapshot_at) continue;
    past.bytes += entry.bytes.size();
    past.turns.push_back(std::move(entry.bytes));
  }
  return std::optional<Past>(std::move(past));
}

Result<std::optional<Key>> SqliteIndex::owner_of(Key key) const {
  PAWL_TRY(lease, readers_.lease());
  return select_one<Key>(*lease,
                         "SELECT instance FROM jobs WHERE key = ?1 UNION ALL "
                         "SELECT instance FROM elements WHERE key = ?1 UNION ALL "
                         "SELECT instance FROM timers WHERE key = ?1 UNION ALL "
                         "SELECT instance FROM subscriptions WHERE key = ?1 UNION ALL "
                         "SELECT instance FROM incidents WHERE key = ?1 UNION ALL "
                         "SELECT key FROM instances WHERE key = ?1 AND root IS NOT NULL LIMIT 1",
                         read_key, key);
}

}  // namespace pawl::store
