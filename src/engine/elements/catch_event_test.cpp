// SPDX-License-Identifier: Apache-2.0
// Receive tasks and intermediate catch events: message, signal, timer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

TEST(ReceiveTask, waits_for_its_message_and_goes_on) {  // Z328
  for (const char* kind : {"receive", "catch"}) {
    Play play(
        std::string("start  ->  ") + kind + " wait   on message paid   key order\n wait  ->  end",
        R"({"order":"A7"})");
    EXPECT_EQ(play.waits(), "paid:A7 at wait");
    EXPECT_EQ(play.state(), "waiting");
    play.publish("paid:A7", R"({"sum":5})");
    EXPECT_EQ(play.state(), "completed");
    EXPECT_EQ(play.variables(), R"({"order":"A7","sum":5})");
    EXPECT_EQ(play.told("waits received waits-no-more completed"),
              "completed start, waits wait for paid:A7, received wait {\"sum\":5}, "
              "waits-no-more wait, completed wait, completed end, completed drawn");
  }
}

TEST(ReceiveTask, takes_only_its_own_name_and_key) {  // Z334
  Play play("start  ->  receive wait   on message paid   key order", R"({"order":"A7"})");
  EXPECT_EQ(play.driver().publish("paid", "B8").value(), false);
  EXPECT_EQ(play.driver().publish("sent", "A7").value(), false);
  EXPECT_EQ(play.driver().broadcast("paid").value(), 0u);
  EXPECT_EQ(play.state(), "waiting");
}

TEST(ReceiveTask, the_name_may_be_an_expression_and_the_key_a_number) {  // Z330, Z331
  Play play("start  ->  receive wait   on message =\"paid-\" + kind   key order",
            R"({"kind":"card","order":17})");
  EXPECT_EQ(play.waits(), "paid-card:17 at wait");
}

TEST(ReceiveTask, without_message_waits_for_its_id) {
  Play play("dialect plain\n start  ->  receive wait");
  EXPECT_EQ(play.waits(), "wait at wait");
  EXPECT_EQ(play.publish("wait").state(), "completed");
}

struct Wrong {
  const char* drawing;
  const char* message;
};

TEST(CatchEvent, what_cannot_be_evaluated_is_an_incident_and_opens_nothing) {  // Z363, Z364, Z372
  const Wrong rows[] = {
      {"start  ->  receive wait   on message paid   key x",
       "correlation key \"x\" must give a text or a number, but gave null (null)"},
      {"start  ->  receive wait   on message paid   key [1]",
       "correlation key \"[1]\" must give a text or a number, but gave [1] (list)"},
      {"start  ->  catch wait   on message =x   key 1", "message name \"x\" must give a text"},
      {"start  ->  catch wait   on signal =5", "signal name \"5\" must give a text"},
      {"start  ->  catch wait   after =x", "timer \"wait\": \"x\" must give a duration"},
      {"start  ->  catch wait   at =\"soon\"",
       "timer \"wait\": \"\"soon\"\" must give a date and time"},
      // Z371: a date where a duration is wanted
      {"start  ->  catch wait   after =date and time(\"2030-01-31T12:00:00Z\")",
       "must give a duration, such as PT15M or P1DT2H, as duration or text, but gave "},
  };
  for (const Wrong& row : rows) {
    Play play(row.drawing);
    EXPECT_EQ(play.incident().find("EXTRACT_VALUE_ERROR at wait: "), 0u) << play.incident();
    EXPECT_NE(play.incident().find(row.message), std::string::npos) << play.incident();
    EXPECT_EQ(play.waits(), "");
  }
}

TEST(CatchEvent, goes_on_to_wait_when_the_incident_is_resolved) {  // Z363, Z364, Z372
  Play mail("start  ->  receive wait   in k = x   on message paid   key k");
  mail.set("wait", R"({"k":"A7"})").resolve("wait");
  EXPECT_EQ(mail.waits(), "paid:A7 at wait");
  Play timer("start  ->  catch wait   after =x");
  timer.set("", R"({"x":"PT1M"})").resolve("wait");
  EXPECT_EQ(timer.pass(1min).state(), "completed");
}

