// SPDX-License-Identifier: Apache-2.0
#include "cli/instances.hpp"

#include <fmt/format.h>

#include <functional>

#include "cli/data.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option instances_options[] = {
    data_option,
    {.name = "--state", .value = "S", .help = "only these: active, completed or terminated"},
    {.name = "--process", .value = "ID", .help = "only instances of this process"},
    server_option,
    json_option,
};
constexpr std::size_t page = 1'000;

void print_instance(const Value& row) {
  const std::string incidents = text_of(row, "incidents"), state = text_of(row, "state");
  const bool stopped = incidents != "0";
  const auto colour = stopped ? Colour::red : state == "active" ? Colour::yellow : Colour::green;
  const std::string id =
      text_of(row, "id").empty() ? text_of(row, "businessId") : text_of(row, "id");
  say("{:<20} {} {:<24} v{:<4} {}{}{}\n", text_of(row, "key"),
      painted(stdout, colour, fmt::format("{:<10}", state)), text_of(row, "process"),
      text_of(row, "version"), text_of(row, "started"), id.empty() ? "" : "  " + id,
      stopped ? "  " + counted(incidents, "incident", "incidents") : "");
}

using Each = std::function<void(const Value& row)>;

// In pages: a directory may hold more than fits into memory.
Result<void> read_all(const store::Index& index, store::InstanceQuery query, const Each& each) {
  query.limit = page;
  for (;;) {
    PAWL_TRY(rows, index.instances(query));
    for (const store::InstanceRow& row : rows) each(server::instance_value(row));
    if (rows.size() < page) return {};
    query.after = rows.back().key;
  }
}

Result<void> ask_all(const Arguments& arguments, const store::InstanceQuery& query,
                     const Each& each) {
  PAWL_TRY(remote, Remote::of(arguments));
  std::string path = "/v2/pawl/instances?";
  if (query.state) path += fmt::format("state={}&", name_of(*query.state));
  if (!query.process.empty()) path += fmt::format("process={}&", percent_encoded(query.process));
  return list_all(remote, path, each);
}

Result<void> list_instances(const Arguments& arguments, const Each& each) {
  store::InstanceQuery query{.process = arguments.value("--process").value_or("")};
  if (const auto text = arguments.value("--state")) {
    PAWL_TRY(state, state_argument(*text));
    query.state = state;
  }
  if (!reads_data(arguments)) return ask_all(arguments, query, each);
  PAWL_TRY(index, open_data(arguments));
  return read_all(*index, query, each);
}

Exit run_instances(const Arguments& arguments) {
  const bool json = arguments.has("--json");
  std::size_t count = 0;
  const auto listed = list_instances(arguments, [&](const Value& row) {
    if (json) {
      fmt::print("{}{}", count == 0 ? "[" : ",\n", visible_json(row));
    } else {
      print_instance(row);
    }
    ++count;
  });
  if (!listed) return refuse(listed.error());
  if (json) fmt::print("{}]\n", count == 0 ? "[" : "");
  if (!json && count == 0) say("no instances\n");
  return Exit::done;
}

}  // namespace

const Command instances_command{
    .name = "instances",
    .summary = "lists the instances of a server or a data directory",
    .usage = "[--data DIR | --server ADDR] [--state S] [--process ID] [--json]",
    .details =
        "One line each, oldest first: key, state, process, version, start. Asks a server, or\n"
        "reads a data directory, also beside a process that works there.\n",
    .example = "  pawl instances --state active\n",
    .options = instances_options,
    .least_words = 0,
    .most_words = 0,
    .run = run_instances,
};

}  // namespace pawl::cli
