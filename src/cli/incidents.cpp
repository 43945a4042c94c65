// SPDX-License-Identifier: Apache-2.0
#include "cli/incidents.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option incidents_options[] = {data_option, server_option, json_option};

void print_incident_row(const Value& row) {
  say("{} at \"{}\"\n", painted(stdout, Colour::red, "incident " + text_of(row, "key")),
      text_of(row, "element"));
  say("  instance  {}\n  since     {}\n  what      {}\n  why       ", text_of(row, "instance"),
      text_of(row, "at"), text_of(row, "type"));
  std::string why;
  for (const char c : text_of(row, "message")) {
    why += c == '\n' ? "\n            " : std::string(1, c);
  }
  say("{}\n", why);
}

Result<List> list_incidents(const Arguments& arguments) {
  List all;
  if (reads_data(arguments)) {
    PAWL_TRY(index, open_data(arguments));
    PAWL_TRY(rows, index->incidents(Key::none));
    for (const store::IncidentRow& row : rows) all.push_back(server::incident_value(row));
    return all;
  }
  PAWL_TRY(remote, Remote::of(arguments));
  PAWL_CHECK(
      list_all(remote, "/v2/pawl/incidents?", [&](const Value& row) { all.push_back(row); }));
  return all;
}

Exit run_incidents(const Arguments& arguments) {
  const auto rows = list_incidents(arguments);
  if (!rows) return refuse(rows.error());
  if (arguments.has("--json")) {
    say_json(Value(*rows));
    return Exit::done;
  }
  for (const Value& row : *rows) print_incident_row(row);
  if (rows->empty()) say("no incidents\n");
  return Exit::done;
}

}  // namespace

const Command incidents_command{
    .name = "incidents",
    .summary = "lists what stopped and needs a person",
    .usage = "[--data DIR | --server ADDR] [--json]",
    .details =
        "Every open incident, oldest first: the element where it happened, and why. Asks a\n"
        "server, or reads a data directory, also beside a process that works there.\n",
    .example = "  pawl incidents\n",
    .options = incidents_options,
    .least_words = 0,
    .most_words = 0,
    .run = run_incidents,
};

}  // namespace pawl::cli
