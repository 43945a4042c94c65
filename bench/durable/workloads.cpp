// SPDX-License-Identifier: Apache-2.0
#include "durable/workloads.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "durable/load.hpp"
#include "durable/measure.hpp"
#include "durable/models.hpp"
#include "raw/commits.hpp"
#include "store/conformance/temporary_directory.hpp"

namespace pawl::bench {

using namespace runtime;  // NOLINT: speaks of little else

namespace {

NodeOptions node_options(const Options& options) {
  return {.shards = options.shards, .index_window = options.window};
}

// From its making on to `finish`, what a server does is measured.
class Meter {
 public:
  explicit Meter(Server& server) : server_(server), before_(server.commits()) {}

  Outcome finish(double workflows, double seconds, const std::vector<float>& sorted) {
    Outcome outcome{.backlog = server_.node().index_backlog()};
    const Commits now = server_.commits();
    outcome.commits = {now.count - before_.count, now.turns - before_.turns,
                       now.bytes - before_.bytes};
    const auto begun = Steady::now();
    must(server_.node().catch_up());
    outcome.catch_up = Seconds(Steady::now() - begun).count();
    const auto turns = static_cast<double>(outcome.commits.turns);
    outcome.workflows = workflows / seconds;
    outcome.turns = turns / seconds;
    outcome.micros = (processor_micros() - micros_) / turns;
    const ThreadMicros threads = thread_micros();
    outcome.threads = {.shards = (threads.shards - threads_.shards) / turns,
                       .committer = (threads.committer - threads_.committer) / turns,
                       .indexer = (threads.indexer - threads_.indexer) / turns,
                       .rest = (threads.rest - threads_.rest) / turns};
    outcome.bytes = static_cast<double>(outcome.commits.bytes) / workflows;
    outcome.median = percentile(sorted, 0.5);
    outcome.late = percentile(sorted, 0.99);
    return outcome;
  }

 private:
  Server& server_;
  Commits before_;
  double micros_{processor_micros()};
  ThreadMicros threads_{thread_micros()};
};

Value order(std::uint64_t number) {
  return object({{"total", static_cast<std::int64_t>(number % 1'000)}, {"x", 0}});
}

struct Model {
  std::string bpmn{};
  std::size_t under_way{0};
  bool jobs{false};
};

// A second to warm up, then the measured time.
Outcome run(const Options& options, const Model& model) {
  const store::TemporaryDirectory directory(options.parent);
  Server server(directory.path(), node_options(options));
  const Load::Plan plan{
      .definition = server.deploy(model.bpmn), .under_way = model.under_way, .variables = order};
  std::unique_ptr<Worker> worker;
  if (model.jobs) worker = std::make_unique<Worker>(server, 8'000);
  Load(server, plan).run_for(1);
  Meter meter(server);
  Load load(server, plan);
  load.run_for(options.seconds);
  return meter.finish(static_cast<double>(load.ended()), load.seconds(), load.latencies());
}

}  // namespace

Outcome run_sequence(const Options& options, int jobs) {
  return run(options, {jobs_in_sequence(jobs), options.under_way, true});
}

Outcome run_parallel(const Options& options) {
  return run(options,
             {jobs_in_parallel(100), std::max<std::size_t>(1, options.under_way / 50), true});
}

Outcome run_scripts(const Options& options) {
  return run(options, {scripts_in_sequence(10), options.under_way});
}

// All are due at one moment. Time is moved there when all wait.
Outcome run_timers(const Options& options) {
  constexpr std::uint64_t count = 100'000;
  const store::TemporaryDirectory directory(options.parent);
  Server server(directory.path(), node_options(options));
  const Instant due =
      std::chrono::floor<std::chrono::seconds>(server.clock().now()) + std::chrono::hours(1);
  const Value when = object(
      {{"due", fmt::format("{:%FT%T}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(due)))}});
  Load load(server, {.definition = server.deploy(timer_at_due()),
                     .variables = [&](std::uint64_t) { return when; }});
  load.start(count);
  must(server.node().catch_up());
  Meter meter(server);
  const auto moment = Steady::now() + Millis(1'500);
  load.measure_from(moment);
  server.clock().move_to(due - Millis(1'500));
  load.wait_for_ended();
  const double seconds = Seconds(Steady::now() - moment).count();
  return meter.finish(count, seconds, load.latencies());
}

// A message is published as soon as the start is durable.
Outcome run_messages(const Options& options) {
  const store::TemporaryDirectory directory(options.parent);
  Server server(directory.path(), node_options(options));
  Node& node = server.node();
  const auto id = [](std::uint64_t number) { return fmt::format("order-{}", number); };
  const Load::Plan plan{.definition = server.deploy(message_with_id()),
                        .under_way = options.under_way,
                        .variables =
                            [&](std::uint64_t number) {
                              return object({{"id", id(number)}});
                            },
                        .started =
                            [&](std::uint64_t number) {
                              node.ask(PublishRequest{
                                  .name = "go",
                                  .correlation = id(number),
                                  .time_to_live = Millis(60'000),
                                  .reply = [](Result<Published> done) { must(std::move(done)); }});
                            }};
  Meter meter(server);
  Load load(server, plan);
  load.run_for(options.seconds);
  return meter.finish(static_cast<double>(load.ended()), load.seconds(), load.latencies());
}

}  // namespace pawl::bench
