// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/functions.hpp"

#include "store/patience.hpp"

namespace pawl::store::sqlite {
namespace {

constexpr const char* facts_type = "pawl-facts";

std::string_view text_of(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  return bytes ? std::string_view(bytes, size) : std::string_view();
}

void like(sqlite3_context* context, int, sqlite3_value** values) {
  const bool absent = sqlite3_value_type(values[0]) == SQLITE_NULL;
  const bool fits = !absent && is_like(text_of(values[0]), text_of(values[1]));
  if (nobody_waits()) return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  sqlite3_result_int(context, fits);
}

void give(sqlite3_context* context, const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    sqlite3_result_text64(context, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    sqlite3_result_int64(context, *number);
  } else {
    sqlite3_result_null(context);
  }
}

void fact(sqlite3_context* context, int, sqlite3_value** values) {
  const auto* facts = static_cast<const Facts*>(sqlite3_value_pointer(values[0], facts_type));
  if (!facts || !*facts) return sqlite3_result_null(context);
  const auto definition = static_cast<std::uint64_t>(sqlite3_value_int64(values[1]));
  give(
      context,
      (*facts)(key_from(definition), static_cast<ElementIndex>(sqlite3_value_int64(values[2])),
               sqlite3_value_int(values[3]) != 0, static_cast<Fact>(sqlite3_value_int(values[4]))));
}

// Of the machine of SQLite: some tens of microseconds.
constexpr int steps_between_looks = 4'000;

int ends(void*) { return nobody_waits() ? 1 : 0; }

}  // namespace

void end_when_nobody_waits(Connection& db) {
  sqlite3_progress_handler(db.handle(), steps_between_looks, ends, nullptr);
}

Result<void> add_functions(Connection& db) {
  end_when_nobody_waits(db);
  constexpr int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
  int code = sqlite3_create_function_v2(db.handle(), "pawl_like", 2, flags | SQLITE_DETERMINISTIC,
                                        nullptr, like, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) {
    code = sqlite3_create_function_v2(db.handle(), "pawl_fact", 5, flags, nullptr, fact, nullptr,
                                      nullptr, nullptr);
  }
  if (code != SQLITE_OK) return db.error(code);
  return {};
}

void bind_facts(sqlite3_stmt* statement, int at, const Facts& facts) {
  // SQLite hands it back as it is; it does not change it.
  sqlite3_bind_pointer(statement, at, const_cast<Facts*>(&facts), facts_type, nullptr);
}

}  // namespace pawl::store::sqlite
