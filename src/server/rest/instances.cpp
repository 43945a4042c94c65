// SPDX-License-Identifier: Apache-2.0
// Routes that start, change and end process instances.
#include <fmt/format.h>

#include <atomic>

#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

// Clients of Zeebe may refuse members that they do not know; only who asks with ifExists can be
// told of an instance that was there before.
Response tell_instance(const StartedInstance& started, const Value& variables) {
  const Value business_id = started.business_id.empty() ? Value() : Value(started.business_id);
  std::vector<Entry> members = {{"processDefinitionId", started.definition->id},
                                {"processDefinitionVersion", started.definition->version},
                                {"processDefinitionKey", text_of(started.definition->key)},
                                {"processInstanceKey", text_of(started.instance)},
                                {"tenantId", default_tenant},
                                {"variables", variables},
                                {"tags", List()},
                                {"businessId", business_id}};
  if (started.existing) members.push_back({"existing", true});
  return json_response(Value::context(std::move(members)));
}

Result<std::vector<std::string>> ids_in(const Fields& fields, std::string_view list,
                                        std::string_view member) {
  PAWL_TRY(items, fields.objects(list));
  std::vector<std::string> out;
  for (const Fields& item : items) {
    PAWL_TRY(id, item.text(member));
    out.push_back(std::move(id));
  }
  return out;
}

Result<std::optional<runtime::OnDuplicate>> if_exists_in(const Fields& fields) {
  using runtime::OnDuplicate;
  if (!fields.has("ifExists")) return std::optional<OnDuplicate>();
  PAWL_TRY(word, fields.text("ifExists"));
  constexpr std::pair<std::string_view, OnDuplicate> words[] = {
      {"anew", OnDuplicate::start_anew},
      {"refuse", OnDuplicate::refuse},
      {"give", OnDuplicate::give_existing},
      {"share", OnDuplicate::allow}};
  for (const auto& [known, meaning] : words) {
    if (word == known) return std::optional(meaning);
  }
  return fields.wrong("ifExists", "anew, refuse, give or share");
}

Result<StartOrder> start_order(const Fields& fields) {
  StartOrder order;
  PAWL_CHECK(check_tenants(fields));
  PAWL_TRY(process, fields.text_or("processDefinitionId", ""));
  PAWL_TRY(definition, fields.key_or("processDefinitionKey", Key::none));
  if (!process.empty() && definition != Key::none) {
    return fields.wrong("processDefinitionKey", "either this or processDefinitionId, not both");
  }
  PAWL_TRY(version,
           fields.number_or("processDefinitionVersion", -1, {.least = -1, .most = INT32_MAX}));
  PAWL_TRY(variables, fields.object_or("variables"));
  PAWL_TRY(tags, fields.texts("tags"));
  PAWL_TRY(start_at, ids_in(fields, "startInstructions", "elementId"));
  PAWL_TRY(end_after, ids_in(fields, "runtimeInstructions", "afterElementId"));
  if (fields.has("businessId")) {
    PAWL_TRY(business_id, fields.text_or("businessId", ""));
    order.business_id = business_id;
  }
  PAWL_TRY(if_exists, if_exists_in(fields));
  if (if_exists && !order.business_id) {
    return fields.wrong("businessId", "it, because ifExists speaks of those who have it");
  }
  order.if_exists = if_exists;
  order.process = std::move(process);
  order.definition = definition;
  order.version = static_cast<std::int32_t>(version);
  order.variables = std::move(variables);
  order.tags = std::move(tags);
  order.start_at = std::move(start_at);
  order.end_after = std::move(end_after);
  return order;
}

// --- awaitCompletion ----------------------------------------------------------------------------

// Who comes first answers: the end of the instance or the end of the client's patience.
struct Awaited {
  Answering to{};
  std::atomic<bool> answered{false};
};

void await_completion(Context& context, StartOrder order, const Answering& to, Millis patience,
                      std::vector<std::string> names) {
  // It may wait for long: it keeps what it needs, not its whole request.
  auto kept = std::make_shared<Request>();
  kept->path = to.request->path;
  const auto awaited = std::make_shared<Awaited>();
  awaited->to = {std::move(kept), to.answer};
  order.share = to.request->share;
  const WaitingPtr waiting = context.operations.start_and_wait(
      std::move(order), [awaited, names = std::move(names)](Result<FinishedInstance> finished) {
        if (awaited->answered.exchange(true)) return;
        if (!finished) return awaited->to.refuse(finished.error(), "CREATE_WITH_AWAITING_RESULT");
        awaited->to.answer(tell_instance(finished->started, only(finished->variables, names)));
      });
  if (!to.request->client) return;
  to.request->client->on_gone([waiting] { waiting->cancel(); });
  to.request->client->after(patience, [awaited, waiting, patience] {
    if (awaited->answered.exchange(true)) return;
    waiting->cancel();
    const std::string detail = fmt::format(
        "the instance did not complete within {} ms; it was started and runs on", patience.count());
    awaited->to.answer(response_of({.status = 504, .title = "DEADLINE_EXCEEDED", .detail = detail},
                                   awaited->to.request->path));
  });
}

