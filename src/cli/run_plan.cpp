// SPDX-License-Identifier: Apache-2.0
#include "cli/run_plan.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cli/allowance.hpp"
#include "cli/input.hpp"
#include "cli/scripts.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

// "TYPE=REST", split at the first '='.
Result<std::pair<std::string, std::string>> split(std::string_view option, std::string_view text,
                                                  std::string_view form) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    return wrong_argument(fmt::format("{} {}: expected {}", option, text, form));
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

Result<Answer> answer_of(const std::string& type, std::string_view text) {
  if (text.starts_with("error:")) return Answer(ThrowCode{std::string(text.substr(6))});
  if (text.starts_with("fail:")) return Answer(FailWith{std::string(text.substr(5))});
  if (text.starts_with("=")) {
    auto parsed = feel::parse(text.substr(1));
    if (!parsed) return wrong_argument(fmt::format("--job {}: {}", type, parsed.error().text));
    return Answer(CompleteWithResult{std::move(*parsed)});
  }
  PAWL_TRY(variables, variables_argument("--job " + type, text));
  return Answer(CompleteWith{variables});
}

Result<void> read_answers(const Arguments& arguments, RunPlan& plan) {
  for (const std::string& given : arguments.values("--job")) {
    PAWL_TRY(parts,
             split("--job", given, "TYPE=JSON, TYPE==FEEL, TYPE=error:CODE or TYPE=fail:MESSAGE"));
    PAWL_TRY(answer, answer_of(parts.first, parts.second));
    plan.answers.insert_or_assign(parts.first, std::move(answer));
  }
  for (const std::string& given : arguments.values("--worker")) {
    PAWL_TRY(parts, split("--worker", given, "TYPE='COMMAND'"));
    plan.answers.insert_or_assign(parts.first, RunCommand{parts.second});
  }
  return {};
}

Result<void> read_mail(const Arguments& arguments, RunPlan& plan) {
  for (const bool is_signal : {false, true}) {
    const std::string option = is_signal ? "--signal" : "--message";
    for (const std::string& given : arguments.values(option)) {
      PAWL_TRY(parts, split(option, given, is_signal ? "NAME=JSON" : "NAME[:KEY]=JSON"));
      PAWL_TRY(variables, variables_argument(option + " " + parts.first, parts.second));
      plan.mail.push_back({is_signal, parts.first, variables});
    }
  }
  return {};
}

Result<void> read_activations(const Arguments& arguments, RunPlan& plan) {
  for (const std::string& given : arguments.values("--activate")) {
    PAWL_TRY(parts, split("--activate", given, "AD_HOC_ID=ELEMENT[,ELEMENT]"));
    RunPlan::Activation& made = plan.activations.emplace_back(RunPlan::Activation{parts.first, {}});
    std::string_view rest = parts.second;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      made.elements.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return {};
}

}  // namespace

Result<Millis> duration_argument(std::string_view option, std::string_view text) {
  if (const auto iso = parse_day_time(text))
    return Millis(iso->seconds * 1000 + iso->nanos / 1'000'000);
  std::int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const std::map<std::string_view, std::int64_t> units{
      {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  const auto found = units.find(unit);
  const bool fits = count >= 0 && count <= 1'000'000'000;
  if (error != std::errc{} || found == units.end() || !fits) {
    return wrong_argument(fmt::format(
        "{} {}: expected a duration such as 500ms, 10s, 5m, 2h, 1d or PT10S", option, text));
  }
  return Millis(count * found->second);
}

Result<RunPlan> plan_run(const Arguments& arguments) {
  RunPlan plan;
  plan.files = arguments.words();
  plan.process = arguments.value("--process").value_or("");
  plan.real_time = arguments.has("--real-time");
  plan.trace = arguments.has("--trace");
  plan.json = arguments.has("--json");
  plan.data = arguments.value("--data").value_or("");
  plan.resume = arguments.has("--resume");
  if (arguments.has("--data") && plan.data.empty())
    return wrong_argument("--data: the path is empty");
  if (plan.resume && plan.data.empty()) {
    return wrong_argument(
        "--resume goes on with what is in a data directory; name it with --data DIR");
  }
  if (plan.resume && arguments.has("--vars")) {
    return wrong_argument("--resume goes on with the variables that are there; leave --vars out");
  }
  PAWL_TRY(variables, variables_argument("--vars", arguments.value("--vars").value_or("{}")));
  plan.variables = variables;
  if (const auto timeout = arguments.value("--timeout")) {
    PAWL_TRY(limit, duration_argument("--timeout", *timeout));
    plan.timeout = limit;
  }
  for (const AllowanceOption& option : allowance_options()) {
    const auto text = arguments.value(option.name);
    if (!text) continue;
    if (const auto set = option.set(plan.allowance, *text); !set) {
      return wrong_argument(fmt::format("{}: {}", option.name, set.error().text));
    }
  }
  if (const auto text = arguments.value("--scripts")) {
    const auto where = scripts_argument(*text);
    if (!where) return wrong_argument(fmt::format("--scripts: {}", where.error().text));
    plan.scripts = *where;
  }
  PAWL_CHECK(read_answers(arguments, plan));
  PAWL_CHECK(read_mail(arguments, plan));
  PAWL_CHECK(read_activations(arguments, plan));
  return plan;
}

}  // namespace pawl::cli
