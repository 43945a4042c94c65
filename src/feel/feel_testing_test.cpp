// SPDX-License-Identifier: Apache-2.0
// What the tests of this module share; a part of the test program only.
#include <gtest/gtest.h>

#include "feel/batch.hpp"
#include "feel/feel_testing.hpp"
#include "feel/machine.hpp"
#include "feel/text.hpp"
#include "value/json.hpp"

namespace pawl::feel::testing {
namespace {

constexpr Instant fixed_now{Millis{1'700'000'000'000}};  // 2023-11-14T22:13:20Z

std::string shown(const Result<Value>& result) {
  if (!result) {
    const bool is_parse = result.error().code == Code::bad_expression;
    return (is_parse ? "parse error: " : "error: ") + result.error().text;
  }
  const Environment environment;
  Machine machine(environment);
  if (result->kind() == Value::Kind::range) return range_text(result->as_range());
  std::string text = text_of(machine, *result);
  return result->is_string() ? "\"" + text + "\"" : text;
}

Value variables_in(std::string_view json) {
  const auto parsed = parse_json_object(json);
  return parsed ? untagged(*parsed) : Value();
}

}  // namespace

std::string evaluated(std::string_view expression, std::string_view variables) {
  const Value context = variables_in(variables);
  const auto parsed = parse(expression, {names_in(context)});
  if (!parsed) return shown(parsed.error());
  const ContextNames names(context);
  Environment environment;
  environment.names = &names;
  environment.now = fixed_now;
  return shown(evaluate(*parsed, environment));
}

std::string tested(std::string_view tests, std::string_view input, std::string_view variables) {
  const Value context = variables_in(variables);
  const auto parsed = parse_unary_tests(tests, {names_in(context)});
  if (!parsed) return shown(parsed.error());
  const auto parsed_input = parse(input);
  if (!parsed_input) return shown(parsed_input.error());
  const ContextNames names(context);
  Environment environment;
  environment.names = &names;
  const auto value = evaluate(*parsed_input, environment);
  return value ? shown(evaluate_unary(*parsed, *value, environment)) : shown(value);
}

std::string problems_of(std::string_view expression) {
  const auto parsed = parse(expression);
  if (!parsed) return parsed.error().text;
  std::vector<Problem> problems;
  Environment environment;
  environment.problems = &problems;
  const auto value = evaluate(*parsed, environment);
  if (!value) return value.error().text;
  std::string joined;
  for (const auto& problem : problems) {
    if (!joined.empty()) joined += "; ";
    joined += problem.text;
  }
  return joined;
}

void expect_rows(const std::vector<Row>& rows, std::string_view variables) {
  for (const auto& row : rows) {
    EXPECT_EQ(evaluated(row.expression, variables), row.gives) << "  of  " << row.expression;
  }
}

}  // namespace pawl::feel::testing
