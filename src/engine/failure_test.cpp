// SPDX-License-Identifier: Apache-2.0
// Errors: who catches, what is terminated before, what the incident says when nobody does.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

constexpr const char* two_codes = R"(
  start  ->  job work
  work   ->  end normal
  work   ~>  end one   on error E1
  work   ~>  end two   on error E2
)";

TEST(BpmnError, is_caught_by_the_boundary_event_with_its_code) {  // Z166, Z167
  EXPECT_EQ(Play(two_codes).throw_error("work", "E1").path(), "start work~E1 one");
  Play play(two_codes);
  play.throw_error("work", "E2");
  EXPECT_EQ(play.path(), "start work~E2 two");
  EXPECT_EQ(play.told("terminated"), "terminated work");
  EXPECT_EQ(play.state(), "completed");
}

TEST(BpmnError, codes_that_look_like_numbers_match_as_text) {  // Z168
  Play play("start  ->  job work\n work  ~>  end caught   on error 404");
  EXPECT_EQ(play.throw_error("work", "404").path(), "start work~404 caught");
}

TEST(BpmnError, a_boundary_event_without_code_catches_all) {  // Z169
  Play play("start  ->  job work\n work  ~>  end caught   on error");
  EXPECT_EQ(play.throw_error("work", "anything").path(), "start work~ caught");
}

TEST(BpmnError, a_specific_code_wins_over_catch_all) {  // Z170
  Play play(R"(
    start  ->  job work
    work   ~>  end any   on error
    work   ~>  end one   on error E1
  )");
  EXPECT_EQ(play.throw_error("work", "E1").path(), "start work~E1 one");
}

TEST(BpmnError, its_job_is_not_also_cancelled) {  // Z172
  Play play(two_codes);
  play.throw_error("work", "E1");
  EXPECT_EQ(play.told("job-threw job-canceled"), "job-threw work");
}

TEST(BpmnError, the_innermost_handler_catches) {  // Z177, S6
  Play play(R"(
    start  ->  sub box {
      start  ->  job work
      work   ~>  end caught   on error E1
    }
    box    ->  end normal
    box    ~>  end outer    on error E1
  )");
  play.throw_error("work", "E1");
  EXPECT_EQ(play.path(), "start box.start work~E1 caught box normal");
}

TEST(BpmnError, three_scopes_deep_is_caught_outermost_with_all_inside_terminated) {  // S6, S7
  Play play(R"(
    start  ->  sub one {
      start  ->  and fork
      fork   ->  job beside1
      fork   ->  sub two {
        start  ->  and fork2
        fork2  ->  job beside2
        fork2  ->  sub three {
          start  ->  and fork3
          fork3  ->  job beside3
          fork3  ->  job thrower
        }
      }
    }
    one    ->  end normal
    one    ~>  end caught   on error E
  )");
  play.throw_error("thrower", "E", "too deep");
  EXPECT_EQ(play.told("error triggered terminated activated"),
            "activated drawn, activated start, activated one, activated one.start, activated fork, "
            "activated beside1, activated two, activated two.start, activated fork2, "
            "activated beside2, activated three, activated three.start, activated fork3, "
            "activated beside3, activated thrower, "
            "error E at thrower, triggered one~E, "
            "terminated beside1, terminated beside2, terminated beside3, terminated thrower, "
            "terminated three, terminated two, terminated one, "
            "activated one~E, activated caught");
  EXPECT_EQ(play.state(), "completed");
}

TEST(BpmnError, its_variables_are_local_to_the_event_then_merged) {  // Z181
  Play play("start  ->  job work\n work  ~>  end caught   on error E1", R"({"a":1})");
  play.throw_error("work", "E1", "", R"({"a":2,"b":3})");
  EXPECT_EQ(play.told("created updated"),
            "created a=1 in drawn, created a=2 in work~E1, created b=3 in work~E1, "
            "updated a=2 in drawn, created b=3 in drawn");
}

TEST(BpmnError, output_mappings_of_the_event_read_the_thrown_variables) {  // Z183
  Play play("start  ->  job work\n work  ~>  end caught   on error E1   caught out why = reason");
  play.throw_error("work", "E1", "", R"({"reason":"late","other":1})");
  EXPECT_EQ(play.variables(), R"({"why":"late"})");
}

