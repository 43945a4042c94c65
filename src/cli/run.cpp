// SPDX-License-Identifier: Apache-2.0
#include "cli/run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "bpmn/read.hpp"
#include "cli/allowance.hpp"
#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/report.hpp"
#include "cli/run_drive.hpp"
#include "cli/run_durable.hpp"
#include "cli/run_result.hpp"
#include "cli/run_view.hpp"
#include "cli/scripts.hpp"
#include "engine/support.hpp"

namespace pawl::cli {
namespace {

constexpr Option own_run_options[] = {
    {.name = "--process", .value = "ID", .help = "which process to start, if there are several"},
    {.name = "--vars", .value = "JSON|@file", .help = "variables of the new instance"},
    {.name = "--job",
     .value = "TYPE=ANSWER",
     .help = "answers every job of this type: JSON, =FEEL, error:CODE or fail:MESSAGE",
     .repeatable = true},
    {.name = "--worker",
     .value = "TYPE=COMMAND",
     .help = "runs a shell command for every job of this type (JSON in, JSON out)",
     .repeatable = true},
    {.name = "--message",
     .value = "NAME[:KEY]=JSON",
     .help = "published once, when something waits for it",
     .repeatable = true},
    {.name = "--signal",
     .value = "NAME=JSON",
     .help = "broadcast once, when something waits for it",
     .repeatable = true},
    {.name = "--activate",
     .value = "AD_HOC_ID=ELEMENT[,ELEMENT]",
     .help = "starts these in the ad-hoc sub-process, in order; nothing after = completes it",
     .repeatable = true},
    {.name = "--data", .value = "DIR", .help = "keeps everything in this directory"},
    {.name = "--resume",
     .value = {},
     .help = "goes on with the unfinished instance of the process in --data"},
    {.name = "--real-time", .value = {}, .help = "waits for timers instead of skipping to them"},
    {.name = "--timeout", .value = "DURATION", .help = "stops after this time: 10s, 5m, PT1H"},
    {.name = "--scripts",
     .value = scripts_values,
     .help =
         "where JavaScript runs: refused, in a process without rights, or here; default inline"},
    {.name = "--trace",
     .value = {},
     .help = "shows every state of every element, and each variable that is set"},
    {.name = "--json", .value = {}, .help = "prints the result as one JSON object"},
};

std::span<const Option> run_options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> made(std::begin(own_run_options), std::end(own_run_options));
    for (const AllowanceOption& option : allowance_options()) {
      made.push_back({.name = option.name, .value = option.value, .help = option.help});
    }
    return made;
  }();
  return all;
}

// Findings go to standard error, one line each; true if the file cannot be run.
bool has_errors(const bpmn::Definitions& definitions) {
  for (const bpmn::Finding& finding : definitions.findings) {
    say(stderr, "{}\n", bpmn::to_text(finding, definitions.file));
  }
  return !definitions.ok();
}

bool is_refused(const model::Process& process) {
  const auto refusals = engine::unsupported(process);
  for (const engine::Refusal& refusal : refusals) {
    say(stderr, "{}\n",
        bpmn::to_text({.rule = "not-supported",
                       .element = refusal.element,
                       .place = refusal.place,
                       .text = refusal.text},
                      process.file));
  }
  return !refusals.empty();
}

Result<std::vector<model::ProcessPtr>> deploy(const RunPlan& plan) {
  std::vector<model::ProcessPtr> processes;
  for (const std::string& path : plan.files) {
    if (path.ends_with(".dmn")) {
      return fail(
          Whose::caller, Code::not_supported,
          fmt::format("cannot deploy {}: decisions are not supported yet; leave it out", path));
    }
    PAWL_TRY(xml, read_file(path));
    const bpmn::Definitions definitions = bpmn::read(xml, path);
    if (has_errors(definitions)) {
      return fail(
          Whose::caller, Code::invalid_model,
          fmt::format("cannot deploy {}: the model has errors; correct what is listed above",
                      path));
    }
    for (const auto& process : definitions.processes) processes.push_back(process);
  }
  return processes;
}

Result<model::ProcessPtr> choose(const std::vector<model::ProcessPtr>& processes,
                                 const std::string& wanted) {
  std::vector<std::string> ids;
  model::ProcessPtr only;
  for (const auto& process : processes) {
    if (!process->executable) continue;
    if (process->id == wanted) return process;
    ids.push_back(process->id);
    only = process;
  }
  const std::string known = fmt::format("{}", fmt::join(ids, ", "));
  if (!wanted.empty()) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("there is no executable process \"{}\" in these files; they have: {}",
                            wanted, ids.empty() ? "none" : known));
  }
  if (ids.empty()) {
    return fail(Whose::caller, Code::not_found,
                "there is no executable process in these files; set isExecutable=\"true\" on one");
  }
  if (ids.size() > 1) {
    return fail(
        Whose::caller, Code::invalid_argument,
        fmt::format("the files have several processes; choose one with --process: {}", known));
  }
  return only;
}

