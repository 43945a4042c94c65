// SPDX-License-Identifier: Apache-2.0
// Budget, problems and the entry points of the evaluator.
#include "feel/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace pawl::feel {
namespace {

// Any number of steps, as parts.
std::uint64_t in_parts(std::uint64_t steps) {
  constexpr std::uint64_t most = ~std::uint64_t{0} / cost::step;
  return std::min(steps, most) * cost::step;
}

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

}  // namespace

Machine::Machine(const Environment& environment)
    : environment_(environment),
      parts_(in_parts(environment.budget.steps)),
      parts_left_(parts_),
      bytes_left_(environment.budget.bytes),
      random_state_(environment.seed) {}

void Machine::halt(Code code, std::string_view text) {
  throw Halt{fail(Whose::operators, code, cut_text(text, limits::message_bytes))};
}

void Machine::out_of_steps() {
  halt(Code::budget_exceeded,
       "the expression needs too many steps; use smaller lists and texts, or split the work");
}

void Machine::out_of_memory() const {
  halt(Code::budget_exceeded,
       fmt::format("the expression needs more than {} bytes of memory for what it makes; use "
                   "smaller lists and texts, or split the work",
                   environment_.budget.bytes));
}

void Machine::too_deep() {
  halt(Code::budget_exceeded, "the expression is evaluated too deeply nested; simplify it");
}

void Machine::check_items(std::size_t count) {
  if (count > environment_.budget.list_items) {
    halt(Code::budget_exceeded, fmt::format("a list gets more than {} items; use a smaller one",
                                            environment_.budget.list_items));
  }
  take(cost::node_bytes + count * cost::value_bytes);
  charge(count, cost::item);
}

void Machine::check_text(std::size_t bytes) {
  if (bytes > environment_.budget.string_bytes) {
    halt(Code::budget_exceeded, fmt::format("a text gets longer than {} bytes; use a shorter one",
                                            environment_.budget.string_bytes));
  }
  take(cost::node_bytes + bytes);
}

void Machine::check_result(const Value& value) const {
  if (value.encoded_size() <= environment_.budget.bytes) return;
  halt(Code::budget_exceeded,
       fmt::format("the result has more than {} bytes; use smaller lists and texts",
                   environment_.budget.bytes));
}

Value Machine::text(std::string_view content) {
  check_text(content.size());
  return content;
}

// Its memory counts twice: the list grows by doubling.
void Machine::append(List& items, Value item) {
  if (items.size() >= environment_.budget.list_items) check_items(items.size() + 1);
  take(2 * cost::value_bytes);
  items.push_back(std::move(item));
}

void Machine::append(std::vector<Entry>& entries, std::string_view key, Value value) {
  if (entries.size() >= environment_.budget.list_items) check_items(entries.size() + 1);
  take(2 * cost::entry_bytes + (key.size() > cost::short_key ? key.size() : 0));
  entries.push_back({std::string(key), std::move(value)});
}

// Keys are sorted to find those that are there twice. In the worst case they all begin alike.
Value Machine::context_of(std::vector<Entry> entries) {
  std::size_t key_bytes = 0;
  for (const auto& entry : entries) key_bytes += entry.key.size();
  const std::uint64_t rounds = cost::bits(entries.size());
  charge(entries.size() * (4 + rounds), cost::item / 2);
  charge(key_bytes * rounds, cost::compared);
  return Value::context(std::move(entries));
}

const Value* Machine::find(const Value& context, std::string_view key) {
  if (!context.is_context()) return nullptr;
  const std::uint64_t rounds = cost::bits(context.entries().size());
  charge(rounds, cost::item);
  charge(key.size() * rounds, cost::compared);
  return context.find(key);
}

Value Machine::problem(Problem::Kind kind, std::string_view text) {
  if (wants_problems()) {
    environment_.problems->push_back({kind, cut_text(text, limits::message_bytes)});
  }
  return nullptr;
}

std::uint64_t Machine::random() { return next_random(random_state_); }

Value Machine::run(const Tree& tree) {
  Value result = in_activation(tree, tree.slots, tree.root, nullptr);
  if (tree.builds_values) check_result(result);
  return result;
}

Value Machine::run(const Tree& tree, const Value& input) {
  take_slots(tree.slots);
  std::vector<Value> slots(tree.slots);
  if (!slots.empty()) slots[0] = input;
  return in_activation(tree, tree.slots, tree.root, slots.data());
}

}  // namespace pawl::feel
