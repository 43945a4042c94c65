// SPDX-License-Identifier: Apache-2.0
#include "cli/instances.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/report.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option options[] = {
    data_option,
    {.name = "--state", .value = "S", .help = "only these: active, completed or terminated"},
    {.name = "--process", .value = "ID", .help = "only instances of this process"},
    json_option,
};
constexpr std::size_t page = 1'000;

Value as_value(const store::InstanceRow& row) {
  return object({{"key", key_value(row.key)},
                 {"process", row.process},
                 {"version", static_cast<std::int64_t>(row.version)},
                 {"state", std::string(name_of(row.state))},
                 {"execution", static_cast<std::int64_t>(row.execution)},
                 {"id", row.id},
                 {"businessId", row.business_id},
                 {"started", time_value(row.started)},
                 {"ended", time_value(row.ended)},
                 {"incidents", static_cast<std::int64_t>(row.incidents)}});
}

void print_row(const store::InstanceRow& row) {
  const bool active = row.state == store::InstanceState::active;
  const auto colour = row.incidents > 0 ? Colour::red : active ? Colour::yellow : Colour::green;
  fmt::print("{:<20} {} {:<24} v{:<4} {}{}{}\n", number(row.key),
             painted(stdout, colour, fmt::format("{:<10}", name_of(row.state))), row.process,
             row.version, time_text(row.started), row.id.empty() ? "" : "  " + row.id,
             row.incidents == 0 ? "" : fmt::format("  {} incidents", row.incidents));
}

// In pages: a directory may hold more than fits into memory.
Result<std::size_t> print_all(const store::Index& index, store::InstanceQuery query, bool json) {
  std::size_t count = 0;
  query.limit = page;
  for (;;) {
    PAWL_TRY(rows, index.instances(query));
    for (const store::InstanceRow& row : rows) {
      if (json) {
        fmt::print("{}{}", count == 0 ? "" : ",\n", to_json(as_value(row)));
      } else {
        print_row(row);
      }
      ++count;
    }
    if (rows.size() < page) return count;
    query.after = rows.back().key;
  }
}

Exit run(const Arguments& arguments) {
  store::InstanceQuery query{.process = arguments.value("--process").value_or("")};
  if (const auto text = arguments.value("--state")) {
    const auto state = state_argument(*text);
    if (!state) return refuse(state.error());
    query.state = *state;
  }
  const auto index = open_data(arguments);
  if (!index) return refuse(index.error());
  const bool json = arguments.has("--json");
  if (json) fmt::print("[");
  const auto count = print_all(**index, query, json);
  if (!count) return refuse(count.error());
  if (json) fmt::print("]\n");
  if (!json && *count == 0) fmt::print("no instances\n");
  return Exit::done;
}

}  // namespace

const Command instances_command{
    .name = "instances",
    .summary = "lists the instances of a data directory",
    .usage = "--data DIR [--state S] [--process ID] [--json]",
    .details =
        "One line each, oldest first: key, state, process, version, start. It reads beside\n"
        "a process that works there.\n",
    .example = "  pawl instances --data orders --state active\n",
    .options = options,
    .least_words = 0,
    .most_words = 0,
    .run = run,
};

}  // namespace pawl::cli
