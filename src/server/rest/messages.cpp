// SPDX-License-Identifier: Apache-2.0
// Routes for messages, signals and expressions.
#include "feel/feel.hpp"
#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

using runtime::Correlated;
using runtime::Published;

Result<void> publish(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(fields, read_fields(*request));
  PAWL_CHECK(check_tenants(fields));
  PAWL_TRY(name, fields.text("name"));
  PAWL_TRY(correlation, fields.text_or("correlationKey", ""));
  PAWL_TRY(id, fields.text_or("messageId", ""));
  PAWL_TRY(lives, fields.number_or("timeToLive", 0, {}));
  PAWL_TRY(variables, fields.object_or("variables"));
  context.operations.publish(
      {.name = name,
       .correlation = correlation,
       .id = id,
       .time_to_live_ms = lives,
       .variables = variables},
      replying<Published>({request, answer}, "PUBLISH", [](const Published& published) {
        return json_response(
            object({{"messageKey", text_of(published.key)}, {"tenantId", default_tenant}}));
      }));
  return {};
}

Result<void> correlate(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(fields, read_fields(*request));
  PAWL_CHECK(check_tenants(fields));
  PAWL_TRY(name, fields.text("name"));
  PAWL_TRY(correlation, fields.text_or("correlationKey", ""));
  PAWL_TRY(variables, fields.object_or("variables"));
  context.operations.correlate(
      {.name = name, .correlation = correlation, .variables = variables},
      replying<Correlated>({request, answer}, "CORRELATE", [](const Correlated& correlated) {
        return json_response(object({{"messageKey", text_of(correlated.message)},
                                     {"processInstanceKey", text_of(correlated.instance)},
                                     {"tenantId", default_tenant}}));
      }));
  return {};
}

Result<void> broadcast(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(fields, read_fields(*request));
  PAWL_CHECK(check_tenants(fields));
  PAWL_TRY(name, fields.text("signalName"));
  PAWL_TRY(variables, fields.object_or("variables"));
  context.operations.broadcast(
      name, variables,
      replying<Published>({request, answer}, "BROADCAST", [](const Published& published) {
        return json_response(
            object({{"signalKey", text_of(published.key)}, {"tenantId", default_tenant}}));
      }));
  return {};
}

// --- expressions --------------------------------------------------------------------------------

constexpr std::uint64_t most_steps = 1'000'000;  // a client's question, not a process

std::string_view kind_of(feel::Problem::Kind kind) {
  switch (kind) {
    case feel::Problem::Kind::no_variable:
      return "NO_VARIABLE_FOUND";
    case feel::Problem::Kind::no_member:
      return "NO_CONTEXT_ENTRY_FOUND";
    case feel::Problem::Kind::no_function:
      return "NO_FUNCTION_FOUND";
    case feel::Problem::Kind::invalid_type:
      return "INVALID_TYPE";
    case feel::Problem::Kind::other:
      break;
  }
  return "FUNCTION_INVOCATION_FAILURE";
}

Result<Value> evaluate(const std::string& source, const Value& variables) {
  std::string_view text = source;
  if (text.starts_with('=')) text.remove_prefix(1);
  feel::ParseOptions options;
  for (const Entry& entry : variables.entries()) options.names.push_back(entry.key);
  PAWL_TRY(expression, feel::parse(text, options));
  const feel::ContextNames names(variables);
  std::vector<feel::Problem> problems;
  const Instant now = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
  PAWL_TRY(value,
           feel::evaluate(expression,
                          {.names = &names,
                           .now = now,
                           .seed = static_cast<std::uint64_t>(now.time_since_epoch().count()),
                           .budget = {.steps = most_steps},
                           .problems = &problems}));
  List warnings;
  for (const feel::Problem& problem : problems) {
    warnings.push_back(object({{"type", kind_of(problem.kind)}, {"message", problem.text}}));
  }
  return object(
      {{"expression", source}, {"result", storable(value)}, {"warnings", std::move(warnings)}});
}

Result<void> evaluate_expression(Context& context, const RequestPtr& request,
                                 const Answer& answer) {
  PAWL_TRY(fields, read_fields(*request));
  PAWL_CHECK(check_tenants(fields));
  PAWL_TRY(source, fields.text("expression"));
  PAWL_TRY(given, fields.object_or("variables"));
  const Value variables = given.is_null() ? Value::context({}) : given;
  const Answering asked{request, answer};
  return ask_on_pool(context, Work::evaluation, asked, [to = asked, source = source, variables] {
    const auto evaluated = evaluate(source, variables);
    if (!evaluated) return to.refuse(evaluated.error(), "EVALUATE");
    to.answer(json_response(*evaluated));
  });
}

}  // namespace

void add_messages(Routes& routes) {
  const FieldText variables{"variables", "object", "that it carries"};
  const FieldText tenant{"tenantId", "string", "only <default>"};
  routes.push_back({.method = "POST",
                    .path = "/v2/messages/publication",
                    .group = "Message",
                    .summary = "Publishes a message",
                    .handle = publish,
                    .takes = Takes::json,
                    .fields = {{"name", "string", "of the message", true},
                               {"correlationKey", "string", "which instance is meant"},
                               {"timeToLive", "integer", "ms to wait for one that takes it"},
                               {"messageId", "string", "refused if one with it still lives"},
                               variables,
                               tenant},
                    .answer = "the key of the message"});
  routes.push_back({.method = "POST",
                    .path = "/v2/messages/correlation",
                    .group = "Message",
                    .summary = "Gives a message to those who wait for it now",
                    .handle = correlate,
                    .takes = Takes::json,
                    .fields = {{"name", "string", "of the message", true},
                               {"correlationKey", "string", "which instance is meant"},
                               variables,
                               tenant},
                    .answer = "the instance that took it; 404: nobody waits"});
  routes.push_back({.method = "POST",
                    .path = "/v2/signals/broadcast",
                    .group = "Signal",
                    .summary = "Broadcasts a signal to all that wait for it",
                    .handle = broadcast,
                    .takes = Takes::json,
                    .fields = {{"signalName", "string", "of the signal", true}, variables, tenant},
                    .answer = "the key of the signal"});
  routes.push_back({.method = "POST",
                    .path = "/v2/expression/evaluation",
                    .group = "Expression",
                    .summary = "Evaluates a FEEL expression",
                    .handle = evaluate_expression,
                    .takes = Takes::json,
                    .fields = {{"expression", "string", "FEEL, with or without =", true},
                               {"variables", "object", "that it sees"},
                               tenant},
                    .answer = "its value, and what gave null on the way"});
}

}  // namespace pawl::server::rest
