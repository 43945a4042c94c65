// SPDX-License-Identifier: Apache-2.0
#include "cli/run_durable.hpp"

#include <fmt/format.h>

#include "cli/input.hpp"
#include "runtime/find_process.hpp"
#include "store/codec.hpp"

namespace pawl::cli {

using namespace runtime;  // NOLINT: speaks of little else

namespace {

// One instance does not write much, and a journal file is made at its full size.
constexpr std::uint64_t segment_bytes = 8u << 20;

Key target_of(const engine::Command& command, Key instance) {
  if (const auto* one = std::get_if<engine::CompleteJob>(&command)) return one->job;
  if (const auto* one = std::get_if<engine::FailJob>(&command)) return one->job;
  if (const auto* one = std::get_if<engine::ThrowError>(&command)) return one->job;
  return instance;
}

}  // namespace

Error nothing_unfinished(const std::string& process) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("there is no unfinished instance of process \"{}\"; leave --resume out "
                          "to start one",
                          process));
}

// --- the directory ------------------------------------------------------------------------------

Result<std::unique_ptr<RunData>> RunData::open(const std::string& directory,
                                               const engine::Allowance& allowance) {
  auto data = std::make_unique<RunData>();
  PAWL_TRY(node, open_local(directory, *data->clock_,
                            {.node = {.allowance = allowance}, .segment_bytes = segment_bytes}));
  data->node_ = std::move(node);
  data->node_->watch(
      [into = data.get()](const RecordPtr& record, Position) { into->seen_.push_back(record); });
  return data;
}

bool RunData::step() {
  bool worked = false;
  for (std::uint32_t shard = 0; shard < node_->shards(); ++shard)
    worked |= node_->step_shard(shard);
  worked |= node_->step_lanes();
  return node_->step_committer() || worked;
}

Result<std::vector<RecordPtr>> RunData::work() {
  // One instance is stopped by the engine; this stops those that call each other for ever.
  constexpr std::size_t most_rounds = 2'000'000;
  std::size_t rounds = 0;
  do {
    while (step()) {
      if (++rounds > most_rounds) {
        return fail(Whose::operators, Code::budget_exceeded,
                    "the instances work on and on without waiting for anything; does a process "
                    "run in a circle?");
      }
    }
  } while (node_->step_indexer());
  return std::exchange(seen_, {});
}

Result<DefinitionPtr> RunData::deploy(const RunPlan& plan, const std::string& process) {
  std::optional<Result<Deployment>> made;
  DeployRequest request{.reply = [&](Result<Deployment> done) { made = std::move(done); }};
  for (const std::string& path : plan.files) {
    PAWL_TRY(content, read_file(path));
    PAWL_TRY(resource, read_resource(path, std::move(content)));
    request.resources.push_back(std::move(resource));
  }
  node_->ask(std::move(request));
  PAWL_CHECK(work());
  if (made && !*made) return made->error();
  return node_->definitions().latest(process);
}

Result<store::InstanceRow> RunData::unfinished(const std::string& process) const {
  PAWL_TRY(rows,
           node_->index().instances({.state = store::InstanceState::active, .process = process}));
  std::erase_if(rows, [](const store::InstanceRow& row) { return row.caller != Key::none; });
  if (rows.empty()) return nothing_unfinished(process);
  if (rows.size() > 1) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("there are {} unfinished instances of process \"{}\"; a run drives "
                            "one, `pawl instances` lists them",
                            rows.size(), process));
  }
  return rows.front();
}

// --- the driver ---------------------------------------------------------------------------------

DurableDriver::DurableDriver(RunData& data, DefinitionPtr definition)
    : Driver(definition->process, data.clock().now()),
      data_(data),
      definition_(std::move(definition)) {}