// --- handlers -----------------------------------------------------------------------------------

Result<void> start(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(order, start_order(fields));
  PAWL_TRY(awaits, fields.flag_or("awaitCompletion", false));
  PAWL_TRY(patience, fields.number_or("requestTimeout", 0, {}));
  PAWL_TRY(names, fields.texts("fetchVariables"));
  if (awaits) {
    const std::int64_t wait = patience == 0 ? default_wait_ms : std::min(patience, longest_wait_ms);
    await_completion(context, std::move(order), {request, answer}, Millis(wait), std::move(names));
    return {};
  }
  context.operations.start(
      std::move(order),
      replying<StartedInstance>({request, answer}, "CREATE", [](const StartedInstance& started) {
        return tell_instance(started, Value::context({}));
      }));
  return {};
}

Result<void> cancel(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(instance, path_key(*request, "processInstanceKey"));
  PAWL_CHECK(read_fields(*request));
  context.operations.cancel(instance, {request->caller},
                            replying_done({request, answer}, "CANCEL"));
  return {};
}

Result<void> answer_set_variables(Context& context, const RequestPtr& request,
                                  const Answer& answer) {
  PAWL_TRY(scope, path_key(*request, "elementInstanceKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(variables, fields.object("variables"));
  PAWL_TRY(local, fields.flag_or("local", false));
  context.operations.set_variables(scope, variables, local, {request->caller},
                                   replying_done({request, answer}, "UPDATE"));
  return {};
}

Result<void> resolve(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(incident, path_key(*request, "incidentKey"));
  PAWL_CHECK(read_fields(*request));
  context.operations.resolve_incident(incident, {request->caller},
                                      replying_done({request, answer}, "RESOLVE"));
  return {};
}

const std::vector<FieldText> start_fields = {
    {"processDefinitionId", "string", "which process, by its id"},
    {"processDefinitionVersion", "integer", "of the id; -1: the latest"},
    {"processDefinitionKey", "key", "or by the key of its definition"},
    {"variables", "object", "that the instance begins with"},
    {"awaitCompletion", "boolean", "answer when the instance has completed"},
    {"requestTimeout", "integer", "with awaitCompletion: how long, in ms; 0: 10 seconds"},
    {"fetchVariables", "[string]", "with awaitCompletion: only these variables"},
    {"businessId", "string", "a name of the caller's own; unique among active instances"},
    {"ifExists", "string",
     "if another one has it: anew (refused while that is active), refuse (also when it has ended), "
     "give (answered with that one), share"},
    {"tenantId", "string", "only <default>"}};

}  // namespace

void add_instances(Routes& routes) {
  routes.push_back({.method = "POST",
                    .path = "/v2/process-instances",
                    .group = "Process instance",
                    .summary = "Starts an instance",
                    .handle = start,
                    .takes = Takes::json,
                    .fields = start_fields,
                    .answer = "the keys of the instance and its definition"});
  routes.push_back({.method = "POST",
                    .path = "/v2/process-instances/{processInstanceKey}/cancellation",
                    .group = "Process instance",
                    .summary = "Cancels an instance with all that is in it",
                    .handle = cancel,
                    .takes = Takes::json,
                    .status = 204,
                    .answer = "cancelled"});
  routes.push_back({.method = "PUT",
                    .path = "/v2/element-instances/{elementInstanceKey}/variables",
                    .group = "Element instance",
                    .summary = "Sets variables of an instance or of an element in it",
                    .handle = answer_set_variables,
                    .takes = Takes::json,
                    .fields = {{"variables", "object", "names and values", true},
                               {"local", "boolean", "exactly there, not where the name is known"}},
                    .status = 204,
                    .answer = "set"});
  routes.push_back({.method = "POST",
                    .path = "/v2/incidents/{incidentKey}/resolution",
                    .group = "Incident",
                    .summary = "Tries again what has failed",
                    .handle = resolve,
                    .takes = Takes::json,
                    .status = 204,
                    .answer = "resolved"});
}

}  // namespace pawl::server::rest
