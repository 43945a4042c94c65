// SPDX-License-Identifier: Apache-2.0
// The index alone: what a short instance (start, one job, end: two records) costs in CPU time,
// with SQLite and its checkpoints. `lag` is how many records lie between start and end: a short lag
// falls into one window and leaves one row, a long one has to open and close rows.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <filesystem>

#include "engine/turn.hpp"
#include "model/process.hpp"
#include "store/codec.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace {

using namespace pawl;
using store::Committed;

model::ProcessPtr one_job() {
  auto process = std::make_shared<model::Process>();
  process->id = "order-process";
  process->dialect = model::Dialect::zeebe;
  const std::pair<model::ElementKind, const char*> rows[] = {
      {model::ElementKind::process, "order-process"},
      {model::ElementKind::start_event, "start"},
      {model::ElementKind::service_task, "collect-money"},
      {model::ElementKind::end_event, "end"}};
  for (const auto& [kind, id] : rows) {
    const auto index = static_cast<ElementIndex>(process->elements.size());
    process->elements.push_back({.index = index, .kind = kind, .id = id});
    if (number(index) != 0) process->elements.back().scope = ElementIndex{0};
  }
  for (std::uint32_t i = 1; i < 3; ++i) {
    process->flows.push_back({.index = static_cast<FlowIndex>(i - 1),
                              .id = "f" + std::to_string(i),
                              .source = static_cast<ElementIndex>(i),
                              .target = static_cast<ElementIndex>(i + 1)});
  }
  model::link(*process);
  return process;
}

std::shared_ptr<const store::Record> record_of(engine::Turn turn, Key instance) {
  return std::make_shared<const store::Record>(
      store::Record{.instance = instance,
                    .execution = 1,
                    .at = Instant(Millis(1'790'000'000'000)),
                    .next_key = turn.next_key,
                    .events = std::move(turn.events)});
}

Key job_in(const store::Record& record) {
  for (const engine::Event& event : record.events) {
    if (const auto* created = std::get_if<engine::JobCreated>(&event)) return created->key;
  }
  std::abort();
}

// Two records for each instance, the second `lag` instances after the first.
std::vector<Committed> journal(std::size_t count, std::size_t lag) {
  const auto process = one_job();
  std::vector<Committed> all;
  std::vector<std::shared_ptr<const store::Record>> ends(count);
  std::uint64_t next_key = 1;
  const auto add = [&](std::shared_ptr<const store::Record> record) {
    std::string bytes = *store::encode(*record);
    all.push_back({store::position_from(all.size() + 1), std::move(record), std::move(bytes)});
  };
  for (std::size_t i = 0; i < count + lag; ++i) {
    if (i < count) {
      engine::Instance instance(process);
      const Key key = key_from(next_key);
      const Value variables = object({{"total", 12345}});
      auto begun = engine::take_turn(
          instance,
          engine::StartInstance{
              .instance = key, .definition = key_from(77), .variables = variables},
          {.next_key = next_key + 1});
      auto first = record_of(std::move(*begun), key);
      auto done = engine::take_turn(instance, engine::CompleteJob{.job = job_in(*first)},
                                    {.next_key = first->next_key});
      next_key = done->next_key;
      ends[i] = record_of(std::move(*done), key);
      add(std::move(first));
    }
    if (i >= lag) add(std::move(ends[i - lag]));
  }
  return all;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Cost {
  double apply{1e18};
  double durable{1e18};
};

Cost run_once(const std::vector<Committed>& records, std::size_t window) {
  const std::string path = std::filesystem::temp_directory_path() / "pawl_bench_index.db";
  const auto remove_all = [&] {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
  };
  remove_all();
  Cost cost{0, 0};
  {
    auto index = store::SqliteIndex::open({.path = path});
    if (!index) std::abort();
    std::size_t windows = 0;
    for (std::size_t at = 0; at < records.size(); at += window) {
      const double start = cpu_seconds();
      const auto some = std::span(records).subspan(at, std::min(window, records.size() - at));
      if (!(*index)->apply(some)) std::abort();
      const double applied = cpu_seconds();
      if (++windows * window >= 20'000) {
        windows = 0;
        if (!(*index)->make_durable()) std::abort();
      }
      cost.apply += applied - start;
      cost.durable += cpu_seconds() - applied;
    }
  }
  remove_all();
  return cost;
}

}  // namespace

// `bench_index WINDOW LAG` measures one of them, for a profiler.
int main(int count_of_words, char** words) {
  const bool one = count_of_words == 3;
  constexpr std::size_t count = 100'000;
  fmt::print(
      "index in SQLite: CPU per short instance (2 records), checkpoint per 20,000 records\n\n");
  fmt::print("{:>8}  {:>8}  {:>10}  {:>12}  {:>8}\n", "window", "lag", "apply us", "durable us",
             "sum us");
  bool fast = true;
  for (const std::size_t lag : {20u, 500u, 20'000u}) {
    if (one && std::to_string(lag) != words[2]) continue;
    const auto records = journal(count, lag);
    for (const std::size_t window : {1'000u, 10'000u}) {
      if (one && std::to_string(window) != words[1]) continue;
      Cost best;
      for (int round = 0; round < 3; ++round) {
        const Cost cost = run_once(records, window);
        if (cost.apply + cost.durable < best.apply + best.durable) best = cost;
      }
      const double scale = 1e6 / count;
      const double sum = (best.apply + best.durable) * scale;
      fmt::print("{:>8}  {:>8}  {:>10.2f}  {:>12.2f}  {:>8.2f}\n", window, lag, best.apply * scale,
                 best.durable * scale, sum);
      if (lag == 20 && window == 10'000) fast = sum <= 8.0;
    }
  }
  fmt::print("\nat most 8 us where a window holds the whole instance: {}\n", fast ? "yes" : "NO");
  return fast ? 0 : 1;
}
