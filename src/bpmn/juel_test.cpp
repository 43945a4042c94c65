// SPDX-License-Identifier: Apache-2.0
#include "bpmn/juel.hpp"

#include <gtest/gtest.h>

namespace pawl::bpmn {
namespace {

TEST(Juel, a_template_is_split_at_its_code) {
  const auto parts = template_parts("Hello ${name}, #{a['}']}!");
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_EQ(parts[1].text, "name");
  EXPECT_TRUE(parts[1].is_code);
  EXPECT_EQ(parts[3].text, "a['}']");
  EXPECT_EQ(parts[4].text, "!");
}

TEST(Juel, code_that_is_not_closed_is_text) {
  const auto parts = template_parts("${open");
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_FALSE(parts[0].is_code);
}

TEST(Juel, a_lone_part_is_itself_and_several_make_a_string) {
  EXPECT_EQ(javascript_of(template_parts("${a + 1}")), "a + 1");
  EXPECT_EQ(javascript_of(template_parts("n ${a}")), "\"\" + \"n \" + (a)");
}

TEST(Juel, word_operators_become_symbols) {
  const std::pair<const char*, const char*> rows[] = {
      {"a eq b", "a == b"},
      {"a ne 1 and b le 2", "a != 1 && b <= 2"},
      {"not x or y gt 3", "! x || y > 3"},
      {"a div b mod c", "a / b % c"},
      {"x.lt", "x.lt"},                      // a member, no operator
      {"'a and b'", "'a and b'"},            // a text
      {"andy", "andy"},                      // only a part of a name
      {"var + 1", "_context[\"var\"] + 1"},  // reserved in JavaScript
  };
  for (const auto& [given, expected] : rows) EXPECT_EQ(without_word_operators(given), expected);
}

TEST(Juel, empty_takes_one_operand) {
  const std::string made = without_word_operators("empty list.items[0] and b");
  EXPECT_NE(made.find(")(list.items[0]) && b"), std::string::npos) << made;
}

}  // namespace
}  // namespace pawl::bpmn
