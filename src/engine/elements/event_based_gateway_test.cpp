// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

constexpr const char* drawing = R"(
  start  ->  events choose
  choose ->  catch paid      on message paid   key order
  choose ->  catch stopped   on signal stop
  choose ->  catch late      after 2h
  paid   ->  end done
  stopped  ->  end
  late   ->  end
)";

TEST(EventBasedGateway, waits_itself_for_the_events_behind_it) {  // Z242, Z243
  Play play(drawing, R"({"order":"A"})");
  EXPECT_EQ(play.waits(), "paid:A at paid, signal stop at stopped, +7200s at late");
  const Instance& state = play.driver().instance();
  const ElementInstance* gateway = state.find(play.key_of("choose"));
  EXPECT_EQ(gateway->waits->subscriptions.size(), 2u);
  EXPECT_EQ(gateway->waits->timers.size(), 1u);
  EXPECT_FALSE(play.is_active("paid"));
}

TEST(EventBasedGateway, the_first_event_takes_its_branch_and_closes_the_others) {  // Z244 Z245 Z251
  struct Row {
    void (*happens)(Play&);
    const char* path;
    const char* closed;
  };
  const Row rows[] = {
      {[](Play& play) { play.publish("paid:A", R"({"x":1})"); }, "start choose paid done",
       "waits-no-more paid, timer-canceled late, waits-no-more stopped"},
      {[](Play& play) { play.signal("stop", R"({"x":1})"); }, "start choose stopped end",
       "waits-no-more stopped, timer-canceled late, waits-no-more paid"},
      {[](Play& play) { play.pass(2h); }, "start choose late end",
       "waits-no-more paid, waits-no-more stopped"},
  };
  for (const Row& row : rows) {
    Play play(drawing, R"({"order":"A"})");
    row.happens(play);
    EXPECT_EQ(play.state(), "completed") << play.trace();
    EXPECT_EQ(play.path(), row.path);
    EXPECT_EQ(play.told("waits-no-more timer-canceled"), row.closed);
  }
}

TEST(EventBasedGateway, completes_before_the_event_behind_it_is_activated) {  // Z244
  Play play(drawing, R"({"order":"A"})");
  play.publish("paid:A");
  EXPECT_EQ(play.told("received completed activating flow"),
            "activating drawn, activating start, completed start, flow start->choose, "
            "activating choose, received paid {}, completed choose, flow choose->paid, "
            "activating paid, completed paid, flow paid->done, activating done, completed done, "
            "completed drawn");
}

TEST(EventBasedGateway, of_two_equal_timers_one_fires) {  // Z246
  Play play(R"(
    start  ->  events choose
    choose ->  catch a   after 1h
    choose ->  catch b   after 1h
  )");
  const Key second = play.timer_of("b");
  EXPECT_EQ(play.pass(1h).path(), "start choose a");
  EXPECT_NE(play.rejection(TriggerTimer{second}), "");
}

TEST(EventBasedGateway, two_messages_at_once_take_one_branch) {  // Z247, Z341
  Play play(drawing, R"({"order":"A"})");
  const Key signal = play.subscription_of("stopped");
  play.publish("paid:A");
  EXPECT_NE(play.rejection(DeliverMail{signal, key_from(1'000), {}}), "");
  EXPECT_EQ(play.path(), "start choose paid done");
}

TEST(EventBasedGateway, cancelling_closes_all) {  // Z248
  Play play(drawing, R"({"order":"A"})");
  EXPECT_EQ(play.cancel().state(), "terminated");
  EXPECT_EQ(play.story("waits-no-more timer-canceled").size(), 3u);
}

TEST(EventBasedGateway, opens_none_if_one_cannot_be_evaluated) {  // Z363
  Play play(drawing);
  EXPECT_EQ(play.incident().find("EXTRACT_VALUE_ERROR at choose: correlation key"), 0u);
  EXPECT_EQ(play.waits(), "");
  play.set("", R"({"order":"B"})").resolve("choose");
  EXPECT_EQ(play.waits(), "paid:B at paid, signal stop at stopped, +7200s at late");
}

TEST(EventBasedGateway, receive_tasks_may_follow_it) {
  Play play(R"(
    start  ->  events choose
    choose ->  receive a   on message m   out got = x
    choose ->  receive b   on message n
    a      ->  end
  )");
  play.publish("m", R"({"x":1})");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"got":1})");
}

TEST(EventBasedGateway, a_token_behind_it_still_reaches_an_inclusive_join) {
  Play play(R"(
    start  ->  and fork
    fork   ->  or join
    fork   ->  events choose
    choose ->  catch a   after 1h
    choose ->  catch b   after 2h
    a      ->  join
    b      ->  end
    join   ->  end joined
  )");
  EXPECT_EQ(play.count("completed join"), 0);
  EXPECT_EQ(play.pass(1h).state(), "completed");
  EXPECT_EQ(play.count("completed join"), 1);
}

}  // namespace
}  // namespace pawl::engine
