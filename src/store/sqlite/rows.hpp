// SPDX-License-Identifier: Apache-2.0
// Rows of the tables as the structs of index.hpp, with the columns that each reader expects.
#pragma once

#include "store/index.hpp"
#include "store/sqlite/sqlite.hpp"

namespace pawl::store::sqlite {

// The incidents are counted, not kept: a column would have to be written with each.
inline constexpr std::string_view instance_columns =
    "key, process, version, definition, state, execution, id, business_id, started_ms, ended_ms, "
    "(SELECT count(*) FROM incidents i WHERE i.instance = instances.key), busy, shard, "
    "(SELECT caller FROM calls WHERE child = instances.key), "
    "(SELECT element FROM calls WHERE child = instances.key), "
    "(SELECT calls.root FROM calls WHERE child = instances.key), "
    "(SELECT owes FROM calls WHERE child = instances.key)";
inline constexpr int instance_column_count = 17;
inline constexpr std::string_view job_columns =
    "j.key, j.instance, j.element, j.type, j.retries, j.priority, j.availability";
inline constexpr std::string_view timer_columns = "key, instance, due_ms, kind";
inline constexpr std::string_view subscription_columns =
    "key, instance, kind, name, correlation, process, position";
inline constexpr std::string_view incident_columns =
    "key, instance, element, element_id, type, message, at_ms, job, subject";

Result<InstanceRow> read_instance(const Statement& row);
Result<JobRow> read_job(const Statement& row);
Result<TimerRow> read_timer(const Statement& row);
Result<SubscriptionRow> read_subscription(const Statement& row);
Result<IncidentRow> read_incident(const Statement& row);
Result<VariableRow> read_variable(const Statement& row);  // instance, name, value
Result<ElementRow> read_element(const Statement& row);    // all but `job`
Result<MessageRow> read_message(const Statement& row);    // without offers and takers
Result<SignalRow> read_signal(const Statement& row);      // key, name, variables, position
Result<DefinitionRow> read_definition(const Statement& row);
Result<Key> read_key(const Statement& row);
Result<std::string> read_text(const Statement& row);
Result<std::int64_t> read_integer(const Statement& row);

}  // namespace pawl::store::sqlite
