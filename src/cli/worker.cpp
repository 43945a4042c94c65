// SPDX-License-Identifier: Apache-2.0
#include "cli/worker.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <limits>
#include <mutex>
#include <thread>

#include "cli/data.hpp"
#include "cli/filter.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "cli/run_plan.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr std::uint64_t most_parallel = 256;
constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t poll_ms = 5'000;
constexpr Millis shortest_pause{200}, longest_pause{10'000};

constexpr Option worker_options[] = {
    {.name = "--parallel", .value = "N", .help = "jobs at the same time; default 1"},
    {.name = "--timeout", .value = "DUR", .help = "for one job; default 5m"},
    {.name = "--name", .value = "NAME", .help = "of this worker; default pawl-worker"},
    {.name = "--jobs", .value = "N", .help = "ends after so many jobs; default: never"},
    server_option};

std::atomic<bool> worker_stopped{false};

void stop_worker(int) { worker_stopped = true; }

struct Work {
  const Arguments& arguments;
  std::string type{};
  std::string name{};
  std::string command{};
  Millis timeout{300'000};
  std::uint64_t most{~0ull};
  std::atomic<std::uint64_t> begun{0};
  std::mutex printing{};

  void say(const std::string& text) {
    const std::lock_guard lock(printing);
    fmt::print("{}\n", text);
    std::fflush(stdout);
  }
};

// One word is a command line for the shell; several are quoted, so that each stays one.
std::string command_line_of(const std::vector<std::string>& words) {
  if (words.size() == 2) return words[1];
  std::string command;
  for (std::size_t i = 1; i < words.size(); ++i) {
    command += i == 1 ? "'" : " '";
    for (const char c : words[i]) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += "'";
  }
  return command;
}

// --- one job ------------------------------------------------------------------------------------

Result<Value> fail_job(Remote& remote, const Value& job, std::int64_t fewer,
                       const std::string& why) {
  const auto retries = parse_json(text_of(job, "retries"));
  const std::int64_t left = retries && retries->is_number() ? retries->as_int().value_or(1) : 1;
  return remote.post(
      fmt::format("/v2/jobs/{}/failure", text_of(job, "jobKey")),
      object({{"retries", std::max<std::int64_t>(left - fewer, 0)}, {"errorMessage", why}}));
}

Result<Value> run_and_answer(Work& work, Remote& remote, const Value& job) {
  const std::string at = "/v2/jobs/" + text_of(job, "jobKey");
  const Value* variables = job.find("variables");
  const auto ran = run_filter(work.command, variables ? to_json(*variables) : "{}", work.timeout,
                              limits::json_bytes, &worker_stopped);
  if (worker_stopped) return fail_job(remote, job, 0, "the worker was stopped");
  if (!ran) return fail_job(remote, job, 1, ran.error().text);
  if (ran->exit_code == throws_bpmn_error) {
    return remote.post(at + "/error", object({{"errorCode", first_line(ran->errors)}}));
  }
  if (ran->exit_code != 0) {
    const std::string why = first_line(ran->errors);
    return fail_job(remote, job, 1,
                    fmt::format("the command ended with exit code {}{}{}", ran->exit_code,
                                why.empty() ? "" : ": ", why));
  }
  const auto result = parse_json_object(ran->output);
  if (!result) {
    return fail_job(remote, job, 1, "the output is not a JSON object: " + result.error().text);
  }
  return remote.post(at + "/completion", object({{"variables", *result}}));
}

void do_job(Work& work, Remote& remote, const Value& job) {
  const auto began = std::chrono::steady_clock::now();
  const auto done = run_and_answer(work, remote, job);
  const auto took = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - began);
  work.say(fmt::format("job {} of instance {}: {}, {} ms", text_of(job, "jobKey"),
                       text_of(job, "processInstanceKey"),
                       done ? std::string("answered") : "not taken: " + done.error().text,
                       took.count()));
}

// --- one of the parallel ones -------------------------------------------------------------------

Result<List> poll(Work& work, Remote& remote) {
  PAWL_TRY(answer, remote.post("/v2/jobs/activation",
                               object({{"type", work.type},
                                       {"worker", work.name},
                                       {"timeout", static_cast<std::int64_t>(
                                                       (work.timeout + Millis(5'000)).count())},
                                       {"maxJobsToActivate", 1},
                                       {"requestTimeout", poll_ms}})));
  const Value* jobs = answer.find("jobs");
  return jobs && jobs->is_list() ? jobs->as_list() : List();
}

// A server that is not there, or busy, is asked again, less and less often.
void work_on(Work& work) {
  auto remote = Remote::of(work.arguments);
  Millis pause = shortest_pause;
  while (remote && !worker_stopped && work.begun < work.most) {
    const auto jobs = poll(work, *remote);
    if (!jobs) {
      if (exit_for(jobs.error()) != Exit::unreachable) {
        work.say(jobs.error().text);
        worker_stopped = true;
        return;
      }
      if (pause == shortest_pause) work.say(jobs.error().text);
      for (Millis slept{0}; slept < pause && !worker_stopped; slept += Millis(50)) {
        std::this_thread::sleep_for(Millis(50));
      }
      pause = std::min(pause * 2, longest_pause);
      continue;
    }
    pause = shortest_pause;
    for (const Value& job : *jobs) {
      ++work.begun;
      do_job(work, *remote, job);
    }
  }
}

Result<void> run_workers(const Arguments& arguments) {
  PAWL_TRY(remote, Remote::of(arguments));
  PAWL_CHECK(remote.get("/v2/topology"));  // says at once if nobody is there
  PAWL_TRY(parallel, count_argument("--parallel", arguments.value("--parallel").value_or("1"),
                                    most_parallel));
  std::uint64_t most = no_end;
  if (const auto jobs = arguments.value("--jobs")) {
    PAWL_TRY(count, count_argument("--jobs", *jobs, no_end));
    most = count;
  }
  Work work{.arguments = arguments,
            .type = arguments.words()[0],
            .name = arguments.value("--name").value_or("pawl-worker"),
            .command = command_line_of(arguments.words()),
            .most = most};
  if (const auto text = arguments.value("--timeout")) {
    PAWL_TRY(timeout, duration_argument("--timeout", *text));
    work.timeout = timeout;
  }
  std::signal(SIGTERM, stop_worker);
  std::signal(SIGINT, stop_worker);
  std::signal(SIGPIPE, SIG_IGN);
  work.say(fmt::format("waiting for jobs of type \"{}\" at {}, {} at a time", work.type,
                       remote.address(), parallel));
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < parallel; ++i) {
    threads.emplace_back([&work] { work_on(work); });
  }
  for (std::thread& thread : threads) thread.join();
  return {};
}

Exit run_worker(const Arguments& arguments) {
  const auto done = run_workers(arguments);
  return done ? Exit::done : refuse(done.error());
}

}  // namespace

const Command worker_command{
    .name = "worker",
    .summary = "does the jobs of a server with a command of yours",
    .usage = "TYPE [--parallel N] [--timeout DUR] [--server ADDR] -- COMMAND…",
    .details =
        "COMMAND runs once per job, as a filter: the job's variables as JSON on its\n"
        "standard input, the result as JSON on its standard output. Exit code 0 completes\n"
        "the job; 42 throws the BPMN error whose code is the first line of standard error;\n"
        "any other fails it, and it is tried again as often as the model says. SIGTERM\n"
        "ends what runs and gives its jobs back.\n",
    .example =
        "  pawl worker charge --parallel 4 -- pawl feel '{receipt: \"R-\" + orderId}' --vars @-\n",
    .options = worker_options,
    .least_words = 2,
    .most_words = 1'000,
    .run = run_worker,
};

}  // namespace pawl::cli
