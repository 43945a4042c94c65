// SPDX-License-Identifier: Apache-2.0
// Opening, applying, making durable. The queries are in sqlite_queries.cpp and sqlite_past.cpp.
#include "store/sqlite/sqlite_index.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

#include "store/sequence.hpp"
#include "store/sqlite/functions.hpp"
#include "store/sqlite/rows.hpp"
#include "store/sqlite/schema.hpp"

namespace pawl::store {

using namespace sqlite;  // NOLINT: an adapter speaks of little else

namespace {

// In pages of the WAL: above this a checkpoint waits for readers, so that the file shrinks again.
constexpr int large_wal_pages = 16'384;

// Pages of 8 KiB hold several histories each; without automatic checkpoints, because make_durable
// makes them; 32 MiB of cache hold what is hot.
constexpr const char* file_settings =
    "PRAGMA page_size = 8192;"
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"
    "PRAGMA wal_autocheckpoint = 0;"
    "PRAGMA cache_size = -32768";

Result<std::unique_ptr<Connection>> open_image(const std::string& image) {
  PAWL_TRY(db, Connection::open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, Millis{0}));
  auto* bytes = static_cast<unsigned char*>(sqlite3_malloc64(image.size()));
  if (!bytes) return db->error(SQLITE_NOMEM);
  std::memcpy(bytes, image.data(), image.size());
  // The file format version: a database in memory knows no WAL.
  if (image.size() > 20) bytes[18] = bytes[19] = 1;
  const auto size = static_cast<sqlite3_int64>(image.size());
  const int code =
      sqlite3_deserialize(db->handle(), "main", bytes, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  if (code != SQLITE_OK) return db->error(code);
  return std::move(db);
}

Result<std::unique_ptr<Connection>> open_database(const SqliteOptions& options) {
  if (!options.image.empty()) return open_image(options.image);
  const int flags =
      options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  return Connection::open(options.path, flags, options.patience);
}

}  // namespace

SqliteIndex::SqliteIndex(SqliteOptions options, std::unique_ptr<Connection> db)
    : options_(std::move(options)),
      db_(std::move(db)),
      readers_(is_file() ? Readers(options_.path, options_.patience) : Readers(*db_, mutex_)),
      stored_(*db_, options_.element_names) {}

Result<std::unique_ptr<SqliteIndex>> SqliteIndex::open(SqliteOptions options) {
  PAWL_TRY(db, open_database(options));
  std::unique_ptr<SqliteIndex> index(new SqliteIndex(std::move(options), std::move(db)));
  PAWL_CHECK(index->begin());
  return index;
}

Result<void> SqliteIndex::begin() {
  const bool read_only = options_.read_only;
  if (is_file() && !read_only) PAWL_CHECK(db_->execute(file_settings));
  PAWL_CHECK(ensure_schema(*db_, read_only));
  PAWL_CHECK(add_functions(*db_));
  if (!read_only) {
    PAWL_TRY(writer, WindowWriter::prepare(*db_));
    writer_.emplace(std::move(writer));
  }
  PAWL_TRY(position, stored_position());
  applied_ = number(position);
  return {};
}

Result<Position> SqliteIndex::stored_position() const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(found, select_one<std::int64_t>(*lease, "SELECT value FROM meta WHERE name = 'position'",
                                           read_integer));
  return position_from(static_cast<std::uint64_t>(found.value_or(0)));
}

Result<void> SqliteIndex::refuse_read_only() const {
  if (writer_) return {};
  return fail(Whose::caller, Code::invalid_state,
              fmt::format("the index \"{}\" was opened read-only", options_.path));
}

// Commits what `act` did, or nothing of it.
template <class Act>
Result<void> SqliteIndex::in_transaction(Act act) {
  PAWL_CHECK(refuse_read_only());
  const std::lock_guard guard(mutex_);
  PAWL_CHECK(db_->execute("BEGIN IMMEDIATE"));
  Result<void> done = act();
  if (done) done = db_->execute("COMMIT");
  // Some errors have rolled back already.
  if (!done && sqlite3_get_autocommit(db_->handle()) == 0) {
    static_cast<void>(db_->execute("ROLLBACK").has_value());
  }
  return done;
}

Result<void> SqliteIndex::write(Window& window, Position last) {
  PAWL_CHECK(writer_->write(window));
  PAWL_TRY(put, db_->prepared("UPDATE meta SET value = ?1 WHERE name = 'position'"));
  return put->with(last).run();
}

Result<void> SqliteIndex::apply(std::span<const Committed> records) {
  PAWL_TRY(fresh, not_yet_applied(records, applied()));
  if (fresh.empty()) return {};
  const Position last = fresh.back().position;
  PAWL_CHECK(in_transaction([&] {
    stored_.trouble.reset();
    Window window(stored_);
    fold_records(window, fresh);
    return write(window, last);
  }));
  applied_ = number(last);
  return {};
}

