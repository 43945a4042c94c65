// SPDX-License-Identifier: Apache-2.0
#include "cli/loop.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option loop_options[] = {
    {.name = "--add", .value = "N", .help = "so many iterations more, if the loop counts"},
    {.name = "--items", .value = "JSON|@file", .help = "one iteration more for each in this list"},
    {.name = "--remove", .value = {}, .help = "KEY is an iteration: as if it was never planned"},
    {.name = "--skip", .value = {}, .help = "KEY is an iteration: it counts as completed"},
    {.name = "--complete", .value = {}, .help = "end it now, with what it has collected"},
    {.name = "--cancel", .value = {}, .help = "terminate it and all that is in it"},
    server_option,
    json_option};

struct Order {
  std::string path{};  // around the key
  std::string verb{};
  Value body{};
  std::string done{};  // what to tell then
};

Result<Order> added_count(const std::string& text) {
  PAWL_TRY(count, count_argument("--add", text, limits::iterations_settable));
  return Order{"loops", "iterations", object({{"count", static_cast<std::int64_t>(count)}}),
               counted(count, "iteration is", "iterations are") + " added to loop"};
}

Result<Order> added_items(const std::string& argument) {
  PAWL_TRY(text, text_argument(argument));
  PAWL_TRY(items, parse_json(text));
  if (!items.is_list()) {
    return fail(Whose::caller, Code::invalid_argument,
                "--items: expected a list, like '[\"A\", \"B\"]'");
  }
  const std::size_t count = items.as_list().size();
  return Order{"loops", "iterations", object({{"items", std::move(items)}}),
               counted(count, "iteration is", "iterations are") + " added to loop"};
}

Result<Order> loop_order(const Arguments& arguments) {
  const auto count = arguments.value("--add");
  const auto items = arguments.value("--items");
  if (count) return added_count(std::string(*count));
  if (items) return added_items(std::string(*items));
  for (const bool skip : {false, true}) {
    if (!arguments.has(skip ? "--skip" : "--remove")) continue;
    return Order{"iterations", "removal", object({{"completed", skip}}), "removed: iteration"};
  }
  if (arguments.has("--complete")) return Order{"loops", "completion", Value(), "completed: loop"};
  return Order{"loops", "cancellation", Value(), "terminated: loop"};
}

bool wants_one_thing(const Arguments& arguments) {
  int given = 0;
  for (const auto* name : {"--add", "--items", "--remove", "--skip", "--complete", "--cancel"}) {
    given += arguments.has(name) ? 1 : 0;
  }
  return given == 1;
}

Exit loop(const Arguments& arguments) {
  if (!wants_one_thing(arguments)) {
    report({.what = "loop needs one of --add, --items, --remove, --skip, --complete, --cancel",
            .why = "it does one thing at a time",
            .to_do = "see pawl help loop"});
    return Exit::usage;
  }
  const auto key = key_argument(arguments.words()[0]);
  if (!key) return refuse(key.error());
  const auto order = loop_order(arguments);
  if (!order) return refuse(order.error());
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const std::string path = fmt::format("/v2/pawl/{}/{}/{}", order->path, number(*key), order->verb);
  return finish(arguments, remote->post(path, order->body),
                fmt::format("{} {}", order->done, number(*key)));
}

}  // namespace

const Command loop_command{
    .name = "loop",
    .summary = "adds iterations to a running loop on a server, takes one away, or ends it",
    .usage =
        "KEY --add N|--items JSON|--remove|--skip|--complete|--cancel [--server ADDR] [--json]",
    .details =
        "KEY is that of the body of the multi-instance activity; pawl show has it. A loop\n"
        "over a collection takes --items, one that counts --add. For --remove and --skip it is\n"
        "the key of one iteration.\n",
    .example = "  pawl loop 23 --items '[\"late order\"]'\n",
    .options = loop_options,
    .least_words = 1,
    .most_words = 1,
    .run = loop,
};

}  // namespace pawl::cli
