// SPDX-License-Identifier: Apache-2.0
// Failures on their way out of loops: who takes them, and in which order they are asked.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

constexpr const char* dialect_names[] = {"zeebe", "camunda7", "plain"};

TEST(LoopFailure, an_error_caught_at_the_body_ends_it_whatever_the_policy) {  // M11, C139
  for (const std::string dialect : dialect_names) {
    for (const std::string policy : {"incident", "fail", "collect", "tolerate 2"}) {
      for (const std::string how : {"", "   sequential"}) {
        Play play("dialect " + dialect +
                  "\nstart  ->  job w   times 3   collect r in out   failures " + policy + how +
                  "\n w  ->  end normal\n w  ~>  end caught   on error E");
        play.complete("w", R"({"r":1})").throw_error("w", "E");
        EXPECT_EQ(play.count("completed caught"), 1) << dialect << policy << how;
        EXPECT_EQ(play.count("terminated w"), how.empty() ? 2 : 1);
        EXPECT_EQ(play.count("terminated w#body"), 1);
        EXPECT_EQ(play.variables(), "{}");
      }
    }
  }
}

TEST(LoopFailure, one_more_than_tolerated_is_caught_like_fail) {  // M11
  for (const std::string dialect : dialect_names) {
    Play play("dialect " + dialect +
              "\nstart  ->  job work   times 3   failures tolerate 1\n"
              "work  ->  end normal\n work  ~>  end caught   on error");
    play.fail("work", 0, "one");
    EXPECT_EQ(play.waiting(), "work work") << dialect;
    play.fail("work", 0, "two");
    EXPECT_EQ(play.count("completed caught"), 1) << dialect << play.trace();
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(LoopFailure, one_more_than_tolerated_goes_to_the_loop_around) {  // M11
  Play play(R"(
    start  ->  sub outer   times 2   failures collect   collect r in out {
      start  ->  job work   times 2   failures tolerate 1
    }
    outer  ->  end
  )");
  play.throw_error("work", "A", "first").throw_error("work", "B", "second");
  EXPECT_EQ(play.waiting(), "work work") << play.trace();
  play.complete("work").complete("work");
  EXPECT_EQ(play.variables(), R"({"out":[{"error":{"code":"B","message":"second"}},null]})");
}

TEST(LoopFailure, is_taken_although_somebody_further_out_would_catch) {  // M11
  for (const std::string policy : {"collect", "tolerate 1"}) {
    Play play(R"(
      start  ->  sub box {
        start  ->  job work   times 2   collect r in out   failures )" +
              policy + R"(
        work   ->  end
      }
      box    ->  end
      box    ~>  end caught   on error
    )");
    play.throw_error("work", "E", "why").complete("work", R"({"r":1})");
    EXPECT_EQ(play.count("completed caught"), 0) << play.trace();
    const char* first = policy == "collect" ? R"({"error":{"code":"E","message":"why"}})" : "null";
    EXPECT_EQ(play.variables(), std::string(R"({"out":[)") + first + ",1]}");
  }
  Play fails(R"(
    start  ->  sub box {
      start  ->  job work   times 2   failures fail
    }
    box    ->  end
    box    ~>  end caught   on error
  )");
  fails.throw_error("work", "E");
  EXPECT_EQ(fails.count("completed caught"), 1) << fails.trace();
}

TEST(LoopFailure, of_a_called_process_is_one_of_its_iteration) {  // M11
  for (const std::string border : {"", "c  ~>  end caught   on error\n"}) {
    for (const std::string dialect : dialect_names) {
      Play play({{"parent", "dialect " + dialect +
                                "\nstart  ->  call c   process child   times 2   failures tolerate "
                                "1\n c  ->  end after\n" +
                                border},
                 {"child", "dialect " + dialect + "\nstart  ->  job w\n w  ->  end"}});
      play.fail("w", 0, "broken").complete("w");
      EXPECT_EQ(play.count("completed after"), 1) << dialect << border << play.trace();
      EXPECT_EQ(play.count("completed caught"), 0);
    }
  }
}

TEST(LoopFailure, of_a_process_that_a_called_one_calls_reaches_the_loop) {  // M11
  Play play({{"parent",
              "start  ->  call c   process middle   times 2   failures collect   collect r in out\n"
              "c  ->  end"},
             {"middle", "start  ->  call d   process child\n d  ->  end"},
             {"child", "start  ->  job w\n w  ->  end"}});
  play.fail("w", 0, "broken").complete("w");
  EXPECT_EQ(play.state(), "completed") << play.trace();
  const std::string out = play.variables();
  EXPECT_NE(out.find(R"({"error":{"code":"500","message":")"), std::string::npos) << out;
  EXPECT_NE(out.find("broken"), std::string::npos) << out;
}

TEST(LoopFailure, of_a_called_process_stays_there_if_nothing_takes_it) {  // M11
  for (const std::string dialect : dialect_names) {
    Play play({{"parent", "dialect " + dialect + "\nstart  ->  call c   process child   times 2"},
               {"child", "dialect " + dialect + "\nstart  ->  job w\n w  ->  end"}});
    const Key job = play.job_of("w");
    play.fail("w", 0, "broken");
    EXPECT_EQ(play.incident_count(), 1u) << dialect;
    EXPECT_EQ(play.rejection(UpdateRetries{job, 1}), "");
    if (dialect != "camunda7") {  // there new retries are enough (C163)
      EXPECT_EQ(play.rejection(ResolveIncident{play.driver().incidents().begin()->first}), "");
    }
    play.complete("w").complete("w");
    EXPECT_EQ(play.state(), "completed") << dialect << play.trace();
  }
}

TEST(LoopJoin, that_cannot_be_reached_is_a_failure_of_the_host) {  // M10, M11
  Play border(
      "dialect plain\nstart  ->  job work   times 2   join 2   failures tolerate 2\n"
      "work  ->  end normal\n work  ~>  end caught   on error");
  border.complete("work").fail("work", 0, "x");
  EXPECT_EQ(border.count("completed caught"), 1) << border.trace();
  Play outer(R"(
    dialect plain
    start  ->  sub outer   times 2   failures tolerate 1 {
      start  ->  job work   times 2   join 2   failures tolerate 2
    }
    outer  ->  end
  )");
  outer.fail("work", 0, "x").complete("work").complete("work").complete("work");
  EXPECT_EQ(outer.state(), "completed") << outer.trace();
  Play alone("start  ->  job work   times 2   join 2   failures tolerate 2\n work  ->  end");
  alone.complete("work").throw_error("work", "E");
  EXPECT_NE(alone.incident().find("2 iterations must complete, but only 1 of 2 did"),
            std::string::npos)
      << alone.incident();
  alone.resolve("work").complete("work").complete("work");
  EXPECT_EQ(alone.state(), "completed") << "the loop runs again";
}

TEST(LoopJoin, none_sends_one_token_also_when_the_loop_fails_and_runs_again) {  // M10
  Play play("start  ->  job work   times 2   join none   failures fail\n work  ->  job next");
  play.throw_error("work", "E").resolve("work");
  EXPECT_EQ(play.count("activated next"), 1);
  EXPECT_EQ(play.waiting(), "next work work") << play.trace();
}

TEST(LoopCondition, sees_the_output_of_the_iteration_that_completes) {  // M9, Z10
  const std::string conditions[] = {
      "until count(results) = 3 and results[2] = 2", "until some r in results satisfies r = 2",
      "completion order   until count(results) = 2", "compact   until count(results) = 2"};
  for (const std::string& condition : conditions) {
    for (const std::string how : {"", "   sequential"}) {
      Play play("start  ->  job work   times 3   collect r in results   " + condition + how +
                "\n work  ->  end");
      play.complete("work", R"({"r":1})");
      EXPECT_EQ(play.state(), "waiting") << condition << how;
      play.complete("work", R"({"r":2})");
      EXPECT_EQ(play.state(), "completed") << condition << how << play.trace();
    }
  }
}

}  // namespace
}  // namespace pawl::engine
