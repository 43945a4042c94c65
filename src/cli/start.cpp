// SPDX-License-Identifier: Apache-2.0
#include "cli/start.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "cli/run_plan.hpp"
#include "cli/start_wait.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option start_options[] = {
    {.name = "--vars", .value = "JSON|@file", .help = "variables of the new instance"},
    {.name = "--version", .value = "N", .help = "of the process; default: the latest"},
    {.name = "--business-id", .value = "ID", .help = "how you name what it is about"},
    {.name = "--if-exists",
     .value = "WORD",
     .help = "if one has the business id: anew (refused while it is active; the default), refuse "
             "(also when it has ended), give (answers with that one), share (starts another one; "
             "the default of serve --business-ids shared)"},
    {.name = "--wait", .value = {}, .help = "until it has completed, and prints its variables"},
    {.name = "--timeout", .value = "DUR", .help = "with --wait: at most so long; default 1m"},
    server_option,
    json_option};

Result<void> check_if_exists(std::string_view word) {
  for (const auto* known : {"anew", "refuse", "give", "share"}) {
    if (word == known) return {};
  }
  return wrong_argument(
      fmt::format("--if-exists: expected anew, refuse, give or share, not \"{}\"", word));
}

Result<Value> body_of(const Arguments& arguments) {
  std::vector<Entry> body{{"processDefinitionId", arguments.words()[0]}};
  if (const auto text = arguments.value("--vars")) {
    PAWL_TRY(variables, variables_argument("--vars", *text));
    body.push_back({"variables", variables});
  }
  if (const auto version = arguments.value("--version")) {
    PAWL_TRY(number, count_argument("--version", *version, INT32_MAX));
    body.push_back({"processDefinitionVersion", static_cast<std::int64_t>(number)});
  }
  if (const auto id = arguments.value("--business-id")) body.push_back({"businessId", *id});
  if (const auto word = arguments.value("--if-exists")) {
    if (!arguments.has("--business-id")) {
      return wrong_argument("--if-exists needs --business-id: it says what to do if one has it");
    }
    PAWL_CHECK(check_if_exists(*word));
    body.push_back({"ifExists", *word});
  }
  return Value::context(std::move(body));
}

// "instance 17 of order v1"
std::string name_of_started(const Value& started) {
  return fmt::format("instance {} of {} v{}", text_of(started, "processInstanceKey"),
                     text_of(started, "processDefinitionId"),
                     text_of(started, "processDefinitionVersion"));
}

bool was_there(const Value& started) { return text_of(started, "existing") == "true"; }

void print_outcome_json(const Value& started, const Outcome& outcome) {
  std::vector<Entry> members;
  for (const Entry& entry : started.entries()) {
    members.push_back({entry.key, entry.key == "variables" ? outcome.variables : entry.value});
  }
  members.push_back({"state", outcome.state});
  members.push_back({"incidents", outcome.incidents});
  members.push_back({"waiting", outcome.waiting});
  say_json(Value::context(std::move(members)));
}

Exit finish_waiting(Remote& remote, const Arguments& arguments, const Value& started, Millis most) {
  const std::string key = text_of(started, "processInstanceKey");
  const std::string name =
      name_of_started(started) + (was_there(started) ? ", which was there before," : "");
  const auto outcome = await_outcome(remote, key, most);
  if (!outcome) {
    report(
        {.what = fmt::format("{} cannot be watched any more", name), .why = outcome.error().text});
    return exit_for(outcome.error());
  }
  if (arguments.has("--json")) print_outcome_json(started, *outcome);
  if (outcome->state != "completed") {
    const std::string runs_on = outcome->state == "waiting" ? " and runs on" : "";
    report({.what = outcome->state == "cancelled"
                        ? fmt::format("{} has not completed", name)
                        : fmt::format("{} has not completed within {} ms{}", name, most.count(),
                                      runs_on),
            .why = reason_of(*outcome),
            .to_do = fmt::format("pawl show {} says more", key)});
  } else if (!arguments.has("--json")) {
    say("{} has completed\n{}\n", name, to_pretty_json(outcome->variables));
  }
  return exit_for(*outcome);
}

Exit run_start(const Arguments& arguments) {
  Millis most{60'000};
  if (const auto text = arguments.value("--timeout")) {
    const auto given = duration_argument("--timeout", *text);
    if (!given) return refuse(given.error());
    most = *given;
  }
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const auto body = body_of(arguments);
  if (!body) return refuse(body.error());
  const auto started = remote->post("/v2/process-instances", *body);
  if (!started) return refuse(started.error());
  if (arguments.has("--wait")) return finish_waiting(*remote, arguments, *started, most);
  return finish(arguments, started,
                name_of_started(*started) + (was_there(*started) ? " was there before" : ""));
}

}  // namespace

const Command start_command{
    .name = "start",
    .summary = "starts an instance on a server",
    .usage = "PROCESS [--vars JSON] [--wait] [--server ADDR] [--json]",
    .details =
        "PROCESS is the id of a deployed process. With --wait, an instance that has not\n"
        "completed in time runs on; what it stands at is said: exit code 3 if that is an\n"
        "incident, or the instance was cancelled, 4 if it waits for something. A start with\n"
        "--business-id and --if-exists give can be repeated: only the first one starts\n"
        "something.\n",
    .example = "  pawl start order --vars '{\"orderId\": \"A-17\"}' --wait\n",
    .options = start_options,
    .least_words = 1,
    .most_words = 1,
    .run = run_start,
};

}  // namespace pawl::cli
