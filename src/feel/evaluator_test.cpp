// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "feel/feel_testing.hpp"

namespace pawl::feel {
namespace {

using testing::evaluated;
using testing::expect_rows;
using testing::problems_of;
using testing::tested;

TEST(FeelArithmetic, is_exact_and_leaves_64_bits_without_loss) {
  expect_rows({{"0.1 + 0.2", "0.3"},
               {"9223372036854775807 + 1", "9223372036854775808"},
               {"-9223372036854775807 - 2", "-9223372036854775809"},
               {"4294967296 * 4294967296", "18446744073709551616"},
               {"7 / 2", "3.5"},
               {"1 / 0", "null"},
               {"\"a\" + \"b\"", "\"ab\""},
               {"\"a\" + 1", "null"},
               {"null + 1", "null"},
               {"-\"a\"", "null"}});
}

TEST(FeelArithmetic, moves_dates_by_durations) {
  expect_rows({{"@\"2024-01-31\" + @\"P1M\"", "2024-02-29"},
               {"@\"P1D\" + @\"2024-02-28\"", "2024-02-29"},
               {"@\"2024-03-01\" - @\"PT1H\"", "2024-02-29"},
               {"@\"2024-03-01T00:30:00Z\" - @\"PT1H\"", "2024-02-29T23:30:00Z"},
               {"@\"23:30:00\" + @\"PT1H\"", "00:30:00"},
               {"@\"2024-03-02\" - @\"2024-02-28\"", "P3D"},
               {"@\"12:00:00+02:00\" - @\"12:00:00Z\"", "-PT2H"},
               {"@\"P1Y\" * 1.5", "P1Y6M"},
               {"@\"P1D\" / 4", "PT6H"},
               {"@\"P1D\" / @\"PT6H\"", "4"},
               {"@\"P1Y\" + @\"P1D\"", "null"},
               {"-@\"PT5M\"", "-PT5M"},
               {"@\"2024-01-01\" + @\"2024-01-01\"", "null"},
               {"@\"2024-01-01T00:00:00\" - @\"2024-01-01T00:00:00Z\"", "null"}});
}

TEST(FeelComparison, is_null_across_types) {
  expect_rows({{"1 = 1.0", "true"},
               {"1 = \"1\"", "null"},
               {"1 = null", "false"},
               {"null = null", "true"},
               {"null != 1", "true"},
               {"1 < null", "null"},
               {"\"a\" < \"b\"", "true"},
               {"true < false", "null"},
               {"[1, [2]] = [1, [2]]", "true"},
               {"[1] = 1", "true"},
               {"{a: 1, b: 2} = {b: 2, a: 1}", "true"},
               {"{a: 1} = {a: \"1\"}", "false"},
               {"@\"2024-01-01T10:00:00+02:00\" = @\"2024-01-01T08:00:00Z\"", "true"},
               {"@\"10:00:00\" = @\"10:00:00Z\"", "false"},
               {"5 between 1 and 5", "true"},
               {"5 between 1 and null", "null"}});
}

TEST(FeelLogic, has_three_values) {
  expect_rows({{"true and null", "null"},
               {"false and null", "false"},
               {"null and 5", "null"},
               {"true or \"x\"", "true"},
               {"false or null", "null"},
               {"true and true and false", "false"},
               {"not(true)", "false"},
               {"not(null)", "null"},
               {"if null then 1 else 2", "2"},
               {"if \"true\" then 1 else 2", "2"}});
}

TEST(FeelIn, tests_against_values_ranges_and_lists) {
  expect_rows({{"3 in (1, 2, 3)", "true"},
               {"3 in (< 2, > 5)", "false"},
               {"3 in [1..3)", "false"},
               {"3 in [1, 2, 3]", "true"},
               {"3 in > 2", "true"},
               {"3 in (2 + 1)", "true"},
               {"3 in ([1, 2, 3])[item > 2]", "true"},
               {"3 in null", "null"},
               {"6 in [> 5, 1]", "true"},
               {"\"b\" in [\"a\"..\"c\"]", "true"},
               {"5 in ? * 2 > 9", "true"},
               {"1 in \"a\"", "null"}});
}

TEST(FeelLoops, walk_lists_and_ranges_both_ways) {
  expect_rows(
      {{"for x in [1, 2], y in [10, 20] return x + y", "[11, 21, 12, 22]"},
       {"for i in 3..1 return i", "[3, 2, 1]"},
       {"for i in (1..4) return i", "[2, 3]"},
       {"for i in (1..2) return i", "[]"},
       {"for d in @\"2024-02-28\"..@\"2024-03-01\" return d.day", "[28, 29, 1]"},
       {"for i in 1..5 return if i < 3 then 1 else partial[-1] + partial[-2]", "[1, 1, 2, 3, 5]"},
       {"for x in 5 return x", "null"},
       {"for x in null return x", "null"},
       {"for x in [[1, 2], [3]], y in x return y", "[1, 2, 3]"},
       {"some x in [1, 2] satisfies x > 1", "true"},
       {"some x in [] satisfies true", "false"},
       {"every x in [] satisfies false", "true"},
       {"every x in [1, null] satisfies x > 0", "null"},
       {"every x in 1..3, y in 4..5 satisfies x < y", "true"}});
}

TEST(FeelFilters, select_by_position_or_condition) {
  expect_rows({{"[4, 5, 6][2]", "5"},
               {"[4, 5, 6][-1]", "6"},
               {"[4, 5, 6][0]", "null"},
               {"[4, 5, 6][7]", "null"},
               {"[4, 5, 6][item > 4]", "[5, 6]"},
               {"[{a: 1}, {a: 2, b: 3}][a > 1].b", "[3]"},
               {"[{a: 1}, {b: 3}][item.b = 3]", "[{b: 3}]"},
               {"[{item: 1}, {item: 2}][item = 2]", "[{item: 2}]"},
               {"7[1]", "7"},
               {"7[false]", "[]"},
               {"null[1]", "null"},
               {"[1, 2, 3][[2..5]]", "[2, 3]"},
               {"[1, 2][{a: 1}]", "null"},
               {"for k in [1, 2] return [1, 2, 3][item > k]", "[[2, 3], [3]]"},
               {"[{x: [1, 2]}, {x: [3]}][count(x[item > 1]) > 0].x", "[[1, 2], [3]]"}});
}

TEST(FeelPaths, reach_into_contexts_lists_and_temporals) {
  expect_rows({{"{a: {b: 1}}.a.b", "1"},
               {"[{a: 1}, {b: 2}].a", "[1, null]"},
               {"{a: 1}.b", "null"},
               {"null.a", "null"},
               {"@\"2024-02-29\".weekday", "4"},
               {"@\"2024-02-29T10:11:12.5Z\".second", "12.5"},
               {"@\"10:00:00+02:00\".time offset", "PT2H"},
               {"@\"2024-02-29T10:00:00@Europe/Berlin\".timezone", "\"Europe/Berlin\""},
               {"@\"P1DT2H3M4S\".minutes", "3"},
               {"@\"P1Y2M\".months", "2"},
               {"@\"P1Y2M\".days", "null"},
               {"[1..5).end included", "false"},
               {"(> 5).end", "null"},
               {"[1..5].start", "1"}});
}

TEST(FeelContexts, see_their_earlier_entries) {
  expect_rows({{"{a: 1, b: a + 1, c: {d: b * 2}}", "{a: 1, b: 2, c: {d: 4}}"},
               {"{a: 1, a: 2}", "null"},
               {"{\"a b\": 1}.`a b`", "1"},
               {"{}", "{}"},
               {"{a: b, b: 1}.a", "null"}});
}

TEST(FeelFunctions, close_over_what_they_see) {
  expect_rows(
      {{"(function(x) x * 2)(4)", "8"},
       {"{f: function(x, y) x - y, r: f(y: 1, x: 3)}.r", "2"},
       {"{n: 10, f: function(x) x + n, r: f(1)}.r", "11"},
       {"{f: function(n) if n <= 1 then 1 else n * f(n - 1), r: f(20)}.r", "2432902008176640000"},
       {"{add: function(a) function(b) a + b, r: add(2)(3)}.r", "5"},
       {"(for k in [1, 2] return function(x) x * k)[2](10)", "20"},
       {"[1, 2, 3][(function(x) x > item - 1)(1)]", "[1]"},
       {"(function(x: number) x)(\"a\")", "null"},
       {"(function(x: list<number>) x)(1)", "[1]"},
       {"(function(x) x)()", "null"},
       {"(function(x) x)(y: 1)", "null"},
       {"no_such_function(1)", "null"},
       {"{f: abs, r: f(-2)}.r", "2"},
       {"\"text\"(1)", "null"},
       {"string(function(a) a)", "\"<function>\""}});
}

TEST(FeelTypes, are_told_by_instance_of) {
  expect_rows({{"1 instance of number", "true"},
               {"null instance of number", "false"},
               {"null instance of Null", "true"},
               {"\"a\" instance of Any", "true"},
               {"@\"P1D\" instance of days and time duration", "true"},
               {"@\"P1D\" instance of years and months duration", "false"},
               {"[1, 2] instance of list<number>", "true"},
               {"[1, \"a\"] instance of list<number>", "false"},
               {"{a: 1, b: 2} instance of context<a: number>", "true"},
               {"{b: 2} instance of context<a: number>", "false"},
               {"[1..2] instance of range<number>", "true"},
               {"[1..2] instance of range<string>", "false"},
               {"(function(a: number) a) instance of function<number>->number", "true"},
               {"(function(a: number) a) instance of function<string>->number", "false"},
               {"(function(a) a) instance of function<number, number>->number", "false"},
               {"@\"2024-01-01T00:00:00\" instance of date and time", "true"}});
}

TEST(FeelUnaryTests, compare_the_input) {
  struct Case {
    const char* tests;
    const char* input;
    const char* gives;
  };
  const Case rows[] = {
      {"-", "null", "true"},
      {"> 5", "6", "true"},
      {"> 5", "\"a\"", "null"},
      {"5, 6", "6", "true"},
      {"not(5, 6)", "6", "false"},
      {"not(5, 6)", "7", "true"},
      {"[1..3], 9", "2", "true"},
      {"\"a\", \"b\"", "\"c\"", "false"},
      {"? > 3 and ? < 9", "5", "true"},
      {"null", "null", "true"},
      {"[1, 2]", "2", "true"},
      {"even(?)", "3", "false"},
      {"1 = 1", "7", "true"},
      {"? * 2", "7", "null"},
      {"> 3 and < 9", "5", "true"},
      {"not(null)", "1", "true"},
      {"-5", "-5", "true"},
      {"-1, -5", "-5", "true"},
      {"not(?)", "true", "false"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(tested(row.tests, row.input), row.gives) << row.tests << " of " << row.input;
  }
}

TEST(FeelProblems, say_why_a_value_is_null) {
  const std::pair<const char*, const char*> rows[] = {
      {"x + 1",
       "variable \"x\" not found; can't add null and number; the left side is null, the "
       "right side 1"},
      {"{a: 1}.b", "no member \"b\" in {\"a\":1}"},
      {"nope(1)", "variable \"nope\" not found; can't call null: it is no function"},
      {"upper case(1)", "function \"upper case\": \"string\" must be a string, not 1"},
      {"count()", "function \"count\": the argument \"list\" is missing"},
      {"count(lst: [])", "function \"count\": there is no parameter \"lst\""},
      {"1 / 0", "can't divide by zero"},
      {"1 < \"a\"", "can't compare number and string; the left side is 1, the right side \"a\""},
  };
  for (const auto& [expression, problem] : rows) EXPECT_EQ(problems_of(expression), problem);
}

TEST(FeelErrors, are_real_where_camunda_fails) {
  EXPECT_EQ(evaluated("assert(1, 1 > 2)"), "error: assertion failed: the condition is not true");
  EXPECT_EQ(evaluated("assert(1, false, \"too small\")"), "error: assertion failed: too small");
  EXPECT_EQ(evaluated("? > 1"), "error: the input \"?\" is not available outside of a unary test");
}

}  // namespace
}  // namespace pawl::feel
