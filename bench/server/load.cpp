// SPDX-License-Identifier: Apache-2.0
// `pawl serve` under load over gRPC: W1 to W5 with a client of our own, server and client on the
// same machine. Options: --pawl FILE, --seconds N (5), --under-way N (400), --only NAME,
// --directory DIR (where the data goes). NAME: w1, w2, w3, w5, timers, idle, polls.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <unordered_map>

#include <gateway.pb.h>
#include "durable/measure.hpp"
#include "durable/models.hpp"
#include "server/program.hpp"
#include "testkit/grpc_client.hpp"

namespace {

using namespace pawl::bench;
using pawl::testkit::GrpcClient;
namespace proto = gateway_protocol;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string pawl{"build/release/pawl"};
  std::string parent{"/tmp"};
  std::string only{};
  double seconds{5};
  double rate{0};  // of the only workload: workflows per second; 0: as many as it can
  std::size_t under_way{400};
};

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}
std::int64_t epoch_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string iso_text(std::int64_t ms) {
  const std::time_t seconds = ms / 1'000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds), ms % 1'000);
}

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "server_load: {}\n", what);
  std::exit(1);
}

// --- one workload -------------------------------------------------------------------------------

// Starts instances and does their jobs; an instance is over when its last job was completed.
class Load {
 public:
  Load(Program& server, int jobs) : client_(server.port()), jobs_(jobs) {}

  void deploy(const std::string& model) {
    proto::DeployResourceRequest request;
    auto& resource = *request.add_resources();
    resource.set_name("bench.bpmn");
    resource.set_content(model);
    bool done = false;
    client_.call("DeployResource", request.SerializeAsString(), {}, [&](int status, auto text) {
      if (status != 0) fail(fmt::format("deploy: {}", text));
      done = true;
    });
    while (!done) client_.turn(10);
  }

