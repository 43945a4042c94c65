// SPDX-License-Identifier: Apache-2.0
// What people and programs start in an ad-hoc sub-process, and what they are refused.
#include <gtest/gtest.h>

#include "testkit/play.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

// Starts elements by name; gives the rejection, or empty.
std::string activate(Play& play, const std::vector<std::string>& elements, bool cancel = false) {
  ActivateActivities command{.ad_hoc = play.key_of("box"), .cancel_remaining = cancel};
  for (const std::string& element : elements) command.activities.push_back({element, {}});
  return play.rejection(command);
}

std::string complete_box(Play& play) { return play.rejection(CompleteAdHoc{play.key_of("box")}); }

constexpr const char* two_tasks = R"(
  start  ->  adhoc box {
    job a
    job c
    c  ->  job d
  }
  box    ->  end
)";

TEST(ActivateAdHoc, starts_the_same_element_several_times) {  // Z452
  Play play(two_tasks);
  EXPECT_EQ(activate(play, {"a"}), "");
  EXPECT_EQ(activate(play, {"a", "c", "a"}), "");
  EXPECT_EQ(play.waiting(), "a a c a");
  for (const char* done : {"a", "c", "a", "d"}) play.complete(done);
  EXPECT_EQ(play.state(), "waiting");
  play.complete("a");
  EXPECT_EQ(play.state(), "completed");
}

TEST(ActivateAdHoc, refuses_what_it_does_not_know) {  // Z452
  Play play(two_tasks);
  struct Row {
    Key ad_hoc;
    std::vector<ActivateActivities::Activity> activities;
    const char* expected;
  };
  const Key box = play.key_of("box");
  const Key root = play.driver().instance().key;
  const Row rows[] = {
      {key_from(99), {{"a", {}}}, "there is no ad-hoc sub-process with key 99 (any more)"},
      {root, {{"a", {}}}, "there is no ad-hoc sub-process with key"},
      {box, {}, "cannot activate 0 elements: at least 1, and at most 1000 at once"},
      {box,
       {{"a", {}}, {"x", {}}},
       "there is no element \"x\" in ad-hoc sub-process \"box\"; it can"},
      {box,
       {{"d", {}}},
       "service task \"d\" is not where a path of ad-hoc sub-process \"box\" starts"},
      {box, {{"a", Value(1)}}, "element \"a\": variables must be an object, not a number"},
  };
  for (const Row& row : rows) {
    const std::string text = play.rejection(ActivateActivities{row.ad_hoc, row.activities});
    EXPECT_TRUE(text.starts_with(row.expected)) << text;
  }
  EXPECT_EQ(play.waiting(), "");
}

TEST(ActivateAdHoc, refuses_what_does_not_run_any_more) {  // Z452
  Play play(two_tasks);
  EXPECT_EQ(activate(play, {"a"}), "");
  const Key box = play.key_of("box");
  const Key path =
      number(play.key_of("a")) > 1 ? key_from(number(play.key_of("a")) - 1) : Key::none;
  EXPECT_NE(play.rejection(ActivateActivities{path, {{"a", {}}}}), "");
  play.complete("a");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_NE(play.rejection(ActivateActivities{box, {{"a", {}}}}), "");
}

TEST(ActivateAdHoc, refuses_one_that_has_an_incident_or_has_been_closed) {  // Z452
  Play wrong("start  ->  adhoc box   begins null {\n job a\n }");
  EXPECT_NE(activate(wrong, {"a"}).find("does not run"), std::string::npos);
  Play closed(R"(
    start  ->  adhoc box   begins ["a", "b"]   ends when true   waits for the rest {
      job a
      job b
    }
  )");
  closed.complete("a");
  EXPECT_NE(activate(closed, {"a"}).find("only waits for what still runs in it"),
            std::string::npos);
  EXPECT_NE(complete_box(closed), "");
  closed.complete("b");
  EXPECT_EQ(closed.state(), "completed");
}

TEST(ActivateAdHoc, variables_are_local_to_the_path) {  // Z452
  Play play(two_tasks, R"({"x": 0})");
  const Key box = play.key_of("box");
  ActivateActivities command{box, {{"a", *parse_json(R"({"x": 1, "y": 2})")}, {"c", {}}}};
  EXPECT_EQ(play.rejection(command), "");
  EXPECT_EQ(play.visible("a"), R"({"x":1,"y":2})");
  EXPECT_EQ(play.visible("c"), R"({"x":0})");
  play.complete("a", R"({"y": 3, "z": 4})");
  EXPECT_EQ(play.variables(), R"({"x":0,"z":4})");
}

