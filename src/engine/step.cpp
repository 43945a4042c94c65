// SPDX-License-Identifier: Apache-2.0
#include "engine/step.hpp"

#include <fmt/format.h>

#include "engine/apply.hpp"
#include "engine/apply_migration.hpp"
#include "engine/cost.hpp"
#include "engine/gate.hpp"
#include "engine/scope_names.hpp"

namespace pawl::engine {

void Step::emit(Event event) {
  // A turn seldom has more; growing there step by step costs more than the rest of a short turn.
  constexpr std::size_t usual = 16;
  if (events_.capacity() == 0) events_.reserve(usual);
  const std::size_t bytes = cost::bytes_in(event);
  bytes_ += bytes;
  spent_ += cost::event + cost::byte * bytes + cost::join * process().most_joins;
  engine::apply(instance_, event);
  events_.push_back(std::move(event));
}

void Step::migrate(InstanceMigrated event, const model::ProcessPtr& process) {
  engine::migrate(instance_, event, process);
  definition_ = event.definition;
  events_.push_back(std::move(event));
}

std::uint64_t Step::seed_for(Slot scope) const {
  return (world_.seed + events_.size()) * 0x9E3779B97F4A7C15ull ^ number(state().at(scope).key);
}

Result<Called> Step::find_called(CallTarget target) const {
  target.caller = definition_;
  if (world_.callables) return world_.callables->find_called(target);
  return fail(Whose::operators, Code::call_failed,
              fmt::format("process \"{}\" cannot be called here", target.process));
}

namespace {

std::string joined(const std::vector<feel::Problem>& problems) {
  std::string text;
  for (const feel::Problem& problem : problems) text += "\n  note   " + problem.text;
  return text;
}

Error wrong_type(const model::Expression& expression, const Evaluated& got, std::string_view what,
                 std::string_view wanted) {
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("{} \"{}\" must give {}, but gave {} ({}){}", what, expression.text,
                          wanted, preview(got.value), kind_name(got.value.kind()), got.remarks));
}

}  // namespace

Result<void> Step::expect_budget() const {
  const bool scripts_fit = scripts_ - scripts_began_ < limits::scripts_per_step;
  if (spent_ - scripts_ - step_began_ < limits::cost_per_step && scripts_fit) return {};
  return fail(Whose::operators, Code::budget_exceeded,
              "the expressions and scripts of this element need too much work together; split it");
}

std::variant<script::Outcome, script::Failure> Step::run_script(const script::Program& program,
                                                                Slot scope,
                                                                const VisibleNames& names) {
  if (const auto left = expect_budget(); !left) return script::Failure{left.error(), {}};
  std::uint64_t took = 0;
  auto ran = script::run(
      program, {.variables = &names, .now = now(), .seed = seed_for(scope), .spent = &took});
  charge_script(took);
  return ran;
}

Result<Evaluated> Step::evaluate(const model::Expression& expression, Slot scope) {
  return evaluate(expression, scope, ScopeNames(state(), scope));
}

Result<Evaluated> Step::evaluate(const model::Expression& expression, Slot scope,
                                 const VisibleNames& names) {
  using Language = model::Expression::Language;
  switch (expression.language) {
    case Language::none:
      return Evaluated{};
    case Language::literal:
      return Evaluated{expression.literal, {}};
    case Language::feel: {
      PAWL_CHECK(expect_budget());
      std::vector<feel::Problem> problems;
      std::uint64_t steps = 0;
      const feel::Environment environment{.names = &names,
                                          .now = now(),
                                          .seed = seed_for(scope),
                                          .problems = &problems,
                                          .spent = &steps};
      auto value = feel::evaluate(expression.feel, environment);
      charge(steps * cost::feel_step);
      if (!value) return value.error();
      return Evaluated{std::move(*value), problems.empty() ? std::string() : joined(problems)};
    }
    case Language::javascript: {
      auto outcome = run_script(expression.javascript, scope, names);
      if (auto* failure = std::get_if<script::Failure>(&outcome)) return failure->error;
      return Evaluated{std::move(std::get<script::Outcome>(outcome).value), {}};
    }
  }
  return Evaluated{};
}

Result<bool> Step::truth(const model::Expression& expression, Slot scope) {
  return truth(expression, scope, ScopeNames(instance_, scope), "condition");
}

Result<bool> Step::truth(const model::Expression& expression, Slot scope, const VisibleNames& names,
                         std::string_view what) {
  PAWL_TRY(got, evaluate(expression, scope, names));
  if (!got.value.is_boolean()) return wrong_type(expression, got, what, "true or false");
  return got.value.as_boolean();
}

Result<std::string> Step::text(const model::Expression& expression, Slot scope,
                               std::string_view what) {
  PAWL_TRY(got, evaluate(expression, scope));
  if (!got.value.is_string() || got.value.as_string().empty()) {
    return wrong_type(expression, got, what, "a text that is not empty");
  }
  PAWL_CHECK(expect_short(got.value.as_string(), what, Whose::operators));
  return std::string(got.value.as_string());
}

Result<std::int64_t> Step::integer(const model::Expression& expression, Slot scope,
                                   std::string_view what) {
  PAWL_TRY(got, evaluate(expression, scope));
  Value number = got.value;
  if (number.is_string()) {  // "3" in a model without expression
    if (const auto parsed = Decimal::parse(number.as_string())) number = Value(*parsed);
  }
  if (!number.is_int()) return wrong_type(expression, got, what, "a whole number");
  return number.int_unchecked();
}

}  // namespace pawl::engine
