// SPDX-License-Identifier: Apache-2.0
#include "feel/parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.hpp"

namespace pawl::feel {
namespace {

struct BinaryOperator {
  std::string_view symbol{};
  Op op{};
};

constexpr BinaryOperator comparisons[] = {
    {"=", Op::equal}, {"!=", Op::not_equal}, {"<=", Op::less_or_equal},
    {"<", Op::less},  {">", Op::greater},    {">=", Op::greater_or_equal},
};

}  // namespace

bool is_reserved(std::string_view word) {
  static constexpr std::string_view reserved[] = {
      "and",    "between",   "else",     "every", "false", "for", "function",
      "if",     "in",        "instance", "not",   "null",  "of",  "or",
      "return", "satisfies", "some",     "then",  "true",
  };
  return std::find(std::begin(reserved), std::end(reserved), word) != std::end(reserved);
}

Parser::Parser(std::string_view text, const ParseOptions& options, std::vector<Token> tokens)
    : source_(text),
      tokens_(std::move(tokens)),
      tree_(std::make_shared<Tree>()),
      given_names_(options.names) {
  tree_->text = std::string(text);
  work_ = tokens_.size();
  for (const auto& name : options.names) given_.add(name);
  std::sort(given_names_.begin(), given_names_.end());
}

Parser::Depth::Depth(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > limits::feel_parse_depth) {
    --parser_.depth_;
    parser_.refuse(fmt::format("the expression is nested deeper than {} levels; split it",
                               limits::feel_parse_depth));
  }
}

