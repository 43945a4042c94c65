// SPDX-License-Identifier: Apache-2.0
#include "cli/control.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "cli/run_plan.hpp"

namespace pawl::cli {
namespace {

constexpr Option vars_option{
    .name = "--vars", .value = "JSON|@file", .help = "variables, a JSON object"};

// Of --vars; an empty object if it is not given.
Result<Value> given_variables(const Arguments& arguments) {
  const auto text = arguments.value("--vars");
  if (!text) return Value::context({});
  return variables_argument("--vars", *text);
}

// The key as the server wants it, checked.
Result<std::string> key_word(const Arguments& arguments) {
  PAWL_TRY(key, key_argument(arguments.words()[0]));
  return std::to_string(number(key));
}

// --- cancel -------------------------------------------------------------------------------------

constexpr Option cancel_options[] = {server_option, json_option};

Exit cancel(const Arguments& arguments) {
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const auto key = key_word(arguments);
  if (!key) return refuse(key.error());
  return finish(arguments,
                remote->post(fmt::format("/v2/process-instances/{}/cancellation", *key), Value()),
                fmt::format("instance {} is cancelled", *key));
}

// --- set ----------------------------------------------------------------------------------------

constexpr Option set_options[] = {vars_option,
                                  {.name = "--local", .value = {}, .help = "in exactly this scope"},
                                  server_option,
                                  json_option};

Exit set_variables(const Arguments& arguments) {
  if (!arguments.has("--vars")) {
    report({.what = "set needs --vars",
            .why = "it says which variables get which values",
            .to_do = "see pawl help set"});
    return Exit::usage;
  }
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const auto key = key_word(arguments);
  if (!key) return refuse(key.error());
  const auto variables = given_variables(arguments);
  if (!variables) return refuse(variables.error());
  return finish(
      arguments,
      remote->put(fmt::format("/v2/element-instances/{}/variables", *key),
                  object({{"variables", *variables}, {"local", arguments.has("--local")}})),
      counted(variables->entries().size(), "variable is set", "variables are set"));
}

// --- publish, signal ----------------------------------------------------------------------------

constexpr Option publish_options[] = {
    {.name = "--key", .value = "K", .help = "correlation key; default: none"},
    {.name = "--ttl", .value = "DUR", .help = "kept so long for those who do not wait yet"},
    {.name = "--id", .value = "ID", .help = "refused while a message with this id is kept"},
    vars_option,
    server_option,
    json_option};

Exit publish(const Arguments& arguments) {
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const auto variables = given_variables(arguments);
  if (!variables) return refuse(variables.error());
  std::vector<Entry> body{{"name", arguments.words()[0]},
                          {"correlationKey", arguments.value("--key").value_or("")},
                          {"variables", *variables}};
  if (const auto text = arguments.value("--ttl")) {
    const auto life = duration_argument("--ttl", *text);
    if (!life) return refuse(life.error());
    body.push_back({"timeToLive", static_cast<std::int64_t>(life->count())});
  }
  if (const auto id = arguments.value("--id")) body.push_back({"messageId", *id});
  const auto answer = remote->post("/v2/messages/publication", Value::context(std::move(body)));
  return finish(
      arguments, answer,
      answer ? fmt::format("message {} is published", text_of(*answer, "messageKey")) : "");
}

constexpr Option signal_options[] = {vars_option, server_option, json_option};

Exit signal(const Arguments& arguments) {
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const auto variables = given_variables(arguments);
  if (!variables) return refuse(variables.error());
  const auto answer =
      remote->post("/v2/signals/broadcast",
                   object({{"signalName", arguments.words()[0]}, {"variables", *variables}}));
  return finish(arguments, answer,
                answer ? fmt::format("signal {} is broadcast", text_of(*answer, "signalKey")) : "");
}

// --- resolve ------------------------------------------------------------------------------------

constexpr Option resolve_options[] = {
    {.name = "--retries", .value = "N", .help = "of its job, if it has one; default 1"},
    server_option,
    json_option};

// The job of an incident needs retries, or the incident comes again.
Result<Value> resolve_at(Remote& remote, const std::string& key, std::int64_t retries) {
  PAWL_TRY(incident, remote.get("/v2/incidents/" + key));
  if (const std::string job = text_of(incident, "jobKey"); !job.empty()) {
    PAWL_CHECK(
        remote.patch("/v2/jobs/" + job, object({{"changeset", object({{"retries", retries}})}})));
  }
  return remote.post(fmt::format("/v2/incidents/{}/resolution", key), Value());
}

Exit resolve(const Arguments& arguments) {
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const auto key = key_word(arguments);
  if (!key) return refuse(key.error());
  std::int64_t retries = 1;
  if (const auto text = arguments.value("--retries")) {
    const auto given = key_argument(*text);
    if (!given || number(*given) > 1'000) {
      return refuse(fail(Whose::caller, Code::invalid_argument,
                         fmt::format("--retries: expected 1 to 1000, not \"{}\"", *text)));
    }
    retries = static_cast<std::int64_t>(number(*given));
  }
  return finish(arguments, resolve_at(*remote, *key, retries),
                fmt::format("incident {} is resolved; its step is tried again", *key));
}

}  // namespace

const Command cancel_command{
    .name = "cancel",
    .summary = "ends an instance on a server",
    .usage = "KEY [--server ADDR] [--json]",
    .details = "Everything in it is terminated; its jobs are gone.\n",
    .example = "  pawl cancel 17\n",
    .options = cancel_options,
    .least_words = 1,
    .most_words = 1,
    .run = cancel,
};

const Command set_command{
    .name = "set",
    .summary = "sets variables of an instance on a server",
    .usage = "KEY --vars JSON [--local] [--server ADDR] [--json]",
    .details =
        "KEY is that of an instance or of an element instance in it. Each variable goes\n"
        "to the nearest scope that has it, else to the instance; --local: exactly there.\n",
    .example = "  pawl set 17 --vars '{\"approved\": true}'\n",
    .options = set_options,
    .least_words = 1,
    .most_words = 1,
    .run = set_variables,
};

const Command publish_command{
    .name = "publish",
    .summary = "publishes a message on a server",
    .usage = "NAME [--key K] [--ttl DUR] [--id ID] [--vars JSON] [--server ADDR] [--json]",
    .details =
        "Goes to those who wait for it with this key; with --ttl also to those who will\n"
        "wait in that time.\n",
    .example = "  pawl publish paid --key A-17 --ttl 1h --vars '{\"receipt\": \"R-1\"}'\n",
    .options = publish_options,
    .least_words = 1,
    .most_words = 1,
    .run = publish,
};

const Command signal_command{
    .name = "signal",
    .summary = "broadcasts a signal on a server",
    .usage = "NAME [--vars JSON] [--server ADDR] [--json]",
    .details = "Reaches everything that waits for it now.\n",
    .example = "  pawl signal closing-time\n",
    .options = signal_options,
    .least_words = 1,
    .most_words = 1,
    .run = signal,
};

const Command resolve_command{
    .name = "resolve",
    .summary = "lets an instance go on after an incident",
    .usage = "KEY [--retries N] [--server ADDR] [--json]",
    .details =
        "KEY is that of the incident. Repair the cause first (pawl set …); if it is still\n"
        "there, a new incident comes. The job of an incident gets new retries.\n",
    .example = "  pawl resolve 42\n",
    .options = resolve_options,
    .least_words = 1,
    .most_words = 1,
    .run = resolve,
};

}  // namespace pawl::cli
