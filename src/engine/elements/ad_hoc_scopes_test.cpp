// SPDX-License-Identifier: Apache-2.0
// An ad-hoc sub-process among the others: events on it and in it, errors, variables, loops on it
// (M1), and what is inside its paths.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

constexpr const char* with_events = R"(
  start  ->  adhoc box   begins ["a", "b"] {
    job a
    job b
    handler stop   on message stop   key 1 {
      start  ->  job tidy
    }
    handler ask   on message ask   key 1   beside {
      start  ->  job answer
    }
    handler broken   on error E2 {
      start  ->  job repair
    }
  }
  box    ->  end
  box    ~>  end late     after 1h
  box    ~>  job remind   on signal s   beside
  box    ~>  end failed   on error E1
)";

TEST(AdHocScope, events_belong_to_the_sub_process_not_to_its_paths) {  // Z446, S4
  const Play play(with_events);
  EXPECT_EQ(play.waits(),
            "stop:1 at stop.start, ask:1 at ask.start, signal s at box~s, +3600s at box~1h");
}

TEST(AdHocScope, an_interrupting_boundary_event_ends_all_paths) {
  Play play(with_events);
  play.pass(Millis{3'600'000});
  EXPECT_EQ(play.told("terminated"),
            "terminated a, terminated box#path, terminated b, terminated box#path, terminated box");
  EXPECT_EQ(play.path(), "start box~1h late");
}

TEST(AdHocScope, a_boundary_event_beside_leaves_the_paths_alone) {
  Play play(with_events);
  play.signal("s");
  EXPECT_EQ(play.waiting(), "a b remind");
  for (const char* job : {"a", "b", "remind"}) play.complete(job);
  EXPECT_EQ(play.state(), "completed");
}

TEST(AdHocScope, an_error_of_a_path_is_caught_on_its_border_or_inside) {  // S6
  Play border(with_events);
  border.throw_error("a", "E1");
  EXPECT_EQ(border.path(), "start box~E1 failed");
  Play inside(with_events);
  inside.throw_error("b", "E2");
  EXPECT_EQ(inside.waiting(), "repair");
  EXPECT_EQ(inside.count("terminated a"), 1);
  inside.complete("repair");
  EXPECT_EQ(inside.path(), "start broken.start repair broken box end");
}

TEST(AdHocScope, an_error_that_nothing_catches_stops_only_its_path) {  // S6
  Play play(with_events);
  play.throw_error("a", "E9");
  EXPECT_TRUE(play.incident().starts_with("UNHANDLED_ERROR_EVENT at a: error \"E9\""));
  EXPECT_NE(play.incident().find("the enclosing scopes catch: \"E2\", \"E1\""), std::string::npos)
      << play.incident();
  play.complete("b");
  EXPECT_TRUE(play.is_active("box"));
}

TEST(AdHocScope, an_event_sub_process_takes_it_over) {
  Play play(with_events);
  play.publish("stop:1");
  EXPECT_EQ(play.waiting(), "tidy");
  EXPECT_NE(play.rejection(ActivateActivities{play.key_of("box"), {{"a", {}}}}), "");
  play.complete("tidy");
  EXPECT_EQ(play.path(), "start stop.start tidy stop box end");
}

TEST(AdHocScope, an_event_sub_process_beside_keeps_it_open) {  // Z448
  Play play(with_events);
  play.publish("ask:1");
  play.complete("a").complete("b");
  EXPECT_TRUE(play.is_active("box"));
  EXPECT_EQ(play.rejection(ActivateActivities{play.key_of("box"), {{"a", {}}}}), "");
  play.complete("answer").complete("a");
  EXPECT_EQ(play.state(), "completed");
}

TEST(AdHocScope, an_event_sub_process_alone_does_not_complete_it) {  // Z447
  Play play(R"(
    start  ->  adhoc box {
      job a
      handler ask   on message ask   key 1   beside {
        start  ->  end
      }
    }
  )");
  play.publish("ask:1");
  EXPECT_EQ(play.state(), "waiting");
  EXPECT_TRUE(play.is_active("box"));
}

TEST(AdHocScope, a_terminate_end_event_ends_its_path) {  // S5
  Play play(R"(
    start  ->  adhoc box   begins ["a", "c"] {
      and a
      a  ->  job b
      a  ->  job last
      last  ->  terminate
      job c
    }
  )");
  play.complete("last");
  EXPECT_EQ(play.waiting(), "c");
  EXPECT_EQ(play.count("terminated b"), 1);
  play.complete("c");
  EXPECT_EQ(play.state(), "completed");
}

