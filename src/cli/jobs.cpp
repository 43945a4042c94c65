// SPDX-License-Identifier: Apache-2.0
#include "cli/jobs.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option jobs_options[] = {
    {.name = "--type", .value = "T", .help = "only jobs of this type"}, server_option, json_option};

Value job_from_server(const Value& item) {
  const auto number = [&](std::string_view name) {
    return parse_json(text_of(item, name)).value_or(Value());
  };
  return object({{"key", text_of(item, "jobKey")},
                 {"type", text_of(item, "type")},
                 {"element", text_of(item, "elementId")},
                 {"instance", text_of(item, "processInstanceKey")},
                 {"process", text_of(item, "processDefinitionId")},
                 {"retries", number("retries")},
                 {"state", text_of(item, "state")},
                 {"message", text_of(item, "errorMessage")}});
}

void print_job(const Value& row) {
  const bool stopped = text_of(row, "retries") == "0";
  say("{:<20} {:<24} {:<20} instance {:<20} {}{}\n", text_of(row, "key"), text_of(row, "type"),
      text_of(row, "element"), text_of(row, "instance"),
      painted(stdout, stopped ? Colour::red : Colour::green,
              counted(text_of(row, "retries"), "retry", "retries")),
      text_of(row, "message").empty() ? "" : "  " + text_of(row, "message"));
}

Exit run_jobs(const Arguments& arguments) {
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  std::vector<Entry> filter;
  if (const auto type = arguments.value("--type")) filter.push_back({"type", *type});
  List rows;
  const auto asked = search_all(*remote, "/v2/jobs/search", Value::context(std::move(filter)),
                                [&](const Value& item) { rows.push_back(job_from_server(item)); });
  if (!asked) return refuse(asked.error());
  if (arguments.has("--json")) {
    say_json(Value(rows));
    return Exit::done;
  }
  for (const Value& row : rows) print_job(row);
  if (rows.empty()) say("no jobs\n");
  return Exit::done;
}

}  // namespace

const Command jobs_command{
    .name = "jobs",
    .summary = "lists the open jobs of a server",
    .usage = "[--type T] [--server ADDR] [--json]",
    .details = "One line each: key, type, element, instance, retries that are left.\n",
    .example = "  pawl jobs --type charge\n",
    .options = jobs_options,
    .least_words = 0,
    .most_words = 0,
    .run = run_jobs,
};

}  // namespace pawl::cli