Result<void> SqliteIndex::keep_snapshot(Key instance, Position at, std::string bytes) {
  if (at > applied()) return refuse_read_only();
  return in_transaction([&]() -> Result<void> {
    PAWL_TRY(put, db_->prepared("INSERT OR REPLACE INTO snapshots (instance, position, bytes) "
                                "SELECT key, ?2, ?3 FROM instances "
                                "WHERE key = ?1 AND state = 'active' AND root IS NOT NULL "
                                "AND since <= ?2"));
    return put->with(instance, at, Blob{bytes}).run();
  });
}

Position SqliteIndex::applied() const {
  if (!options_.read_only) return position_from(applied_);
  // Another process moves it.
  return stored_position().value_or(position_from(applied_));
}

// A commit with synchronous = FULL syncs the WAL, and with it everything that was committed before.
// The checkpoint only keeps the WAL short; it does not matter how far it comes.
Result<Position> SqliteIndex::make_durable() {
  PAWL_CHECK(refuse_read_only());
  if (!is_file()) return applied();
  PAWL_CHECK(db_->execute("PRAGMA synchronous = FULL"));
  const auto synced = in_transaction(
      [&] { return db_->execute("UPDATE meta SET value = value + 1 WHERE name = 'synced'"); });
  PAWL_CHECK(db_->execute("PRAGMA synchronous = NORMAL"));
  PAWL_CHECK(synced);
  const std::lock_guard guard(mutex_);
  int pages = 0;
  int code =
      sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages, nullptr);
  if (code == SQLITE_OK && pages > large_wal_pages) {
    code = sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr,
                                     nullptr);
  }
  const bool fine = code == SQLITE_OK || (code & 0xFF) == SQLITE_BUSY;
  if (!fine) return db_->error(code);
  return applied();
}

namespace {

Result<Index::Ended> ended_row(const Statement& row) {
  // What its caller still has to take from it stays.
  const bool needed = row.integer(3) != 0;
  return Index::Ended{
      .key = row.key(0), .process = row.text(1), .at = needed ? Instant{} : row.instant(2)};
}

}  // namespace

// By key, so that a walk through all of them needs no index of its own.
Result<Key> SqliteIndex::forget_ended(Key after, std::size_t rows, const MayForget& may) {
  Key last = Key::none;
  PAWL_CHECK(in_transaction([&]() -> Result<void> {
    PAWL_TRY(looked, select<Ended>(*db_,
                                   "SELECT key, process, ended_ms, (SELECT owes FROM calls "
                                   "WHERE child = instances.key) FROM instances WHERE key > ?1 "
                                   "ORDER BY key LIMIT ?2",
                                   ended_row, after, rows));
    last = looked.size() < rows ? Key::none : looked.back().key;
    std::erase_if(looked, [&](const Ended& one) { return one.at == Instant{} || !may(one); });
    return remove(looked);
  }));
  return last;
}

Result<void> SqliteIndex::remove(const std::vector<Ended>& gone) {
  Instant latest{};
  for (const Ended& one : gone) {
    for (const char* sql :
         {"DELETE FROM history WHERE instance = ?1", "DELETE FROM variables WHERE instance = ?1",
          "DELETE FROM snapshots WHERE instance = ?1", "DELETE FROM calls WHERE child = ?1",
          "DELETE FROM instances WHERE key = ?1"}) {
      PAWL_TRY(statement, db_->prepared(sql));
      PAWL_CHECK(statement->with(one.key).run());
    }
    latest = std::max(latest, one.at);
  }
  if (gone.empty()) return {};
  PAWL_TRY(note, db_->prepared("INSERT INTO meta VALUES ('forgotten_ms', ?1) ON CONFLICT (name) "
                               "DO UPDATE SET value = max(value, ?1)"));
  return note->with(latest).run();
}

Result<Instant> SqliteIndex::forgotten() const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(found, select_one<std::int64_t>(
                      *lease, "SELECT value FROM meta WHERE name = 'forgotten_ms'", read_integer));
  return Instant(Millis(found.value_or(0)));
}

Result<void> SqliteIndex::copy_to(const std::string& path) const {
  if (!is_file()) return fail(Whose::caller, Code::not_supported, "an index in memory has no file");
  PAWL_TRY(connection, Connection::open(options_.path, SQLITE_OPEN_READONLY, options_.patience));
  end_when_nobody_waits(*connection);
  PAWL_TRY(statement, connection->prepare("VACUUM INTO ?1"));
  PAWL_CHECK(statement.with(path).run());
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool durable = file >= 0 && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (durable) return {};
  return fail(Whose::machine, Code::store_unavailable,
              fmt::format("{} cannot be made durable", path));
}

void SqliteIndex::forget_cached() {
  const std::lock_guard guard(mutex_);
  sqlite3_db_release_memory(db_->handle());
  readers_.forget_cached();
}

std::string SqliteIndex::image() const {
  const std::lock_guard guard(mutex_);
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
      sqlite3_serialize(db_->handle(), "main", &size, 0), sqlite3_free);
  if (!bytes) return {};
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

}  // namespace pawl::store
