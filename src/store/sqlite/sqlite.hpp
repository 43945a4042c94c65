// SPDX-License-Identifier: Apache-2.0
// A thin layer over the C API of SQLite: connections and prepared statements that close themselves,
// values that are bound by their type, and errors that say what to do. Texts and blobs are bound
// without a copy: they must live until the statement was run.
#pragma once

#include <sqlite3.h>

#include <concepts>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "store/record.hpp"

namespace pawl::store::sqlite {

struct Blob {
  std::string_view bytes{};
};
struct OrNull {  // an empty text or absent key is stored as NULL
  std::string_view text{};
};
struct KeyOrNull {
  Key key{Key::none};
};

// What an error of SQLite means for us; `place` is the file.
Error error_of(sqlite3* db, int code, std::string_view place);

class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* db, sqlite3_stmt* statement, std::string_view place)
      : db_(db), held_(statement), place_(place) {}

  // Binds the parameters ?1, ?2, … in order.
  template <class... Values>
  Statement& with(const Values&... values) {
    int at = 0;
    (bind(++at, values), ...);
    return *this;
  }
  void bind(int at, std::int64_t value) { sqlite3_bind_int64(held_.get(), at, value); }
  void bind(int at, std::same_as<bool> auto value) { sqlite3_bind_int(held_.get(), at, value); }
  void bind(int at, std::uint32_t value) { bind(at, std::int64_t{value}); }
  void bind(int at, std::int32_t value) { bind(at, std::int64_t{value}); }
  // Also `no_limit`, which becomes -1: none for SQLite, too.
  void bind(int at, std::uint64_t value) { bind(at, static_cast<std::int64_t>(value)); }
  void bind(int at, Key key) { bind(at, number(key)); }
  void bind(int at, Position position) { bind(at, number(position)); }
  void bind(int at, Instant instant) { bind(at, std::int64_t{instant.time_since_epoch().count()}); }
  void bind(int at, ElementIndex element) {  // none is NULL
    if (element == ElementIndex::none) return bind(at, nullptr);
    bind(at, number(element));
  }
  void bind(int at, std::nullptr_t) { sqlite3_bind_null(held_.get(), at); }
  void bind(int at, std::string_view text);
  void bind(int at, const std::string& text) { bind(at, std::string_view(text)); }
  void bind(int at, const char* text) { bind(at, std::string_view(text)); }
  void bind(int at, const Name& name) { bind(at, name.text()); }
  void bind(int at, Blob blob);
  void bind(int at, OrNull value);
  void bind(int at, KeyOrNull value);

  // Runs a statement that gives no rows, and makes it ready for the next time.
  Result<void> run();
  // Goes to the next row; false: there is none, and the statement is ready for the next time.
  Result<bool> step();
  void reset() { sqlite3_reset(held_.get()); }
  sqlite3_stmt* handle() const { return held_.get(); }

  // Columns of the row, from 0. Texts and blobs are valid until the next step.
  bool is_null(int at) const { return sqlite3_column_type(held_.get(), at) == SQLITE_NULL; }
  std::int64_t integer(int at) const { return sqlite3_column_int64(held_.get(), at); }
  Key key(int at) const { return key_from(static_cast<std::uint64_t>(integer(at))); }
  Instant instant(int at) const { return Instant(Millis(integer(at))); }
  std::string_view view(int at) const;
  std::string text(int at) const { return std::string(view(at)); }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  sqlite3* db_{nullptr};
  std::unique_ptr<sqlite3_stmt, Finalize> held_{};
  std::string_view place_{};  // of the connection, which lives longer
};

// Resets a statement when the reader of its rows is done, also half-way.
class Reading {
 public:
  explicit Reading(Statement& statement) : statement_(statement) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { statement_.reset(); }

 private:
  Statement& statement_;
};

class Connection {
 public:
  // `flags` of sqlite3_open_v2; `patience` with locks of other processes.
  static Result<std::unique_ptr<Connection>> open(const std::string& path, int flags,
                                                  Millis patience);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Result<Statement> prepare(std::string_view sql);
  // Prepared once, kept for the life of the connection.
  Result<Statement*> prepared(std::string_view sql);
  // Statements without parameters, separated by semicolons.
  Result<void> execute(const char* sql);
  Error error(int code) const { return error_of(db_.get(), code, path_); }
  sqlite3* handle() const { return db_.get(); }
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  Connection(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}

  std::unique_ptr<sqlite3, Close> db_;
  std::string path_;
  std::map<std::string, Statement, std::less<>> prepared_{};  // goes before the connection
};

// All rows of a query, each read by `read`.
template <class Row, class... Values>
Result<std::vector<Row>> select(Connection& db, std::string_view sql,
                                Result<Row> (*read)(const Statement&), const Values&... values) {
  PAWL_TRY(statement, db.prepared(sql));
  const Reading reading(*statement);
  statement->with(values...);
  std::vector<Row> rows;
  for (;;) {
    PAWL_TRY(more, statement->step());
    if (!more) return rows;
    PAWL_TRY(row, read(*statement));
    rows.push_back(std::move(row));
  }
}

// The first row, if there is one.
template <class Row, class... Values>
Result<std::optional<Row>> select_one(Connection& db, std::string_view sql,
                                      Result<Row> (*read)(const Statement&),
                                      const Values&... values) {
  PAWL_TRY(statement, db.prepared(sql));
  const Reading reading(*statement);
  PAWL_TRY(found, statement->with(values...).step());
  if (!found) return std::optional<Row>();
  PAWL_TRY(row, read(*statement));
  return std::optional<Row>(std::move(row));
}

}  // namespace pawl::store::sqlite
