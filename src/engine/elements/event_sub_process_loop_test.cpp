// SPDX-License-Identifier: Apache-2.0
// Event sub-processes in loops: each iteration has its own.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

std::string loop(const std::string& handler, const std::string& more = "") {
  return "start  ->  sub box   each items as item" + more +
         " {\n start  ->  job a   in k = item\n a  ->  end\n handler h   " + handler +
         " {\n start  ->  job fix   in k = item\n }\n }\n box  ->  end";
}

TEST(EventSubProcessInLoop, a_message_interrupts_the_iteration_with_its_key) {  // Z61, C121
  for (const char* dialect : {"", "dialect camunda7\n", "dialect plain\n"}) {
    Play play(dialect + loop("on message m   key item"), R"({"items":["x","y","z"]})");
    EXPECT_EQ(play.waits(), "m:x at h.start, m:y at h.start, m:z at h.start");
    play.publish("m:y");
    EXPECT_EQ(play.waiting(), "a a fix");
    EXPECT_EQ(play.variables("fix"), R"({"k":"y"})");
    EXPECT_EQ(play.waits(), "m:x at h.start, m:z at h.start");
    play.publish("m:x").publish("m:z");
    EXPECT_EQ(play.waiting(), "fix fix fix");
    EXPECT_EQ(play.complete("fix").complete("fix").complete("fix").state(), "completed");
    EXPECT_EQ(play.count("completed box#body"), 1);
  }
}

TEST(EventSubProcessInLoop, is_ended_before_its_iteration_and_that_before_the_body) {  // Z62
  Play play(loop("on message m   key item"), R"({"items":[1]})");
  play.publish("m:1").cancel();
  EXPECT_EQ(play.told("terminated"),
            "terminated a, terminated fix, terminated h, terminated box, terminated box#body, "
            "terminated drawn");
}

TEST(EventSubProcessInLoop, catches_the_error_of_its_iteration_only) {  // Z76
  for (const char* dialect : {"", "dialect camunda7\n", "dialect plain\n"}) {
    Play play(dialect + loop("on error E"), R"({"items":[1,2]})");
    play.throw_error("a", "E");
    EXPECT_EQ(play.waiting(), "a fix");
    EXPECT_EQ(play.complete("fix").complete("a").state(), "completed");
  }
}

TEST(EventSubProcessInLoop, beside_runs_in_one_iteration_of_a_nested_sub_process) {  // C121
  Play play(R"(
    start  ->  sub box   each items as item {
      start  ->  sub inner {
        start  ->  job a
        handler h   on message m   key item   beside {
          start  ->  job note   in k = item
        }
      }
    }
  )",
            R"({"items":[1,2]})");
  play.publish("m:2").publish("m:2");
  EXPECT_EQ(play.waiting(), "a a note note");
  EXPECT_EQ(play.variables("note"), R"({"k":2})");
  play.complete("a");  // of the first iteration
  EXPECT_EQ(play.waits(), "m:2 at h.start");
  EXPECT_EQ(play.complete("a").complete("note").complete("note").state(), "completed");
}

TEST(EventSubProcessInLoop, each_iteration_has_its_timer) {  // C124
  for (const char* more : {"", "   sequential"}) {
    Play play(loop("after 1h", more), R"({"items":[1,2]})");
    play.pass(1h);
    const bool sequential = *more != 0;
    EXPECT_EQ(play.waiting(), sequential ? "fix" : "fix fix");
    play.complete("fix");
    EXPECT_EQ(play.waits(), sequential ? "+3600s at h.start" : "");
    if (sequential) play.pass(1h);
    EXPECT_EQ(play.complete("fix").state(), "completed");
    EXPECT_EQ(play.waits(), "");
  }
}

TEST(EventSubProcessInLoop, a_cycle_goes_on_in_each_until_it_ends) {  // C124
  Play play(loop("every R/PT1H   beside"), R"({"items":[1,2]})");
  play.pass(1h);
  EXPECT_EQ(play.waiting(), "a a fix fix");
  play.complete("fix").complete("a").pass(1h);
  EXPECT_EQ(play.waiting(), "a fix fix");
}

TEST(EventSubProcessInLoop, ends_with_the_iterations_that_are_not_needed) {
  Play play(loop("on message m   key item", "   join 1"), R"({"items":[1,2,3]})");
  play.publish("m:2").publish("m:3").complete("fix");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.waits(), "");
}

TEST(EventSubProcessInLoop, catches_before_the_loop_tolerates_or_fails) {
  for (const char* policy : {"incident", "fail", "collect", "tolerate 2"}) {
    Play bpmn(loop("on error E", std::string("   failures ") + policy), R"({"items":[1,2]})");
    bpmn.throw_error("a", "E");
    EXPECT_EQ(bpmn.waiting(), "a fix") << policy;
    Play technical("dialect plain\n" + loop("on error", std::string("   failures ") + policy),
                   R"({"items":[1,2]})");
    technical.fail("a", 0);
    EXPECT_EQ(technical.waiting(), "a fix") << policy;
    EXPECT_EQ(technical.complete("fix").complete("a").state(), "completed") << policy;
  }
}

TEST(EventSubProcessInLoop, an_error_in_an_iteration_may_end_the_whole_loop) {
  Play play(R"(
    dialect plain
    start  ->  script s   js throw new Error('no')   times 1000
    s      ->  end
    handler h   on error {
      start  ->  job fix
    }
  )");
  EXPECT_EQ(play.waiting(), "fix");
  EXPECT_EQ(play.count("terminated s"), 1);  // the others were not even begun
}

}  // namespace
}  // namespace pawl::engine
