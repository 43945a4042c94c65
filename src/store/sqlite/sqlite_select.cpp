// SPDX-License-Identifier: Apache-2.0
// Selections, and where a key comes from.
#include <fmt/format.h>

#include "base/limits.hpp"
#include "store/codec.hpp"
#include "store/history_rows.hpp"
#include "store/patience.hpp"
#include "store/speaks_of.hpp"
#include "store/sqlite/functions.hpp"
#include "store/sqlite/rows.hpp"
#include "store/sqlite/select_sql.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace pawl::store {

using namespace sqlite;  // NOLINT: an adapter speaks of little else

namespace {

void bind(Statement& statement, const SelectSql& sql, const Facts& facts) {
  bind_facts(statement.handle(), 1, facts);
  int at = 1;
  for (const Cell& value : sql.values) {
    ++at;
    if (const auto* number = std::get_if<std::int64_t>(&value)) statement.bind(at, *number);
    if (const auto* text = std::get_if<std::string>(&value)) statement.bind(at, *text);
  }
}

Cell read_cell(const Statement& row, int at, KeptColumn::Kind kind) {
  if (row.is_null(at)) return {};
  if (kind == KeptColumn::Kind::number) return row.integer(at);
  return row.text(at);
}

// Not kept prepared: there is no end of different ones.
Result<std::vector<Cells>> read_rows(Connection& db, const Selection& selection, bool few) {
  const SelectSql sql = rows_sql(selection, few);
  PAWL_TRY(statement, db.prepare(sql.text));
  bind(statement, sql, selection.facts);
  const auto columns = columns_for(selection);
  std::vector<Cells> rows;
  for (;;) {
    PAWL_TRY(more, statement.step());
    if (!more) break;
    Cells& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      row.set(columns[i].column, read_cell(statement, static_cast<int>(i), columns[i].kind));
    }
  }
  if (selection.backward) std::reverse(rows.begin(), rows.end());
  return rows;
}

Result<std::size_t> read_total(Connection& db, const Selection& selection) {
  const SelectSql sql = count_sql(selection);
  PAWL_TRY(statement, db.prepare(sql.text));
  bind(statement, sql, selection.facts);
  PAWL_TRY(found, statement.step());
  return found ? static_cast<std::size_t>(statement.integer(0)) : std::size_t{0};
}

// --- whose a key is -----------------------------------------------------------------------------
// Keys of a shard are used up in the order of the journal: the turn that made a key is the first
// one whose record says that keys beyond it are used, or, if it was taken beside the shard, soon
// after. Rows of history are found by the position of their first record; a row also holds later
// records of the same transaction.

struct FoundHistory {
  Position position{Position::none};
  Key instance{Key::none};
  std::string bytes{};
};

Result<FoundHistory> read_history_row(const Statement& row) {
  return FoundHistory{position_from(static_cast<std::uint64_t>(row.integer(0))), row.key(1),
                      row.text(2)};
}

constexpr std::size_t most_probes = 20'000;

class Search {
 public:
  Search(Connection& db, Key key) : db_(db), key_(key) {}

  Result<std::optional<Key>> run() {
    PAWL_TRY(last,
             select_one<std::int64_t>(db_, "SELECT max(position) FROM history", read_integer));
    std::uint64_t low = 0, high = static_cast<std::uint64_t>(last.value_or(0)) + 1;
    while (low < high && probes_ < most_probes) {
      const std::uint64_t middle = low + (high - low) / 2;
      PAWL_TRY(next, first_of_shard(middle, high));
      if (!next) {
        high = middle;
      } else if (next->passed) {
        passed_ = next->position;
        high = middle;
      } else {
        before_ = next->position;
        low = next->position + 1;
      }
    }
    PAWL_CHECK(look_around());
    if (!maker_) PAWL_CHECK(look_behind());
    return maker_;
  }

 private:
  struct Probe {
    std::uint64_t position{0};
    bool passed{false};  // the key was used up there
  };

  Result<std::optional<Probe>> first_of_shard(std::uint64_t from, std::uint64_t to) {
    while (from < to && ++probes_ < most_probes) {
      PAWL_CHECK(check_patience());
      PAWL_TRY(row, select_one<FoundHistory>(db_,
                                             "SELECT position, instance, bytes FROM history "
                                             "WHERE position >= ?1 ORDER BY position LIMIT 1",
                                             read_history_row, from));
      if (!row || number(row->position) >= to) break;
      PAWL_TRY(entries, unpack_history(row->position, row->bytes));
      PAWL_TRY(record, decode_record(entries.front().bytes));
      from = number(row->position) + 1;
      if (record.shard != shard_of(key_)) continue;
      return std::optional(Probe{number(row->position), record.next_key > number(key_)});
    }
    return std::optional<Probe>();
  }

  // A row that begins before the place may hold the record behind it.
  Result<void> look_around() {
    const std::uint64_t from = before_ > limits::index_window ? before_ - limits::index_window : 0;
    PAWL_TRY(rows, db_.prepared("SELECT position, instance, bytes FROM history "
                                "WHERE position BETWEEN ?1 AND ?2 OR position = ?3"));
    const Reading reading(*rows);
    rows->with(from, before_, passed_);
    return look_into(*rows);
  }

  // It was taken beside its shard, where others were quicker.
  Result<void> look_behind() {
    PAWL_TRY(rows, db_.prepared("SELECT position, instance, bytes FROM history "
                                "WHERE position > ?1 ORDER BY position LIMIT ?2"));
    const Reading reading(*rows);
    rows->with(before_, most_probes);
    return look_into(*rows);
  }

  Result<void> look_into(Statement& rows) {
    while (!maker_) {
      PAWL_CHECK(check_patience());
      PAWL_TRY(more, rows.step());
      if (!more) return {};
      PAWL_TRY(row, read_history_row(rows));
      PAWL_CHECK(look_into(row));
    }
    return {};
  }

  Result<void> look_into(const FoundHistory& row) {
    PAWL_TRY(entries, unpack_history(row.position, row.bytes));
    for (const HistoryEntry& entry : entries) {
      if (number(entry.position) <= before_) continue;
      PAWL_TRY(record, decode_record(entry.bytes));
      if (speaks_of(record, key_)) maker_ = row.instance;
    }
    return {};
  }

  Connection& db_;
  Key key_;
  std::uint64_t before_{0};  // the last row whose first record has not used the key up
  std::uint64_t passed_{0};  // the first one that has; 0: none
  std::size_t probes_{0};
  std::optional<Key> maker_{};
};

}  // namespace

// One lease: the page and the total are of the same moment.
Result<Selected> SqliteIndex::find_rows(const Selection& selection) const {
  PAWL_CHECK(check(selection));
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(total, read_total(*lease, selection));
  PAWL_TRY(rows, read_rows(*lease, selection, total <= selection.count_limit));
  return Selected{.rows = std::move(rows),
                  .total = std::min(total, selection.count_limit),
                  .more = total > selection.count_limit};
}

Result<std::size_t> SqliteIndex::history_bytes(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(found, select_one<std::int64_t>(
                      *lease, "SELECT sum(length(bytes)) FROM history WHERE instance = ?1",
                      read_integer, instance));
  return static_cast<std::size_t>(found.value_or(0));
}

Result<std::optional<Key>> SqliteIndex::maker_of(Key key) const {
  PAWL_TRY(lease, readers_.lease());
  return Search(*lease, key).run();
}

}  // namespace pawl::store
