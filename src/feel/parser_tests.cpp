// SPDX-License-Identifier: Apache-2.0
// Unary tests: the cells of decision tables, and the right side of `in`.
#include <utility>

#include "feel/parser.hpp"

namespace pawl::feel {
namespace {

constexpr std::string_view input_name = "?";

}  // namespace

NodeIndex Parser::input() { return reference(std::string(input_name)); }

// A test that uses the input says itself whether it holds; any other value is compared with it.
NodeIndex Parser::unary_test(std::uint32_t slot) {
  const bool outside = std::exchange(saw_input_, false);
  const NodeIndex value = expression();
  return add_test(value, slot, outside);
}

NodeIndex Parser::tests_until(std::string_view closing, std::uint32_t slot) {
  std::vector<NodeIndex> items;
  do {
    items.push_back(unary_test(slot));
  } while (take_symbol(","));
  if (!closing.empty()) expect_symbol(closing);
  return add_list(Op::tests, items);
}

std::shared_ptr<Tree> Parser::parse_unary() {
  tree_->is_unary = true;
  activation().open();
  const std::uint32_t slot = activation().new_slot();
  activation().bind(std::string(input_name), slot);
  mode_.implicit_input = true;

  if (is_symbol("-") && token(1).kind == TokenKind::end) {
    ++at_;
    finish(add(Op::any_input));
    return tree_;
  }
  if (is_word("not") && is_symbol("(", 1)) {
    // `not(x) and y` is an expression; `not(x, y)` alone negates tests.
    const std::size_t begin = at_;
    at_ += 2;
    const NodeIndex negated = add(Op::negated_tests, tests_until(")", slot));
    if (token().kind == TokenKind::end) {
      finish(negated);
      return tree_;
    }
    at_ = begin;
  }
  finish(tests_until({}, slot));
  return tree_;
}

// `> 5` where no input is in sight: the range of all values that are greater.
NodeIndex Parser::unary_range() {
  const std::string_view op = token().text;
  if (op == "!=") refuse("\"!=\" needs a value on its left side");
  ++at_;
  const NodeIndex bound = sum();
  if (op == "=") return add_range(bound, bound, low_end_included | high_end_included);
  if (op == "<") return add(Op::range, none, bound, 0);
  if (op == "<=") return add(Op::range, none, bound, high_end_included);
  return add(Op::range, bound, none, op == ">=" ? low_end_included : 0);
}

NodeIndex Parser::add_test(NodeIndex value, std::uint32_t slot, bool used_outside) {
  const bool uses_input = saw_input_;
  saw_input_ = used_outside;
  return add(Op::test, value, slot, uses_input ? 1 : 0);
}

NodeIndex Parser::in_test(std::uint32_t slot) {
  const bool outside = std::exchange(saw_input_, false);
  NodeIndex value = none;
  if (is_comparison()) {
    value = compare_with(input());
  } else {
    value = sum();
    // `5 in ? < 3` tests an expression of the input.
    if (saw_input_ && is_comparison()) value = compare_with(value);
  }
  return add_test(value, slot, outside);
}

// `(1, > 5)` after `in`. A single value may turn out to be the begin of a range or of a longer
// expression: `in (1..5)`, `in (a).b`. It is continued, not parsed again, so that nested ones
// cost nothing more.
std::vector<NodeIndex> Parser::tests_in_parentheses(std::uint32_t slot) {
  std::vector<NodeIndex> tests;
  expect_symbol("(");
  const bool outside = std::exchange(saw_input_, false);
  const bool compares = is_comparison();
  NodeIndex value = none;
  {
    const Inside inside(*this, {});
    value = compares ? compare_with(input()) : expression();
    if (!is_symbol("..")) {
      while (take_symbol(",")) {
        tests.push_back(add_test(value, slot, false));
        value = is_comparison() ? compare_with(input()) : expression();
      }
      expect_symbol(")");
    } else {
      value = range(value, false);
    }
  }
  if (tests.empty() && !compares) value = sum(postfix(value));
  tests.push_back(add_test(value, slot, outside));
  return tests;
}

NodeIndex Parser::in(NodeIndex left) {
  activation().open();
  const std::uint32_t slot = activation().new_slot();
  activation().bind(std::string(input_name), slot);
  const auto tests =
      is_symbol("(") ? tests_in_parentheses(slot) : std::vector<NodeIndex>{in_test(slot)};
  activation().close();
  return add(Op::in, left, add_list(Op::tests, tests), slot);
}

}  // namespace pawl::feel
