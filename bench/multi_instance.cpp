// SPDX-License-Identifier: Apache-2.0
// M19, in memory: loops of script tasks spawned, run and joined; iterations that wait for a job,
// with the memory each takes (from the allocator, not estimated); cancelling them; and how long a
// turn of that holds up another instance.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "engine/turn.hpp"
#include "model/process.hpp"

namespace {

using namespace pawl;
using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

enum class Work { script, job };

model::ProcessPtr loop_process(Work work) {
  auto process = std::make_shared<model::Process>();
  process->id = "loop";
  process->dialect = model::Dialect::zeebe;
  process->elements.resize(2);
  process->elements[0].index = ElementIndex{0};
  process->elements[0].kind = model::ElementKind::process;
  process->elements[0].id = "loop";
  model::Element& task = process->elements[1];
  task.index = ElementIndex{1};
  task.id = "each";
  task.scope = ElementIndex{0};
  task.kind =
      work == Work::script ? model::ElementKind::script_task : model::ElementKind::service_task;
  if (work == Work::script) {
    task.script.emplace();
    task.script->script = *model::Expression::of_feel("item + 1");
    task.script->result_variable = "r";
  }
  task.loop.emplace();
  task.loop->collection = *model::Expression::of_feel("items");
  task.loop->item_variable = "item";
  task.loop->output_collection = "results";
  task.loop->output_element = *model::Expression::of_feel("r");
  model::link(*process);
  return process;
}

Value numbers(std::size_t count) {
  List items(count, Value(7));
  return object({{"items", Value(std::move(items))}});
}

// Carries a command through; returns the longest turn.
Microseconds carry_out(engine::Instance& instance, engine::Command command,
                       std::uint64_t& next_key) {
  Microseconds longest{};
  for (;;) {
    const auto start = Clock::now();
    const auto turn = engine::take_turn(instance, command, {.next_key = next_key});
    if (!turn) std::abort();
    longest = std::max<Microseconds>(longest, Clock::now() - start);
    next_key = turn->next_key;
    if (!turn->more) return longest;
    command = engine::Continue{};
  }
}

double nanos_per_script_iteration(const model::ProcessPtr& process, std::size_t count) {
  double best = 1e18;
  const Value variables = numbers(count);
  for (int round = 0; round < 5; ++round) {
    const std::size_t repeats = std::max<std::size_t>(1, 20'000 / count);
    const auto start = Clock::now();
    for (std::size_t i = 0; i < repeats; ++i) {
      engine::Instance instance(process);
      std::uint64_t next_key = 2;
      carry_out(instance, engine::StartInstance{.instance = key_from(1), .variables = variables},
                next_key);
      if (instance.ended != engine::Ended::completed) std::abort();
    }
    const std::chrono::duration<double, std::nano> spent = Clock::now() - start;
    best = std::min(best, spent.count() / static_cast<double>(repeats * count));
  }
  return best;
}

bool waiting_and_cancelling(std::size_t count) {
  const auto process = loop_process(Work::job);
  const Value variables = numbers(count);
  malloc_trim(0);
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  std::optional<engine::Instance> instance(process);
  std::uint64_t next_key = 2;
  auto start = Clock::now();
  carry_out(*instance, engine::StartInstance{.instance = key_from(1), .variables = variables},
            next_key);
  const Microseconds spawned = Clock::now() - start;
  const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  const double bytes = static_cast<double>(after - before) / static_cast<double>(count);
  start = Clock::now();
  const Microseconds longest = carry_out(*instance, engine::CancelInstance{}, next_key);
  const Microseconds cancelled = Clock::now() - start;
  fmt::print("\n{} iterations that wait for a job\n", count);
  fmt::print("  spawned in             {:>10.1f} ms\n", spawned.count() / 1000);
  fmt::print("  memory each            {:>10.0f} bytes (limit 600)\n", bytes);
  fmt::print("  cancelled in           {:>10.1f} ms (limit 1000)\n", cancelled.count() / 1000);
  fmt::print("  longest turn of that   {:>10.1f} ms (limit 50: so long another instance waits)\n",
             longest.count() / 1000);
  return bytes < 600 && cancelled.count() < 1e6 && longest.count() < 50'000;
}

}  // namespace

int main() {
  fmt::print("multi-instance, one thread, in memory: script iterations (item + 1) with output\n\n");
  fmt::print("{:>10}  {:>16}  {:>12}\n", "iterations", "ns per iteration", "whole loop");
  const auto process = loop_process(Work::script);
  double at_thousand = 0;
  double at_most = 0;
  for (const std::size_t count : {10u, 1'000u, 100'000u}) {
    const double each = nanos_per_script_iteration(process, count);
    if (count == 1'000) at_thousand = each;
    at_most = each;
    fmt::print("{:>10}  {:>16.0f}  {:>9.3f} ms\n", count, each,
               each * static_cast<double>(count) / 1e6);
  }
  const double ratio = at_most / at_thousand;
  fmt::print("\ncost at 100,000 iterations / cost at 1,000: {:.2f} (limit 1.50)\n", ratio);
  const bool good = waiting_and_cancelling(100'000);
  return good && ratio <= 1.5 ? 0 : 1;
}
