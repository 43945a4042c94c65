// SPDX-License-Identifier: Apache-2.0
#include "server/rest/fields.hpp"

#include <gtest/gtest.h>

#include "server/rest/problem.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {
namespace {

TEST(Fields, names_the_field_that_is_wrong) {
  const Fields fields(*parse_json(R"({"a":1,"b":"x","c":[1],"d":null,"e":{"f":1}})"), "top.");
  const std::pair<std::string, std::string> rows[] = {
      {fields.text("a").error().text,
       "top.a: expected a text that is not blank, but got 1 (number)"},
      {fields.text("none").error().text,
       "top.none: expected a text that is not blank, but there is none"},
      {fields.number("b", {}).error().text,
       "top.b: expected a whole number from 0 on, but got \"x\" (string)"},
      {fields.number("a", {.least = 2, .most = 3}).error().text,
       "top.a: expected a whole number from 2 to 3, but got 1 (number)"},
      {fields.object("c").error().text, "top.c: expected an object, but got [1] (list)"},
      {fields.texts("c").error().text, "top.c: expected a list of texts, but got [1] (list)"},
      {fields.flag_or("b", true).error().text,
       "top.b: expected true or false, but got \"x\" (string)"},
      {fields.object("d").error().text, "top.d: expected an object, but there is none"},
  };
  for (const auto& [got, expected] : rows) EXPECT_EQ(got, expected);
}

TEST(Fields, takes_null_for_absent) {
  const Fields fields(*parse_json(R"({"a":null})"));
  EXPECT_EQ(*fields.text_or("a", "x"), "x");
  EXPECT_EQ(*fields.number_or("a", 7, {}), 7);
  EXPECT_EQ(*fields.flag_or("a", true), true);
  EXPECT_TRUE(fields.object_or("a")->is_null());
  EXPECT_TRUE(fields.texts("a")->empty());
  EXPECT_EQ(*fields.key_or("a", key_from(5)), key_from(5));
}

TEST(Fields, reads_keys_as_texts_and_as_numbers) {
  const Fields fields(*parse_json(R"({"a":"2251799813685249","b":2251799813685249})"));
  EXPECT_EQ(*fields.key_or("a", Key::none), key_from(2251799813685249));
  EXPECT_EQ(*fields.key_or("b", Key::none), key_from(2251799813685249));
  const std::pair<const char*, Code> rows[] = {
      {"", Code::invalid_argument},
      {"-", Code::invalid_argument},
      {"1 ", Code::invalid_argument},
      {"0x1", Code::invalid_argument},
      {"0", Code::not_found},
      {"-1", Code::not_found},
      {"9223372036854775808", Code::not_found},
  };
  for (const auto& [text, code] : rows) EXPECT_EQ(parse_key("k", text).error().code, code) << text;
}

TEST(Exchange, reads_queries) {
  Request request;
  request.query = "a=1&b=x%20y&c&d=";
  EXPECT_EQ(query_value(request, "a"), "1");
  EXPECT_EQ(query_value(request, "b"), "x y");
  EXPECT_EQ(query_value(request, "c"), "");
  EXPECT_EQ(query_value(request, "e"), "");
  EXPECT_EQ(percent_decoded("%41%4a%4A%zz%4"), "AJJ%zz%4");
}

TEST(Problem, is_always_json_whatever_it_quotes) {
  const Response response = response_of(
      {.status = 404, .title = "NOT_FOUND", .detail = "a \"\xff\xc3\xa9\xed\xa0\x80\" \n b"},
      "/a\xff<>\"\\ b");
  const auto body = parse_json(response.body);
  ASSERT_TRUE(body) << response.body;
  EXPECT_EQ(body->find("instance")->as_string(), "/a%FF%3C%3E%22%5C%20b");
  EXPECT_NE(body->find("detail")->as_string().find("\xc3\xa9"), std::string::npos);
  EXPECT_LT(response_of({.status = 400, .detail = std::string(1'000'000, 'x')}, "/").body.size(),
            10'000u);
}

TEST(Problem, has_the_titles_that_clients_know) {
  const std::tuple<Code, Whose, const char*, int, const char*> rows[] = {
      {Code::not_found, Whose::caller, "COMPLETE", 404, "NOT_FOUND"},
      {Code::invalid_state, Whose::caller, "COMPLETE", 409, "INVALID_STATE"},
      {Code::already_exists, Whose::caller, "PUBLISH", 409, "ALREADY_EXISTS"},
      {Code::invalid_argument, Whose::caller, "", 400, "INVALID_ARGUMENT"},
      {Code::bad_json, Whose::caller, "", 400, "Bad Request"},
      {Code::too_deep, Whose::caller, "", 400, "Bad Request"},
      {Code::busy, Whose::machine, "COMPLETE", 503, "RESOURCE_EXHAUSTED"},
      {Code::store_unavailable, Whose::machine, "COMPLETE", 503, "UNAVAILABLE"},
      {Code::broken_invariant, Whose::machine, "", 500, "INTERNAL"},
  };
  for (const auto& [code, whose, command, status, title] : rows) {
    const Problem problem = problem_of(fail(whose, code, "because"), command);
    EXPECT_EQ(problem.status, status) << title;
    EXPECT_EQ(problem.title, title);
  }
  EXPECT_EQ(problem_of(fail(Whose::caller, Code::invalid_state, "it is done"), "COMPLETE").detail,
            "Command 'COMPLETE' rejected with code 'INVALID_STATE': it is done");
}

}  // namespace
}  // namespace pawl::server::rest
