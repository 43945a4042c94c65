// SPDX-License-Identifier: Apache-2.0
// Event sub-processes that catch errors.
#include <gtest/gtest.h>

#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

TEST(ErrorEventSubProcess, catch_all_catches_any_and_a_code_wins_over_it) {  // Z171, C126
  Play play(R"(
    start  ->  job a
    handler any   on error {
      start  ->  job x
    }
    handler one   on error E {
      start  ->  job y
    }
  )");
  Play other = Play(play.process());
  EXPECT_EQ(play.throw_error("a", "E").waiting(), "y");
  EXPECT_EQ(other.throw_error("a", "F").waiting(), "x");
}

TEST(ErrorEventSubProcess, leaves_the_error_to_the_boundary_event_of_the_task) {  // Z178
  Play play(R"(
    start  ->  job a
    a      ~>  end caught   on error
    handler h   on error E {
      start  ->  job x
    }
  )");
  EXPECT_EQ(play.throw_error("a", "E").path(), "start a~ caught");
}

TEST(ErrorEventSubProcess, wins_over_the_boundary_event_of_its_sub_process) {  // Z179, C126
  for (const char* dialect : {"", "dialect camunda7\n", "dialect plain\n"}) {
    Play play(std::string(dialect) + R"(
      start  ->  sub box {
        start  ->  job a
        handler h   on error {
          start  ->  job x
        }
      }
      box    ->  end normal
      box    ~>  end caught   on error E
    )");
    play.throw_error("a", "E");
    EXPECT_EQ(play.waiting(), "x");
    EXPECT_EQ(play.complete("x").count("completed normal"), 1);
  }
}

TEST(ErrorEventSubProcess, gives_the_variables_of_the_error_to_the_process) {  // Z182
  Play play(
      "start  ->  sub box {\n start  ->  job a\n"
      "handler h   on error E {\n start  ->  job x\n }\n }");
  play.throw_error("a", "E", "", R"({"v":7})");
  EXPECT_EQ(play.variables(), R"({"v":7})");
  EXPECT_EQ(play.visible("x"), R"({"v":7})");
}

TEST(ErrorEventSubProcess, does_not_catch_what_is_thrown_inside_itself) {  // Z129, C127
  const std::string throws_again =
      "start  ->  job a\n handler h   on error E {\n start  ->  job x\n }\n";
  Play alone(throws_again + "handler other   on error F {\n start  ->  end\n }");
  alone.throw_error("a", "E").throw_error("x", "E");
  EXPECT_EQ(alone.incident(),
            "UNHANDLED_ERROR_EVENT at x: error \"E\" is not caught by any event around \"x\"; "
            "there are no error events in the enclosing scopes");
  Play outer("start  ->  sub box {\n" + throws_again + "}\n box  ~>  end caught   on error E");
  outer.throw_error("a", "E").throw_error("x", "E");
  EXPECT_EQ(outer.state(), "completed");
  EXPECT_EQ(outer.count("completed caught"), 1);
  EXPECT_EQ(outer.count("triggered h.start"), 1);
}

TEST(ErrorEventSubProcess, an_error_of_one_that_runs_beside_is_caught) {
  Play play(R"(
    start  ->  job a
    handler h   on message m   beside {
      start  ->  error(E)
    }
    handler i   on error E {
      start  ->  job x
    }
  )");
  play.publish("m");
  EXPECT_EQ(play.waiting(), "x");
  EXPECT_EQ(play.count("terminated a"), 1);
  EXPECT_EQ(play.count("terminated h"), 1);
}

TEST(ErrorEventSubProcess, may_ask_for_code_and_message) {  // C128
  auto process = std::make_shared<model::Process>(*testkit::draw(
      "dialect camunda7\n start  ->  job a\n handler h   on error E {\n start  ->  job x\n }"));
  for (model::Element& element : process->elements) {
    if (element.id != "h.start") continue;
    element.events.front().code_variable = "code";
    element.events.front().message_variable = "text";
  }
  Play play(process);
  play.throw_error("a", "E", "too late");
  EXPECT_EQ(play.variables(), R"({"code":"E","text":"too late"})");
}

TEST(ErrorEventSubProcess, is_named_where_nothing_catches) {  // Z184
  Play play(R"(
    start  ->  sub box {
      start  ->  job a
      handler h   on error E1 {
        start  ->  end
      }
    }
    box    ~>  end   on error E2
    handler i   on error E3 {
      start  ->  end
    }
  )");
  play.throw_error("a", "E4");
  EXPECT_TRUE(play.incident().ends_with("the enclosing scopes catch: \"E1\", \"E2\", \"E3\""))
      << play.incident();
}

TEST(ErrorEventSubProcess, catches_technical_failures_outside_of_zeebe) {
  const std::string drawing =
      "start  ->  script s   js throw new Error('no')\n s  ->  end\n"
      "handler h   on error 500 {\n start  ->  end fixed\n }";
  EXPECT_EQ(Play("dialect plain\n" + drawing).state(), "completed");
  EXPECT_EQ(Play("dialect camunda7\n" + drawing).state(), "completed");
  EXPECT_EQ(Play(drawing).state(), "incident");
}

TEST(ErrorEventSubProcess, does_not_catch_the_failures_of_its_own_scope) {
  // The scope does not run yet, or no longer.
  Play in(
      "dialect plain\n start  ->  sub box   in x = assert(y, y > 1) {\n start  ->  job a\n"
      "handler h   on error {\n start  ->  end\n }\n }");
  EXPECT_TRUE(in.incident().starts_with("IO_MAPPING_ERROR at box")) << in.incident();
  Play out(
      "dialect plain\n start  ->  sub box   out x = assert(y, y > 1) {\n start  ->  job a\n"
      "handler h   on error {\n start  ->  end\n }\n }");
  out.complete("a");
  EXPECT_TRUE(out.incident().starts_with("IO_MAPPING_ERROR at box")) << out.incident();
}

TEST(ErrorEventSubProcess, ends_what_would_still_begin_at_once) {
  Play play(R"(
    dialect plain
    start  ->  sub box {
      script s   js throw new Error('no')
      job a
      handler h   on error {
        start  ->  job fix
      }
    }
  )");
  EXPECT_EQ(play.waiting(), "fix");
  EXPECT_EQ(play.count("activating a"), 0);
}

}  // namespace
}  // namespace pawl::engine
