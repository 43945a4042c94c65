// SPDX-License-Identifier: Apache-2.0
#include "feel/feel.hpp"

#include <new>
#include <stdexcept>

#include "feel/machine.hpp"
#include "feel/parser.hpp"
#include "feel/tree.hpp"

namespace pawl::feel {
namespace {

Error no_memory() {
  return fail(Whose::operators, Code::budget_exceeded,
              "there is not enough memory for this expression; try again later, or simplify it");
}

using ParseFunction = std::shared_ptr<Tree> (Parser::*)();

Result<Expression> parse_with(ParseFunction function, std::string_view text,
                              const ParseOptions& options) {
  try {
    PAWL_TRY(tokens, tokenize(text));
    Parser parser(text, options, std::move(tokens));
    return Expression((parser.*function)());
  } catch (const Refusal& refusal) {
    return refusal.error;
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::length_error&) {
    return no_memory();
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

namespace {

// Whatever becomes of it: what it has cost is told.
template <class Work>
Result<Value> with_machine(const Environment& environment, Work work) {
  Machine machine(environment);
  Result<Value> result = Value();
  try {
    result = work(machine);
  } catch (const Halt& halt) {
    result = halt.error;
  } catch (const std::bad_alloc&) {
    result = no_memory();
  } catch (const std::length_error&) {
    result = no_memory();
  }
  if (environment.spent) *environment.spent += machine.spent();
  return result;
}

}  // namespace

Result<Value> evaluate(const Expression& expression, const Environment& environment) {
  if (expression.empty()) return Value();
  return with_machine(environment,
                      [&](Machine& machine) { return machine.run(expression.tree()); });
}

Result<Value> evaluate_unary(const Expression& expression, const Value& input,
                             const Environment& environment) {
  if (expression.empty()) return Value();
  return with_machine(environment,
                      [&](Machine& machine) { return machine.run(expression.tree(), input); });
}

Result<Value> call(const Value& function, const std::vector<Value>& arguments,
                   const Environment& environment) {
  return with_machine(environment, [&](Machine& machine) {
    Value result = machine.call(function, Arguments{arguments, {}});
    machine.check_result(result);
    return result;
  });
}

}  // namespace pawl::feel
