// SPDX-License-Identifier: Apache-2.0
// FEEL, the expression language of DMN 1.5, with Camunda's additional functions. An expression is
// parsed once into an immutable tree and evaluated many times, from any thread. Evaluation has a
// budget of steps, memory and depth, and never throws. What the standard calls "null with a
// warning" gives null and a Problem in the list, if the caller wants one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "value/value.hpp"

namespace pawl::feel {

struct Tree;  // in feel/tree.hpp, for the parser and the evaluator only

class Expression {
 public:
  Expression() = default;
  explicit Expression(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}

  bool empty() const { return tree_ == nullptr; }
  const std::string& text() const;
  // Names that are looked up outside of the expression, each once, in order of appearance.
  const std::vector<std::string>& free_names() const;
  // The whole expression is one name or a path that starts with a name (`a`, `a.b.c`): that name.
  std::optional<std::string> root_name() const;
  const Tree& tree() const { return *tree_; }

 private:
  std::shared_ptr<const Tree> tree_;
};

struct ParseOptions {
  // Names with spaces or special characters that may occur ("monthly salary"). Names without
  // need not be listed.
  std::vector<std::string> names{};
};

// Error: bad_expression with line, column and what was expected.
Result<Expression> parse(std::string_view text, const ParseOptions& options = {});
// Unary tests, as in a decision table's cell: `> 5, "a"`, `-`, `not(1, 2)`. Evaluates to true or
// false (null on a type mismatch) with the input under the name `?`.
Result<Expression> parse_unary_tests(std::string_view text, const ParseOptions& options = {});

// Where names come from. The engine resolves them along the scopes, reading only what is needed.
class Names {
 public:
  virtual ~Names() = default;
  virtual std::optional<Value> find(std::string_view name) const = 0;
};

class NoNames final : public Names {
 public:
  std::optional<Value> find(std::string_view) const override { return std::nullopt; }
};

// The members of a context as names.
class ContextNames final : public Names {
 public:
  explicit ContextNames(Value context) : context_(std::move(context)) {}
  std::optional<Value> find(std::string_view name) const override;

 private:
  Value context_;
};

// Something that evaluated to null and why: `variable "x" not found`.
struct Problem {
  enum class Kind : std::uint8_t { no_variable, no_member, no_function, invalid_type, other };
  Kind kind{Kind::other};
  std::string text{};
};

struct Budget {
  std::uint64_t steps{limits::feel_steps};
  std::size_t depth{limits::feel_call_depth};
  std::size_t list_items{limits::feel_list_items};
  std::size_t string_bytes{limits::feel_string_bytes};
  std::size_t bytes{limits::feel_bytes};  // of all that it makes, and of its result
};

struct Environment {
  const Names* names{};
  Instant now{};          // for now() and today(); the evaluator never asks a clock
  std::uint64_t seed{0};  // for random number() and uuid(); the same seed gives the same values
  Budget budget{};
  std::vector<Problem>* problems{};  // filled when given
  std::uint64_t* spent{};            // the steps that it took are added when given
};

// A function that the host gives to expressions as a value. `environment` is the one of the
// evaluation that calls it.
class HostFunction : public Callable {
 public:
  virtual Result<Value> call(const std::vector<Value>& arguments,
                             const Environment& environment) const = 0;
};

// Error: evaluation_failed (assert(), a failing function of Camunda's), budget_exceeded.
Result<Value> evaluate(const Expression& expression, const Environment& environment);

// As above for unary tests; `input` is also what `?` stands for.
Result<Value> evaluate_unary(const Expression& expression, const Value& input,
                             const Environment& environment);

// Calls a function value, for example one that an expression has made.
Result<Value> call(const Value& function, const std::vector<Value>& arguments,
                   const Environment& environment);

}  // namespace pawl::feel
