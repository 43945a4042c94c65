// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/sqlite.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "store/patience.hpp"

namespace pawl::store::sqlite {
namespace {

bool is_disk_full(sqlite3* db, int code) {
  if ((code & 0xFF) == SQLITE_FULL) return true;
  const int reason = db ? sqlite3_system_errno(db) : 0;
  return (code & 0xFF) == SQLITE_IOERR && (reason == ENOSPC || reason == EDQUOT);
}

}  // namespace

Error error_of(sqlite3* db, int code, std::string_view place) {
  const std::string why = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  if (is_disk_full(db, code)) {
    return fail(Whose::machine, Code::disk_full,
                fmt::format("the index \"{}\" cannot grow: there is no space ({})", place, why));
  }
  if ((code & 0xFF) == SQLITE_INTERRUPT) {
    if (auto patience = check_patience(); !patience) return patience.error();
  }
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return fail(Whose::machine, Code::store_damaged,
                  fmt::format("the index \"{}\" is damaged or no index of Pawl ({}); `pawl reindex "
                              "DIR` makes it anew from the journal",
                              place, why));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fail(Whose::machine, Code::store_in_use,
                  fmt::format("the index \"{}\" is locked by another process ({}); close other "
                              "programs that write to it",
                              place, why));
    default:
      return fail(Whose::machine, Code::store_unavailable,
                  fmt::format("the index \"{}\" cannot be used: {}", place, why));
  }
}

// --- Statement
void Statement::bind(int at, std::string_view text) {
  // A null pointer would be stored as NULL.
  sqlite3_bind_text64(held_.get(), at, text.data() ? text.data() : "", text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}

void Statement::bind(int at, Blob blob) {
  sqlite3_bind_blob64(held_.get(), at, blob.bytes.data() ? blob.bytes.data() : "",
                      blob.bytes.size(), SQLITE_STATIC);
}

void Statement::bind(int at, OrNull value) {
  if (value.text.empty()) return bind(at, nullptr);
  bind(at, value.text);
}

void Statement::bind(int at, KeyOrNull value) {
  if (value.key == Key::none) return bind(at, nullptr);
  bind(at, value.key);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(held_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(held_.get());
    return false;
  }
  const Error error = error_of(db_, sqlite3_extended_errcode(db_), place_);
  sqlite3_reset(held_.get());
  return error;
}

Result<void> Statement::run() {
  PAWL_TRY(row, step());
  if (row) reset();
  return {};
}

std::string_view Statement::view(int at) const {
  const void* bytes = sqlite3_column_blob(held_.get(), at);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(held_.get(), at));
  return bytes ? std::string_view(static_cast<const char*>(bytes), size) : std::string_view();
}

// --- Connection
namespace {

// Without statistics about memory, every allocation takes a lock less: a fifth of the cost of a
// small row. It holds for the whole process; refused, and no harm done, if SQLite is in use
// already.
void configure_once() {
  static const int refused = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(refused);
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const std::string& path, int flags,
                                                     Millis patience) {
  configure_once();
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &db, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<Connection> connection(new Connection(db, path));
  if (code != SQLITE_OK) return connection->error(code);
  sqlite3_busy_timeout(db, static_cast<int>(patience.count()));
  sqlite3_extended_result_codes(db, 1);
  return connection;
}

Result<Statement> Connection::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return error(code);
  return Statement(db_.get(), statement, path_);
}

Result<Statement*> Connection::prepared(std::string_view sql) {
  auto found = prepared_.find(sql);
  if (found == prepared_.end()) {
    PAWL_TRY(statement, prepare(sql));
    found = prepared_.emplace(std::string(sql), std::move(statement)).first;
  }
  return &found->second;
}

Result<void> Connection::execute(const char* sql) {
  const int code = sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return {};
}

}  // namespace pawl::store::sqlite
