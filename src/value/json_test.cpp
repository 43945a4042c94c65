// SPDX-License-Identifier: Apache-2.0
#include "value/json.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/limits.hpp"

namespace pawl {
namespace {

std::string round_trip(std::string_view text) {
  const auto value = parse_json(text);
  return value ? to_json(*value) : value.error().text;
}

TEST(Json, reads_and_writes) {
  const std::pair<const char*, const char*> rows[] = {
      {"null", "null"},
      {" true ", "true"},
      {"false", "false"},
      {"\n -7 \n", "-7"},
      {"\"a\"", "\"a\""},
      {"\"\"", "\"\""},
      {"[]", "[]"},
      {"{}", "{}"},
      {" [ 1 , [ ] , { \"a\" : null } ] ", "[1,[],{\"a\":null}]"},
      {"{\"b\":1,\"a\":2}", "{\"b\":1,\"a\":2}"},
      {"{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}"},
      {"{\"\":0}", "{\"\":0}"},
      {R"("\u00e4\n\t\"\\\/\ud83d\ude00")", "\"ä\\n\\t\\\"\\\\/😀\""},
      {R"("\u0001\u001f\b\f\r")", R"("\u0001\u001f\b\f\r")"},
      {R"("a\u0000b")", R"("a\u0000b")"},
      {R"({"k\u0065y":1})", R"({"key":1})"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(round_trip(text), expected) << text;
}

TEST(Json, keeps_numbers_exact) {
  const std::pair<const char*, const char*> rows[] = {
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "9223372036854775808"},
      {"18446744073709551616", "18446744073709551616"},
      {"1234567890123456789012345678901234", "1234567890123456789012345678901234"},
      {"0.1", "0.1"},
      {"1.0", "1"},
      {"-0", "0"},
      {"-0.0", "0"},
      {"100e-2", "1"},
      {"1E3", "1000"},
      {"1e400", "1E+400"},
      {"0.30000000000000004", "0.30000000000000004"},
      {"3.141592653589793238462643383279503", "3.141592653589793238462643383279503"},
  };
  for (const auto& [text, expected] : rows) {
    EXPECT_EQ(round_trip(text), expected);
    EXPECT_EQ(round_trip("[" + std::string(text) + "]"), "[" + std::string(expected) + "]");
    EXPECT_EQ(round_trip(expected), expected);
  }
}

TEST(Json, says_where_it_is_wrong) {
  const std::pair<const char*, const char*> rows[] = {
      {"", "line 1, column 1: there is no JSON value here"},
      {"  \n ", "line 1, column 1: there is no JSON value here"},
      {"{\"a\": tru}", "line 1, column 7: unexpected `t`"},
      {"{\n  \"a\": 1,\n  \"b\": x\n}", "line 3, column 8: unexpected `x`"},
      {"[1,]", "line 1, column 4: unexpected `]`"},
      {"[,]", "line 1, column 2: unexpected `,`"},
      {"[1 2]", "line 1, column 4: unexpected `2`"},
      {"{\"a\" 1}", "line 1, column 6: unexpected `1`"},
      {"{\"a\":}", "line 1, column 6: unexpected `}`"},
      {"{\"a\":1,}", "line 1, column 8: unexpected `}`"},
      {"{1:2}", "line 1, column 2: unexpected `1`"},
      {"{\"a\":1", "line 1"},
      {"[1", "line 1"},
      {"[[1]", "line 1, column 5: the text ends before the value is complete"},
      {"[1]]", "line 1, column 4: there is more text after the value"},
      {"{} {}", "line 1, column 4: there is more text after the value"},
      {"1 2", "line 1, column 3: there is more text after the value"},
      {"\"a\" \"b\"", "line 1, column 5: there is more text after the value"},
      {"01", "line 1, column 1: unexpected `0`"},
      {"1.", "line 1, column 1: unexpected `1`"},
      {".5", "line 1, column 1: unexpected `.`"},
      {"+1", "line 1, column 1: unexpected `+`"},
      {"[-]", "line 1, column 2: unexpected `-`"},
      {"NaN", "line 1, column 1: unexpected `N`"},
      {"'a'", "line 1, column 1: unexpected `'`"},
      {"]", "line 1, column 1: unexpected `]`"},
      {"[1e999999]", "line 1, column 2: this number is too large"},
      {"[\"ä\", \"b", "line 1, column 7: this string has no closing quote"},
      {"[\"a\nb\"]", "line 1, column 4: a control character inside a string"},
      {"[\"ok\", \"\xff\"]", "line 1, column 9: not valid UTF-8"},
      {"[\"\xed\xa0\x80\"]", "line 1, column 3: not valid UTF-8"},
      {"[\"\\x\"]", "line 1, column 2: this string has an escape that is not valid"},
      {"[\"\\ud800\"]", "line 1, column 2: this string has an escape that is not valid"},
      {"// no\n1", "line 1, column 4: there is more text after the value"},
  };
  for (const auto& [text, expected] : rows) {
    const auto value = parse_json(text);
    ASSERT_FALSE(value) << text << " gave " << to_json(*value);
    EXPECT_EQ(value.error().code, Code::bad_json);
    EXPECT_NE(value.error().text.find(expected), std::string::npos)
        << text << "\n  gave     " << value.error().text << "\n  expected " << expected;
  }
}

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(Json, limits_the_depth) {
  EXPECT_TRUE(parse_json(nested(limits::json_depth, '[', ']')));
  for (const std::size_t depth :
       {limits::json_depth + 1, std::size_t{10'000}, std::size_t{1} << 20}) {
    const auto value = parse_json(nested(depth, '[', ']'));
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, Code::too_deep);
    EXPECT_NE(value.error().text.find("column 501"), std::string::npos) << value.error().text;
  }
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += "{\"a\":";
  const auto value = parse_json(objects);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, Code::too_deep) << value.error().text;
}

TEST(Json, limits_the_size) {
  const auto value = parse_json(std::string(limits::json_bytes + 1, ' '));
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, Code::too_large);
}

TEST(Json, limits_the_number_of_values_where_it_is_told_to) {
  EXPECT_TRUE(parse_json("[1,[],{\"a\":2}]", 5));
  const auto more = parse_json("[1,[],{\"a\":2}]", 3);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::too_large);
  EXPECT_EQ(
      more.error().text,
      "JSON, line 1, column 7: there are more than 3 values; send fewer at once, or larger ones");
}

