// SPDX-License-Identifier: Apache-2.0
// Loops that wait for messages, signals and timers: on the border of the body, and in iterations.
#include <gtest/gtest.h>

#include "engine/drawings_for_test.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

TEST(BoundaryEvent, interrupting_ends_the_whole_loop_without_output) {  // Z43, C100, C115, M12
  for (const char* how : {"", "sequential"}) {
    for (const char* event : {"on message m", "after 1h", "on signal m"}) {
      Play play(std::string("start  ->  job w   each items as item   collect r in out   ") + how +
                    "\n w  ->  end normal\n w  ~>  end caught   " + event,
                abc);
      play.complete("w", R"({"r":1})");
      if (play.subscription_of("w~m") == Key::none) {
        play.pass(1h);
      } else {
        play.driver().publish("m", "").value() || play.driver().broadcast("m").value();
      }
      EXPECT_EQ(play.state(), "completed");
      EXPECT_EQ(play.count("completed caught"), 1);
      EXPECT_EQ(play.count("terminated w"), *how == 0 ? 2 : 1);
      EXPECT_EQ(play.count("terminated w#body"), 1);
      EXPECT_EQ(play.variables(), abc);
    }
  }
}

TEST(BoundaryEvent, not_interrupting_leaves_the_loop_alone) {  // Z44, M12
  Play play(R"(
    start  ->  job w   each items as item   collect r in out
    w      ->  end
    w      ~>  job note   on message m   beside
  )",
            abc);
  play.publish("m").publish("m");
  EXPECT_EQ(play.waiting(), "w w w note note");
  EXPECT_EQ(play.visible("note"), abc);  // nothing of the loop
  play.complete("w").complete("w").complete("w");
  EXPECT_EQ(play.waits(), "");
  EXPECT_EQ(play.complete("note").complete("note").state(), "completed");
}

TEST(BoundaryEvent, a_wrong_time_on_the_body_is_an_incident_before_anything_runs) {  // Z75
  Play play("start  ->  job w   each items\n w  ->  end\n w  ~>  end late   after =x", abc);
  EXPECT_EQ(play.incident().find("EXTRACT_VALUE_ERROR at w: timer"), 0u) << play.incident();
  play.set("", R"({"x":"PT1H"})").resolve("w");
  EXPECT_EQ(play.waiting(), "w w w");
  play.complete("w").complete("w").complete("w");
  EXPECT_EQ(play.state(), "completed");
}

TEST(BoundaryEvent, of_a_failed_loop_stays_open_and_opens_once) {
  Play play(R"(
    start  ->  job w   each items   failures fail
    w      ->  end
    w      ~>  end late   after 1h
  )",
            abc);
  play.throw_error("w", "E");
  EXPECT_EQ(play.waits(), "+3600s at w~1h");
  play.resolve("w");
  EXPECT_EQ(play.waits(), "+3600s at w~1h");
  EXPECT_EQ(play.pass(1h).count("completed late"), 1);
}

TEST(BoundaryEvent, inside_a_looped_sub_process_belongs_to_its_iteration) {  // C101
  Play play(R"(
    start  ->  sub box   times 3 {
      start  ->  job a
      a      ->  end
      a      ~>  end late   after 1h
    }
    box    ->  end
  )");
  play.complete("a").pass(1h);
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed late"), 2);
}

TEST(MultiInstanceReceiveTask, waits_once_for_each_item) {  // Z53, Z54, Z56, C107, M1
  const std::pair<const char*, const char*> rows[] = {
      {R"(
         start  ->  receive r   on message m   key item   each items as item   collect v in out
         r      ->  end
       )",
       "completed r#body"},
      {R"(
         start  ->  sub box   each items as item   collect v in out {
           start  ->  catch r   on message m   key item
         }
         box    ->  end
       )",
       "completed box#body"},  // Z59
  };
  for (const auto& [drawing, body] : rows) {
    Play play(drawing, abc);
    EXPECT_EQ(play.waits(), "m:a at r, m:b at r, m:c at r");
    play.publish("m:b", R"({"v":2})");
    EXPECT_EQ(play.waits(), "m:a at r, m:c at r");
    play.publish("m:c", R"({"v":3})").publish("m:a", R"({"v":1})");
    EXPECT_EQ(play.state(), "completed");
    EXPECT_EQ(play.count("completed r"), 3);
    EXPECT_EQ(play.count(body), 1);
    EXPECT_EQ(play.variables(), R"({"items":["a","b","c"],"out":[1,2,3]})");
  }
}

TEST(MultiInstanceReceiveTask, cancelling_closes_every_subscription) {  // Z55
  Play play("start  ->  receive r   on message m   key item   each items as item", abc);
  EXPECT_EQ(play.cancel().state(), "terminated");
  EXPECT_EQ(play.story("waits-no-more").size(), 3u);
}

TEST(MultiInstanceReceiveTask, the_loop_that_is_over_closes_the_rest) {
  Play play(
      "start  ->  receive r   on message m   key item   each items as item   join 1\n"
      "r  ->  end",
      abc);
  EXPECT_EQ(play.publish("m:b").state(), "completed");
  EXPECT_EQ(play.story("waits-no-more").size(), 3u);
}

TEST(MultiInstanceReceiveTask, with_one_name_takes_message_by_message) {  // C108
  Play play("dialect camunda7\n start  ->  receive r   on message m   times 3\n r  ->  end");
  EXPECT_EQ(play.waits(), "m at r, m at r, m at r");
  EXPECT_EQ(play.publish("m").publish("m").state(), "waiting");
  EXPECT_EQ(play.publish("m").state(), "completed");
}

TEST(MultiInstanceTimer, there_is_one_for_each_iteration) {  // Z60
  Play play(R"(
    start  ->  sub box   times 3 {
      start  ->  catch t   after 1h
    }
    box    ->  end
  )");
  EXPECT_EQ(play.driver().timers().size(), 3u);
  EXPECT_EQ(play.pass(1h).state(), "completed");
}

}  // namespace
}  // namespace pawl::engine
