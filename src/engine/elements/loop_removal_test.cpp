// SPDX-License-Identifier: Apache-2.0
// Iterations that an operator takes away, lists that change under a loop, counters with a name.
#include <gtest/gtest.h>

#include "engine/drawings_for_test.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

// The oldest iteration with a job.
Key iteration_of(Play& play, std::string_view task) {
  return play.driver().instance().find_job_owner(play.job_of(task))->key;
}

TEST(LoopRemoval, an_iteration_may_count_as_completed) {  // C117
  for (const std::string dialect : dialects) {
    for (const std::string how : {"", "   sequential"}) {
      Play play(dialect + "start  ->  job a   times 3" + how + "\n a  ->  job after");
      EXPECT_EQ(play.rejection(RemoveIteration{iteration_of(play, "a"), true}), "");
      EXPECT_EQ(play.count("removed a as completed"), 1);
      EXPECT_EQ(play.count("job-canceled a"), 1);
      play.complete("a").complete("a");
      EXPECT_EQ(play.waiting(), "after") << dialect << how;
    }
  }
}

TEST(LoopRemoval, one_that_counts_as_completed_is_seen_by_the_condition_and_the_join) {  // C117
  for (const std::string until :
       {"until numberOfCompletedInstances = 2", "join 2", "until nrOfCompletedInstances = 2"}) {
    Play play("start  ->  job a   times 4   " + until + "\n a  ->  job after");
    play.complete("a");
    EXPECT_EQ(play.rejection(RemoveIteration{iteration_of(play, "a"), true}), "");
    EXPECT_EQ(play.waiting(), "after") << until;
  }
}

TEST(LoopRemoval, an_iteration_may_be_taken_from_the_plan) {  // C117
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  job a   times 3   until nrOfCompletedInstances >= nrOfInstances
      a      ->  job after
    )");
    EXPECT_EQ(play.rejection(RemoveIteration{iteration_of(play, "a"), false}), "");
    play.complete("a");
    EXPECT_EQ(play.waiting(), "a");
    EXPECT_EQ(play.complete("a").waiting(), "after") << dialect;
  }
}

TEST(LoopRemoval, and_adding_change_the_planned_total) {  // C116, C117
  for (const std::string dialect : dialects) {
    Play less(dialect + "start  ->  job a   times 3   until nrOfInstances = 2\n a  ->  job after");
    EXPECT_EQ(less.rejection(RemoveIteration{iteration_of(less, "a"), false}), "");
    EXPECT_EQ(less.complete("a").waiting(), "after") << dialect;
    Play more(dialect + "start  ->  job a   times 2   until nrOfInstances = 4\n a  ->  job after");
    EXPECT_EQ(more.rejection(AddIterations{more.key_of("a"), 2, {}}), "");
    EXPECT_EQ(more.complete("a").waiting(), "after") << dialect;
  }
}

TEST(LoopRemoval, the_join_is_capped_at_what_is_planned_now) {  // M10, M14, C116, C117
  Play less("start  ->  job a   times 3   join 3\n a  ->  job after");
  EXPECT_EQ(less.rejection(RemoveIteration{iteration_of(less, "a"), false}), "");
  EXPECT_EQ(less.complete("a").complete("a").waiting(), "after") << less.trace();
  Play more("start  ->  job a   times 2   join 9\n a  ->  job after");
  EXPECT_EQ(more.rejection(AddIterations{more.key_of("a"), 3, {}}), "");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(more.complete("a").count("completed a#body"), 0);
  EXPECT_EQ(more.complete("a").waiting(), "after");
}

TEST(LoopRemoval, of_the_last_one_ends_the_loop) {
  Play play("start  ->  job a   times 1\n a  ->  job after");
  EXPECT_EQ(play.rejection(RemoveIteration{iteration_of(play, "a"), false}), "");
  EXPECT_EQ(play.waiting(), "after");
}

TEST(LoopRemoval, leaves_no_place_in_the_output) {
  for (const bool completed : {false, true}) {
    Play play(
        "start  ->  job a   each items as item   collect result in results\n a  ->  job after",
        R"({"items":["x","y","z"]})");
    play.complete("a", R"({"result":1})");
    EXPECT_EQ(play.rejection(RemoveIteration{iteration_of(play, "a"), completed}), "");
    play.complete("a", R"({"result":3})");
    const std::string results = completed ? "[1,null,3]" : "[1,3]";
    EXPECT_EQ(play.variables(), R"({"items":["x","y","z"],"results":)" + results + "}");
  }
}

TEST(LoopRemoval, ends_all_that_is_inside_of_the_iteration) {
  Play play(R"(
    start  ->  sub box   times 2 {
      start  ->  sub inner {
        start  ->  job a
      }
    }
    box  ->  job after
  )");
  EXPECT_EQ(play.rejection(RemoveIteration{play.key_of("box"), false}).substr(0, 28),
            "there is no iteration of a l");
  Key iteration = Key::none;
  const Instance& state = play.driver().instance();
  for (Key key : {play.key_of("inner")}) iteration = state.parent_of(*state.find(key))->key;
  EXPECT_EQ(play.rejection(RemoveIteration{iteration, true}), "");
  EXPECT_EQ(play.count("terminated a"), 1);
  EXPECT_EQ(play.complete("a").waiting(), "after");
}

TEST(LoopRemoval, is_refused_for_what_is_no_running_iteration) {
  Play play("start  ->  job a   times 1\n a  ->  job after");
  const Key gone = iteration_of(play, "a");
  play.complete("a");
  for (const Key key : {gone, play.key_of("after"), Key::none, key_from(9999)}) {
    EXPECT_NE(play.rejection(RemoveIteration{key, true}), "");
  }
}

TEST(LoopCollection, replaced_by_an_empty_list_does_not_change_the_loop) {  // C111
  for (const std::string dialect : dialects) {
    for (const std::string how : {"", "   sequential"}) {
      Play play(dialect + "start  ->  job a   each items as item" + how + "\n a  ->  job after",
                R"({"items":[1,2]})");
      play.set("drawn", R"({"items":[]})");
      play.complete("a").complete("a");
      EXPECT_EQ(play.waiting(), "after") << dialect << how;
    }
  }
}

TEST(LoopIndex, has_the_name_that_the_model_gives_it) {  // C112
  Play play("dialect camunda7\nstart  ->  job a   each items as item   index place   sequential",
            R"({"items":["x","y"]})");
  play.complete("a");
  EXPECT_EQ(play.count("created place=0 in a"), 1);
  EXPECT_EQ(play.count("created place=1 in a"), 1);
  EXPECT_EQ(play.complete("a").variables(), R"({"items":["x","y"]})");
}

}  // namespace
}  // namespace pawl::engine
