// SPDX-License-Identifier: Apache-2.0
#include "cli/worker.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
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
constexpr Millis longest_backoff{60'000};
constexpr std::size_t remembered_jobs = 10'000;

constexpr Option worker_options[] = {
    {.name = "--parallel", .value = "N", .help = "jobs at the same time; default 1"},
    {.name = "--timeout", .value = "DUR", .help = "for one job; default 5m"},
    {.name = "--name", .value = "NAME", .help = "of this worker; default pawl-worker"},
    {.name = "--backoff",
     .value = "DUR",
     .help = "before a failed job is tried again, doubled each time; default 1s"},
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
  Millis backoff{1'000};
  std::uint64_t most{~0ull};
  std::atomic<std::uint64_t> places_taken{0};  // by jobs, and by polls that may bring one
  std::atomic<bool> away{false};               // the server
  std::mutex mutex{};
  std::map<std::string, std::uint32_t> failures{};  // of the jobs that failed here
  std::optional<Error> refused{};                   // the server wants none of it

  // Before the poll: several that ask at the same time may each get a job.
  bool take_place() {
    std::uint64_t taken = places_taken;
    while (taken < most) {
      if (places_taken.compare_exchange_weak(taken, taken + 1)) return true;
    }
    return false;
  }
  void leave_place() { --places_taken; }

  void print(const std::string& text) {
    const std::lock_guard lock(mutex);
    say("{}\n", text);
    std::fflush(stdout);
  }
  void stop(const Error& error) {
    const std::lock_guard lock(mutex);
    if (!refused) refused = error;
    worker_stopped = true;
  }
  // Doubled with each failure of the job.
  Millis pause_for(const std::string& job) {
    const std::lock_guard lock(mutex);
    if (failures.size() >= remembered_jobs) failures.clear();
    const std::uint32_t before = failures[job]++;
    return std::min(backoff * (1 << std::min(before, 16u)), std::max(backoff, longest_backoff));
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

struct JobAnswer {
  std::string verb{};  // at the end of the path
  Value body{};
  std::string done{};  // what is printed when it was taken
};

// What became of it, as the server has taken it.
Result<std::string> fail_job(Work& work, Remote& remote, const Value& job, const std::string& why) {
  const std::string key = text_of(job, "jobKey");
  const auto retries = parse_json(text_of(job, "retries"));
  const std::int64_t had = retries && retries->is_number() ? retries->as_int().value_or(1) : 1;
  const std::int64_t left = std::max<std::int64_t>(had - 1, 0);
  const Millis pause = left == 0 ? Millis(0) : work.pause_for(key);
  PAWL_CHECK(remote.post(fmt::format("/v2/jobs/{}/failure", key),
                         object({{"retries", left},
                                 {"retryBackOff", static_cast<std::int64_t>(pause.count())},
                                 {"errorMessage", why}})));
  if (left == 0) return fmt::format("failed, no retries left: {}", why);
  return fmt::format("failed, {} left, again in {} ms: {}",
                     counted(static_cast<std::uint64_t>(left), "retry", "retries"), pause.count(),
                     why);
}

Result<std::string> give_back(Remote& remote, const Value& job) {
  const auto retries = parse_json(text_of(job, "retries"));
  PAWL_CHECK(remote.post(fmt::format("/v2/jobs/{}/failure", text_of(job, "jobKey")),
                         object({{"retries", retries.value_or(Value(1))},
                                 {"errorMessage", "the worker was stopped"}})));
  return std::string("given back: the worker was stopped");
}

// The signal that stops the worker may go to its commands too: whoever ends a service signals all
// of its processes.
bool was_stopped_too(const Filtered& ran) {
  return ran.exit_code == 128 + SIGTERM || ran.exit_code == 128 + SIGINT;
}

// True if the server has read the answer and wants none like it; false if it cannot be reached, or
// the job is not ours any more.
bool refuses_answer(const Remote& remote) {
  constexpr int wrong = 400, too_large = 413;
  return remote.status() == wrong || remote.status() == too_large;
}

// Says it to the server. An answer that it refuses fails the job: given again as it is, the job
// would end the same way for ever.
Result<std::string> answer_job_with(Work& work, Remote& remote, const Value& job,
                                    const JobAnswer& answer) {
  const std::string path = fmt::format("/v2/jobs/{}/{}", text_of(job, "jobKey"), answer.verb);
  const auto taken = remote.post(path, answer.body);
  if (taken) return answer.done;
  if (refuses_answer(remote)) {
    return fail_job(work, remote, job,
                    "the server refuses the answer of the command: " + taken.error().text);
  }
  if (remote.status() == 404) return "gone, nothing is answered: " + taken.error().text;
  return taken.error();
}

Result<std::string> run_and_answer(Work& work, Remote& remote, const Value& job) {
  const Value* variables = job.find("variables");
  const auto ran = run_filter(work.command, variables ? to_json(*variables) : "{}", work.timeout,
                              limits::json_bytes, &worker_stopped);
  // What is done is answered, also by a worker that stops: given back, it would be done twice.
  if (worker_stopped && (!ran || was_stopped_too(*ran))) return give_back(remote, job);
  if (!ran) return fail_job(work, remote, job, ran.error().text);
  if (ran->exit_code == throws_bpmn_error) {
    const auto code = thrown_code(*ran);
    if (!code) return fail_job(work, remote, job, code.error().text);
    return answer_job_with(work, remote, job,
                           {.verb = "error",
                            .body = object({{"errorCode", *code}}),
                            .done = fmt::format("threw the BPMN error \"{}\"", *code)});
  }
  if (ran->exit_code != 0) return fail_job(work, remote, job, failure_of(*ran));
  if (!ran->errors.empty())
    work.print(ran->errors.substr(0, ran->errors.find_last_not_of('\n') + 1));
  const auto result = parse_json_object(ran->output);
  if (!result) {
    return fail_job(work, remote, job, "the output is not a JSON object: " + result.error().text);
  }
  return answer_job_with(
      work, remote, job,
      {.verb = "completion", .body = object({{"variables", *result}}), .done = "completed"});
}

void do_job(Work& work, Remote& remote, const Value& job) {
  const auto began = std::chrono::steady_clock::now();
  const auto done = run_and_answer(work, remote, job);
  const auto took = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - began);
  work.print(fmt::format("job {} of instance {}, {} ms: {}", text_of(job, "jobKey"),
                         text_of(job, "processInstanceKey"), took.count(),
                         done ? *done : "the answer was not taken: " + done.error().text));
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

void pause_work(Millis pause) {
  for (Millis slept{0}; slept < pause && !worker_stopped; slept += Millis(50)) {
    std::this_thread::sleep_for(Millis(50));
  }
}

// Of several that ask at the same time one says it.
void say_trouble(Work& work, const Remote& remote, const Error& trouble, bool first) {
  const bool away = remote.status() == 0;
  if (away ? !work.away.exchange(true) : first) work.print(trouble.text);
}

// A poll may wait for long before it shows that the server is there.
void say_if_back(Work& work, Remote& remote) {
  if (!work.away || !remote.get("/v2/topology")) return;
  if (work.away.exchange(false)) {
    work.print(fmt::format("the server at {} is back", remote.address()));
  }
}

// A server that is not there, or busy, is asked again, less and less often.
void work_on(Work& work) {
  auto remote = Remote::of(work.arguments);
  Millis pause = shortest_pause;
  while (remote && !worker_stopped && work.take_place()) {
    const auto jobs = poll(work, *remote);
    if (!jobs || jobs->empty()) work.leave_place();
    if (!jobs) {
      if (exit_for(jobs.error()) != Exit::unreachable) return work.stop(jobs.error());
      say_trouble(work, *remote, jobs.error(), pause == shortest_pause);
      pause_work(pause);
      say_if_back(work, *remote);
      pause = std::min(pause * 2, longest_pause);
      continue;
    }
    pause = shortest_pause;
    for (const Value& job : *jobs) do_job(work, *remote, job);
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
    if (timeout <= Millis(0)) {
      return wrong_argument(fmt::format("--timeout {}: a job needs more time than that", *text));
    }
    work.timeout = timeout;
  }
  if (const auto text = arguments.value("--backoff")) {
    PAWL_TRY(backoff, duration_argument("--backoff", *text));
    work.backoff = backoff;
  }
  std::signal(SIGTERM, stop_worker);
  std::signal(SIGINT, stop_worker);
  std::signal(SIGPIPE, SIG_IGN);
  work.print(fmt::format("waiting for jobs of type \"{}\" at {}, {} at a time", work.type,
                         remote.address(), parallel));
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < parallel; ++i) {
    threads.emplace_back([&work] { work_on(work); });
  }
  for (std::thread& thread : threads) thread.join();
  if (work.refused) return *work.refused;
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
        "any other fails it, and it is tried again as often as the model says, after a pause\n"
        "that grows. What the command writes to standard error is shown; its last lines go\n"
        "with the failure. It does not see PAWL_TOKEN, PAWL_USER and PAWL_PASSWORD. SIGTERM\n"
        "ends what runs and gives its jobs back.\n",
    .example =
        "  pawl worker charge --parallel 4 -- pawl feel '{receipt: \"R-\" + orderId}' --vars @-\n",
    .options = worker_options,
    .least_words = 2,
    .most_words = 1'000,
    .run = run_worker,
};

}  // namespace pawl::cli
