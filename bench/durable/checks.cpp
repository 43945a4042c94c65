// SPDX-License-Identifier: Apache-2.0
#include "durable/checks.hpp"

#include <future>

#include "durable/load.hpp"
#include "durable/measure.hpp"
#include "durable/models.hpp"
#include "raw/commits.hpp"

namespace pawl::bench {

using namespace runtime;  // NOLINT: speaks of little else

namespace {

constexpr std::uint64_t count = 100'000;

double since(Steady::time_point begun) { return Seconds(Steady::now() - begun).count(); }

// Half wait for a job, half for a timer; the process that started them is killed.
void start_and_die(const Options& options, const std::string& directory, bool idles,
                   Restart& seen) {
  auto* server = new Server(directory, {.shards = options.shards});  // never closed
  const Value due = object({{"due", "2099-01-01T00:00:00Z"}, {"total", 100}});
  const auto begun = Steady::now();
  for (const std::string& model : {jobs_in_sequence(1), timer_at_due()}) {
    auto* load = new Load(*server, {.definition = server->deploy(model),
                                    .variables = [&](std::uint64_t) { return due; },
                                    .waits = false});
    load->start(count / 2);
  }
  seen.started = since(begun);
  seen.peak = resident_megabytes();
  if (!idles) {
    seen.unindexed = server->node().index_backlog();
    return;
  }
  must(server->node().catch_up());
  std::this_thread::sleep_for(Millis(2'500));  // some rounds: who must leave has left
  seen.waiting = resident_megabytes();
  std::this_thread::sleep_for(Millis(12'500));  // and who has not been used for a while
  seen.idle = resident_megabytes();
}

// One that waits is asked for something and the answer awaited.
void ask_one(Server& server) {
  std::promise<void> answered;
  Value variables = object({{"total", 200}});
  const auto rows = must(server.node().index().instances({.limit = 1}));
  CommandRequest request{.target = rows.front().key};
  request.command = engine::SetVariables{rows.front().key, std::move(variables)};
  request.reply = [&](Result<Done> done) {
    must(std::move(done));
    answered.set_value();
  };
  server.node().ask(std::move(request));
  answered.get_future().get();
}

double open_and_ask(const Options& options, const std::string& directory, double& megabytes) {
  const auto begun = Steady::now();
  Server server(directory, {.shards = options.shards});
  ask_one(server);
  const double took = since(begun);
  megabytes = resident_megabytes();
  return took;
}

// Changes a variable of each: all of them are in memory once, if there is room.
void touch_all(const Options& options, const std::string& directory, Restart& seen) {
  Server server(directory, {.shards = options.shards});
  const auto rows = must(server.node().index().instances({.limit = count}));
  std::atomic<std::uint64_t> open{0};
  for (const store::InstanceRow& row : rows) {
    while (open >= 4'000) std::this_thread::sleep_for(Millis(1));
    ++open;
    CommandRequest request{.target = row.key};
    request.command = engine::SetVariables{row.key, object({{"total", 300}})};
    request.reply = [&](Result<Done> done) {
      must(std::move(done));
      --open;
    };
    server.node().ask(std::move(request));
  }
  while (open > 0) std::this_thread::sleep_for(Millis(1));
  must(server.node().catch_up());
  ask_one(server);  // a round after that: who must leave has left
  seen.after_touch = resident_megabytes();
  for (std::uint32_t i = 0; i < options.shards; ++i) {
    seen.residents += server.node().load(i).residents;
  }
}

}  // namespace

Large large_loop(const Options& options) {
  const store::TemporaryDirectory directory(options.parent);
  Server server(directory.path(), {.shards = options.shards});
  Load load(server, {.definition = server.deploy(scripts_in_loop(static_cast<int>(count))),
                     .under_way = 1});
  load.run_count(1);
  const Commits commits = server.commits();
  return {load.seconds(), static_cast<double>(commits.bytes) * 1e-6, commits.turns};
}

Restart restart(const Options& options) {
  const store::TemporaryDirectory directory(options.parent);
  Restart& seen = shared<Restart>();
  double unused = 0;
  const store::TemporaryDirectory other(options.parent);
  in_child([&] { start_and_die(options, other.path(), true, seen); });
  in_child([&] { start_and_die(options, directory.path(), false, seen); });
  in_child([&] { seen.killed = open_and_ask(options, directory.path(), unused); });
  in_child([&] { seen.clean = open_and_ask(options, directory.path(), seen.opened); });
  in_child([&] { touch_all(options, directory.path(), seen); });
  return seen;
}

}  // namespace pawl::bench
