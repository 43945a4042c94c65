// SPDX-License-Identifier: Apache-2.0
// The evaluator: walks a Tree under a budget. One Machine serves one evaluation; built-in functions
// get it for the budget, for reports of problems and to call functions that they were given.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "feel/cost.hpp"
#include "feel/feel.hpp"
#include "feel/regex.hpp"
#include "feel/tree.hpp"

namespace pawl::feel {

// Thrown and caught inside of the module only, when an evaluation has to end: the budget is used
// up, or assert() failed.
struct Halt {
  Error error{};
};

// The arguments of a call; `names` is empty or has one name for each.
struct Arguments {
  std::vector<Value> values{};
  std::vector<std::string_view> names{};
};

class Machine {
 public:
  explicit Machine(const Environment& environment);

  Value run(const Tree& tree);
  Value run(const Tree& tree, const Value& input);

  // Budget: each ends the evaluation when it is used up. Work is charged before it is done, or,
  // where only the work shows how much it was, after a piece of it that is bounded.
  void charge(std::uint64_t steps) { charge(steps, cost::step); }
  // `amount` bytes or items, each for so many parts of a step (feel/cost.hpp).
  void charge(std::uint64_t amount, std::uint64_t parts) {
    if (amount > parts_left_ / parts) out_of_steps();
    parts_left_ -= amount * parts;
  }
  std::uint64_t parts_left() const { return parts_left_; }
  std::uint64_t spent() const { return (parts_ - parts_left_ + cost::step - 1) / cost::step; }
  // Memory that is about to be used. What is given back during the evaluation still counts.
  void take(std::size_t bytes) {
    if (bytes > bytes_left_) out_of_memory();
    bytes_left_ -= bytes;
    charge(bytes, cost::made);
  }
  // Slots for the variables of an activation.
  void take_slots(std::size_t count) {
    take(count * cost::value_bytes);
    charge(count, cost::item);
  }
  // For a text of this size that is about to be made, of bytes that are copied.
  void check_text(std::size_t bytes);
  // For a list of this many items that is about to be made, of items that are copied.
  void check_items(std::size_t count);
  // For a result: what is shared inside a value counts each time, as it will when it is written.
  void check_result(const Value& value) const;

  // A piece of a text as a value of its own.
  Value text(std::string_view content);
  // The next item of a list, or entry of a context, that is being made.
  void append(List& items, Value item);
  void append(std::vector<Entry>& entries, std::string_view key, Value value);
  Value context_of(std::vector<Entry> entries);
  // Member of a context; nullptr as Value::find.
  const Value* find(const Value& context, std::string_view key);

  // Notes why a result is null, and returns that null.
  Value problem(Problem::Kind kind, std::string_view text);
  Value type_problem(std::string_view text) { return problem(Problem::Kind::invalid_type, text); }
  // False also when there are enough of them: then the texts need not be made.
  bool wants_problems() const {
    return environment_.problems != nullptr &&
           environment_.problems->size() < limits::feel_problems;
  }
  [[noreturn]] static void halt(Code code, std::string_view text);

  // `function` may be any value; what is no function gives null.
  Value call(const Value& function, Arguments arguments);

  const Environment& environment() const { return environment_; }
  RegexCache& regexes() { return regexes_; }
  std::uint64_t random();

  // One level deeper in the tree or in a value, for as long as it lives.
  class Level {
   public:
    explicit Level(Machine& machine) : machine_(machine) {
      if (++machine_.level_ > limits::feel_eval_depth) {
        --machine_.level_;
        too_deep();
      }
      machine_.charge(1);
    }
    ~Level() { --machine_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Machine& machine_;
  };

 private:
  friend class Level;
  struct Domain;

  [[noreturn]] static void out_of_steps();
  [[noreturn]] void out_of_memory() const;
  [[noreturn]] static void too_deep();

  // evaluator.cpp
  Value eval(NodeIndex index);
  Value eval_deeper(const Node& node);
  Value eval_operator(const Node& node);
  Value eval_and(const Node& node);
  Value eval_or(const Node& node);
  Value eval_between(const Node& node);
  Value eval_comparison(const Node& node);
  Value eval_list(const Node& node);
  Value eval_context(const Node& node);
  Value eval_range(const Node& node);
  Value eval_function(const Node& node);
  Value free_name(const std::string& name);
  Value builtin_function(std::uint32_t group);
  Value member_name(const Node& node);
  Value in_activation(const Tree& tree, std::size_t slots, NodeIndex body, Value* filled);

  // evaluator_tests.cpp
  Value eval_in(const Node& node);
  Value eval_test(const Node& node);
  Value eval_tests(const Node& node);
  Value eval_negated_tests(const Node& node);

  // evaluator_loops.cpp
  Value eval_for(const Node& node);
  Value eval_quantified(const Node& node);
  bool domain(const Iterator& iterator, Domain& domain);
  bool domain_of_range(const Value& from, const Value& to, Domain& domain);
  template <class Visit>
  bool iterate(const Loop& loop, std::size_t level, Visit& visit);
  Value eval_filter(const Node& node);
  Value filter_items(const Node& node, const List& items, Value first);

  // evaluator_calls.cpp
  Arguments eval_arguments(const Node& node);
  Value eval_call(const Node& node);
  Value call_closure(const std::shared_ptr<const Callable>& function, Arguments& arguments);
  bool bind_parameters(const Function& function, Arguments& arguments, std::vector<Value>& slots);

  const Environment& environment_;
  std::uint64_t parts_;  // of steps, in the budget
  std::uint64_t parts_left_;
  std::size_t bytes_left_;
  std::size_t level_{0};
  std::size_t calls_{0};
  std::uint64_t random_state_;
  const Tree* tree_{nullptr};
  Value* slots_{nullptr};
  RegexCache regexes_;
};

}  // namespace pawl::feel
