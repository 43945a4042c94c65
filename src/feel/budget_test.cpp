// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "feel/feel_testing.hpp"

namespace pawl::feel {
namespace {

using testing::evaluated;

Code code_of(std::string_view text, const Budget& budget = {}) {
  const auto parsed = parse(text);
  if (!parsed) return parsed.error().code;
  Environment environment;
  environment.budget = budget;
  const auto value = evaluate(*parsed, environment);
  return value ? Code{} : value.error().code;
}

TEST(FeelBudget, ends_what_would_take_too_long_or_too_much) {
  const char* const rows[] = {
      "for i in 1..100000000 return i",
      "for i in 1..100000, j in 1..100000 return 1",
      "every i in 1..9000000000 satisfies i > 0",
      "{f: function(n) f(n + 1), r: f(1)}.r",
      "{f: function(n) f(n) + f(n), r: f(1)}.r",
      "for i in 1..100000 return partial",
      "for i in 1..60 return if i = 1 then \"ab\" else partial[-1] + partial[-1]",
      "count(for i in 1..60 return if i = 1 then [1] else concatenate(partial[-1], partial[-1]))",
      "string(for i in 1..60 return if i = 1 then [1] else [partial[-1], partial[-1]])",
      "for i in 1..60 return if i = 1 then [1] else [partial[-1], partial[-1]]",
      "{a: for i in 1..60 return if i = 1 then [1] else [partial[-1], partial[-1]], b: a = a}.b",
      "for i in 1..3000000 return i",
  };
  for (const auto* text : rows) EXPECT_EQ(code_of(text), Code::budget_exceeded) << text;
}

TEST(FeelBudget, leaves_room_for_large_lists) {
  EXPECT_EQ(evaluated("count(for i in 1..1000000 return i)"), "1000000");
  EXPECT_EQ(evaluated("sum(for i in 1..1000 return i)"), "500500");
}

TEST(FeelBudget, is_what_the_caller_says) {
  EXPECT_EQ(code_of("for i in 1..11 return i", {.list_items = 10}), Code::budget_exceeded);
  EXPECT_EQ(code_of("for i in 1..10 return i", {.list_items = 10}), Code{});
  EXPECT_EQ(code_of("\"abc\" + \"def\"", {.string_bytes = 5}), Code::budget_exceeded);
  EXPECT_EQ(code_of("1 + 1 + 1", {.steps = 1}), Code::budget_exceeded);
  EXPECT_EQ(code_of("{f: function(n) if n = 0 then 0 else f(n - 1), r: f(5)}.r", {.depth = 4}),
            Code::budget_exceeded);
}

TEST(FeelDeterminism, gives_the_same_chance_for_the_same_seed) {
  const auto parsed = parse("[uuid(), uuid(), random number()]");
  ASSERT_TRUE(parsed);
  Environment environment;
  environment.seed = 7;
  const auto first = evaluate(*parsed, environment);
  const auto again = evaluate(*parsed, environment);
  environment.seed = 8;
  const auto other = evaluate(*parsed, environment);
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(*first, *again);
  EXPECT_FALSE(*first == *other);
  EXPECT_EQ(first->as_list()[0].as_string().size(), 36u);
  EXPECT_EQ(first->as_list()[0].as_string()[14], '4');
  EXPECT_FALSE(first->as_list()[0] == first->as_list()[1]);
}

}  // namespace
}  // namespace pawl::feel
