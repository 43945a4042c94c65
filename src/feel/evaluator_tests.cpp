// SPDX-License-Identifier: Apache-2.0
// Evaluates unary tests and `in`.
#include <fmt/format.h>

#include "feel/compare.hpp"
#include "feel/machine.hpp"

namespace pawl::feel {

Value Machine::eval_in(const Node& node) {
  slots_[node.c] = eval(node.a);
  const Node& tests = tree_->nodes[node.b];
  // `x in null` is a mistake of type, while a cell with null is a test for null.
  if (tests.b == 1) {
    const Node& only = tree_->nodes[tree_->children[tests.a]];
    if (only.c == 0) {
      const Value test = eval(only.a);
      if (test.is_null()) return type_problem("there is nothing to test against: null");
      return as_value(passes(*this, slots_[node.c], test));
    }
  }
  return eval_tests(tests);
}

Value Machine::eval_test(const Node& node) {
  const Value value = eval(node.a);
  const bool uses_input = node.c != 0;
  if (uses_input) {
    if (value.is_boolean()) return value;
    return type_problem("a test with \"?\" must give true or false");
  }
  const Value& input = slots_[node.b];
  // A condition that does not look at the input holds or not by itself.
  if (value.is_boolean() && !input.is_boolean()) return !input.is_null() && value.as_boolean();
  const auto truth = passes(*this, input, value);
  if (truth) return *truth;
  if (!wants_problems()) return nullptr;
  return type_problem(fmt::format("can't test {} against {}; the input is {}, the test {}",
                                  kind_name(input.kind()), kind_name(value.kind()),
                                  preview(input, 40), preview(value, 40)));
}

Value Machine::eval_tests(const Node& node) {
  bool unknown = false;
  for (std::uint32_t i = 0; i < node.b; ++i) {
    const Value result = eval(tree_->children[node.a + i]);
    if (result.is_boolean() && result.as_boolean()) return true;
    unknown = unknown || !result.is_boolean();
  }
  return unknown ? Value() : Value(false);
}

Value Machine::eval_negated_tests(const Node& node) {
  const Value result = eval(node.a);
  return result.is_boolean() ? Value(!result.as_boolean()) : Value();
}

}  // namespace pawl::feel
