// SPDX-License-Identifier: Apache-2.0
// What brings instances back: their history, their snapshot, and whose a key is.
#include <fmt/format.h>

#include "store/history_rows.hpp"
#include "store/sqlite/rows.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace pawl::store {

using namespace sqlite;  // NOLINT: an adapter speaks of little else

namespace {

Position read_position(const Statement& row, int at) {
  return position_from(static_cast<std::uint64_t>(row.integer(at)));
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

// All but the turns, and where to look for them.
struct Found {
  Past past{};
  Position since{Position::none};
};

Result<Found> read_found(const Statement& row) {
  PAWL_TRY(instance, read_instance(row));
  return Found{{.row = std::move(instance),
                .snapshot = row.text(instance_column_count + 2),
                .snapshot_at = read_position(row, instance_column_count + 1)},
               read_position(row, instance_column_count)};
}

// In one statement: instances that come back are the main cost of many timers that are due.
Result<std::optional<Found>> find_instance(Connection& db, Key key) {
  static const std::string sql = fmt::format(
      "SELECT {}, since, s.position, s.bytes FROM instances "
      "LEFT JOIN snapshots s ON s.instance = instances.key WHERE key = ?1",
      instance_columns);
  return select_one<Found>(db, sql, read_found, key);
}

}  // namespace

Result<std::vector<HistoryEntry>> SqliteIndex::history(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  return entries_since(*lease, instance, Position::none);
}

Result<std::optional<Past>> SqliteIndex::past_of(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(found, find_instance(*lease, instance));
  if (!found) return std::optional<Past>();
  Past past = std::move(found->past);
  // A row holds several records: that of the snapshot's position may begin before it.
  PAWL_TRY(entries, entries_since(*lease, instance, found->since));
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