TEST(ActivateAdHoc, can_cancel_what_remains) {  // Z452
  Play play(two_tasks);
  EXPECT_EQ(activate(play, {"a", "c"}), "");
  EXPECT_EQ(activate(play, {"c"}, true), "");
  EXPECT_EQ(play.waiting(), "c");
  EXPECT_EQ(play.told("terminated"),
            "terminated a, terminated box#path, terminated c, terminated box#path");
  play.complete("c").complete("d");
  EXPECT_EQ(play.state(), "completed");
}

constexpr const char* of_flowable = R"(
  dialect camunda7
  start  ->  adhoc box {
    job a
    a  ->  job b
    job c
  }
  box    ->  end
)";

TEST(ActivateAdHoc, of_flowable_starts_nothing_and_goes_on_until_it_is_told) {  // C174, C175
  Play play(of_flowable);
  EXPECT_EQ(play.waiting(), "");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(activate(play, {"c"}), "");
    EXPECT_NE(complete_box(play).find("something is active in it"), std::string::npos);
    play.complete("c");
    EXPECT_EQ(play.state(), "waiting");
  }
  EXPECT_EQ(complete_box(play), "");
  EXPECT_EQ(play.state(), "completed");
}

TEST(ActivateAdHoc, completes_before_anything_was_started) {  // C175
  Play play(of_flowable);
  EXPECT_EQ(complete_box(play), "");
  EXPECT_EQ(play.path(), "start box end");
}

TEST(ActivateAdHoc, of_flowable_completes_by_its_condition) {  // C176
  Play play(R"(
    dialect camunda7
    start  ->  adhoc box   ends when js done == true {
      job a
    }
  )",
            R"({"done": false})");
  EXPECT_EQ(activate(play, {"a"}), "");
  play.complete("a");
  EXPECT_EQ(play.state(), "waiting");
  EXPECT_EQ(activate(play, {"a"}), "");
  play.complete("a", R"({"done": true})");
  EXPECT_EQ(play.state(), "completed");
}

TEST(ActivateAdHoc, in_order_refuses_a_second_one_while_one_is_active) {  // C177
  for (const bool ordered : {true, false}) {
    Play play(std::string("dialect camunda7\n start  ->  adhoc box   ") +
              (ordered ? "one by one" : "") + " {\n job a\n job c\n }");
    EXPECT_EQ(activate(play, {"a"}), "");
    const std::string second = activate(play, {"c"});
    EXPECT_EQ(second.find("takes one element at a time") != std::string::npos, ordered) << second;
    play.complete("a");
    EXPECT_EQ(activate(play, {"c", "a"}), "");
    EXPECT_EQ(play.waiting(), ordered ? "c" : "c c a");
  }
}

TEST(ActivateAdHoc, what_follows_begins_by_itself_and_still_blocks_others) {  // C178
  Play play(R"(
    dialect camunda7
    start  ->  adhoc box   one by one {
      job a
      a  ->  job b
      job c
    }
  )");
  EXPECT_EQ(activate(play, {"a"}), "");
  play.complete("a");
  EXPECT_EQ(play.waiting(), "b");
  EXPECT_NE(activate(play, {"c"}), "");
  play.complete("b");
  EXPECT_EQ(activate(play, {"c"}), "");
  EXPECT_EQ(play.waiting(), "c");
}

TEST(ActivateAdHoc, the_rest_is_cancelled_or_waited_for) {  // C179
  for (const bool cancels : {true, false}) {
    Play play(std::string("dialect camunda7\n start  ->  adhoc box   ends when js done   ") +
                  (cancels ? "" : "waits for the rest") + " {\n job a\n job c\n }",
              R"({"done": false})");
    EXPECT_EQ(activate(play, {"a", "c"}), "");
    play.complete("a", R"({"done": true})");
    EXPECT_EQ(play.state(), cancels ? "completed" : "waiting");
    if (!cancels) play.complete("c");
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(ActivateAdHoc, in_order_begins_when_what_was_cancelled_is_gone) {  // C177
  const std::vector<Play::Named> processes = {
      {"main", "start  ->  adhoc box   one by one {\n call a   process slow\n job c\n }"},
      {"slow", "start  ->  job work"},
  };
  Play play(processes);
  EXPECT_EQ(activate(play, {"a"}), "");
  EXPECT_EQ(play.waiting(), "work");
  EXPECT_EQ(activate(play, {"c"}, true), "");
  EXPECT_EQ(play.waiting(), "c");
  play.complete("c");
  EXPECT_EQ(play.state(), "completed");
}

}  // namespace
}  // namespace pawl::engine
