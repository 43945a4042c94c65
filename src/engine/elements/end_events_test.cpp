// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

TEST(TerminateEndEvent, ends_the_other_tokens_and_completes_the_process) {  // Z399, S5
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  job b
    a      ->  terminate stop
  )");
  play.complete("a");
  EXPECT_EQ(play.told("terminated"), "terminated b");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed drawn"), 1);
}

TEST(TerminateEndEvent, in_a_sub_process_ends_only_that_scope) {  // Z400, S5
  Play play(R"(
    start  ->  and fork
    fork   ->  job outside
    fork   ->  sub box {
      start  ->  and inside
      inside ->  job a
      inside ->  job b
      a      ->  terminate stop
    }
    box    ->  job after
  )");
  play.complete("a");
  EXPECT_EQ(play.told("terminated"), "terminated b");
  EXPECT_EQ(play.waiting(), "outside after") << play.trace();
}

TEST(TerminateEndEvent, drops_tokens_that_wait_at_a_join) {  // Z401
  Play play(R"(
    start  ->  and fork
    fork   ->  and join
    fork   ->  job a
    fork   ->  job b
    b      ->  join
    a      ->  terminate stop
  )");
  play.complete("a");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.told("terminated"), "terminated b");
}

TEST(TerminateEndEvent, alone_in_its_scope_just_ends) {
  EXPECT_EQ(Play("start  ->  terminate stop").state(), "completed");
}

TEST(TerminateEndEvent, terminates_deeply_nested_scopes_in_bounded_steps) {
  std::string drawing = "start  ->  and fork\n";
  for (int i = 0; i < 350; ++i) drawing += "fork  ->  job j" + std::to_string(i) + "\n";
  drawing += "fork  ->  job last\nlast  ->  terminate stop\n";
  Play play(drawing);
  play.complete("last");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.story("terminated").size(), 350u);
}

TEST(EndEvent, an_element_without_outgoing_flow_ends_its_token_too) {  // Z402
  const Play play("start  ->  task last");
  EXPECT_EQ(play.path(), "start last");
  EXPECT_EQ(play.state(), "completed");
}

TEST(EndEvent, a_pending_incident_keeps_the_process_alive) {  // Z403, S9
  Play play(R"(
    start  ->  and fork
    fork   ->  end
    fork   ->  xor stuck
    stuck  ->  end other   if x > 1
  )");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_EQ(play.count("completed drawn"), 0);
  play.set("", R"({"x":2})").resolve("stuck");
  EXPECT_EQ(play.state(), "completed");
}

TEST(EndEvent, output_mappings_apply_to_the_scope) {  // Z326
  const Play play("start  ->  end   out sum = a + 1", R"({"a":1})");
  EXPECT_EQ(play.variables(), R"({"a":1,"sum":2})");
}

TEST(ErrorEndEvent, is_caught_on_the_sub_process_around_it) {  // Z175
  const Play play(R"(
    start  ->  sub box {
      start  ->  error(E1) failed
    }
    box    ->  end normal
    box    ~>  end caught   on error E1
  )");
  EXPECT_EQ(play.path(), "start box.start box~E1 caught") << play.trace();
  EXPECT_EQ(play.count("terminated box"), 1);
  EXPECT_EQ(play.state(), "completed");
}

TEST(ErrorEndEvent, its_code_may_be_an_expression) {  // Z176
  const Play play(R"(
    start  ->  sub box {
      start  ->  error(=code) failed
    }
    box    ~>  end one   on error E1
    box    ~>  end two   on error E2
  )",
                  R"({"code":"E2"})");
  EXPECT_EQ(play.path(), "start box.start box~E2 two");
}

TEST(ErrorEndEvent, on_process_level_is_an_incident_that_comes_back) {  // Z186, S6
  Play play("start  ->  error(E1) failed");
  EXPECT_NE(play.incident().find("UNHANDLED_ERROR_EVENT at failed"), std::string::npos);
  EXPECT_NE(play.incident().find("no error events"), std::string::npos) << play.incident();
  const Key first = play.driver().incidents().begin()->first;
  play.resolve("failed");
  EXPECT_EQ(play.incident_count(), 1u);
  EXPECT_NE(play.driver().incidents().begin()->first, first);
  EXPECT_EQ(play.state(), "incident");
}

TEST(ErrorEndEvent, whose_code_is_null_stops_until_the_variable_is_there) {  // Z189
  Play play(R"(
    start  ->  sub box {
      start  ->  error(=code) failed
    }
    box    ~>  end caught   on error E1
  )");
  EXPECT_NE(play.incident().find("EXTRACT_VALUE_ERROR at failed"), std::string::npos);
  play.set("", R"({"code":"E1"})").resolve("failed");
  EXPECT_EQ(play.state(), "completed") << play.trace();
}

}  // namespace
}  // namespace pawl::engine
