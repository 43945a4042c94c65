// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/schema.hpp"

#include <fmt/format.h>

#include "store/sqlite/rows.hpp"

namespace pawl::store::sqlite {
namespace {

constexpr const char* first_tables = R"(
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('schema', 1), ('position', 0), ('synced', 0);

CREATE TABLE shards (shard INTEGER PRIMARY KEY, next_key INTEGER NOT NULL);

CREATE TABLE instances (
  key         INTEGER PRIMARY KEY,
  process     TEXT NOT NULL,
  version     INTEGER NOT NULL,
  definition  INTEGER NOT NULL,
  state       TEXT NOT NULL,      -- active, completed, terminated
  execution   INTEGER NOT NULL,
  id          TEXT,
  business_id TEXT,
  started_ms  INTEGER NOT NULL,
  ended_ms    INTEGER NOT NULL,
  busy        INTEGER NOT NULL,
  shard       INTEGER NOT NULL,
  root        INTEGER,            -- element of the open root scope
  continues   INTEGER NOT NULL,   -- the end of this execution is not the end of the instance
  first       INTEGER NOT NULL,   -- position of the record that started the instance
  since       INTEGER NOT NULL    -- position of the record that started the newest execution
);
CREATE INDEX instances_id ON instances (id) WHERE id IS NOT NULL AND state = 'active';
CREATE INDEX instances_business_id ON instances (business_id)
  WHERE business_id IS NOT NULL AND state = 'active';
CREATE INDEX instances_busy ON instances (busy) WHERE busy = 1;
CREATE INDEX instances_active ON instances (process) WHERE state = 'active';

CREATE TABLE elements (
  key        INTEGER PRIMARY KEY,
  instance   INTEGER NOT NULL,
  scope      INTEGER,
  element    INTEGER NOT NULL,
  element_id TEXT NOT NULL,
  iteration  INTEGER NOT NULL,
  body       INTEGER NOT NULL,
  job        INTEGER              -- the last one; it may have ended
);
CREATE INDEX elements_instance ON elements (instance);

CREATE TABLE jobs (
  key          INTEGER PRIMARY KEY,
  instance     INTEGER NOT NULL,
  element      INTEGER NOT NULL,
  type         TEXT NOT NULL,
  retries      INTEGER NOT NULL,
  priority     INTEGER NOT NULL,
  availability TEXT NOT NULL      -- activatable, backing_off, out_of_retries
);
CREATE INDEX jobs_offerable ON jobs (type, priority DESC) WHERE availability = 'activatable';

CREATE TABLE timers (
  key      INTEGER PRIMARY KEY,
  instance INTEGER NOT NULL,
  due_ms   INTEGER NOT NULL,
  kind     TEXT NOT NULL          -- element, job_retry
);
CREATE INDEX timers_due ON timers (due_ms);
CREATE INDEX timers_instance ON timers (instance);

CREATE TABLE subscriptions (
  key         INTEGER PRIMARY KEY,
  instance    INTEGER NOT NULL,
  kind        TEXT NOT NULL,      -- message, signal
  name        TEXT NOT NULL,
  correlation TEXT NOT NULL,
  process     TEXT NOT NULL,
  position    INTEGER NOT NULL    -- of the record that opened it
);
CREATE INDEX subscriptions_instance ON subscriptions (instance);

CREATE TABLE messages (
  key          INTEGER PRIMARY KEY,
  name         TEXT NOT NULL,
  correlation  TEXT NOT NULL,
  id           TEXT,
  published_ms INTEGER NOT NULL,
  expires_ms   INTEGER NOT NULL,
  variables    TEXT NOT NULL      -- JSON
);
CREATE TABLE taken (message INTEGER, process TEXT, PRIMARY KEY (message, process)) WITHOUT ROWID;
CREATE TABLE offers (message INTEGER, subscription INTEGER,
                     PRIMARY KEY (message, subscription)) WITHOUT ROWID;

CREATE TABLE signals (
  key       INTEGER PRIMARY KEY,
  name      TEXT NOT NULL,
  variables TEXT NOT NULL,        -- JSON
  position  INTEGER NOT NULL
);

CREATE TABLE incidents (
  key        INTEGER PRIMARY KEY,
  instance   INTEGER NOT NULL,
  element    INTEGER,
  element_id TEXT NOT NULL,
  type       TEXT NOT NULL,
  message    TEXT NOT NULL,
  at_ms      INTEGER NOT NULL,
  job        INTEGER,
  subject    INTEGER
);
CREATE INDEX incidents_instance ON incidents (instance);

CREATE TABLE variables (
  instance INTEGER,
  name     TEXT,
  value    TEXT NOT NULL,         -- JSON
  PRIMARY KEY (instance, name)
) WITHOUT ROWID;

CREATE TABLE history (
  position  INTEGER PRIMARY KEY,  -- of the first record in `bytes`
  instance  INTEGER NOT NULL,
  execution INTEGER NOT NULL,
  bytes     BLOB NOT NULL
);
CREATE INDEX history_instance ON history (instance);

CREATE TABLE snapshots (
  instance INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,      -- everything up to it is in the snapshot
  bytes    BLOB NOT NULL
);

CREATE TABLE resources (
  key      INTEGER PRIMARY KEY,
  name     TEXT NOT NULL,
  content  BLOB NOT NULL,
  checksum TEXT NOT NULL
);
CREATE TABLE processes (
  key      INTEGER PRIMARY KEY,
  id       TEXT NOT NULL,
  version  INTEGER NOT NULL,
  resource INTEGER NOT NULL
);
)";

// What schema 2 adds: calls between instances, and what was deployed together.
constexpr const char* second = R"(
CREATE TABLE calls (
  child   INTEGER PRIMARY KEY,
  caller  INTEGER NOT NULL,
  element INTEGER NOT NULL,       -- element instance of the call activity
  root    INTEGER NOT NULL,       -- the instance that nobody called
  owes    INTEGER NOT NULL        -- it has ended, and its caller has not taken note yet
);
CREATE INDEX calls_caller ON calls (caller);
CREATE INDEX calls_owes ON calls (owes) WHERE owes = 1;
ALTER TABLE processes ADD COLUMN deployment INTEGER NOT NULL DEFAULT 0;
UPDATE meta SET value = 2 WHERE name = 'schema';
)";

