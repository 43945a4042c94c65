// SPDX-License-Identifier: Apache-2.0
// The questions of SqliteIndex. What comes from outside is always bound, never part of the SQL.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "store/sequence.hpp"
#include "store/sqlite/rows.hpp"
#include "store/sqlite/sqlite_index.hpp"
#include "store/sqlite/words.hpp"

namespace pawl::store {

using namespace sqlite;  // NOLINT: an adapter speaks of little else

namespace {

std::string columns_from(std::string_view columns, std::string_view rest) {
  return fmt::format("SELECT {} {}", columns, rest);
}

// The conditions that a query names. Those of partial indexes stand in the text, or the planner
// could not use them; a value that the text does not mention is bound to nothing.
std::string instances_sql(const InstanceQuery& query) {
  std::string sql = columns_from(instance_columns, "FROM instances WHERE key > ?1");
  if (query.state) sql += fmt::format(" AND state = '{}'", name_of(*query.state));
  // The plus keeps the planner away from all active instances of the process when a name is given.
  const bool named = !query.id.empty() || !query.business_id.empty();
  if (!query.process.empty()) sql += named ? " AND +process = ?3" : " AND process = ?3";
  if (!query.id.empty()) sql += " AND id = ?4";
  if (!query.business_id.empty()) sql += " AND business_id = ?5";
  if (query.busy) sql += " AND busy = 1";
  if (query.with_incidents) sql += " AND key IN (SELECT instance FROM incidents)";
  if (query.caller != Key::none) sql += " AND key IN (SELECT child FROM calls WHERE caller = ?6)";
  if (query.owe_answer) sql += " AND key IN (SELECT child FROM calls WHERE owes = 1)";
  if (query.roots) sql += " AND NOT EXISTS (SELECT 1 FROM calls WHERE child = instances.key)";
  sql += query.newest_first ? " ORDER BY started_ms DESC, key DESC" : " ORDER BY key";
  return sql + " LIMIT ?2";
}

Result<std::vector<InstanceRow>> some_instances(Connection& db, const InstanceQuery& query) {
  return select<InstanceRow>(db, instances_sql(query), read_instance, query.after, query.limit,
                             query.process, query.id, query.business_id, query.caller);
}

// The texts of an indexed column, each once: from one to the next greater, because reading all rows
// of each would be slow.
Result<std::vector<std::string>> distinct(Connection& db, std::string_view first,
                                          std::string_view after) {
  std::vector<std::string> all;
  PAWL_TRY(start, select_one<std::string>(db, first, read_text));
  for (auto next = std::move(start); next;) {
    all.push_back(std::move(*next));
    PAWL_TRY(found, select_one<std::string>(db, after, read_text, all.back()));
    next = std::move(found);
  }
  return all;
}

bool wants_all_active(const InstanceQuery& query) {
  return query.state == InstanceState::active && query.process.empty() && query.id.empty() &&
         query.business_id.empty() && !query.busy && !query.with_incidents &&
         query.caller == Key::none && !query.owe_answer && !query.roots && !query.newest_first;
}

// The index of active instances is by process; without one, all that ever ran would be read.
Result<std::vector<InstanceRow>> all_active(Connection& db, InstanceQuery query) {
  PAWL_TRY(
      processes,
      distinct(db, "SELECT process FROM instances WHERE state = 'active' ORDER BY process LIMIT 1",
               "SELECT process FROM instances WHERE state = 'active' AND process > ?1 "
               "ORDER BY process LIMIT 1"));
  std::vector<InstanceRow> all;
  for (const std::string& process : processes) {
    query.process = process;
    PAWL_TRY(rows, some_instances(db, query));
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  if (all.size() > query.limit) all.resize(query.limit);
  return all;
}

// Jobs of an instance are found through its elements: only those of the process itself have an
// index of their own.
std::string jobs_sql(const JobQuery& query) {
  std::string sql = columns_from(job_columns, query.instance == Key::none
                                                  ? "FROM jobs j WHERE 1"
                                                  : "FROM jobs j WHERE j.key IN (SELECT job FROM "
                                                    "elements WHERE instance = ?2 UNION ALL "
                                                    "SELECT key FROM jobs WHERE element = instance "
                                                    "AND element = ?2)");
  if (!query.type.empty()) sql += " AND j.type = ?3";
  if (query.availability) {
    sql += fmt::format(" AND j.availability = '{}'", name_of(*query.availability));
  }
  return sql + " ORDER BY j.key LIMIT ?1";
}

constexpr std::string_view of_instance = "WHERE instance = ?1 ORDER BY key";

Result<ElementRow> read_root(const Statement& row) {
  const Key key = row.key(0);
  return ElementRow{
      .key = key, .instance = key, .element = static_cast<ElementIndex>(row.integer(1))};
}

}  // namespace

Result<std::vector<InstanceRow>> SqliteIndex::instances(const InstanceQuery& query) const {
  PAWL_TRY(lease, readers_.lease());
  return wants_all_active(query) ? all_active(*lease, query) : some_instances(*lease, query);
}

Result<std::vector<JobRow>> SqliteIndex::jobs(const JobQuery& query) const {
  PAWL_TRY(lease, readers_.lease());
  return select<JobRow>(*lease, jobs_sql(query), read_job, query.limit, query.instance, query.type);
}

Result<std::vector<IncidentRow>> SqliteIndex::incidents(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  static const std::string all = columns_from(incident_columns, "FROM incidents ORDER BY key");
  static const std::string one =
      columns_from(incident_columns, fmt::format("FROM incidents {}", of_instance));
  if (instance == Key::none) return select<IncidentRow>(*lease, all, read_incident);
  return select<IncidentRow>(*lease, one, read_incident, instance);
}

Result<std::vector<VariableRow>> SqliteIndex::variables(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  return select<VariableRow>(
      *lease, "SELECT instance, name, value FROM variables WHERE instance = ?1 ORDER BY name",
      read_variable, instance);
}

// The root scope is part of the instance's row; the others have rows of their own.
Result<std::vector<ElementRow>> SqliteIndex::elements(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(root, select_one<ElementRow>(*lease,
                                        "SELECT key, root FROM instances "
                                        "WHERE key = ?1 AND root IS NOT NULL",
                                        read_root, instance));
  PAWL_TRY(rows, select<ElementRow>(*lease,
                                    "SELECT key, instance, scope, element, element_id, iteration, "
                                    "body FROM elements WHERE instance = ?1 ORDER BY key",
                                    read_element, instance));
  if (!root) return rows;
  PAWL_TRY(definition, select_one<Key>(*lease, "SELECT definition FROM instances WHERE key = ?1",
                                       read_key, instance));
  if (options_.element_names) {
    root->element_id = options_.element_names(definition.value_or(Key::none), root->element);
  }
  rows.insert(rows.begin(), std::move(*root));
  return rows;
}

Result<std::vector<TimerRow>> SqliteIndex::timers(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  static const std::string sql =
      columns_from(timer_columns, fmt::format("FROM timers {}", of_instance));
  return select<TimerRow>(*lease, sql, read_timer, instance);
}

Result<std::vector<SubscriptionRow>> SqliteIndex::subscriptions_of(Key instance) const {
  PAWL_TRY(lease, readers_.lease());
  static const std::string sql =
      columns_from(subscription_columns, fmt::format("FROM subscriptions {}", of_instance));
  return select<SubscriptionRow>(*lease, sql, read_subscription, instance);
}

// --- what the runtime asks
Result<std::vector<JobRow>> SqliteIndex::offerable_jobs(const std::string& type,
                                                        std::size_t limit) const {
  PAWL_TRY(lease, readers_.lease());
  static const std::string sql =
      columns_from(job_columns,
                   "FROM jobs j WHERE j.availability = 'activatable' AND j.type = ?1 "
                   "ORDER BY j.priority DESC, j.key LIMIT ?2");
  return select<JobRow>(*lease, sql, read_job, type, limit);
}

Result<std::vector<std::string>> SqliteIndex::offerable_types() const {
  PAWL_TRY(lease, readers_.lease());
  return distinct(*lease,
                  "SELECT type FROM jobs WHERE availability = 'activatable' ORDER BY type LIMIT 1",
                  "SELECT type FROM jobs WHERE availability = 'activatable' AND type > ?1 "
                  "ORDER BY type LIMIT 1");
}

Result<std::vector<TimerRow>> SqliteIndex::timers_after(Instant due, Key key,
                                                        std::size_t limit) const {
  PAWL_TRY(lease, readers_.lease());
  static const std::string sql = columns_from(
      timer_columns, "FROM timers WHERE (due_ms, key) > (?1, ?2) ORDER BY due_ms, key LIMIT ?3");
  return select<TimerRow>(*lease, sql, read_timer, due, key, limit);
}

Result<std::vector<SubscriptionRow>> SqliteIndex::subscriptions() const {
  PAWL_TRY(lease, readers_.lease());
  static const std::string sql =
      columns_from(subscription_columns, "FROM subscriptions ORDER BY key");
  return select<SubscriptionRow>(*lease, sql, read_subscription);
}

Result<std::vector<MessageRow>> SqliteIndex::messages() const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(rows, select<MessageRow>(*lease,
                                    "SELECT key, name, correlation, id, expires_ms, variables "
                                    "FROM messages ORDER BY key",
                                    read_message));
  for (MessageRow& row : rows) {
    PAWL_TRY(offers,
             select<Key>(*lease, "SELECT subscription FROM offers WHERE message = ?1 ORDER BY 1",
                         read_key, row.message.key));
    row.message.offered = std::move(offers);
    PAWL_TRY(takers,
             select<std::string>(*lease, "SELECT process FROM taken WHERE message = ?1 ORDER BY 1",
                                 read_text, row.message.key));
    row.taken_by = std::move(takers);
  }
  return rows;
}

Result<std::vector<SignalRow>> SqliteIndex::signals() const {
  PAWL_TRY(lease, readers_.lease());
  return select<SignalRow>(
      *lease, "SELECT key, name, variables, position FROM signals ORDER BY key", read_signal);
}

Result<std::vector<DefinitionRow>> SqliteIndex::definitions() const {
  PAWL_TRY(lease, readers_.lease());
  return select<DefinitionRow>(*lease,
                               "SELECT p.key, p.id, p.version, p.resource, r.name, r.checksum, "
                               "p.deployment "
                               "FROM processes p LEFT JOIN resources r ON r.key = p.resource "
                               "ORDER BY p.key",
                               read_definition);
}

Result<std::string> SqliteIndex::resource(Key resource) const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(found, select_one<std::string>(*lease, "SELECT content FROM resources WHERE key = ?1",
                                          read_text, resource));
  if (found) return std::move(*found);
  return unknown_resource(resource);
}

Result<std::uint64_t> SqliteIndex::next_key(std::uint32_t shard) const {
  PAWL_TRY(lease, readers_.lease());
  PAWL_TRY(found, select_one<std::int64_t>(*lease, "SELECT next_key FROM shards WHERE shard = ?1",
                                           read_integer, shard));
  return static_cast<std::uint64_t>(found.value_or(0));
}

}  // namespace pawl::store
