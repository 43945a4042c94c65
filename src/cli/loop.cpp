// SPDX-License-Identifier: Apache-2.0
#include "cli/loop.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option options[] = {
    {.name = "--add", .value = "N", .help = "so many iterations more, if the loop counts"},
    {.name = "--items", .value = "JSON|@file", .help = "one iteration more for each in this list"},
    {.name = "--complete", .value = {}, .help = "end it now, with what it has collected"},
    {.name = "--cancel", .value = {}, .help = "terminate it and all that is in it"},
    server_option,
    json_option};

struct Order {
  std::string verb{};  // the last part of the path
  Value body{};
  std::string done{};  // what to tell then
};

Result<Order> added_count(const std::string& text) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0) {
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("--add: expected a number from 1 on, not \"{}\"", text));
  }
  return Order{"iterations", object({{"count", static_cast<std::int64_t>(count)}}),
               fmt::format("{} iterations are added to", count)};
}

Result<Order> added_items(const std::string& argument) {
  PAWL_TRY(text, text_argument(argument));
  PAWL_TRY(items, parse_json(text));
  if (!items.is_list()) {
    return fail(Whose::caller, Code::invalid_argument,
                "--items: expected a list, like '[\"A\", \"B\"]'");
  }
  const std::size_t count = items.as_list().size();
  return Order{"iterations", object({{"items", std::move(items)}}),
               fmt::format("{} iterations are added to", count)};
}

Result<Order> order_of(const Arguments& arguments) {
  const auto count = arguments.value("--add");
  const auto items = arguments.value("--items");
  if (count) return added_count(std::string(*count));
  if (items) return added_items(std::string(*items));
  if (arguments.has("--complete")) return Order{"completion", Value(), "completed:"};
  return Order{"cancellation", Value(), "terminated:"};
}

bool wants_one_thing(const Arguments& arguments) {
  const auto given = [&](std::string_view name) { return arguments.has(name); };
  return given("--add") + given("--items") + given("--complete") + given("--cancel") == 1;
}

Exit loop(const Arguments& arguments) {
  if (!wants_one_thing(arguments)) {
    report({.what = "loop needs one of --add, --items, --complete and --cancel",
            .why = "it does one thing at a time",
            .to_do = "see pawl help loop"});
    return Exit::usage;
  }
  const auto key = key_argument(arguments.words()[0]);
  if (!key) return refuse(key.error());
  const auto order = order_of(arguments);
  if (!order) return refuse(order.error());
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const std::string path = fmt::format("/v2/pawl/loops/{}/{}", number(*key), order->verb);
  return finish(arguments, remote->post(path, order->body),
                fmt::format("{} loop {}", order->done, number(*key)));
}

}  // namespace

const Command loop_command{
    .name = "loop",
    .summary = "adds iterations to a running loop on a server, or ends it",
    .usage = "KEY --add N|--items JSON|--complete|--cancel [--server ADDR] [--json]",
    .details =
        "KEY is that of the body of the multi-instance activity; pawl show has it. A loop\n"
        "over a collection takes --items, one that counts --add.\n",
    .example = "  pawl loop 23 --items '[\"late order\"]'\n",
    .options = options,
    .least_words = 1,
    .most_words = 1,
    .run = loop,
};

}  // namespace pawl::cli
