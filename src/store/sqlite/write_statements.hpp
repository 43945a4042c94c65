// SPDX-License-Identifier: Apache-2.0
// The statements that write the tables, in the order of `Sql`.
#pragma once

#include <array>

#include "store/sqlite/window_writer.hpp"

namespace pawl::store::sqlite {

struct NamedSql {
  Sql name{};
  const char* text{};
};

// Of a RowBatch: for the tables that every instance writes to.
struct BatchSql {
  std::string_view head{};
  std::size_t columns{0};
  std::string_view tail{};
};

// `started_ms` and `first` stay those of the first execution.
inline constexpr BatchSql put_instances{
    "INSERT INTO instances (key, process, version, definition, state, execution, id, business_id, "
    "started_ms, ended_ms, busy, shard, root, continues, first, since) VALUES",
    16,
    "ON CONFLICT (key) DO UPDATE SET process = excluded.process, version = excluded.version, "
    "definition = excluded.definition, state = excluded.state, execution = excluded.execution, "
    "id = excluded.id, business_id = excluded.business_id, ended_ms = excluded.ended_ms, "
    "busy = excluded.busy, shard = excluded.shard, root = excluded.root, "
    "continues = excluded.continues, since = excluded.since"};
inline constexpr BatchSql put_history{
    "INSERT INTO history (position, instance, execution, bytes) VALUES", 4};
inline constexpr BatchSql put_variables{
    "INSERT OR REPLACE INTO variables (instance, name, value) VALUES", 3};
inline constexpr BatchSql put_elements{
    "INSERT OR REPLACE INTO elements (key, instance, scope, element, element_id, iteration, body, "
    "job) VALUES",
    8};
inline constexpr BatchSql put_jobs{
    "INSERT OR REPLACE INTO jobs (key, instance, element, type, retries, priority, availability, "
    "kind) VALUES",
    8};

inline constexpr auto write_statements = std::to_array<NamedSql>({
    // An execution that continues leaves the instance active, with the start of the next to do.
    {Sql::end_execution,
     "UPDATE instances SET state = iif(continues, state, ?2), "
     "ended_ms = iif(continues, ended_ms, ?3), busy = continues, root = NULL WHERE key = ?1"},
    {Sql::continue_later, "UPDATE instances SET continues = 1 WHERE key = ?1"},
    {Sql::migrate_instance,
     "UPDATE instances SET process = ?2, version = ?3, definition = ?4 WHERE key = ?1"},
    {Sql::set_busy, "UPDATE instances SET busy = ?2 WHERE key = ?1 AND busy <> ?2"},
    {Sql::move_element, "UPDATE elements SET element = ?2, element_id = ?3 WHERE key = ?1"},
    {Sql::set_element_job, "UPDATE elements SET job = ?2 WHERE key = ?1"},
    {Sql::delete_element, "DELETE FROM elements WHERE key = ?1"},
    {Sql::change_job,
     "UPDATE jobs SET retries = coalesce(?2, retries), availability = coalesce(?3, availability) "
     "WHERE key = ?1"},
    {Sql::delete_job, "DELETE FROM jobs WHERE key = ?1"},
    {Sql::put_timer,
     "INSERT OR REPLACE INTO timers (key, instance, due_ms, kind) VALUES (?1, ?2, ?3, ?4)"},
    {Sql::delete_timer, "DELETE FROM timers WHERE key = ?1"},
    {Sql::put_subscription,
     "INSERT OR REPLACE INTO subscriptions (key, instance, kind, name, correlation, process, "
     "position) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"},
    {Sql::move_subscriptions, "UPDATE subscriptions SET process = ?2 WHERE instance = ?1"},
    {Sql::delete_subscription, "DELETE FROM subscriptions WHERE key = ?1"},
    {Sql::put_incident,
     "INSERT OR REPLACE INTO incidents (key, instance, element, element_id, type, message, at_ms, "
     "job, subject) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"},
    // The root scope is not among the elements.
    {Sql::move_incidents,
     "UPDATE incidents SET element_id = coalesce((SELECT e.element_id FROM elements e "
     "WHERE e.key = incidents.element), ?2) WHERE instance = ?1 AND element IS NOT NULL"},
    {Sql::delete_incident, "DELETE FROM incidents WHERE key = ?1"},
    {Sql::put_message,
     "INSERT OR REPLACE INTO messages (key, name, correlation, id, published_ms, expires_ms, "
     "variables) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"},
    {Sql::delete_message, "DELETE FROM messages WHERE key = ?1"},
    {Sql::put_offer, "INSERT OR REPLACE INTO offers (message, subscription) VALUES (?1, ?2)"},
    {Sql::delete_offers, "DELETE FROM offers WHERE message = ?1"},
    {Sql::put_taker, "INSERT OR REPLACE INTO taken (message, process) VALUES (?1, ?2)"},
    {Sql::delete_takers, "DELETE FROM taken WHERE message = ?1"},
    {Sql::put_signal,
     "INSERT OR REPLACE INTO signals (key, name, variables, position) VALUES (?1, ?2, ?3, ?4)"},
    {Sql::delete_signal, "DELETE FROM signals WHERE key = ?1"},
    {Sql::delete_variables, "DELETE FROM variables WHERE instance = ?1"},
    {Sql::has_leftovers,  // of the instances from ?1 to ?2
     "SELECT 1 WHERE EXISTS (SELECT 1 FROM elements WHERE instance BETWEEN ?1 AND ?2) "
     "OR EXISTS (SELECT 1 FROM timers WHERE instance BETWEEN ?1 AND ?2) "
     "OR EXISTS (SELECT 1 FROM subscriptions WHERE instance BETWEEN ?1 AND ?2) "
     "OR EXISTS (SELECT 1 FROM incidents WHERE instance BETWEEN ?1 AND ?2) "
     "OR EXISTS (SELECT 1 FROM jobs WHERE element = instance AND element BETWEEN ?1 AND ?2) "
     "OR EXISTS (SELECT 1 FROM snapshots WHERE instance BETWEEN ?1 AND ?2)"},
    {Sql::delete_snapshot, "DELETE FROM snapshots WHERE instance = ?1"},
    {Sql::delete_jobs_of,
     "DELETE FROM jobs WHERE key IN (SELECT job FROM elements WHERE instance = ?1 UNION ALL "
     "SELECT key FROM jobs WHERE element = instance AND element = ?1)"},
    {Sql::delete_elements_of, "DELETE FROM elements WHERE instance = ?1"},
    {Sql::delete_timers_of, "DELETE FROM timers WHERE instance = ?1"},
    {Sql::delete_subscriptions_of, "DELETE FROM subscriptions WHERE instance = ?1"},
    {Sql::delete_incidents_of, "DELETE FROM incidents WHERE instance = ?1"},
    {Sql::put_resource,
     "INSERT OR REPLACE INTO resources (key, name, content, checksum) VALUES (?1, ?2, ?3, ?4)"},
    {Sql::put_process,
     "INSERT OR REPLACE INTO processes (key, id, version, resource, deployment) "
     "VALUES (?1, ?2, ?3, ?4, ?5)"},
    {Sql::put_call,
     "INSERT OR REPLACE INTO calls (child, caller, element, root, owes) "
     "VALUES (?1, ?2, ?3, ?4, ?5)"},
    {Sql::set_owes, "UPDATE calls SET owes = ?2 WHERE child = ?1"},
    {Sql::put_shard,
     "INSERT INTO shards (shard, next_key) VALUES (?1, ?2) "
     "ON CONFLICT (shard) DO UPDATE SET next_key = max(next_key, ?2)"},
});

static_assert(write_statements.size() == static_cast<std::size_t>(Sql::count));

}  // namespace pawl::store::sqlite