TEST(CatchEvent, one_message_continues_one_of_two_that_wait) {  // Z337, Z338
  Play parallel(R"(
    start  ->  and fork
    fork   ->  catch a   on message m   key 1
    fork   ->  catch b   on message m   key 1
  )");
  parallel.publish("m:1");
  EXPECT_EQ(parallel.path(), "start fork a");
  EXPECT_EQ(parallel.publish("m:1").state(), "completed");
  Play sequence(
      "start  ->  catch a   on message m   key 1\n a  ->  catch b   on message m   key 1");
  sequence.publish("m:1");
  EXPECT_EQ(sequence.waits(), "m:1 at b");
}

TEST(CatchEvent, message_variables_follow_mappings_and_the_write_rule) {  // Z322 … Z325
  struct Row {
    const char* drawing;
    const char* variables;
  };
  const Row rows[] = {
      {"start  ->  receive w   on message m\n w  ->  job next", R"({"i":0,"x":5,"y":6})"},
      {"start  ->  receive w   on message m   out got = x + y\n w  ->  job next",
       R"({"i":0,"got":11})"},
      {"start  ->  receive w   on message m   out a.b = x\n w  ->  job next",
       R"({"i":0,"a":{"b":5}})"},
      {"start  ->  catch w   in x = 1   on message m\n w  ->  job next", R"({"i":0,"y":6})"},
      {"start  ->  events g\n g  ->  catch w   on message m\n w  ->  job next",
       R"({"i":0,"x":5,"y":6})"},
      {"start  ->  events g\n g  ->  catch w   on message m   out got = x\n w  ->  job next",
       R"({"i":0,"got":5})"},
      {"start  ->  job h\n h  ~>  job next   on message m", R"({"i":0,"x":5,"y":6})"},
      {"start  ->  job h\n h  ~>  job next   on message m   caught out got = x",
       R"({"i":0,"got":5})"},
  };
  for (const Row& row : rows) {
    Play play(row.drawing, R"({"i":0})");
    play.publish("m", R"({"x":5,"y":6})");
    EXPECT_EQ(play.variables(), row.variables) << row.drawing;
    EXPECT_EQ(play.waiting(), "next") << row.drawing;
  }
}

TEST(CatchEvent, a_local_variable_takes_what_the_message_says_about_it) {  // Z325
  Play play("start  ->  catch w   in x = 1   on message m   out seen = x\n w  ->  end",
            R"({"x":0})");
  play.publish("m", R"({"x":5})");
  EXPECT_EQ(play.variables(), R"({"x":0,"seen":5})");
}

TEST(CatchEvent, a_failing_output_mapping_does_not_lose_the_message) {
  Play play("start  ->  catch w   on message m   out y = if x > 1 then assert(z, z != null) else 0",
            "{}");
  play.publish("m", R"({"x":5})");
  EXPECT_EQ(play.incident().find("IO_MAPPING_ERROR at w"), 0u) << play.incident();
  play.set("w", R"({"z":3})", true).resolve("w");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"y":3})");
}

TEST(SignalCatchEvent, every_one_that_waits_is_reached) {  // Z443
  Play play(R"(
    start  ->  and fork
    fork   ->  catch a   on signal go
    fork   ->  catch b   on signal go
    fork   ->  catch c   on signal stop
  )");
  EXPECT_EQ(play.waits(), "signal go at a, signal go at b, signal stop at c");
  play.signal("go", R"({"v":1})");
  EXPECT_EQ(play.path(), "start fork a b");
  EXPECT_EQ(play.variables(), R"({"v":1})");
}

TEST(TimerCatchEvent, fires_when_due_and_not_earlier) {  // Z365, Z366
  for (const char* when : {"after 2h", "after =duration(\"PT2H\")", "at 1970-01-01T02:00:00Z",
                           "at =date and time(\"1970-01-01T02:00:00Z\")"}) {
    Play play(std::string("start  ->  catch wait   ") + when + "\n wait  ->  end");
    EXPECT_EQ(play.waits(), "+7200s at wait") << when;
    EXPECT_EQ(play.pass(7199s).state(), "waiting");
    EXPECT_EQ(play.pass(1s).state(), "completed");
  }
}