TEST(AdHocScope, joins_wait_for_the_tokens_of_their_own_path) {
  for (const std::string kind : {"and", "or"}) {
    Play play("start  ->  adhoc box   begins [\"split\", \"split\"] {\n" + kind + " split\n" +
              "split  ->  job a   if true\n split  ->  job b   if true\n a  ->  " + kind +
              " join\n b  ->  join\n join  ->  job c\n }");
    EXPECT_EQ(play.waiting(), "a b a b");
    play.complete("a").complete("a");  // one of each path
    EXPECT_EQ(play.waiting(), "b b") << kind;
    play.complete("b");
    EXPECT_EQ(play.waiting(), "b c");
    play.complete("b").complete("c").complete("c");
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(AdHocScope, mappings_belong_to_the_sub_process) {  // Z279
  Play play(R"(
    start  ->  adhoc box   begins ["a", "a"]   in mine = x   out total = mine + 1   gathers y in ys {
      job a
    }
    box    ->  end
  )",
            R"({"x": 1})");
  EXPECT_EQ(play.variables("box"), R"({"mine":1,"ys":[]})");
  EXPECT_EQ(play.count("created mine in box#path"), 0);
  play.complete("a", R"({"mine": 5, "y": 7})").complete("a");
  EXPECT_EQ(play.variables(), R"({"x":1,"ys":[7,null],"total":6})");
}

TEST(AdHocScope, isolated_results_go_from_the_path_to_the_sub_process_and_out) {  // S3
  Play play(R"(
    dialect plain
    start  ->  adhoc box {
      job a
      a  ->  job b
      job c
    }
    box    ->  end
  )");
  play.complete("a", R"({"x": 1})");
  EXPECT_EQ(play.visible("b"), R"({"x":1})");
  EXPECT_EQ(play.visible("c"), "{}");
  play.complete("b", R"({"y": 2})");
  EXPECT_EQ(play.variables("box"), R"({"x":1,"y":2})");
  EXPECT_EQ(play.visible("c"), R"({"x":1,"y":2})");
  EXPECT_EQ(play.variables(), "{}");
  play.complete("c");
  EXPECT_EQ(play.variables(), R"({"x":1,"y":2})");
}

TEST(AdHocScope, runs_in_itself_and_in_other_scopes) {
  Play play(R"(
    start  ->  sub around {
      start  ->  adhoc outer   begins ["inner", "x"] {
        adhoc inner   begins ["y"] {
          job y
        }
        inner  ->  job after
        job x
      }
    }
    around  ->  end
  )");
  EXPECT_EQ(play.waiting(), "y x");
  play.complete("y");
  EXPECT_EQ(play.waiting(), "x after");
  play.complete("x").complete("after");
  EXPECT_EQ(play.path(),
            "start around.start y inner#path inner x outer#path after outer#path outer around end");
}

TEST(AdHocScope, a_loop_on_an_element_of_a_path_works) {  // M1
  Play play(R"(
    start  ->  adhoc box   begins ["a", "b"]   one by one {
      job a
      job b   times 2
    }
  )");
  play.complete("a");
  EXPECT_EQ(play.waiting(), "b b");
  play.complete("b").complete("b");
  EXPECT_EQ(play.path(), "start a box#path b b b#body box#path box");
}

constexpr const char* looped_ad_hoc = R"(
  start  ->  adhoc box   begins ids   each [1, 2] as n   collect ys in all   gathers y in ys {
    job a
    job b
  }
  box    ->  end
  box    ~>  end late   after 1h
)";

TEST(AdHocLoop, each_iteration_has_its_own_paths_and_results) {  // M1, M3, M6
  Play play(looped_ad_hoc, R"({"ids": ["a", "b"]})");
  EXPECT_EQ(play.waiting(), "a b a b");
  EXPECT_EQ(play.waits(), "+3600s at box~1h");
  int y = 0;
  for (const char* job : {"b", "a", "b", "a"}) {
    play.complete(job, "{\"y\": " + std::to_string(++y) + "}");
  }
  EXPECT_EQ(play.path(), "start b box#path a box#path box b box#path a box#path box box#body end");
  EXPECT_EQ(play.variables(), R"({"ids":["a","b"],"all":[[1,2],[3,4]]})");
}

TEST(AdHocLoop, one_after_the_other_and_without_any_path) {  // M1, M8
  Play play(R"(
    start  ->  adhoc box   begins if n = 1 then ["a"] else []   each [1, 2] as n   sequential {
      job a
    }
    box    ->  end
  )");
  play.complete("a");
  EXPECT_EQ(play.state(), "waiting");
  const Key body = play.key_of("box");
  EXPECT_NE(play.rejection(CompleteAdHoc{body}), "");  // the body is not the sub-process
  const Instance& state = play.driver().instance();
  const Key second = state.at(state.find(body)->first_child).key;
  EXPECT_EQ(play.rejection(CompleteAdHoc{second}), "");
  EXPECT_EQ(play.state(), "completed");
}

TEST(AdHocLoop, is_left_by_its_border_with_all_that_is_inside) {  // M12
  Play play(looped_ad_hoc, R"({"ids": ["a"]})");
  play.pass(Millis{3'600'000});
  EXPECT_EQ(play.path(), "start box~1h late");
  EXPECT_EQ(play.count("terminated box#path"), 2);
}

TEST(AdHocLoop, a_standard_loop_repeats_it) {  // M1, M20
  Play play(R"(
    start  ->  adhoc box   begins ["a"]   repeat while again {
      job a
    }
    box    ->  end
  )");
  play.complete("a", R"({"again": true})").complete("a", R"({"again": false})");
  EXPECT_EQ(play.path(), "start a box#path box a box#path box box#body end");
}

TEST(AdHocLoop, wrong_ids_stop_one_iteration) {  // M11, Z453
  Play play(R"(
    start  ->  adhoc box   begins if n = 1 then ["a"] else ["x"]   each [1, 2] as n {
      job a
    }
  )");
  EXPECT_EQ(play.incident_count(), 1u);
  EXPECT_EQ(play.waiting(), "a");
}

}  // namespace
}  // namespace pawl::engine
