// SPDX-License-Identifier: Apache-2.0
// The evaluator: walks a Tree under a budget. One Machine serves one evaluation; built-in functions
// get it for the budget, for reports of problems and to call functions that they were given.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

  // Budget: each ends the evaluation when it is used up.
  void charge(std::uint64_t steps) {
    if (steps > steps_left_) out_of_steps();
    steps_left_ -= steps;
  }
  void check_items(std::size_t count) const;
  // For a text of this size that is about to be made.
  void check_text(std::size_t bytes);
  // For a result: what is shared inside a value counts each time, as it will when it is written.
  void check_result(const Value& value);

  // Notes why a result is null, and returns that null.
  Value problem(Problem::Kind kind, std::string text);
  Value type_problem(std::string text) {
    return problem(Problem::Kind::invalid_type, std::move(text));
  }
  bool wants_problems() const { return environment_.problems != nullptr; }
  [[noreturn]] static void halt(Code code, std::string text);

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
      machine_.charge_level();
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
  [[noreturn]] static void too_deep();
  void charge_level();

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
  std::uint64_t steps_left_;
  std::size_t level_{0};
  std::size_t calls_{0};
  std::uint64_t random_state_;
  const Tree* tree_{nullptr};
  Value* slots_{nullptr};
  RegexCache regexes_;
};

}  // namespace pawl::feel
