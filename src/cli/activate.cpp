// SPDX-License-Identifier: Apache-2.0
#include "cli/activate.hpp"

#include <fmt/format.h>

#include <limits>

#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"

namespace pawl::cli {
namespace {

constexpr Option activate_options[] = {
    {.name = "--vars",
     .value = "JSON|@file",
     .help = "variables, local to each of what is started"},
    {.name = "--cancel", .value = {}, .help = "what runs in it ends first"},
    {.name = "--complete", .value = {}, .help = "complete it; nothing may run in it"},
    server_option,
    json_option};

bool is_understood(const Arguments& arguments) {
  const bool starts = arguments.words().size() > 1;
  const bool completes = arguments.has("--complete");
  return starts != completes &&
         !(completes && (arguments.has("--vars") || arguments.has("--cancel")));
}

Exit complete(const Arguments& arguments, Remote& remote, Key key) {
  const std::string path = fmt::format("/v2/pawl/ad-hoc/{}/completion", number(key));
  return finish(arguments, remote.post(path, Value()),
                fmt::format("completed: ad-hoc sub-process {}", number(key)));
}

Result<Value> activation_order(const Arguments& arguments) {
  PAWL_TRY(variables, variables_argument("--vars", arguments.value("--vars").value_or("{}")));
  List elements;
  for (std::size_t i = 1; i < arguments.words().size(); ++i) {
    elements.push_back(object({{"elementId", arguments.words()[i]}, {"variables", variables}}));
  }
  return object(
      {{"elements", std::move(elements)}, {"cancelRemainingInstances", arguments.has("--cancel")}});
}

Exit activate(const Arguments& arguments) {
  if (!is_understood(arguments)) {
    report({.what = "activate needs elements to start, or --complete alone",
            .why = "it does one thing at a time",
            .to_do = "see pawl help activate"});
    return Exit::usage;
  }
  const auto key = key_argument(arguments.words()[0]);
  if (!key) return refuse(key.error());
  const auto order = activation_order(arguments);
  if (!order) return refuse(order.error());
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  if (arguments.has("--complete")) return complete(arguments, *remote, *key);
  const std::string path =
      fmt::format("/v2/element-instances/ad-hoc-activities/{}/activation", number(*key));
  const std::size_t count = arguments.words().size() - 1;
  return finish(arguments, remote->post(path, *order),
                fmt::format("{} {} started in ad-hoc sub-process {}", count,
                            count == 1 ? "element is" : "elements are", number(*key)));
}

}  // namespace

const Command activate_command{
    .name = "activate",
    .summary = "starts elements in an ad-hoc sub-process on a server, or completes it",
    .usage = "KEY ELEMENT…|--complete [--vars JSON] [--cancel] [--server ADDR] [--json]",
    .details =
        "KEY is that of the ad-hoc sub-process that runs; pawl show has it, and says which\n"
        "elements can be started. Each runs in a scope of its own; the same one may be started\n"
        "several times.\n",
    .example = "  pawl activate 23 call-customer send-offer --vars '{\"by\": \"ada\"}'\n",
    .options = activate_options,
    .least_words = 1,
    .most_words = std::numeric_limits<std::size_t>::max(),
    .run = activate,
};

}  // namespace pawl::cli
