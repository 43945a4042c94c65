// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "feel/feel_testing.hpp"

namespace pawl::feel {
namespace {

using testing::evaluated;
using testing::expect_rows;

std::string parse_error(std::string_view text) {
  const auto parsed = parse(text);
  return parsed ? "no error" : parsed.error().text;
}

TEST(FeelParser, says_where_an_error_is_and_what_was_expected) {
  const std::pair<const char*, const char*> rows[] = {
      {"1 +", "line 1, column 4: expected an expression, found the end of the expression"},
      {"(1 + 2", "line 1, column 7: expected \")\", found the end of the expression"},
      {"if a\nthen b", "line 2, column 7: expected \"else\", found the end of the expression"},
      {"äö + \"open", "line 1, column 6: this text is not closed; add a quote (\")"},
      {"1 2", "line 1, column 3: expected an operator or the end of the expression, found \"2\""},
      {"/* note", "line 1, column 1: this comment is not closed; add \"*/\""},
      {"f(a: 1, 2)", "line 1, column 9: arguments are either all named or all not"},
      {"x instance of thing",
       "line 1, column 15: expected a type, for example number, string, date and time or "
       "list<number>, found \"thing\""},
      {"!= 5", "line 1, column 1: \"!=\" needs a value on its left side"},
      {"function() external {}",
       "line 1, column 12: external functions are not supported; write the function in FEEL"},
  };
  for (const auto& [text, error] : rows) EXPECT_EQ(parse_error(text), error) << text;
}

TEST(FeelParser, refuses_reserved_words_as_names) {
  for (const auto* word : {"if", "then", "and", "or", "not", "in", "between", "for", "of"}) {
    EXPECT_NE(parse_error(word), "no error") << word;
  }
}

TEST(FeelParser, refuses_deep_nesting_without_a_crash) {
  const std::size_t deep = 10'000;
  for (const auto* open : {"(", "[", "{a:", "-", "f(", "not(", "if ", "1 in (", "function() "}) {
    std::string text;
    for (std::size_t i = 0; i < deep; ++i) text += open;
    EXPECT_NE(parse_error(text + "1"), "no error") << open;
  }
  std::string sum = "1";
  for (std::size_t i = 0; i < 2 * deep; ++i) sum += "+1";
  EXPECT_EQ(evaluated(sum), "error: the expression is evaluated too deeply nested; simplify it");
}

TEST(FeelParser, is_not_slowed_down_by_many_names) {
  std::string text = "{";
  for (int i = 0; i < 20'000; ++i) text += "a b" + std::to_string(i) + ": 1, ";
  EXPECT_EQ(evaluated(text + "last: a b7 + 1}.last"), "2");
}

TEST(FeelParser, puts_names_of_several_words_together) {
  const auto* variables = R"({"monthly salary": 10, "a+b": 5, "a": 1, "b": 2, "who's next": 3,
                              "house": {"door bell": 4}, "for sale": 6})";
  expect_rows({{"monthly salary * 12", "120"},
               {"monthly   salary", "10"},
               {"a + b", "5"},
               {"a+b", "5"},
               {"b + a", "3"},
               {"who's next - a", "2"},
               {"house.door bell", "4"},
               {"for sale", "6"},
               {"`monthly salary`", "10"},
               {"house.`door bell`", "4"}},
              variables);
}

TEST(FeelParser, knows_names_that_the_expression_binds) {
  expect_rows({{"for my number in [1, 2] return my number + 1", "[2, 3]"},
               {"{my key: 1, twice: my key * 2}.twice", "2"},
               {"{x-y: 3, z: x-y + 1}.z", "4"},
               {"(function(first name) first name)(\"Ada\")", "\"Ada\""},
               {"some big one in [1, 5] satisfies big one > 4", "true"},
               {"[{unit price: 2}, {unit price: 7}][unit price > 5].unit price", "[7]"}});
}

TEST(FeelParser, binds_operators_as_the_standard_says) {
  expect_rows({{"1 + 2 * 3", "7"},
               {"(1 + 2) * 3", "9"},
               {"2 ** 3 ** 2", "64"},
               {"-2 ** 2", "4"},
               {"10 - 4 - 3", "3"},
               {"2 * 3 = 6 and 1 < 2", "true"},
               {"true or false and false", "true"},
               {"1 + 1 in [2..3]", "true"},
               {"2 ^ 3", "8"},
               {"- - 5", "5"}});
}

TEST(FeelParser, reads_literals) {
  expect_rows({{"007", "7"},
               {".25", "0.25"},
               {"1.5e3", "1500"},
               {"\"a\\tb\\\"c\"", "\"a\tb\"c\""},
               {"\"\\u00e4\\U01F600\"", "\"ä😀\""},
               {"\"\\ud83d\\ude00\"", "\"😀\""},
               {"\"\\d+\"", "\"\\d+\""},
               {"@\"2024-02-29\"", "2024-02-29"},
               {"@\"10:30:00\"", "10:30:00"},
               {"@\"P1Y6M\"", "P1Y6M"},
               {"@\"no date\"", "null"},
               {"null", "null"},
               {"1 // the rest is a comment", "1"},
               {"1 /* in /* between */ + 1", "2"}});
}

TEST(FeelParser, tells_free_names_and_the_root) {
  const auto parsed = parse("a.b + sum(for x in items return x * rate) + a.c");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->free_names(), (std::vector<std::string>{"a", "items", "rate"}));
  EXPECT_FALSE(parsed->root_name());
  EXPECT_EQ(parse("order.items.price")->root_name(), "order");
  EXPECT_EQ(parse("total")->root_name(), "total");
  EXPECT_FALSE(parse("1 + total")->root_name());
}

TEST(FeelParser, accepts_ranges_with_all_brackets) {
  expect_rows({{"[1..3]", "[1..3]"},
               {"(1..3)", "(1..3)"},
               {"]1..3[", "(1..3)"},
               {"[1..3[", "[1..3)"},
               {"(> 5)", "(5..)"},
               {"(<= 5)", "(..5]"},
               {"(= 5)", "[5..5]"},
               {"[1..\"a\"]", "null"}});
}

}  // namespace
}  // namespace pawl::feel
