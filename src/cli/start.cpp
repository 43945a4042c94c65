// SPDX-License-Identifier: Apache-2.0
#include "cli/start.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "cli/run_plan.hpp"
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
             "(also when it has ended), give (answers with that one)"},
    {.name = "--wait", .value = {}, .help = "until it has completed, and prints its variables"},
    {.name = "--timeout", .value = "DUR", .help = "with --wait: at most so long; default 1m"},
    server_option,
    json_option};

Result<Value> body_of(const Arguments& arguments, Millis most) {
  std::vector<Entry> body{{"processDefinitionId", arguments.words()[0]}};
  if (const auto text = arguments.value("--vars")) {
    PAWL_TRY(variables, variables_argument("--vars", *text));
    body.push_back({"variables", variables});
  }
  if (const auto version = arguments.value("--version")) {
    PAWL_TRY(number, parse_json(*version));
    body.push_back({"processDefinitionVersion", number});
  }
  if (const auto id = arguments.value("--business-id")) body.push_back({"businessId", *id});
  if (const auto word = arguments.value("--if-exists")) {
    if (!arguments.has("--business-id")) {
      return wrong_argument("--if-exists needs --business-id: it says what to do if one has it");
    }
    body.push_back({"ifExists", *word});
  }
  if (arguments.has("--wait")) {
    body.push_back({"awaitCompletion", true});
    body.push_back({"requestTimeout", static_cast<std::int64_t>(most.count())});
  }
  return Value::context(std::move(body));
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
  const auto body = body_of(arguments, most);
  if (!body) return refuse(body.error());
  if (arguments.has("--wait")) remote->wait_for(most + Millis(5'000));
  const auto answer = remote->post("/v2/process-instances", *body);
  if (!answer) {
    const Exit exit = refuse(answer.error());
    return remote->status() == 504 ? Exit::stuck : exit;
  }
  const bool existing = text_of(*answer, "existing") == "true";
  std::string text =
      fmt::format("{}instance {} of {} v{}", existing ? "there already: " : "",
                  text_of(*answer, "processInstanceKey"), text_of(*answer, "processDefinitionId"),
                  text_of(*answer, "processDefinitionVersion"));
  if (const Value* variables = answer->find("variables"); variables && arguments.has("--wait")) {
    text += " has completed\n" + to_pretty_json(*variables);
  }
  return finish(arguments, answer, text);
}

}  // namespace

const Command start_command{
    .name = "start",
    .summary = "starts an instance on a server",
    .usage = "PROCESS [--vars JSON] [--wait] [--server ADDR] [--json]",
    .details =
        "PROCESS is the id of a deployed process. Exit code 4 if --wait is given and the\n"
        "instance has not completed in time; it runs on. A start with --business-id and\n"
        "--if-exists give can be repeated: only the first one starts something.\n",
    .example = "  pawl start order --vars '{\"orderId\": \"A-17\"}' --wait\n",
    .options = start_options,
    .least_words = 1,
    .most_words = 1,
    .run = run_start,
};

}  // namespace pawl::cli