// What schema 3 adds: jobs of listeners, also of those of a process, which has no row in elements.
constexpr const char* third = R"(
ALTER TABLE jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'task';
CREATE INDEX jobs_of_roots ON jobs (element) WHERE element = instance;
UPDATE meta SET value = 3 WHERE name = 'schema';
)";

// What schema 4 changes: names of instances that have ended are found, too.
constexpr const char* fourth = R"(
DROP INDEX instances_id;
DROP INDEX instances_business_id;
CREATE INDEX instances_by_id ON instances (id) WHERE id IS NOT NULL;
CREATE INDEX instances_by_business_id ON instances (business_id) WHERE business_id IS NOT NULL;
UPDATE meta SET value = 4 WHERE name = 'schema';
)";

// From each schema to the next; the first makes schema 1.
constexpr const char* changes[] = {first_tables, second, third, fourth};
static_assert(std::size(changes) == schema_number);

std::string changes_after(std::int64_t schema) {
  std::string statements;
  for (auto i = static_cast<std::size_t>(schema); i < std::size(changes); ++i) {
    statements += changes[i];
  }
  return statements;
}

Result<std::int64_t> number_of(Connection& db, const char* sql) {
  PAWL_TRY(statement, db.prepare(sql));
  PAWL_TRY(found, statement.step());
  return found ? statement.integer(0) : std::int64_t{0};
}

Error not_ours(const Connection& db) { return error_of(nullptr, SQLITE_NOTADB, db.path()); }

Result<void> change(Connection& db, const std::string& statements) {
  PAWL_CHECK(db.execute("BEGIN IMMEDIATE"));
  const auto made = db.execute(statements.c_str());
  PAWL_CHECK(db.execute(made ? "COMMIT" : "ROLLBACK"));
  return made;
}

}  // namespace

Result<void> ensure_schema(Connection& db, bool read_only) {
  PAWL_TRY(objects, number_of(db, "SELECT count(*) FROM sqlite_master"));
  if (objects == 0 && !read_only) return change(db, changes_after(0));
  PAWL_TRY(metas, number_of(db, "SELECT count(*) FROM sqlite_master WHERE name = 'meta'"));
  if (metas == 0) return not_ours(db);
  PAWL_TRY(found, select_one<std::int64_t>(db, "SELECT value FROM meta WHERE name = 'schema'",
                                           read_integer));
  if (!found || *found < 1) return not_ours(db);
  if (*found > schema_number) {
    return fail(Whose::machine, Code::store_too_new,
                fmt::format("the index \"{}\" has schema {}; this version of Pawl knows schema {} "
                            "at most: use the later version, or make the index anew with `pawl "
                            "reindex DIR`",
                            db.path(), *found, schema_number));
  }
  if (*found == schema_number) return {};
  if (!read_only) return change(db, changes_after(*found));
  return fail(Whose::machine, Code::store_unavailable,
              fmt::format("the index \"{}\" was made by an earlier version of Pawl; start this "
                          "version there once, which brings it up to date",
                          db.path()));
}

}  // namespace pawl::store::sqlite
