// SPDX-License-Identifier: Apache-2.0
// The engine alone, one thread, in memory: element instances per second in a sequence of FEEL
// script tasks, and whether an element costs the same in a small process as in a large one.
// Figures of one run are compared with each other, because machines differ and are noisy.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/turn.hpp"
#include "model/process.hpp"

namespace {

using namespace pawl;

model::ProcessPtr chain_of_scripts(std::size_t length) {
  auto process = std::make_shared<model::Process>();
  process->id = "chain";
  process->dialect = model::Dialect::zeebe;
  const auto add = [&](model::ElementKind kind, std::string id) -> model::Element& {
    const auto index = static_cast<ElementIndex>(process->elements.size());
    process->elements.push_back({.index = index, .kind = kind, .id = std::move(id)});
    if (number(index) != 0) process->elements.back().scope = ElementIndex{0};
    return process->elements.back();
  };
  add(model::ElementKind::process, "chain");
  add(model::ElementKind::start_event, "start");
  for (std::size_t i = 0; i < length; ++i) {
    model::Element& task = add(model::ElementKind::script_task, "t" + std::to_string(i));
    task.script.emplace();
    task.script->script = *model::Expression::of_feel("x + 1");
    task.script->result_variable = "x";
  }
  for (std::size_t i = 1; i + 1 < process->elements.size(); ++i) {
    const auto index = static_cast<FlowIndex>(process->flows.size());
    process->flows.push_back({.index = index,
                              .id = "f" + std::to_string(i),
                              .source = static_cast<ElementIndex>(i),
                              .target = static_cast<ElementIndex>(i + 1)});
  }
  model::link(*process);
  return process;
}

// Runs one instance to its end; returns the number of element instances.
std::size_t run_once(const model::ProcessPtr& process) {
  engine::Instance instance(process);
  const Value variables = object({{"x", 0}});
  engine::Command command = engine::StartInstance{.instance = key_from(1), .variables = variables};
  engine::World world{.next_key = 2};
  for (;;) {
    const auto turn = engine::take_turn(instance, command, world);
    if (!turn) std::abort();
    if (!turn->more) break;
    world.next_key = turn->next_key;
    command = engine::Continue{};
  }
  if (instance.ended != engine::Ended::completed) std::abort();
  return process->elements.size();
}

// Nanoseconds per element instance: the best of several rounds, which is the least disturbed one.
double cost(const model::ProcessPtr& process) {
  double best = 1e18;
  for (int round = 0; round < 7; ++round) {
    std::size_t elements = 0;
    const auto start = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::nano> spent{};
    while (spent.count() < 150e6) {
      elements += run_once(process);
      spent = std::chrono::steady_clock::now() - start;
    }
    best = std::min(best, spent.count() / static_cast<double>(elements));
  }
  return best;
}

}  // namespace

int main() {
  fmt::print("engine, one thread, in memory: a sequence of FEEL script tasks (x + 1)\n\n");
  fmt::print("{:>10}  {:>14}  {:>18}\n", "elements", "ns per element", "elements per second");
  const double small = cost(chain_of_scripts(10));
  double large = 0;
  for (const std::size_t length : {10u, 100u, 1'000u, 10'000u}) {
    const double each = length == 10 ? small : cost(chain_of_scripts(length));
    if (length == 10'000) large = each;
    fmt::print("{:>10}  {:>14.0f}  {:>18.0f}\n", length, each, 1e9 / each);
  }
  const double ratio = large / small;
  const bool fast = 1e9 / large >= 300'000 && 1e9 / small >= 300'000;
  fmt::print("\ncost at 10,000 elements / cost at 10: {:.2f} (limit 1.30)\n", ratio);
  fmt::print("at least 300,000 element instances per second: {}\n", fast ? "yes" : "NO");
  return fast && ratio <= 1.3 ? 0 : 1;
}