  void work_on(const std::string& type) {
    proto::StreamActivatedJobsRequest request;
    request.set_type(type);
    request.set_worker("bench");
    request.set_timeout(600'000);
    client_.call(
        "StreamActivatedJobs", request.SerializeAsString(),
        [this](std::string_view bytes) { on_job(bytes); },
        [](int status, auto text) {
          if (status != 14) fail(fmt::format("stream: {} {}", status, text));
        });
  }

  void start(const std::string& variables = "") {
    proto::CreateProcessInstanceRequest request;
    request.set_bpmnprocessid("bench");
    request.set_version(-1);
    request.set_variables(variables);
    const auto began = Clock::now();
    ++under_way_;
    client_.call(
        "CreateProcessInstance", request.SerializeAsString(),
        [this, began](std::string_view bytes) {
          proto::CreateProcessInstanceResponse response;
          response.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
          Open& open = open_[response.processinstancekey()];  // a job may have come before
          open.began = began;
          open.known = true;
          if (on_started) on_started(response.processinstancekey());
          end_if_over(response.processinstancekey(), open);
        },
        [](int status, auto text) {
          if (status != 0) fail(fmt::format("start: {} {}", status, text));
        });
  }

  void publish(const std::string& key) {
    proto::PublishMessageRequest request;
    request.set_name("go");
    request.set_correlationkey(key);
    request.set_timetolive(60'000);
    client_.call("PublishMessage", request.SerializeAsString(), {}, [](int status, auto text) {
      if (status != 0) fail(fmt::format("publish: {} {}", status, text));
    });
  }

  void turn(int wait_ms) { client_.turn(wait_ms); }
  std::size_t under_way() const { return under_way_; }

  std::uint64_t ended{0};
  std::vector<double> took{};  // ms
  std::function<void(std::int64_t)> on_started{};
  std::function<void(const proto::ActivatedJob&)> on_activated{};

 private:
  struct Open {
    Clock::time_point began{};
    bool known{false};
    int done{0};
  };

  void on_job(std::string_view bytes) {
    proto::ActivatedJob job;
    job.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
    if (on_activated) on_activated(job);
    proto::CompleteJobRequest request;
    request.set_jobkey(job.key());
    const std::int64_t instance = job.processinstancekey();
    client_.call("CompleteJob", request.SerializeAsString(), {},
                 [this, instance](int status, auto text) {
                   if (status != 0) fail(fmt::format("complete: {} {}", status, text));
                   Open& open = open_[instance];
                   ++open.done;
                   end_if_over(instance, open);
                 });
  }

  void end_if_over(std::int64_t instance, const Open& open) {
    if (!open.known || open.done < jobs_) return;
    took.push_back(seconds_since(open.began) * 1e3);
    open_.erase(instance);
    ++ended;
    --under_way_;
  }

  GrpcClient client_;
  int jobs_;
  std::size_t under_way_{0};
  std::unordered_map<std::int64_t, Open> open_;
};

struct Outcome {
  double per_second{0}, micros{0}, bytes{0}, median{0}, late{0}, client_micros{0};
};

struct Workload {
  const char* name;
  const char* what;
  int jobs;
  std::string (*model)();
  bool message{false};
};

Outcome run(const Options& options, const Workload& workload, double rate) {
  Program server(options.pawl, options.parent);
  Load load(server, workload.jobs);
  load.deploy(workload.model());
  load.work_on("work");
  std::uint64_t started = 0;
  const auto start_one = [&] {
    const std::string id = fmt::format("m{}", started++);
    load.start(workload.message ? fmt::format(R"({{"id":"{}"}})", id) : "");
    if (workload.message) load.publish(id);
  };
  const auto drive = [&](double seconds) {
    const auto began = Clock::now();
    const std::uint64_t before = started;
    while (seconds_since(began) < seconds) {
      const auto due = rate > 0 ? static_cast<std::uint64_t>(rate * seconds_since(began)) : ~0ull;
      const std::size_t most =
          rate > 0 ? 100'000 : options.under_way / (workload.jobs > 50 ? 20 : 1);
      while (load.under_way() < most && started - before < due) start_one();
      load.turn(rate > 0 ? 1 : 10);
    }
  };
  drive(1);  // warm
  load.took.clear();
  const std::uint64_t before = load.ended, bytes = server.written_bytes();
  const double micros = server.processor_micros(), own = processor_micros();
  const auto began = Clock::now();
  drive(options.seconds);
  const auto count = static_cast<double>(load.ended - before);
  const double took = seconds_since(began);
  Outcome outcome{.per_second = count / took,
                  .micros = (server.processor_micros() - micros) / count,
                  .bytes = static_cast<double>(server.written_bytes() - bytes) / count,
                  .client_micros = (processor_micros() - own) / count};
  std::sort(load.took.begin(), load.took.end());
  outcome.median = percentile(load.took, 0.5);
  outcome.late = percentile(load.took, 0.99);
  while (load.under_way() > 0) load.turn(10);
  return outcome;
}

void print(const std::string& what, const Outcome& outcome) {
  fmt::print("{:<34} {:>9.0f} {:>9.1f} {:>9.1f} {:>9.0f} {:>8.1f} {:>8.1f}\n", what,
             outcome.per_second, outcome.micros, outcome.client_micros, outcome.bytes,
             outcome.median, outcome.late);
  std::fflush(stdout);
}

bool check(bool right, const std::string& what) {
  fmt::print("{} {}\n", right ? "yes" : "NO ", what);
  std::fflush(stdout);
  return right;
}

// --- timers and waiting instances ---------------------------------------------------------------

// Ten thousand are due at the same moment: how late does the last worker hear of it?
bool fire_timers(const Options& options, std::size_t count) {
  Program server(options.pawl, options.parent);
  Load load(server, 1);
  load.deploy(timer_then_job());
  load.work_on("work");
  std::vector<double> late;
  const std::int64_t due = epoch_ms() + 8'000;
  load.on_activated = [&](const proto::ActivatedJob&) {
    late.push_back(static_cast<double>(epoch_ms() - due));
  };
  const auto text = iso_text(due);
  std::size_t started = 0, known = 0;
  load.on_started = [&](std::int64_t) { ++known; };
  while (started < count || load.under_way() > 0) {
    for (; started < count && started - known < 1'000; ++started) {
      load.start(fmt::format(R"({{"due":"{}"}})", text));
    }
    load.turn(5);
  }
  std::sort(late.begin(), late.end());
  return check(
      percentile(late, 0.99) < 250,
      fmt::format("{} timers due at one moment: p50 {:.0f} ms, p99 {:.0f} ms late, limit 250",
                  late.size(), percentile(late, 0.5), percentile(late, 0.99)));
}

bool wait_idle(const Options& options, std::size_t count) {
  Program server(options.pawl, options.parent);
  bool right = check(server.startup_ms() < 100,
                     fmt::format("ready after {:.0f} ms, limit 100", server.startup_ms()));
  const double cpu = server.processor_micros();
  ::usleep(3'000'000);
  const double idle = server.resident_megabytes();
  right &= check(idle < 40, fmt::format("idle: {:.1f} MB resident, limit 40; {:.2f} % CPU", idle,
                                        (server.processor_micros() - cpu) / 3e4));
  Load load(server, 1);
  load.deploy(jobs_in_sequence(1));
  std::size_t known = 0;
  load.on_started = [&](std::int64_t) { ++known; };
  for (std::size_t started = 0; known < count;) {
    while (started < count && started - known < 1'000) {
      load.start();
      ++started;
    }
    load.turn(10);
  }
  ::usleep(2'000'000);
  right &= check(server.resident_megabytes() < 250,
                 fmt::format("{} instances wait for a job: {:.0f} MB resident, limit 250", count,
                             server.resident_megabytes()));
  ::usleep(15'000'000);
  const auto each = [&](double bytes) { return bytes / 1024 / static_cast<double>(count); };
  const double resident = each((server.resident_megabytes() - idle) * 1e6);
  right &= check(resident < 0.6, fmt::format("15 s later, evicted: {:.2f} KiB resident for each, "
                                             "limit 0.6; {:.0f} MB in all",
                                             resident, server.resident_megabytes()));
  fmt::print("    {:.2f} KiB on disk for each (journal files are reserved ahead)\n",
             each(static_cast<double>(server.directory_bytes())));
  return right;
}

// Ten thousand polls that find nothing, on ten connections.
bool open_polls(const Options& options) {
  Program server(options.pawl, options.parent);
  std::vector<std::unique_ptr<GrpcClient>> clients;
  proto::ActivateJobsRequest request;
  request.set_type("nothing");
  request.set_worker("bench");
  request.set_timeout(1'000);
  request.set_maxjobstoactivate(1);
  request.set_requesttimeout(60'000);
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<GrpcClient>(server.port()));
    for (int j = 0; j < 1'000; ++j) {
      clients.back()->call("ActivateJobs", request.SerializeAsString(), {}, {});
    }
    for (int j = 0; j < 50; ++j) clients.back()->turn(2);
  }
  const double cpu = server.processor_micros();
  ::usleep(3'000'000);
  return check(server.resident_megabytes() < 200,
               fmt::format("10,000 open polls: {:.0f} MB resident, limit 200; {:.2f} % CPU",
                           server.resident_megabytes(), (server.processor_micros() - cpu) / 3e4));
}

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string name = arguments[i], value = i + 1 < count ? arguments[i + 1] : "";
    if (name == "--pawl")
      options.pawl = value;
    else if (name == "--seconds")
      options.seconds = std::stod(value);
    else if (name == "--under-way")
      options.under_way = std::stoul(value);
    else if (name == "--rate")
      options.rate = std::stod(value);
    else if (name == "--only")
      options.only = value;
    else if (name == "--directory")
      options.parent = value;
    else
      fail(fmt::format("{}: no such option; bench/server/load.cpp lists them", name));
  }
  return options;
}