// Runs what the driver has, begun by `begin`, and says how it ended.
Exit run_driver(const RunPlan& plan, runtime::Driver& driver,
                const std::function<Result<void>()>& begin) {
  const Instant start = driver.now();
  RunRecord record;
  RunView view(record, start, plan.trace);
  bool past = plan.resume;  // what happened before is known, but not shown
  driver.after_turn = [&](const engine::Instance& instance, const engine::Events& events) {
    for (const engine::Event& event : events) {
      record.add(*instance.process, event);
      if (!plan.json && !past) view.show(driver.now(), event);
      record.forget(event);
    }
  };
  driver.keeps_journal = false;
  const auto started = begin();
  past = false;
  if (!started && started.error().whose != Whose::operators) return refuse(started.error());
  const Instant begun = plan.resume ? driver.now() : start;
  const auto driven = started ? drive(plan, driver, begun) : Result<Driven>(started.error());
  if (!driven && driven.error().whose != Whose::operators) return refuse(driven.error());
  RunResult result = result_of(driver, record, driven && driven->timed_out, driver.now() - begun);
  if (!driven) {
    report({.what = driven.error().text});
    result.state = "failed";
    result.exit = Exit::incident;
  }
  if (plan.json) {
    print_json(result);
  } else {
    view.finish();
    print_text(result, driven ? driven->unawaited : std::vector<std::string>());
  }
  return result.exit;
}

Exit run_in_memory(const RunPlan& plan, const model::ProcessPtr& process,
                   const std::vector<model::ProcessPtr>& all) {
  runtime::Driver driver(process, runtime::SystemClock().now());
  driver.allowance = plan.allowance;
  for (const auto& one : all) {
    if (one->executable && engine::unsupported(*one).empty()) driver.library.add(one);
  }
  return run_driver(plan, driver, [&] { return driver.start(plan.variables); });
}

bool holds_nothing(const std::string& directory) {
  std::error_code ignored;
  return !std::filesystem::exists(directory, ignored) ||
         std::filesystem::is_empty(directory, ignored);
}

Exit run_on_data(const RunPlan& plan, const model::ProcessPtr& process) {
  // Opened, the directory would be made.
  if (plan.resume && holds_nothing(plan.data)) return refuse(nothing_unfinished(process->id));
  auto data = RunData::open(plan.data, plan.allowance);
  if (!data) return refuse(data.error());
  auto definition = (*data)->deploy(plan, process->id);
  if (!definition) return refuse(definition.error());
  if (!plan.resume) {
    DurableDriver driver(**data, *definition);
    return run_driver(plan, driver, [&] { return driver.start(plan.variables); });
  }
  const auto row = (*data)->unfinished(process->id);
  if (!row) return refuse(row.error());
  definition = (*data)->node().definitions().find(row->definition);
  if (!definition) return refuse(definition.error());
  DurableDriver driver(**data, *definition);
  return run_driver(plan, driver, [&] { return driver.resume(row->key); });
}

Exit run_model(const Arguments& arguments) {
  const auto plan = plan_run(arguments);
  if (!plan) return refuse(plan.error());
  if (const auto ready = run_scripts(plan->scripts); !ready) return refuse(ready.error());
  const auto processes = deploy(*plan);
  if (!processes) return refuse(processes.error());
  const auto process = choose(*processes, plan->process);
  if (!process) return refuse(process.error());
  if (is_refused(**process)) {
    report({.what = fmt::format("cannot run process \"{}\"", (*process)->id),
            .where = (*process)->file,
            .why = "it has what cannot be run here",
            .to_do = "see the lines above and docs/bpmn-coverage.md"});
    return Exit::bad_input;
  }
  return plan->data.empty() ? run_in_memory(*plan, *process, *processes)
                            : run_on_data(*plan, *process);
}

}  // namespace

const Command run_command{
    .name = "run",
    .summary = "deploys files, starts one instance and drives it to its end",
    .usage = "FILE… [options]",
    .details =
        "Runs in this process: in memory, or durably in a data directory, where --resume goes\n"
        "on with an unfinished instance. Time is virtual: timers fire as soon as nothing\n"
        "else can happen; those that repeat without end stop after a hundred times, unless\n"
        "there is a --timeout. A message without KEY is for any key. Jobs are answered by\n"
        "--job and --worker; user tasks have the type\n"
        "user-task:ELEMENT_ID. A worker command reads the job's variables as JSON and prints\n"
        "its results as JSON; exit code 42 throws the BPMN error whose code is the first line\n"
        "of its standard error, any other but 0 fails the job. Call activities start the\n"
        "processes of all files that are given. Models from others that have JavaScript are\n"
        "safer with --scripts process.\n"
        "Exit code: 0 completed, 3 stopped at an incident, 4 waits for something not given.\n",
    .example =
        "  pawl run examples/order/order.bpmn --vars @examples/order/order.json \\\n"
        "      --job charge='={receipt: \"R-\" + orderId}' --job reserve='{}' \\\n"
        "      --job pack='{}' --job ship='{\"sent\": true}'\n",
    .options = run_options(),
    .least_words = 1,
    .most_words = std::numeric_limits<std::size_t>::max(),
    .run = run_model,
};

}  // namespace pawl::cli