TEST(TimerCatchEvent, a_time_that_has_passed_is_due_at_once) {  // Z367
  for (const char* when : {"after 0s", "after -PT1H", "at 1960-01-01T00:00:00Z"}) {
    Play play(std::string("start  ->  catch wait   ") + when);
    EXPECT_EQ(play.pass(0s).state(), "completed") << when;
  }
}

TEST(TimerCatchEvent, each_of_two_fires_at_its_own_time) {  // Z368
  Play play(R"(
    start  ->  and fork
    fork   ->  catch late    after 2h
    fork   ->  catch early   after 1h
  )");
  EXPECT_EQ(play.pass(1h).path(), "start fork early");
  EXPECT_EQ(play.pass(1h).path(), "start fork early late");
}

TEST(TimerCatchEvent, a_cycle_fires_once) {
  Play play("dialect plain\n start  ->  catch wait   every R3/PT1H\n wait  ->  end");
  EXPECT_EQ(play.pass(1h).state(), "completed");
  EXPECT_EQ(play.story("timer-created").size(), 1u);
}

TEST(CatchEvent, cancelling_closes_what_waits) {  // Z344, Z369, Z404, S7
  Play play(R"(
    start  ->  and fork
    fork   ->  catch a   on message m
    fork   ->  catch b   on signal s
    fork   ->  catch c   after 1h
    fork   ->  receive d   on message n
  )");
  play.cancel();
  EXPECT_EQ(play.state(), "terminated");
  EXPECT_EQ(play.told("waits-no-more timer-canceled"),
            "waits-no-more a, waits-no-more b, timer-canceled c, waits-no-more d");
  EXPECT_EQ(play.waits(), "");
}

TEST(WaitCommands, come_once_in_time_and_only_to_those_who_wait) {  // Z345, Z373
  Play play("start  ->  receive a   on message m\n a  ->  catch b   after 1h\n b  ->  end");
  const Key subscription = play.subscription_of("a");
  EXPECT_EQ(play.rejection(DeliverMail{key_from(99), key_from(1), {}}),
            "there is no open subscription with key 99 (any more)");
  EXPECT_EQ(play.rejection(DeliverMail{subscription, key_from(1'000), Value(5)}),
            "mail 1000: variables must be an object, not a number");
  EXPECT_EQ(play.rejection(DeliverMail{subscription, key_from(1'000), {}}), "");
  EXPECT_NE(play.rejection(DeliverMail{subscription, key_from(1'001), {}}), "");
  const Key timer = play.timer_of("b");
  EXPECT_NE(play.rejection(TriggerTimer{timer}).find("is not due yet"), std::string::npos);
  EXPECT_EQ(play.pass(1h).state(), "completed");
  EXPECT_NE(play.rejection(TriggerTimer{timer}).find("there is no timer"), std::string::npos);
}

TEST(WaitCommands, the_same_mail_is_not_taken_twice) {
  struct Row {
    const char* event;
    bool
        takes_an_older_one;  // a message that somebody else refused first; signals keep their order
  };
  for (const Row& row : {Row{"on message m", true}, Row{"on signal m", false}}) {
    Play play(fmt::format("start  ->  job host\n host  ~>  end seen   {}   beside", row.event));
    const Key subscription = play.subscription_of("host~m");
    EXPECT_EQ(play.rejection(DeliverMail{subscription, key_from(1'000), {}}), "");
    EXPECT_NE(play.rejection(DeliverMail{subscription, key_from(1'000), {}}), "");
    const std::string older = play.rejection(DeliverMail{subscription, key_from(999), {}});
    EXPECT_EQ(older.empty(), row.takes_an_older_one) << row.event;
    EXPECT_EQ(play.rejection(DeliverMail{subscription, key_from(1'001), {}}), "");
    EXPECT_EQ(play.count("completed seen"), row.takes_an_older_one ? 3 : 2);
  }
}

}  // namespace
}  // namespace pawl::engine
