// SPDX-License-Identifier: Apache-2.0
// Escalations: who catches them, who goes on, and that nobody has to.
#include <gtest/gtest.h>

#include "engine/drawings_for_test.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

// A sub-process in which a throw event comes before a job.
std::string box(const std::string& catches, const std::string& code = "escalates E") {
  return "start  ->  sub box {\n start  ->  throw up   " + code +
         "\n up  ->  job a\n a  ->  end\n }\n box  ->  end\n" + catches;
}

TEST(Escalation, that_nobody_catches_is_only_noted) {  // Z192, Z193
  for (const std::string dialect : dialects) {
    Play thrown(dialect + "start  ->  throw up   escalates E\n up  ->  end");
    EXPECT_EQ(thrown.state(), "completed");
    EXPECT_EQ(thrown.path(), "start up end");
    EXPECT_EQ(thrown.told("escalation incident"), "escalation E at up");
    Play at_end(dialect + "start  ->  end up   escalates E");
    EXPECT_EQ(at_end.state(), "completed");
    EXPECT_EQ(at_end.incident_count(), 0u);
  }
}

TEST(Escalation, an_interrupting_boundary_event_ends_the_scope_and_the_thrower) {  // Z194
  for (const std::string dialect : dialects) {
    Play play(dialect + box("box  ~>  job b   on escalation"));
    EXPECT_EQ(play.waiting(), "b");
    EXPECT_EQ(play.told("terminated"), "terminated up, terminated box");
    EXPECT_EQ(play.complete("b").state(), "completed");
  }
}

TEST(Escalation, codes_are_texts_also_when_they_look_like_numbers) {  // Z195
  Play play(box("box  ~>  job b   on escalation 404", "escalates 404"));
  EXPECT_EQ(play.waiting(), "b");
  Play other(box("box  ~>  job b   on escalation 404", "escalates 4040"));
  EXPECT_EQ(other.waiting(), "a");
}

TEST(Escalation, a_boundary_event_beside_lets_the_thrower_go_on) {  // Z196
  for (const std::string dialect : dialects) {
    Play play(dialect + box("box  ~>  job b   on escalation E   beside"));
    EXPECT_EQ(play.waiting(), "b a");
    EXPECT_EQ(play.complete("a").complete("b").state(), "completed");
    EXPECT_EQ(play.count("completed up"), 1);
  }
}

TEST(Escalation, an_event_sub_process_beside_runs_beside) {  // Z197
  for (const char* event : {"on escalation", "on escalation E"}) {
    Play play(R"(
      start  ->  throw up   escalates E
      up     ->  job a
      handler h   )" +
              std::string(event) + R"(   beside {
        start  ->  job note
      }
    )");
    EXPECT_EQ(play.waiting(), "note a") << event;
    EXPECT_EQ(play.complete("a").complete("note").state(), "completed");
  }
}

TEST(Escalation, an_interrupting_event_sub_process_runs_alone) {
  Play play(R"(
    start  ->  throw up   escalates E
    up     ->  job a
    handler h   on escalation E {
      start  ->  job note
    }
  )");
  EXPECT_EQ(play.waiting(), "note");
  EXPECT_EQ(play.told("terminated"), "terminated up");
  EXPECT_EQ(play.complete("note").state(), "completed");
}

TEST(Escalation, an_event_sub_process_does_not_catch_what_it_throws_itself) {
  Play play(R"(
    start  ->  sub box {
      start  ->  throw up   escalates E
      up     ->  job a
      handler h   on escalation   beside {
        start  ->  end again   escalates E
      }
    }
    box  ~>  job b   on escalation   beside
  )");
  EXPECT_EQ(play.waiting(), "a b");
  EXPECT_EQ(play.told("escalation"), "escalation E at up, escalation E at again");
}

TEST(Escalation, two_codes_go_to_two_events) {  // Z201
  Play play(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  throw x   escalates X
      fork   ->  throw y   escalates Y
      x      ->  end one
      y      ->  end two
    }
    box  ~>  job a   on escalation X   beside
    box  ~>  job b   on escalation Y   beside
  )");
  EXPECT_EQ(play.waiting(), "a b");
}

TEST(Escalation, the_exact_code_comes_before_any_code) {  // Z202
  Play border(box("box  ~>  job any   on escalation\nbox  ~>  job exact   on escalation E"));
  EXPECT_EQ(border.waiting(), "exact");
  Play inside(R"(
    start  ->  throw up   escalates E
    handler h   on escalation {
      start  ->  job any
    }
    handler g   on escalation E {
      start  ->  job exact
    }
  )");
  EXPECT_EQ(inside.waiting(), "exact");
}

TEST(Escalation, the_code_may_be_an_expression) {  // Z203
  Play play(
      "start  ->  sub box {\n start  ->  end up   escalates =x\n }\n"
      "box  ~>  job b   on escalation E",
      R"({"x":"E"})");
  EXPECT_EQ(play.waiting(), "b");
}

TEST(Escalation, a_code_that_is_no_text_is_an_incident_that_can_be_resolved) {  // Z204
  for (const char* variables : {"{}", R"({"x":null})", R"({"x":7})"}) {
    Play play(
        "start  ->  sub box {\n start  ->  end up   escalates =x\n }\n"
        "box  ~>  job b   on escalation E",
        variables);
    EXPECT_EQ(play.incident().substr(0, 28), "EXTRACT_VALUE_ERROR at up: e") << play.incident();
    play.set("drawn", R"({"x":"E"})").resolve("up");
    EXPECT_EQ(play.waiting(), "b");
  }
}