struct Goal {
  double least_per_second, most_micros;
};

}  // namespace

int main(int count, char** arguments) {
  const Options options = read_options(count, arguments);
  const Workload workloads[] = {
      {"w1", "W1 start, job, end", 1, [] { return jobs_in_sequence(1); }},
      {"w2", "W2 10 jobs in sequence", 10, [] { return jobs_in_sequence(10); }},
      {"w3", "W3 100 parallel jobs, joined", 100, [] { return jobs_in_parallel(100); }},
      {"w5", "W5 message, job, end", 1, [] { return message_then_job(); }, true}};
  const Goal goals[] = {{6'000, 100}, {0, 600}, {0, 5'000}, {0, 0}};
  const auto wanted = [&](std::string_view name) {
    return options.only.empty() || options.only == name;
  };
  bool right = true;
  fmt::print("over gRPC, {} s each, server and client share the machine\n\n", options.seconds);
  fmt::print("{:<34} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8}\n", "", "workflows", "server µs",
             "client µs", "bytes", "ms", "ms");
  fmt::print("{:<34} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8}\n", "", "/s", "each", "each", "written",
             "p50", "p99");
  for (std::size_t i = 0; i < std::size(workloads); ++i) {
    const Workload& workload = workloads[i];
    if (!wanted(workload.name)) continue;
    const Outcome full = run(options, workload, options.rate);
    print(workload.what, full);
    if (options.rate > 0) continue;
    if (goals[i].least_per_second > 0) {
      const Outcome wanted_load = run(options, workload, goals[i].least_per_second);
      print(fmt::format("{}, {:.0f}/s", workload.what, goals[i].least_per_second), wanted_load);
      right &=
          check(wanted_load.late < 25, fmt::format("p99 at {:.0f}/s: {:.1f} ms, limit 25",
                                                   goals[i].least_per_second, wanted_load.late));
      const Outcome half = run(options, workload, full.per_second / 2);
      print(fmt::format("{}, half load", workload.what), half);
      right &=
          check(half.late < 25, fmt::format("p99 at half load: {:.1f} ms, limit 25", half.late));
      right &= check(full.per_second >= goals[i].least_per_second,
                     fmt::format("{:.0f} workflows/s, at least {:.0f}", full.per_second,
                                 goals[i].least_per_second));
    }
    if (goals[i].most_micros > 0) {
      right &= check(full.micros < goals[i].most_micros,
                     fmt::format("{:.0f} µs of server CPU per workflow, limit {:.0f}", full.micros,
                                 goals[i].most_micros));
    }
  }
  if (wanted("timers")) right &= fire_timers(options, 10'000);
  if (wanted("idle")) right &= wait_idle(options, 100'000);
  if (wanted("polls")) right &= open_polls(options);
  return right ? 0 : 1;
}
