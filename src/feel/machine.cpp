// SPDX-License-Identifier: Apache-2.0
// Budget, problems and the entry points of the evaluator.
#include "feel/machine.hpp"

#include <fmt/format.h>

namespace pawl::feel {
namespace {

constexpr std::size_t bytes_copied_per_step = 64;

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

// False when there are more than `left` values in it.
bool count_values(const Value& value, std::size_t& left) {
  if (left == 0) return false;
  --left;
  if (value.is_list()) {
    for (const auto& item : value.as_list()) {
      if (!count_values(item, left)) return false;
    }
  } else if (value.is_context()) {
    for (const auto& entry : value.entries()) {
      if (!count_values(entry.value, left)) return false;
    }
  }
  return true;
}

}  // namespace

Machine::Machine(const Environment& environment)
    : environment_(environment),
      steps_left_(environment.budget.steps),
      random_state_(environment.seed) {}

void Machine::halt(Code code, std::string text) {
  throw Halt{fail(Whose::operators, code, std::move(text))};
}

void Machine::out_of_steps() {
  halt(Code::budget_exceeded,
       "the expression needs too many steps; use smaller lists or split the work");
}

void Machine::too_deep() {
  halt(Code::budget_exceeded, "the expression is evaluated too deeply nested; simplify it");
}

void Machine::charge_level() { charge(1); }

void Machine::check_items(std::size_t count) const {
  if (count <= environment_.budget.list_items) return;
  halt(Code::budget_exceeded, fmt::format("a list gets more than {} items; use a smaller one",
                                          environment_.budget.list_items));
}

void Machine::check_text(std::size_t bytes) {
  if (bytes > environment_.budget.string_bytes) {
    halt(Code::budget_exceeded, fmt::format("a text gets longer than {} bytes; use a shorter one",
                                            environment_.budget.string_bytes));
  }
  charge(bytes / bytes_copied_per_step);
}

void Machine::check_result(const Value& value) {
  std::size_t left = environment_.budget.list_items * 2;
  if (count_values(value, left)) return;
  halt(Code::budget_exceeded, "the result has too many values; use smaller lists");
}

Value Machine::problem(Problem::Kind kind, std::string text) {
  auto* problems = environment_.problems;
  if (problems != nullptr && problems->size() < limits::feel_problems) {
    problems->push_back({kind, std::move(text)});
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
  std::vector<Value> slots(tree.slots);
  if (!slots.empty()) slots[0] = input;
  return in_activation(tree, tree.slots, tree.root, slots.data());
}

}  // namespace pawl::feel