// Sends the request and takes over what came of it. The answer is what the node said.
template <class Answer, class Ask>
Result<Answer> DurableDriver::ask(Ask request) {
  std::optional<Result<Answer>> answer;
  request.reply = [&](Result<Answer> said) {
    if constexpr (requires(Answer one) { one.existing; }) {
      if (said) key_ = said->instance;
    }
    answer = std::move(said);
  };
  data_.node().ask(std::move(request));
  const auto done = catch_up();
  if (answer && !*answer) return answer->error();
  PAWL_CHECK(done);
  if (answer) return *answer;
  return fail(Whose::machine, Code::store_unavailable, "the store does not answer");
}

Result<void> DurableDriver::catch_up() {
  PAWL_TRY(records, data_.work());
  for (const RecordPtr& record : records) PAWL_CHECK(take_record(*record));
  if (instance().agenda.empty() || has_ended()) return {};
  return fail(Whose::machine, Code::store_unavailable,
              "the instance cannot go on because the store refuses to write; look at the disk, "
              "then use --resume");
}

// Of the instance, or of one that was called for it.
Result<void> DurableDriver::take_record(const store::Record& record) {
  if (key_ == Key::none || record.events.empty()) return {};
  ours_.insert(key_);
  const auto* started = std::get_if<engine::InstanceStarted>(&record.events.front());
  if (started && started->caller && started->caller->root == key_) ours_.insert(record.instance);
  if (!ours_.contains(record.instance)) return {};
  return take_over(record.at, record.instance, record.events,
                   find_process(data_.node().definitions()));
}

Result<void> DurableDriver::take_past(Key instance) {
  PAWL_TRY(history, data_.node().index().history(instance));
  for (const store::HistoryEntry& entry : history) {
    PAWL_TRY(record, store::decode_record(entry.bytes));
    data_.clock().move_to(record.at);
    PAWL_CHECK(take_record(record));
  }
  PAWL_TRY(called, data_.node().index().instances(
                       {.state = store::InstanceState::active, .caller = instance}));
  for (const store::InstanceRow& row : called) PAWL_CHECK(take_past(row.key));
  return {};
}

Result<void> DurableDriver::resume(Key key) {
  key_ = key;
  PAWL_CHECK(data_.work());
  return take_past(key);
}

Result<void> DurableDriver::send(const engine::Command& command) {
  PAWL_CHECK(ask<Done>(CommandRequest{.target = target_of(command, key_), .command = command}));
  return {};
}

Result<void> DurableDriver::start(Value variables) {
  PAWL_CHECK(
      ask<Started>(StartRequest{.definition = definition_, .variables = std::move(variables)}));
  return {};
}

// A jump in virtual time must not make the timers of others fire early.
Result<void> DurableDriver::fires_nobody_else(Instant when) const {
  const Instant real = SystemClock().now();
  PAWL_TRY(due, data_.node().index().timers_after(std::max(real, now()), Key::none,
                                                  limits::timers_in_memory));
  for (const store::TimerRow& timer : due) {
    if (timer.due > when) break;
    if (ours_.contains(timer.instance)) continue;
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("instance {} in the same directory has a timer that virtual time "
                            "would fire too early; use --real-time, or another directory",
                            number(timer.instance)));
  }
  return {};
}

Result<void> DurableDriver::advance_to(Instant when) {
  PAWL_CHECK(fires_nobody_else(when));
  data_.clock().move_to(when);
  PAWL_CHECK(catch_up());
  move_time(when);
  return {};
}

Result<bool> DurableDriver::publish(std::string_view name, std::string_view correlation,
                                    Value variables) {
  PAWL_TRY(published, ask<Published>(PublishRequest{.name = std::string(name),
                                                    .correlation = std::string(correlation),
                                                    .variables = std::move(variables)}));
  return published.kept;
}

Result<std::size_t> DurableDriver::broadcast(std::string_view name, Value variables) {
  PAWL_CHECK(
      ask<Published>(SignalRequest{.name = std::string(name), .variables = std::move(variables)}));
  return std::size_t{1};
}

}  // namespace pawl::cli