TEST(BpmnError,
     that_nothing_catches_is_an_incident_with_code_message_and_candidates) {  // Z184, Z185
  Play play(R"(
    start  ->  sub box {
      start  ->  job work
      work   ~>  end a   on error E1
    }
    box    ~>  end b   on error E2
  )");
  play.throw_error("work", "E9", "no stock");
  const std::string incident = play.incident();
  for (const char* part :
       {"UNHANDLED_ERROR_EVENT at work", "\"E9\"", "no stock", "\"E1\"", "\"E2\""}) {
    EXPECT_NE(incident.find(part), std::string::npos) << incident;
  }
  EXPECT_EQ(play.state(), "incident");
}

TEST(BpmnError, after_resolving_the_incident_the_job_can_be_completed) {  // Z187
  Play play("start  ->  job work\n work  ->  end");
  play.throw_error("work", "E9");
  EXPECT_EQ(play.waiting(), "");
  play.resolve("work");
  EXPECT_EQ(play.waiting(), "work");
  play.complete("work");
  EXPECT_EQ(play.state(), "completed");
}

TEST(BpmnError, cancelling_resolves_its_incident_and_cancels_no_job_twice) {  // Z188
  Play play("start  ->  job work\n work  ->  end");
  play.throw_error("work", "E9").cancel();
  EXPECT_EQ(play.told("resolved job-canceled terminated"),
            "resolved work, terminated work, terminated drawn");
}

TEST(BpmnError, throwing_is_rejected_for_unknown_failed_or_already_thrown_jobs) {  // Z190
  Play play("start  ->  and fork\n fork  ->  job a\n fork  ->  job b");
  EXPECT_NE(play.rejection(ThrowError{key_from(999), "E", "", {}}).find("no job"),
            std::string::npos);
  const Key a = play.job_of("a");
  play.fail("a", 0, "broken");
  EXPECT_NE(play.rejection(ThrowError{a, "E", "", {}}).find("has failed"), std::string::npos);
  const Key b = play.job_of("b");
  play.throw_error("b", "E");
  EXPECT_NE(play.rejection(ThrowError{b, "E", "", {}}).find("has thrown"), std::string::npos);
}

TEST(BpmnError, a_very_long_message_is_cut) {  // Z191
  Play play("start  ->  job work");
  play.throw_error("work", "E", std::string(200'000, 'x'));
  EXPECT_LT(play.incident().size(), 11'000u);
  EXPECT_NE(play.incident().find("…"), std::string::npos);
}

TEST(BpmnError, a_boundary_event_without_flow_ends_the_token) {  // Z144
  Play play(R"(
    start  ->  sub box {
      start  ->  job work
    }
    box    ->  end normal
    box    ~>  xor nowhere   on error E
  )");
  play.throw_error("work", "E");
  EXPECT_EQ(play.state(), "completed");
}

TEST(BpmnError, a_boundary_event_with_two_flows_takes_both) {  // Z130
  const auto process = R"(
    start  ->  job work
    work   ~>  task t   on error E
    t      ->  job a
    t      ->  job b
  )";
  Play play(process);
  play.throw_error("work", "E");
  EXPECT_EQ(play.waiting(), "a b");
}

TEST(BpmnError, output_mappings_of_an_interrupted_task_are_not_applied) {  // Z135, Z133
  Play play(R"(
    start  ->  job work   in mine = 1   out result = mine
    work   ~>  end caught   on error E
  )");
  play.throw_error("work", "E");
  EXPECT_EQ(play.variables(), "{}");
}

TEST(TechnicalFailure, in_other_dialects_is_first_tried_as_error_500) {
  const char* drawing = R"(
    dialect plain
    start  ->  job work
    work   ->  end normal
    work   ~>  end handled   on error 500
  )";
  Play play(drawing);
  play.fail("work", 0, "disk full");
  EXPECT_EQ(play.path(), "start work~500 handled") << play.trace();
}

TEST(TechnicalFailure, in_zeebe_models_is_an_incident_though_an_event_would_catch_500) {
  Play play("start  ->  job work\n work  ~>  end handled   on error 500");
  play.fail("work", 0, "disk full");
  EXPECT_NE(play.incident().find("JOB_NO_RETRIES at work"), std::string::npos);
}

TEST(TechnicalFailure, uncaught_is_an_incident_in_every_dialect) {
  for (const char* dialect : {"plain", "camunda7", "zeebe"}) {
    Play play(std::string("dialect ") + dialect + "\nstart  ->  job work");
    play.fail("work", 0, "disk full");
    EXPECT_EQ(play.state(), "incident") << dialect;
  }
}

TEST(ScopeWithFailure, does_not_complete_while_an_error_is_unhandled) {  // S6, S9
  Play play(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  end
      fork   ->  error(E) failed
    }
    box    ->  end normal
  )");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_TRUE(play.is_active("box"));
}

}  // namespace
}  // namespace pawl::engine