TEST(Json, what_is_written_can_be_read) {
  Value deep = 1;
  for (int i = 0; i < 100'000; ++i) deep = Value::list({deep});
  const auto again = parse_json(to_json(deep));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->depth(), limits::json_depth);
  EXPECT_TRUE(parse_json(to_pretty_json(deep)));
}

TEST(Json, an_object_is_asked_for) {
  for (const char* text : {"", " \n", "null", "{}"}) {
    const auto value = parse_json_object(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(to_json(*value), "{}");
  }
  const auto list = parse_json_object("[1]");
  ASSERT_FALSE(list);
  EXPECT_NE(list.error().text.find("but this is a list: [1]"), std::string::npos);
}

TEST(Json, writes_what_is_not_json_as_text) {
  const Value value = object({
      {"date", *parse_date("2024-02-29")},
      {"time", *parse_time("10:30:00Z")},
      {"at", *parse_date_time("2024-02-29T10:30:00")},
      {"span", *parse_day_time("PT1H")},
      {"months", *parse_year_month("P1Y")},
      {"range", Range{1, 5, true, false}},
      {"function", std::shared_ptr<const Callable>()},
  });
  EXPECT_EQ(to_json(value),
            R"_({"date":"2024-02-29","time":"10:30:00Z","at":"2024-02-29T10:30:00",)_"
            R"_("span":"PT1H","months":"P1Y","range":"[1..5)","function":null})_");
}

TEST(Json, is_indented_for_people) {
  EXPECT_EQ(to_pretty_json(*parse_json(R"({"a":[1,{"b":[]}],"c":{}})")),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}");
}

}  // namespace
}  // namespace pawl
