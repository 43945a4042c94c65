// SPDX-License-Identifier: Apache-2.0
#include "cli/incidents.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/report.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option options[] = {data_option, json_option};

Value as_value(const store::IncidentRow& row) {
  return object({{"key", key_value(row.key)},
                 {"instance", key_value(row.instance)},
                 {"element", row.element_id},
                 {"type", row.type},
                 {"message", row.message},
                 {"at", time_value(row.at)},
                 {"job", row.job == Key::none ? Value() : key_value(row.job)}});
}

void print_row(const store::IncidentRow& row) {
  fmt::print("{} at \"{}\"\n",
             painted(stdout, Colour::red, fmt::format("incident {}", number(row.key))),
             row.element_id);
  fmt::print("  instance  {}\n  since     {}\n  what      {}\n  why       ", number(row.instance),
             time_text(row.at), row.type);
  for (const char c : row.message)
    fmt::print("{}", c == '\n' ? "\n            " : std::string(1, c));
  fmt::print("\n");
}

Exit run(const Arguments& arguments) {
  const auto index = open_data(arguments);
  if (!index) return refuse(index.error());
  const auto rows = (*index)->incidents(Key::none);
  if (!rows) return refuse(rows.error());
  if (arguments.has("--json")) {
    List all;
    for (const store::IncidentRow& row : *rows) all.push_back(as_value(row));
    fmt::print("{}\n", to_json(Value(std::move(all))));
    return Exit::done;
  }
  for (const store::IncidentRow& row : *rows) print_row(row);
  if (rows->empty()) fmt::print("no incidents\n");
  return Exit::done;
}

}  // namespace

const Command incidents_command{
    .name = "incidents",
    .summary = "lists what stopped and needs a person",
    .usage = "--data DIR [--json]",
    .details =
        "Every open incident of a data directory, oldest first: the element where it\n"
        "happened, and why. It reads beside a process that works there.\n",
    .example = "  pawl incidents --data orders\n",
    .options = options,
    .least_words = 0,
    .most_words = 0,
    .run = run,
};

}  // namespace pawl::cli
