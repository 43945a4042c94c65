// SPDX-License-Identifier: Apache-2.0
#include "feel/feel.hpp"

#include "feel/machine.hpp"
#include "feel/parser.hpp"
#include "feel/tree.hpp"

namespace pawl::feel {
namespace {

using ParseFunction = std::shared_ptr<Tree> (Parser::*)();

Result<Expression> parse_with(ParseFunction function, std::string_view text,
                              const ParseOptions& options) {
  PAWL_TRY(tokens, tokenize(text));
  try {
    Parser parser(text, options, std::move(tokens));
    return Expression((parser.*function)());
  } catch (const Refusal& refusal) {
    return refusal.error;
  }
}

}  // namespace

const std::string& Expression::text() const {
  static const std::string no_text;
  return tree_ ? tree_->text : no_text;
}

const std::vector<std::string>& Expression::free_names() const {
  static const std::vector<std::string> no_names;
  return tree_ ? tree_->free_names : no_names;
}

std::optional<std::string> Expression::root_name() const {
  if (!tree_ || tree_->is_unary) return std::nullopt;
  NodeIndex at = tree_->root;
  while (tree_->nodes[at].op == Op::path) at = tree_->nodes[at].a;
  if (tree_->nodes[at].op != Op::free_name) return std::nullopt;
  return tree_->names[tree_->nodes[at].a];
}

std::optional<Value> ContextNames::find(std::string_view name) const {
  const Value* found = context_.find(name);
  if (found == nullptr) return std::nullopt;
  return *found;
}

Result<Expression> parse(std::string_view text, const ParseOptions& options) {
  return parse_with(&Parser::parse_expression, text, options);
}

Result<Expression> parse_unary_tests(std::string_view text, const ParseOptions& options) {
  return parse_with(&Parser::parse_unary, text, options);
}

Result<Value> evaluate(const Expression& expression, const Environment& environment) {
  if (expression.empty()) return Value();
  try {
    Machine machine(environment);
    return machine.run(expression.tree());
  } catch (const Halt& halt) {
    return halt.error;
  }
}

Result<Value> evaluate_unary(const Expression& expression, const Value& input,
                             const Environment& environment) {
  if (expression.empty()) return Value();
  try {
    Machine machine(environment);
    return machine.run(expression.tree(), input);
  } catch (const Halt& halt) {
    return halt.error;
  }
}

Result<Value> call(const Value& function, const std::vector<Value>& arguments,
                   const Environment& environment) {
  try {
    Machine machine(environment);
    return machine.call(function, Arguments{arguments, {}});
  } catch (const Halt& halt) {
    return halt.error;
  }
}

}  // namespace pawl::feel
