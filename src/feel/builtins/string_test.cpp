// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "feel/feel_testing.hpp"

namespace pawl::feel {
namespace {

using testing::evaluated;
using testing::expect_rows;

TEST(FeelStrings, count_characters_and_not_bytes) {
  expect_rows({{"string length(\"äö😀\")", "3"},
               {"substring(\"äö😀x\", 3)", "\"😀x\""},
               {"substring(\"äö😀x\", -2, 1)", "\"😀\""},
               {"substring(\"abc\", 2.7)", "\"bc\""},
               {"substring(\"abc\", 0)", "null"},
               {"substring(\"abc\", 1, 0)", "null"},
               {"substring(\"abc\", 9)", "\"\""},
               {"substring(string: \"abc\", start position: 2, length: 1)", "\"b\""},
               {"upper case(\"straße äÿ\")", "\"STRAßE ÄŸ\""},
               {"lower case(\"ÄΩЖ\")", "\"äωж\""},
               {"upper case(5)", "null"},
               {"string length(null)", "null"}});
}

TEST(FeelStrings, are_searched) {
  expect_rows({{"contains(\"winter\", \"int\")", "true"},
               {"contains(string: \"winter\", match: \"x\")", "false"},
               {"starts with(\"winter\", \"win\")", "true"},
               {"starts with(\"win\", \"winter\")", "false"},
               {"ends with(\"winter\", \"ter\")", "true"},
               {"substring before(\"key=value\", \"=\")", "\"key\""},
               {"substring before(\"key\", \"=\")", "\"\""},
               {"substring after(\"key=value\", \"=\")", "\"value\""},
               {"substring after(\"key\", \"=\")", "\"\""},
               {"contains(\"a\", null)", "null"}});
}

TEST(FeelStrings, are_joined_trimmed_and_encoded) {
  expect_rows({{"string join([\"a\", null, \"b\"], \"-\")", "\"a-b\""},
               {"string join([\"a\", \"b\"])", "\"ab\""},
               {"string join([\"a\", \"b\"], \"; \", \"<\", \">\")", "\"<a; b>\""},
               {"string join([\"a\", 1])", "null"},
               {"trim(\"  \\t a b \\n\")", "\"a b\""},
               {"is blank(\" \\t\")", "true"},
               {"is blank(\"x\")", "false"},
               {"to base64(\"Pawl!\")", "\"UGF3bCE=\""},
               {"from base64(to base64(\"Zürich\"))", "\"Zürich\""},
               {"from base64(\"?\")", "null"}});
}

TEST(FeelPatterns, match_as_xpath_says) {
  expect_rows({{"matches(\"route 66\", \"[0-9]+\")", "true"},
               {"matches(\"Route\", \"ROUTE\", \"i\")", "true"},
               {"matches(\"a\\nb\", \"a.b\")", "false"},
               {"matches(\"a\\nb\", \"a.b\", \"s\")", "true"},
               {"matches(\"a\\nb\", \"^b$\", \"m\")", "true"},
               {"matches(\"ab\", \"a b\", \"x\")", "true"},
               {"matches(\"e\", \"[a-z-[aeiou]]\")", "false"},
               {"matches(\"f\", \"[a-z-[aeiou]]\")", "true"},
               {"matches(\"γ\", \"\\p{IsGreek}\")", "true"},
               {"matches(\"ä\", \"\\p{L}\")", "true"},
               {"matches(\"abab\", \"(ab)\\1\")", "true"},
               {"matches(\"x\", \"(a)\\2\")", "null"},
               {"matches(\"x\", \"[\")", "null"},
               {"matches(\"x\", \"(*ACCEPT)\")", "null"},
               {"matches(\"x\", \"x\", \"q\")", "null"},
               {"matches(\"x\", \"x\", null)", "true"},
               {"matches(null, \"x\")", "null"}});
}

TEST(FeelPatterns, replace_split_and_extract) {
  expect_rows({{"replace(\"2024-05\", \"(\\d+)-(\\d+)\", \"$2/$1\")", "\"05/2024\""},
               {"replace(\"aaa\", \"a\", \"$0$0\")", "\"aaaaaa\""},
               {"replace(\"abc\", \"b\", \"\\$\")", "\"a$c\""},
               {"replace(\"abc\", \"b\", \"$\")", "null"},
               {"replace(\"abc\", \"x*\", \"-\")", "null"},
               {"replace(\"aBc\", \"b\", \"-\", \"i\")", "\"a-c\""},
               {"split(\"a, b,c\", \",\\s*\")", "[\"a\", \"b\", \"c\"]"},
               {"split(\"abc\", \"\")", "[\"a\", \"b\", \"c\"]"},
               {"extract(\"a1 b22 c\", \"[a-z][0-9]+\")", "[\"a1\", \"b22\"]"},
               {"extract(\"abc\", \"[0-9]\")", "[]"}});
}

TEST(FeelPatterns, of_bad_will_end_by_the_budget) {
  const std::string text = "matches(\"" + std::string(40, 'a') + "!\", \"^(a+)+$\")";
  EXPECT_EQ(evaluated(text),
            "error: a regular expression needs too much work; simplify it, or search in a shorter "
            "text");
}

}  // namespace
}  // namespace pawl::feel