const Token& Parser::token(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

bool Parser::is_symbol(std::string_view text, std::size_t ahead) const {
  return token(ahead).kind == TokenKind::symbol && token(ahead).text == text;
}

bool Parser::is_word(std::string_view text, std::size_t ahead) const {
  return token(ahead).kind == TokenKind::name && token(ahead).text == text;
}

bool Parser::is_comparison() const {
  if (token().kind != TokenKind::symbol) return false;
  for (const auto& comparison : comparisons) {
    if (comparison.symbol == token().text) return true;
  }
  return false;
}

bool Parser::take_symbol(std::string_view text) {
  if (!is_symbol(text)) return false;
  ++at_;
  return true;
}

bool Parser::take_word(std::string_view text) {
  if (!is_word(text)) return false;
  ++at_;
  return true;
}

void Parser::expect_symbol(std::string_view text) {
  if (!take_symbol(text)) refuse_expected(fmt::format("\"{}\"", text));
}

void Parser::expect_word(std::string_view text) {
  if (!take_word(text)) refuse_expected(fmt::format("\"{}\"", text));
}

void Parser::refuse(std::string_view message) const {
  throw Refusal{syntax_error(source_, token().begin, message)};
}

void Parser::refuse_expected(std::string_view what) const {
  refuse(fmt::format("expected {}, found {}", what, found_text()));
}

std::string Parser::found_text() const {
  const Token& next = token();
  if (next.kind == TokenKind::end) return "the end of the expression";
  constexpr std::size_t longest = 40;
  std::string text(
      source_.substr(next.begin, std::min<std::size_t>(next.end - next.begin, longest)));
  return fmt::format("\"{}\"", text);
}

// Names inside of many functions and filters are looked for in each of them.
void Parser::check_work() const {
  if (work_ > limits::feel_parse_steps) refuse("the expression is too complicated; split it");
}

NodeIndex Parser::add(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if (op == Op::list || op == Op::context || op == Op::loop || op == Op::call ||
      op == Op::call_builtin) {
    tree_->builds_values = true;
  }
  tree_->nodes.push_back({op, a, b, c});
  return static_cast<NodeIndex>(tree_->nodes.size() - 1);
}

NodeIndex Parser::add_constant(Value value) {
  tree_->constants.push_back(std::move(value));
  return add(Op::constant, static_cast<std::uint32_t>(tree_->constants.size() - 1));
}

// A range of two literals is a literal itself: `x in [1..10]` makes nothing new.
NodeIndex Parser::add_range(NodeIndex low, NodeIndex high, std::uint32_t included) {
  const auto is_literal = [&](NodeIndex end) {
    return end != none && tree_->nodes[end].op == Op::constant &&
           tree_->constants[tree_->nodes[end].a].is_number();
  };
  if (!is_literal(low) || !is_literal(high)) return add(Op::range, low, high, included);
  return add_constant(
      Range{tree_->constants[tree_->nodes[low].a], tree_->constants[tree_->nodes[high].a],
            (included & low_end_included) != 0, (included & high_end_included) != 0});
}

NodeIndex Parser::add_list(Op op, const std::vector<NodeIndex>& items) {
  const auto first = static_cast<std::uint32_t>(tree_->children.size());
  tree_->children.insert(tree_->children.end(), items.begin(), items.end());
  return add(op, first, static_cast<std::uint32_t>(items.size()));
}

std::uint32_t Parser::intern(std::string_view name) {
  const auto found = interned_.find(name);
  if (found != interned_.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(tree_->names.size());
  tree_->names.emplace_back(name);
  interned_.emplace(name, index);
  return index;
}

void Parser::finish(NodeIndex root) {
  if (token().kind != TokenKind::end) refuse_expected("an operator or the end of the expression");
  tree_->root = root;
  tree_->slots = outermost_.slots();
}

std::shared_ptr<Tree> Parser::parse_expression() {
  finish(expression());
  return tree_;
}

NodeIndex Parser::expression() {
  const Depth depth(*this);
  return disjunction();
}

NodeIndex Parser::disjunction() {
  std::vector<NodeIndex> operands{conjunction()};
  while (take_word("or")) operands.push_back(conjunction());
  return operands.size() == 1 ? operands.front() : add_list(Op::disjunction, operands);
}

NodeIndex Parser::conjunction() {
  std::vector<NodeIndex> operands{comparison()};
  while (take_word("and")) operands.push_back(comparison());
  return operands.size() == 1 ? operands.front() : add_list(Op::conjunction, operands);
}

NodeIndex Parser::comparison() {
  NodeIndex left = none;
  if (is_comparison()) {
    left = mode_.implicit_input ? compare_with(input()) : unary_range();
  } else {
    left = sum();
  }
  for (;;) {
    if (is_comparison()) {
      left = compare_with(left);
    } else if (take_word("between")) {
      left = between(left);
    } else if (take_word("in")) {
      left = in(left);
    } else if (is_word("instance") && is_word("of", 1)) {
      at_ += 2;
      const std::uint32_t which = type();
      left = add(Op::instance_of, left, which);
    } else {
      return left;
    }
  }
}

NodeIndex Parser::compare_with(NodeIndex left) {
  Op op{};
  for (const auto& comparison : comparisons) {
    if (comparison.symbol == token().text) op = comparison.op;
  }
  ++at_;
  return add(op, left, sum());
}

NodeIndex Parser::between(NodeIndex left) {
  const NodeIndex low = sum();
  expect_word("and");
  const NodeIndex high = sum();
  return add(Op::between, left, low, high);
}

NodeIndex Parser::sum(NodeIndex first) {
  NodeIndex left = product(first);
  for (;;) {
    if (take_symbol("+")) {
      left = add(Op::add, left, product());
    } else if (take_symbol("-")) {
      left = add(Op::subtract, left, product());
    } else {
      return left;
    }
  }
}

NodeIndex Parser::product(NodeIndex first) {
  NodeIndex left = power(first);
  for (;;) {
    if (take_symbol("*")) {
      left = add(Op::multiply, left, power());
    } else if (take_symbol("/")) {
      left = add(Op::divide, left, power());
    } else {
      return left;
    }
  }
}

// From left to right, and after the minus sign: -5 ** 2 is 25 (DMN 1.5, 10.3.1.2).
NodeIndex Parser::power(NodeIndex first) {
  NodeIndex left = first != none ? first : negation();
  while (take_symbol("**") || take_symbol("^")) left = add(Op::power, left, negation());
  return left;
}

NodeIndex Parser::negation() {
  if (!take_symbol("-")) return postfix();
  const Depth depth(*this);
  const NodeIndex operand = negation();
  return add(Op::negate, operand);
}

}  // namespace pawl::feel
