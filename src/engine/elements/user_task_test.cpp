// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testkit/play.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

std::string details_of(Play& play) {
  const Instance& state = play.driver().instance();
  return to_json(state.find_job_owner(play.job_of("ask"))->job->details);
}

TEST(UserTask, evaluates_who_may_do_it_and_until_when) {  // Z438
  const std::tuple<const char*, const char*, const char*> rows[] = {
      {"assignee =who", R"({"who":"mia"})", R"({"assignee":"mia"})"},
      {"assignee mia", "{}", R"({"assignee":"mia"})"},
      {"assignee =who", R"({"who":""})", "null"},  // empty and null are ignored
      {"assignee =who", "{}", "null"},
      {"groups =[\"a\",\"b\"]", "{}", R"({"candidateGroups":["a","b"]})"},
      {"groups a, b", "{}", R"({"candidateGroups":["a","b"]})"},
      {"due =due", R"({"due":"2026-02-01T10:00:00Z"})", R"({"dueDate":"2026-02-01T10:00:00Z"})"},
      {"due =date and time(due)", R"({"due":"2026-02-01T10:00:00Z"})",
       R"({"dueDate":"2026-02-01T10:00:00Z"})"},
      {"priority =10 + 5", "{}", R"({"priority":15})"},
  };
  for (const auto& [attribute, given, expected] : rows) {
    Play play(std::string("start  ->  user ask   ") + attribute, given);
    ASSERT_EQ(play.waiting(), "ask") << attribute << play.trace();
    EXPECT_EQ(details_of(play), expected) << attribute;
  }
}

TEST(UserTask, stops_when_a_detail_has_the_wrong_type_until_it_is_mended) {  // Z432
  const std::tuple<const char*, const char*, const char*> rows[] = {
      {"assignee =x", R"({"x":5})", R"({"x":"mia"})"},
      {"groups =x", R"({"x":5})", R"({"x":["a"]})"},
      {"groups =x", R"({"x":[1]})", R"({"x":["a"]})"},
      {"due =x", R"({"x":"soon"})", R"({"x":"2026-02-01T10:00:00Z"})"},
      {"priority =x", R"({"x":101})", R"({"x":100})"},
      {"priority =x", R"({"x":"high"})", R"({"x":0})"},
  };
  for (const auto& [attribute, wrong, right] : rows) {
    Play play(std::string("start  ->  user ask   ") + attribute, wrong);
    EXPECT_NE(play.incident().find("EXTRACT_VALUE_ERROR at ask"), std::string::npos) << attribute;
    play.set("", right).resolve("ask");
    EXPECT_EQ(play.waiting(), "ask") << attribute;
  }
}

}  // namespace
}  // namespace pawl::engine
