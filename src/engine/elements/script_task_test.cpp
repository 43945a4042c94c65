// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

TEST(ScriptTask, writes_the_result_of_a_feel_expression) {  // Z435
  const Play play("start  ->  script s   = price * 1.19   into total\n s  ->  end",
                  R"({"price":100})");
  EXPECT_EQ(play.variables(), R"({"price":100,"total":119})");
  EXPECT_EQ(play.state(), "completed");
}

TEST(ScriptTask, keeps_the_result_local_when_there_are_output_mappings) {  // Z435
  const Play play("start  ->  script s   = 1 + 1   into two   out four = two * two\n s  ->  end");
  EXPECT_EQ(play.variables(), R"({"four":4})");
}

TEST(ScriptTask, stops_with_an_incident_when_the_expression_fails) {  // Z434
  Play play("start  ->  script s   = assert(x, x != null)   into y\n s  ->  end");
  EXPECT_NE(play.incident().find("EXTRACT_VALUE_ERROR at s"), std::string::npos);
  play.set("", R"({"x":1})").resolve("s");
  EXPECT_EQ(play.state(), "completed");
}

TEST(ScriptTask, stops_with_an_incident_when_the_expression_runs_too_long) {  // Z434
  const Play play(
      "start  ->  script s   = count(for i in 1..100000000 return i)   into y\n s  ->  end");
  EXPECT_EQ(play.state(), "incident") << play.trace();
}

TEST(ScriptTask, runs_javascript_that_assigns_to_the_context) {
  const Play play(R"(
    dialect plain
    start  ->  script s   js _context.total = price * 2; _context.who = "me"
    s      ->  end
  )",
                  R"({"price":21})");
  EXPECT_EQ(play.variables(), R"({"price":21,"total":42,"who":"me"})");
}

TEST(ScriptTask, javascript_that_throws_is_tried_as_error_500_then_an_incident) {
  const Play caught(R"(
    dialect plain
    start  ->  script s   js throw new Error("no")
    s      ->  end normal
    s      ~>  end handled   on error 500
  )");
  EXPECT_EQ(caught.path(), "start s~500 handled") << caught.trace();
  Play uncaught("dialect plain\nstart  ->  script s   js throw new Error(\"no\")");
  EXPECT_NE(uncaught.incident().find("no"), std::string::npos);
  EXPECT_EQ(uncaught.state(), "incident");
}

TEST(ScriptTask, javascript_can_throw_a_bpmn_error_of_its_own) {
  const Play play(R"(
    dialect plain
    start  ->  script s   js throw new BpmnError("sold-out", "none left")
    s      ~>  end handled   on error sold-out
  )");
  EXPECT_EQ(play.path(), "start s~sold-out handled") << play.trace();
}

TEST(ScriptTask, results_follow_the_write_rule_of_their_scope) {  // S3
  Play play(R"(
    dialect plain
    start  ->  sub box {
      start  ->  script s   js _context.x = 2
      s      ->  job wait
    }
    box    ->  end
  )",
            R"({"x":1})");
  EXPECT_EQ(play.variables(), R"({"x":1})");
  play.complete("wait");
  EXPECT_EQ(play.variables(), R"({"x":2})");
}

TEST(PassThrough, plain_and_manual_tasks_and_none_events_go_on_at_once) {  // Z441
  const Play play("start  ->  task t\n t  ->  manual m\n m  ->  throw n\n n  ->  end");
  EXPECT_EQ(play.path(), "start t m n end");
}

}  // namespace
}  // namespace pawl::engine
