// SPDX-License-Identifier: Apache-2.0
// The gate: what it costs that everything which becomes part of the state is weighed, as a share of
// the turns that it guards, in memory. W1 is a start, a job and the end; the loop has 100,000
// iterations of a script with output. (Durable, W1 costs about five times as much, an iteration
// about three times.)
#include "engine/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/cost.hpp"
#include "engine/weight.hpp"
#include "model/process.hpp"

namespace {

using namespace pawl;
using Clock = std::chrono::steady_clock;

model::ProcessPtr process_with(model::ElementKind kind) {
  auto process = std::make_shared<model::Process>();
  process->id = "guarded";
  process->dialect = model::Dialect::zeebe;
  process->elements.resize(2);
  process->elements[0] = {.index = ElementIndex{0}, .kind = model::ElementKind::process, .id = "p"};
  process->elements[1] = {.index = ElementIndex{1}, .kind = kind, .id = "t"};
  process->elements[1].scope = ElementIndex{0};
  if (kind == model::ElementKind::script_task) {
    model::Element& task = process->elements[1];
    task.script.emplace();
    task.script->script = *model::Expression::of_feel("item + 1");
    task.script->result_variable = "r";
    task.loop.emplace();
    task.loop->collection = *model::Expression::of_feel("items");
    task.loop->item_variable = "item";
    task.loop->output_collection = "results";
    task.loop->output_element = *model::Expression::of_feel("r");
  }
  model::link(*process);
  return process;
}

// Takes turns until the instance rests; the events of all of them, if they are wanted.
void carry_out(engine::Instance& instance, engine::Command command, engine::World& world,
               engine::Events* events) {
  for (;;) {
    auto turn = engine::take_turn(instance, command, world);
    if (!turn) std::abort();
    world.next_key = turn->next_key;
    if (events) std::move(turn->events.begin(), turn->events.end(), std::back_inserter(*events));
    if (!turn->more) return;
    command = engine::Continue{};
  }
}

const Value order = object({{"order", "A-17"}, {"amount", 129}});
const Value answer = object({{"receipt", "R-17"}});

void run_w1(const model::ProcessPtr& process, engine::Events* events) {
  engine::Instance instance(process);
  engine::World world{.next_key = 2};
  carry_out(instance, engine::StartInstance{.instance = key_from(1), .variables = order}, world,
            events);
  const Key job = instance.slots[1].job->key;
  carry_out(instance, engine::CompleteJob{job, answer}, world, events);
  if (instance.ended != engine::Ended::completed) std::abort();
}

void run_loop(const model::ProcessPtr& process, const Value& items, engine::Events* events) {
  engine::Instance instance(process);
  engine::World world{.next_key = 2};
  carry_out(instance, engine::StartInstance{.instance = key_from(1), .variables = items}, world,
            events);
  if (instance.ended != engine::Ended::completed) std::abort();
}

// Nanoseconds: the best of several rounds, which is the least disturbed one.
template <class Act>
double nanos(std::size_t times, const Act& act) {
  double best = 1e18;
  for (int round = 0; round < 7; ++round) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < times; ++i) act();
    const std::chrono::duration<double, std::nano> spent = Clock::now() - start;
    best = std::min(best, spent.count() / static_cast<double>(times));
  }
  return best;
}

volatile std::size_t kept = 0;  // so that nothing is left out

// What is weighed while these events are made: each of them, and the values that enter.
double weighing(const engine::Events& events, const engine::Step& step,
                const std::vector<Value>& entering, std::size_t times) {
  return nanos(times, [&] {
    std::size_t bytes = 0;
    for (const engine::Event& event : events) bytes += engine::cost::bytes_in(event);
    engine::Gate gate(step, engine::Slot{0}, Whose::caller);
    for (const Value& value : entering) {
      const auto in =
          value.is_context() ? gate.admit_variables(value) : gate.admit({"variable", "r"}, value);
      bytes += in ? in->encoded_size() : 0;
    }
    kept = kept + bytes;
  });
}

constexpr double limit = 15;  // percent

bool show(const char* what, double whole, double gate) {
  const double share = 100 * gate / whole;
  fmt::print("{:<34} {:>12.0f} {:>10.0f} {:>8.1f} %  {}\n", what, whole, gate, share,
             share <= limit ? "" : "NO");
  return share <= limit;
}

}  // namespace

int main() {
  fmt::print("{:<34} {:>12} {:>10} {:>10}  (limit {} %)\n", "in memory, one thread", "ns",
             "gate ns", "share", limit);
  const auto job = process_with(model::ElementKind::service_task);
  const auto loop = process_with(model::ElementKind::script_task);
  engine::Instance open(job);  // somewhere to enter
  engine::World world{.next_key = 2};
  carry_out(open, engine::StartInstance{.instance = key_from(1), .variables = order}, world,
            nullptr);
  const engine::Step step(open, world);

  engine::Events of_w1;
  run_w1(job, &of_w1);
  const double w1 = nanos(50'000, [&] { run_w1(job, nullptr); });
  bool good = show("W1: start, job, end", w1, weighing(of_w1, step, {order, answer}, 50'000));

  constexpr std::size_t iterations = 100'000;
  const Value items = object({{"items", Value(List(iterations, Value(7)))}});
  constexpr std::size_t some = 100;  // as many as are in the caches when they are weighed
  engine::Events of_some;
  run_loop(loop, object({{"items", Value(List(some, Value(7)))}}), &of_some);
  // Each iteration lets in its item, its result and its output.
  const std::vector<Value> entering(3 * some, Value(8));
  const double each = nanos(1, [&] { run_loop(loop, items, nullptr); }) / iterations;
  good = show("an iteration of 100,000", each, weighing(of_some, step, entering, 1'000) / some) &&
         good;
  return good ? 0 : 1;
}
