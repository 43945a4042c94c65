// SPDX-License-Identifier: Apache-2.0
#include "server/search/fields.hpp"

#include "base/assert.hpp"

namespace pawl::server {
namespace {

using store::Column;
using store::Table;

constexpr Ask ops = Ask::operators;
constexpr Ask eq = Ask::plain;

constexpr std::string_view tenant = "<default>";

// --- words --------------------------------------------------------------------------------------
constexpr Word deployed_states[] = {{"ACTIVE", "active"}, {"DELETED", "deleted"}};
constexpr Word instance_states[] = {
    {"ACTIVE", "active"}, {"COMPLETED", "completed"}, {"TERMINATED", "terminated"}};
constexpr Word element_states[] = {
    {"ACTIVE", "active"}, {"COMPLETED", "completed", true}, {"TERMINATED", "terminated", true}};
constexpr Word incident_states[] = {{"ACTIVE", "active"},
                                    {"RESOLVED", "resolved", true},
                                    {"MIGRATED", "migrated", true},
                                    {"PENDING", "pending", true},
                                    {"UNKNOWN", "unknown", true}};
constexpr Word job_states[] = {
    {"CREATED", "activatable"},      {"FAILED", "backing_off"},
    {"FAILED", "out_of_retries"},    {"COMPLETED", "completed", true},
    {"CANCELED", "canceled", true},  {"ERROR_THROWN", "error_thrown", true},
    {"MIGRATED", "migrated", true},  {"RETRIES_UPDATED", "retries_updated", true},
    {"TIMED_OUT", "timed_out", true}};
constexpr Word user_task_states[] = {
    {"CREATED", "activatable"},      {"CREATED", "backing_off"},
    {"FAILED", "out_of_retries"},    {"COMPLETED", "completed", true},
    {"CANCELED", "canceled", true},  {"CANCELED", "error_thrown", true},
    {"CREATING", "creating", true},  {"ASSIGNING", "assigning", true},
    {"UPDATING", "updating", true},  {"COMPLETING", "completing", true},
    {"CANCELING", "canceling", true}};
constexpr Word subscription_states[] = {{"CREATED", "created"},
                                        {"CORRELATED", "correlated", true},
                                        {"DELETED", "deleted", true},
                                        {"MIGRATED", "migrated", true}};

constexpr Word word_as_is(std::string_view word) { return {word, word}; }
constexpr Word error_types[] = {word_as_is("UNKNOWN"),
                                {"UNKNOWN", "WORK_SET_ASIDE"},
                                word_as_is("AD_HOC_SUB_PROCESS_NO_RETRIES"),
                                word_as_is("CALLED_DECISION_ERROR"),
                                word_as_is("CALLED_ELEMENT_ERROR"),
                                word_as_is("CONDITION_ERROR"),
                                word_as_is("DECISION_EVALUATION_ERROR"),
                                word_as_is("EXECUTION_LISTENER_NO_RETRIES"),
                                word_as_is("EXTRACT_VALUE_ERROR"),
                                word_as_is("FORM_NOT_FOUND"),
                                word_as_is("IO_MAPPING_ERROR"),
                                word_as_is("JOB_NO_RETRIES"),
                                word_as_is("MESSAGE_SIZE_EXCEEDED"),
                                word_as_is("RESOURCE_NOT_FOUND"),
                                word_as_is("TASK_LISTENER_NO_RETRIES"),
                                word_as_is("UNHANDLED_ERROR_EVENT"),
                                word_as_is("UNSPECIFIED")};
constexpr Word element_types[] = {word_as_is("PROCESS"),
                                  word_as_is("SUB_PROCESS"),
                                  word_as_is("EVENT_SUB_PROCESS"),
                                  word_as_is("AD_HOC_SUB_PROCESS"),
                                  word_as_is("AD_HOC_SUB_PROCESS_INNER_INSTANCE"),
                                  word_as_is("START_EVENT"),
                                  word_as_is("INTERMEDIATE_CATCH_EVENT"),
                                  word_as_is("INTERMEDIATE_THROW_EVENT"),
                                  word_as_is("BOUNDARY_EVENT"),
                                  word_as_is("END_EVENT"),
                                  word_as_is("SERVICE_TASK"),
                                  word_as_is("RECEIVE_TASK"),
                                  word_as_is("USER_TASK"),
                                  word_as_is("MANUAL_TASK"),
                                  word_as_is("TASK"),
                                  word_as_is("EXCLUSIVE_GATEWAY"),
                                  word_as_is("INCLUSIVE_GATEWAY"),
                                  word_as_is("PARALLEL_GATEWAY"),
                                  word_as_is("EVENT_BASED_GATEWAY"),
                                  word_as_is("SEQUENCE_FLOW"),
                                  word_as_is("MULTI_INSTANCE_BODY"),
                                  word_as_is("CALL_ACTIVITY"),
                                  word_as_is("BUSINESS_RULE_TASK"),
                                  word_as_is("SCRIPT_TASK"),
                                  word_as_is("SEND_TASK"),
                                  word_as_is("UNSPECIFIED"),
                                  word_as_is("UNKNOWN")};
constexpr Word job_kinds[] = {{"BPMN_ELEMENT", "task"},
                              {"EXECUTION_LISTENER", "start_listener"},
                              {"EXECUTION_LISTENER", "end_listener"},
                              {"EXECUTION_LISTENER", "before_all_listener"},
                              word_as_is("TASK_LISTENER"),
                              word_as_is("AD_HOC_SUB_PROCESS")};
constexpr Word listener_events[] = {
    {"UNSPECIFIED", "task"}, word_as_is("ASSIGNING"),     {"BEFORE_ALL", "before_all_listener"},
    word_as_is("CANCELING"), word_as_is("COMPLETING"),    word_as_is("CREATING"),
    {"END", "end_listener"}, {"START", "start_listener"}, word_as_is("UPDATING")};

// --- fields: name, type, filter, sort, cell, fixed, shown, words, ended, elsewhere ---------------
constexpr Field tenant_plain{"tenantId", Type::text, eq, true, {}, tenant};
constexpr Field tenant_ops{"tenantId", Type::text, ops, true, {}, tenant};

constexpr Field definition_fields[] = {
    {"name", Type::text, ops, true, Column::name},
    {"resourceName", Type::text, eq, true, Column::resource},
    {"version", Type::integer, eq, true, Column::version},
    {"versionTag", Type::text, eq, true, Column::version_tag},
    {"processDefinitionId", Type::text, ops, true, Column::process},
    tenant_plain,
    {"processDefinitionKey", Type::key, eq, true, Column::key},
    {"hasStartForm", Type::boolean, eq, false, {}, "false"},
    {"state", Type::word, eq, false, {}, "active", true, deployed_states},
    {"isLatestVersion", Type::boolean, eq, false, Column::latest, {}, false},
};

constexpr Field instance_fields[] = {
    {"processDefinitionId", Type::text, ops, true, Column::process},
    {"processDefinitionName", Type::text, ops, true, Column::process_name},
    {"processDefinitionVersion", Type::integer, ops, true, Column::version},
    {"processDefinitionVersionTag", Type::text, ops, true, Column::version_tag},
    {"startDate", Type::date, ops, true, Column::started},
    {"endDate", Type::date, ops, true, Column::ended},
    {"state", Type::word, ops, true, Column::state, {}, true, instance_states},
    {"hasIncident", Type::boolean, eq, true, Column::has_incident},
    tenant_ops,
    {"processInstanceKey", Type::key, ops, true, Column::key},
    {"processDefinitionKey", Type::key, ops, true, Column::definition},
    {"parentProcessInstanceKey", Type::key, ops, true, Column::caller},
    {"parentElementInstanceKey", Type::key, ops, true, Column::caller_element},
    {"rootProcessInstanceKey", Type::key, Ask::never, false, Column::root},
    {"tags", Type::tags, eq, false},
    {"businessId", Type::text, ops, true, Column::business_id},
    {"batchOperationId", Type::text, ops, false, {}, {}, false},
    {"batchOperationKey", Type::text, ops, false, {}, {}, false},
    {"variables", Type::variables, eq, false, {}, {}, false, {}, false, Table::variables},
    {"elementId",
     Type::text,
     ops,
     false,
     Column::element_id,
     {},
     false,
     {},
     false,
     Table::elements},
    {"elementInstanceState",
     Type::word,
     ops,
     false,
     Column::state,
     {},
     false,
     element_states,
     false,
     Table::elements},
    {"hasElementInstanceIncident",
     Type::boolean,
     eq,
     false,
     Column::has_incident,
     {},
     false,
     {},
     false,
     Table::elements},
    {"errorMessage",
     Type::text,
     ops,
     false,
     Column::message,
     {},
     false,
     {},
     false,
     Table::incidents},
    {"hasRetriesLeft", Type::boolean, eq, false, {}, {}, false, {}, false, Table::jobs},
};

constexpr Field element_fields[] = {
    {"processDefinitionId", Type::text, eq, true, Column::process},
    {"startDate", Type::date, ops, true, Column::started},
    {"endDate", Type::date, ops, true, Column::ended, {}, true, {}, true},
    {"elementId", Type::text, eq, true, Column::element_id},
    {"elementName", Type::text, eq, true, Column::element_name},
    {"type", Type::word, eq, true, Column::element_type, {}, true, element_types},
    {"state", Type::word, ops, true, Column::state, {}, true, element_states},
    {"hasIncident", Type::boolean, eq, false, Column::has_incident},
    tenant_plain,
    {"elementInstanceKey", Type::key, eq, true, Column::key},
    {"processInstanceKey", Type::key, eq, true, Column::instance},
    {"rootProcessInstanceKey", Type::key, Ask::never, false, Column::root},
    {"processDefinitionKey", Type::key, eq, true, Column::definition},
    {"incidentKey", Type::key, eq, true, Column::incident},
    {"elementInstanceScopeKey", Type::key, eq, false, Column::scope, {}, false},
};

constexpr Field variable_fields[] = {
    {"name", Type::text, ops, true, Column::name},
    tenant_plain,
    {"variableKey", Type::key, ops, true, Column::key},
    {"scopeKey", Type::key, ops, true, Column::scope},
    {"processInstanceKey", Type::key, ops, true, Column::instance},
    {"rootProcessInstanceKey", Type::key, Ask::never, false, Column::root},
    {"value", Type::text, ops, true, Column::value},
    {"isTruncated", Type::boolean, eq, false, Column::size, {}, false},
};

constexpr Field incident_fields[] = {
    {"processDefinitionId", Type::text, ops, true, Column::process},
    {"errorType", Type::word, ops, true, Column::type, {}, true, error_types},
    {"errorMessage", Type::text, ops, false, Column::message},
    {"elementId", Type::text, ops, true, Column::element_id},
    {"creationTime", Type::date, ops, true, Column::started},
    {"state", Type::word, ops, true, Column::state, {}, true, incident_states},
    tenant_ops,
    {"incidentKey", Type::key, ops, true, Column::key},
    {"processDefinitionKey", Type::key, ops, true, Column::definition},
    {"processInstanceKey", Type::key, ops, true, Column::instance},
    {"rootProcessInstanceKey", Type::key, Ask::never, false, Column::root},
    {"elementInstanceKey", Type::key, ops, true, Column::element},
    {"jobKey", Type::key, ops, true, Column::job},
};

constexpr Field job_fields[] = {
    {"customHeaders", Type::json, Ask::never, false, Column::headers},
    {"deadline", Type::date, ops, true},  // leases are known to the shards only
    {"deniedReason", Type::text, ops, true},
    {"elementId", Type::text, ops, true, Column::element_id},
    {"elementInstanceKey", Type::key, ops, true, Column::element},
    {"endTime", Type::date, ops, true, Column::ended, {}, true, {}, true},
    {"errorCode", Type::text, ops, true, Column::error_code},
    {"errorMessage", Type::text, ops, true, Column::message},
    {"hasFailedWithRetriesLeft", Type::boolean, eq, true, Column::failed_before},
    {"isDenied", Type::boolean, eq, true},
    {"jobKey", Type::key, ops, true, Column::key},
    {"kind", Type::word, ops, true, Column::kind, {}, true, job_kinds},
    {"listenerEventType", Type::word, ops, true, Column::kind, {}, true, listener_events},
    {"processDefinitionId", Type::text, ops, true, Column::process},
    {"processDefinitionKey", Type::key, ops, true, Column::definition},
    {"processInstanceKey", Type::key, ops, true, Column::instance},
    {"rootProcessInstanceKey", Type::key, Ask::never, false, Column::root},
    {"retries", Type::integer, ops, true, Column::retries},
    {"state", Type::word, ops, true, Column::state, {}, true, job_states},
    tenant_ops,
    {"type", Type::text, ops, true, Column::type},
    {"worker", Type::text, ops, true, {}, ""},
    {"creationTime", Type::date, ops, false, Column::started},
    {"lastUpdateTime", Type::date, ops, false, Column::updated},
};

constexpr Field user_task_fields[] = {
    {"name", Type::text, ops, true, Column::element_name},
    {"state", Type::word, ops, false, Column::state, {}, true, user_task_states},
    {"assignee", Type::text, ops, false, Column::assignee},
    {"elementId", Type::text, eq, false, Column::element_id},
    {"candidateGroups", Type::texts, Ask::never, false, Column::groups},
    {"candidateUsers", Type::texts, Ask::never, false, Column::users},
    {"processDefinitionId", Type::text, eq, false, Column::process},
    {"creationDate", Type::date, ops, true, Column::started},
    {"completionDate", Type::date, ops, true, Column::ended, {}, true, {}, true},
    {"followUpDate", Type::date, ops, true, Column::follow_up},
    {"dueDate", Type::date, ops, true, Column::due},
    tenant_ops,
    {"externalFormReference", Type::text, Ask::never, false, Column::form},
    {"processDefinitionVersion", Type::integer, Ask::never, false, Column::version},
    {"customHeaders", Type::json, Ask::never, false, Column::headers},
    {"priority", Type::integer, ops, true, Column::priority},
    {"userTaskKey", Type::key, eq, false, Column::key},
    {"elementInstanceKey", Type::key, eq, false, Column::element},
    {"processName", Type::text, Ask::never, false, Column::process_name},
    {"processDefinitionKey", Type::key, eq, false, Column::definition},
    {"processInstanceKey", Type::key, eq, false, Column::instance},
    {"rootProcessInstanceKey", Type::key, Ask::never, false, Column::root},
    {"formKey", Type::key, Ask::never, false},
    {"tags", Type::tags, eq, false},
    {"candidateGroup", Type::text, ops, false, Column::groups, {}, false},
    {"candidateUser", Type::text, ops, false, Column::users, {}, false},
    {"processInstanceVariables",
     Type::variables,
     eq,
     false,
     {},
     {},
     false,
     {},
     false,
     Table::variables},
    {"localVariables",
     Type::variables,
     eq,
     false,
     Column::scope,
     {},
     false,
     {},
     false,
     Table::variables},
};

constexpr Field subscription_fields[] = {
    {"messageSubscriptionKey", Type::key, ops, true, Column::key},
    {"processDefinitionId", Type::text, ops, true, Column::process},
    {"processDefinitionKey", Type::key, ops, false, Column::definition},
    {"processInstanceKey", Type::key, ops, true, Column::instance},
    {"rootProcessInstanceKey", Type::key, Ask::never, false, Column::root},
    {"elementId", Type::text, ops, true, Column::element_id},
    {"elementInstanceKey", Type::key, ops, true, Column::element},
    {"messageSubscriptionState",
     Type::word,
     ops,
     true,
     Column::state,
     {},
     true,
     subscription_states},
    {"lastUpdatedDate", Type::date, ops, true, Column::updated},
    {"messageName", Type::text, ops, true, Column::name},
    {"correlationKey", Type::text, ops, true, Column::correlation},
    tenant_ops,
};

constexpr EntityTable tables[] = {
    {"process definition", Table::definitions, definition_fields},
    {"process instance", Table::instances, instance_fields},
    {"element instance", Table::elements, element_fields},
    {"variable", Table::variables, variable_fields},
    {"incident", Table::incidents, incident_fields},
    {"job", Table::jobs, job_fields},
    {"user task", Table::jobs, user_task_fields},
    {"message subscription", Table::subscriptions, subscription_fields},
};

}  // namespace

const EntityTable& table_of(Entity entity) { return tables[static_cast<std::size_t>(entity)]; }

store::Cell cell_of(const Field& field, const store::Cells& row) {
  if (field.column) return row.at(*field.column);
  if (field.type == Type::boolean && !field.fixed.empty()) return std::int64_t{0};
  if (field.fixed.data() == nullptr) return {};
  return std::string(field.fixed);
}

}  // namespace pawl::server