TEST(Escalation, tells_the_code_if_the_event_asks) {
  auto process = std::make_shared<model::Process>(
      *testkit::draw("dialect camunda7\n" + box("box  ~>  job b   on escalation E   beside")));
  for (model::Element& element : process->elements) {
    if (element.kind == model::ElementKind::boundary_event)
      element.events.front().code_variable = "code";
  }
  Play play(process);
  EXPECT_EQ(play.variables(), R"({"code":"E"})");
}

// --- loops
TEST(EscalationInLoop, is_caught_inside_the_iteration_and_the_path_goes_on) {  // Z78
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  sub box   each items as item {
        start  ->  throw up   escalates E
        up     ->  job a
        handler h   on escalation E   beside {
          start  ->  job note   in k = item
        }
      }
      box  ->  end
      box  ~>  job never   on escalation
    )",
              R"({"items":[1,2]})");
    EXPECT_EQ(play.waiting(), "note a note a");
    EXPECT_EQ(play.variables("note"), R"({"k":1})");
    play.complete("note").complete("note").complete("a").complete("a");
    EXPECT_EQ(play.state(), "completed");
    EXPECT_EQ(play.count("activating never"), 0);
  }
}

TEST(EscalationInLoop, an_interrupting_boundary_event_ends_the_body) {  // Z79
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  sub box   each items as item {
        start  ->  job a
        a      ->  end up   escalates E
      }
      box  ->  end
      box  ~>  job b   on escalation E
    )",
              R"({"items":[1,2,3]})");
    play.complete("a");
    EXPECT_EQ(play.waiting(), "b");
    EXPECT_EQ(play.count("terminated box"), 3);
    EXPECT_EQ(play.count("terminated box#body"), 1);
    EXPECT_EQ(play.complete("b").state(), "completed");
  }
}

TEST(EscalationInLoop, a_boundary_event_beside_is_taken_once_for_each) {
  Play play(R"(
    start  ->  sub box   times 3 {
      start  ->  end up   escalates E
    }
    box  ->  job a
    box  ~>  job b   on escalation E   beside
  )");
  EXPECT_EQ(play.waiting(), "b b b a");
}

// --- calls
std::vector<Play::Named> called(const std::string& around) {
  return {{"main", "start  ->  call c   process child\n c  ->  end\n" + around},
          {"child", "start  ->  throw up   escalates E\n up  ->  job a\n a  ->  end"}};
}

TEST(EscalationInCall, an_interrupting_boundary_event_ends_the_child) {  // Z198
  Play play(called("c  ~>  job b   on escalation E"));
  EXPECT_EQ(play.waiting(), "b");
  EXPECT_EQ(play.called("child"), nullptr);
  EXPECT_EQ(play.told("terminated"), "terminated c");
  EXPECT_NE(play.told_by_all("terminated").find("child: terminated up"), std::string::npos);
  EXPECT_EQ(play.complete("b").state(), "completed");
}

TEST(EscalationInCall, a_boundary_event_beside_lets_the_child_go_on) {  // Z199
  Play play(called("c  ~>  job b   on escalation   beside"));
  EXPECT_EQ(play.waiting(), "a b");
  EXPECT_EQ(play.complete("a").complete("b").state(), "completed");
  EXPECT_EQ(play.count("call-escalated c"), 1);
}

TEST(EscalationInCall, an_event_sub_process_of_the_caller_catches) {  // Z200
  for (const std::string beside : {"", "   beside"}) {
    Play play(called("handler h   on escalation E" + beside + " {\n start  ->  job note\n }"));
    EXPECT_EQ(play.waiting(), beside.empty() ? "note" : "a note");
    if (!beside.empty()) play.complete("a");
    EXPECT_EQ(play.complete("note").state(), "completed");
  }
}

TEST(EscalationInCall, goes_up_through_all_callers) {
  for (const std::string beside : {"", "   beside"}) {
    Play play(std::vector<Play::Named>{
        {"top", "start  ->  call t   process middle\n t  ~>  job b   on escalation E" + beside},
        {"middle", "start  ->  call m   process child"},
        {"child",
         "start  ->  throw up   escalates E\n up  ->  throw more   escalates E\n more  ->  job "
         "a"}});
    EXPECT_EQ(play.waiting(), beside.empty() ? "b" : "a b b");
    if (!beside.empty()) play.complete("a").complete("b");
    EXPECT_EQ(play.complete("b").state(), "completed");
  }
}

TEST(EscalationInCall, is_taken_once_and_in_order) {
  Play play(called("c  ~>  job b   on escalation   beside"));
  const Key child = play.called("child")->key;
  AnswerCall answer{.element = play.key_of("c"),
                    .child = child,
                    .outcome = CallOutcome::escalated,
                    .code = "E",
                    .number = 1};
  EXPECT_NE(play.rejection(answer).find("taken already"), std::string::npos);
  answer.number = 3;
  EXPECT_NE(play.rejection(answer).find("missing"), std::string::npos);
  AnswerCall end{.element = play.key_of("c"), .child = child, .outcome = CallOutcome::completed};
  EXPECT_NE(play.rejection(end).find("missing"), std::string::npos);
  EXPECT_EQ(play.waiting(), "a b");
}

TEST(EscalationInCall, that_no_caller_catches_is_only_noted) {
  Play play(called("c  ~>  job b   on escalation X"));
  EXPECT_EQ(play.waiting(), "a");
  EXPECT_EQ(play.complete("a").state(), "completed");
}

}  // namespace
}  // namespace pawl::engine
