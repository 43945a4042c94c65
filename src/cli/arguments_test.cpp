// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.hpp"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

constexpr Option options[] = {
    {.name = "--vars", .value = "JSON", .help = ""},
    {.name = "--job", .value = "TYPE=JSON", .help = "", .repeatable = true},
    {.name = "--trace", .value = {}, .help = ""},
};

Result<Arguments> parse(const std::vector<std::string>& words) {
  return Arguments::parse(words, options);
}

TEST(Arguments, sorts_words_switches_and_values) {
  const auto parsed = parse({"a.bpmn", "--trace", "--vars", "{}", "b.bpmn"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->words(), (std::vector<std::string>{"a.bpmn", "b.bpmn"}));
  EXPECT_TRUE(parsed->has("--trace"));
  EXPECT_EQ(parsed->value("--vars"), "{}");
  EXPECT_FALSE(parsed->has("--job"));
}

TEST(Arguments, takes_a_value_after_an_equals_sign_and_keeps_later_ones) {
  const auto parsed = parse({"--job=pay={\"a\": \"b=c\"}", "--job", "ship={}"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->values("--job"), (std::vector<std::string>{"pay={\"a\": \"b=c\"}", "ship={}"}));
}

TEST(Arguments, passes_expressions_that_begin_with_a_minus_as_words) {
  for (const char* expression : {"-1", "-(a + b)", "-", "-1 = -1", "-a - b"}) {
    const auto parsed = parse({expression});
    ASSERT_TRUE(parsed) << expression;
    EXPECT_EQ(parsed->words(), std::vector<std::string>{expression});
  }
}

TEST(Arguments, takes_everything_after_two_dashes_as_words) {
  const auto parsed = parse({"--trace", "--", "--vars", "-a"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->words(), (std::vector<std::string>{"--vars", "-a"}));
}

TEST(Arguments, says_what_is_wrong_with_the_line) {
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{"--vras", "{}"}, "there is no option --vras; did you mean --vars?"},
      {{"-x"}, "there is no option -x; if it is no option, put -- before it"},
      {{"--vars"}, "the option --vars needs a value; write --vars JSON"},
      {{"--vars", "--trace"}, "the option --vars needs a value; write --vars JSON"},
      {{"--trace", "--trace"}, "the option --trace is given twice; it may stand once"},
      {{"--trace=yes"}, "the option --trace takes no value; leave out \"=yes\""},
  };
  for (const auto& [words, text] : rows) {
    const auto parsed = parse(words);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().text, text);
  }
}

}  // namespace
}  // namespace pawl::cli
