// SPDX-License-Identifier: Apache-2.0
// Boundary events for messages, signals and timers. Those for errors are in failure_test.cpp.
#include <gtest/gtest.h>

#include "engine/apply.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

TEST(BoundaryEvent, an_interrupting_timer_ends_the_task_first) {  // Z131
  Play play("start  ->  job pay\n pay  ->  end\n pay  ~>  end late   after 2d");
  play.pass(48h);
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.told("timer triggered terminating job-canceled terminated activating"),
            "activating drawn, activating start, activating pay, timer pay~2d, triggered pay~2d, "
            "terminating pay, job-canceled pay, terminated pay, activating pay~2d, "
            "activating late");
}

TEST(BoundaryEvent, takes_all_its_flows_or_none) {  // Z130, Z144, Z145
  Play two("start  ->  job a\n a  ~>  end x   on message m\n a~m  ->  end y");
  EXPECT_EQ(two.publish("m").path(), "start a~m x y");
  const auto without_flow = [](bool interrupting) {
    auto process = std::make_shared<model::Process>(
        *testkit::draw("start  ->  job a\n a  ~>  end x   on message m"));
    process->flows.pop_back();
    for (auto& element : process->elements) {
      element.incoming.clear();
      element.outgoing.clear();
      element.children.clear();
      element.boundary_events.clear();
      element.start_events.clear();
      if (element.id == "a~m") element.interrupting = interrupting;
    }
    process->elements.pop_back();
    model::link(*process);
    return process;
  };
  EXPECT_EQ(Play(without_flow(true)).publish("m").state(), "completed");
  EXPECT_EQ(Play(without_flow(false)).publish("m").waiting(), "a");
}

struct HostKind {
  const char* drawing;
  bool waits;  // for a while, so that something can happen
};

constexpr HostKind host_kinds[] = {
    {"start  ->  job host", true},
    {"start  ->  user host", true},
    {"start  ->  send host", true},
    {"start  ->  rule host", true},
    {"start  ->  receive host   on message own", true},
    {"start  ->  sub host {\n start  ->  job inner\n }", true},
    {"start  ->  job host   times 3", true},
    {"start  ->  receive host   on message own   times 2   sequential", true},
    {"start  ->  sub host   times 2 {\n start  ->  job inner\n }", true},
    {"start  ->  job host   repeat while true", true},
    {"start  ->  script host   = 1   into x", false},
    {"start  ->  task host", false},
    {"start  ->  manual host", false},
};

TEST(BoundaryEvent, every_kind_of_activity_may_have_them) {  // Z143, Z146, Z147, M12
  struct Event {
    const char* text;
    void (*happens)(Play&);
  };
  const Event events[] = {
      {"after 1h", [](Play& play) { play.pass(1h); }},
      {"on message m   key 1", [](Play& play) { play.publish("m:1"); }},
      {"on signal s", [](Play& play) { play.signal("s"); }},
  };
  for (const HostKind& kind : host_kinds) {
    for (const Event& event : events) {
      for (const char* how : {"", "   beside"}) {
        const std::string drawing = std::string(kind.drawing) + "\n host  ->  end normal\n" +
                                    "host  ~>  end caught   " + event.text + how;
        Play play(drawing);
        if (!kind.waits) {
          EXPECT_EQ(play.state(), "completed") << drawing;
          EXPECT_EQ(play.story("waits-no-more timer-canceled").size(), 1u) << drawing;
          continue;
        }
        event.happens(play);
        EXPECT_EQ(play.count("completed caught"), 1) << drawing;
        EXPECT_EQ(play.state(), *how == 0 ? "completed" : "waiting") << drawing;
        if (*how != 0) play.cancel();
        EXPECT_EQ(play.waits(), "") << drawing;
      }
    }
  }
}

TEST(BoundaryEvent, is_not_activated_when_the_instance_is_cancelled_first) {  // Z143, S7
  for (const HostKind& kind : host_kinds) {
    if (!kind.waits) continue;
    const std::string drawing = std::string(kind.drawing) + "\n host  ~>  end caught   after 1h";
    Play play(drawing);
    const Key timer = play.timer_of("host~1h");
    play.cancel();
    EXPECT_NE(play.rejection(TriggerTimer{timer}), "") << drawing;
    EXPECT_EQ(play.pass(1h).state(), "terminated");
    EXPECT_EQ(play.count("activating caught"), 0) << drawing;
  }
}

TEST(BoundaryEvent, nothing_happens_to_what_is_about_to_end) {  // Z143, Z406
  // One step per turn: the scope is being left, but its second task is still there.
  const auto process = testkit::draw(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  job a
      fork   ->  sub inner {
        start  ->  job b
      }
      inner  ~>  end caught   after 1h
    }
  )");
  Instance instance(process);
  std::uint64_t next_key = 2;
  const auto turn = [&](const Command& command, std::size_t steps) {
    auto done = take_turn(instance, command,
                          {.now = Instant{2h}, .next_key = next_key, .max_steps = steps});
    if (done) next_key = done->next_key;
    return done.has_value();
  };
  ASSERT_TRUE(turn(StartInstance{.instance = key_from(1)}, 1'000));
  const auto timer_key = [&] {
    for (std::uint64_t key = 2; key < next_key; ++key) {
      if (instance.find_timer(key_from(key))) return key_from(key);
    }
    return Key::none;
  };
  const Key timer = timer_key();
  ASSERT_NE(timer, Key::none);
  ASSERT_TRUE(turn(CancelInstance{}, 0));
  ASSERT_EQ(timer_key(), timer);  // the work to cancel it waits in the agenda
  EXPECT_FALSE(turn(TriggerTimer{timer}, 1));
  EXPECT_TRUE(turn(Continue{}, 1'000));
  EXPECT_EQ(instance.ended, Ended::terminated);
}

TEST(BoundaryEvent, may_still_interrupt_a_scope_that_is_about_to_complete) {
  // The terminate end event has ended the scope, but its other task is not gone yet.
  const auto process = testkit::draw(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  job a
      fork   ->  job b
      a      ->  terminate
    }
    box    ->  end normal
    box    ~>  end caught   on message m
  )");
  int met = 0;
  for (std::size_t cut = 0; cut < 12; ++cut) {
    Play play(process);
    auto& driver = play.driver();
    Instance instance = fold(process, play.events());
    std::uint64_t next_key = 1'000;
    const auto turn = [&](const Command& command, std::size_t steps) {
      auto done = take_turn(instance, command, {.next_key = next_key, .max_steps = steps});
      if (done) next_key = done->next_key;
      return done.has_value();
    };
    const Key mail = play.subscription_of("box~m");
    ASSERT_TRUE(turn(CompleteJob{*driver.open_jobs().begin(), {}}, cut));
    const ElementInstance* box = instance.find(play.key_of("box"));
    const bool completes = box && box->interrupted;
    met += turn(DeliverMail{mail, key_from(9'000), {}}, 0) && completes ? 1 : 0;
    ASSERT_TRUE(turn(Continue{}, 1'000));
    EXPECT_EQ(instance.ended, Ended::completed) << cut;
    EXPECT_EQ(broken_invariant_of(instance), "") << cut;
  }
  EXPECT_GT(met, 0);  // at least once in the moment that is meant
}

TEST(BoundaryEvent, of_camunda_7_has_no_numbers_as_weekdays) {
  Play wrong("dialect camunda7\n start  ->  job a\n a  ~>  end   every 0 0 9 ? * 2-6   beside");
  EXPECT_NE(wrong.incident().find("write MON-FRI"), std::string::npos) << wrong.incident();
  Play right("dialect camunda7\n start  ->  job a\n a  ~>  end   every 0 0 9 ? * MON-FRI   beside");
  EXPECT_EQ(right.waits(), "+32400s at a~0 0 9 ? * MON-FRI");  // 1970 began on a Thursday
}

TEST(BoundaryEvent, output_mappings_read_the_message_and_write_around_the_activity) {  // Z132 Z134
  Play play("start  ->  job a   in x = 1\n a  ~>  job b   on message m   caught out y = v");
  play.publish("m", R"({"v":7})");
  EXPECT_EQ(play.variables(), R"({"y":7})");
  Play timer("start  ->  job a\n a  ~>  job b   after 1h   caught out y = missing");
  timer.pass(1h);
  EXPECT_EQ(timer.variables(), R"({"y":null})");
  EXPECT_EQ(timer.incident_count(), 0u);
}

TEST(BoundaryEvent, sees_nothing_local_and_skips_the_mappings_of_the_task) {  // Z133, Z135
  Play play("start  ->  job a   in x = 1   out z = 2\n a  ~>  job b   on signal s");
  play.signal("s");
  EXPECT_EQ(play.visible("b"), "{}");
  EXPECT_EQ(play.variables(), "{}");
}

TEST(BoundaryEvent, on_a_sub_process_ends_all_inside_first) {  // Z89, Z136
  Play play(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  job a
      fork   ->  catch b   after 9h
    }
    box    ->  end
    box    ~>  end caught   on message m
  )");
  play.publish("m");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.told("terminated activating timer-canceled"),
            "activating drawn, activating start, activating box, activating box.start, "
            "activating fork, activating a, activating b, terminated a, timer-canceled b, "
            "terminated b, terminated box, activating box~m, activating caught");
}

TEST(BoundaryEvent, a_cycle_goes_on_until_the_activity_ends) {  // Z137, Z370
  struct Row {
    const char* cycle;
    int fired;  // after ten hours
  };
  const Row rows[] = {{"every R1/PT1H", 1},
                      {"every R3/PT1H", 3},
                      {"every R/PT1H", 10},
                      {"every R/P1D", 0},
                      {"every R2/1970-01-01T05:00:00Z/PT1H", 2},
                      {"every 0 30 * * * *", 10},
                      {"every =\"R\" + string(n) + \"/PT2H\"", 4}};
  for (const Row& row : rows) {
    Play play(
        std::string("start  ->  job a\n a  ->  end\n a  ~>  end tick   ") + row.cycle + "   beside",
        R"({"n":4})");
    for (int hour = 0; hour < 10; ++hour) play.pass(1h);
    EXPECT_EQ(play.count("completed tick"), row.fired) << row.cycle;
    EXPECT_EQ(play.waiting(), "a");
    play.complete("a");
    EXPECT_EQ(play.state(), "completed");
    EXPECT_EQ(play.waits(), "");
  }
}

TEST(BoundaryEvent, missed_times_of_a_cycle_come_one_by_one_without_drift) {  // Z370, Z378
  Play play("start  ->  job a\n a  ~>  end tick   every R/PT1H   beside");
  play.pass(3h + 20min);
  EXPECT_EQ(play.count("completed tick"), 3);
  EXPECT_EQ(play.waits(), "+2400s at a~R/PT1H");
  // The clock jumps: the driver sends one after the other, each due when the one before was.
  auto& driver = play.driver();
  const Key timer = play.timer_of("a~R/PT1H");
  play.pass(2h);
  EXPECT_EQ(play.count("completed tick"), 5);
  EXPECT_EQ(play.waits(), "+2400s at a~R/PT1H");
  EXPECT_FALSE(driver.timers().contains(timer));
}

TEST(BoundaryEvent, the_key_is_evaluated_inside_after_input_mappings) {  // Z138, Z139
  Play task("start  ->  job a   in k = x + 1\n a  ~>  end   on message m   key k", R"({"x":1})");
  EXPECT_EQ(task.waits(), "m:2 at a~m");
  Play box(R"(
    start  ->  sub a   in k = x + 1 {
      start  ->  job b
    }
    a      ~>  end   on message m   key k
  )",
           R"({"x":1})");
  EXPECT_EQ(box.waits(), "m:2 at a~m");
}

TEST(BoundaryEvent, opens_none_if_one_cannot_be_evaluated) {  // Z140, Z363
  Play play(R"(
    start  ->  receive a   on message own
    a      ~>  end x   on signal s
    a      ~>  end y   on message m   key k
    a      ~>  end z   after 1h
  )",
            R"({"k":true})");
  EXPECT_EQ(play.incident(),
            "EXTRACT_VALUE_ERROR at a: correlation key \"k\" must give a text or a number, but "
            "gave true (boolean)");
  EXPECT_EQ(play.waits(), "");
  play.set("a", R"({"k":"1"})").resolve("a");
  EXPECT_EQ(play.waits(), "own at a, signal s at a~s, m:1 at a~m, +3600s at a~1h");
}

TEST(BoundaryEvent, a_failing_activation_after_that_opens_none_either) {
  Play play("start  ->  job a   type =t\n a  ~>  end   after 1h");
  EXPECT_EQ(play.waits(), "");
  play.set("", R"({"t":"work"})").resolve("a");
  EXPECT_EQ(play.waits(), "+3600s at a~1h");
}

TEST(BoundaryEvent, not_interrupting_happens_as_often_as_its_event) {  // Z142, Z340
  Play play(R"(
    start  ->  job a
    a      ->  end
    a      ~>  job x   on message m   beside
    a      ~>  job y   on message n   beside
  )");
  play.publish("m", R"({"v":1})").publish("m", R"({"v":2})").publish("n");
  EXPECT_EQ(play.waiting(), "a x x y");
  EXPECT_EQ(play.count("completed a~m"), 2);
  EXPECT_EQ(play.variables(), R"({"v":2})");
  play.complete("a");
  EXPECT_EQ(play.waits(), "");
  EXPECT_EQ(play.complete("x").complete("x").complete("y").state(), "completed");
}

TEST(BoundaryEvent, not_interrupting_that_has_happened_does_not_hold_up_the_end) {  // Z94
  Play play(R"(
    start  ->  sub box {
      start  ->  job a
    }
    box    ~>  job remind   every R/PT1H   beside
  )");
  play.pass(2h);
  EXPECT_EQ(play.waiting(), "a remind remind");
  EXPECT_EQ(play.cancel().state(), "terminated");
}

TEST(BoundaryEvent, an_older_message_does_not_overwrite_a_newer_value) {  // Z97
  Play play(R"(
    start  ->  sub box {
      start  ->  job a
    }
    box    ->  job last
    box    ~>  end   on message m   beside
  )");
  play.publish("m", R"({"v":1})").set("", R"({"v":2})").complete("a");
  EXPECT_EQ(play.variables(), R"({"v":2})");
}

TEST(BoundaryEvent, of_several_only_the_one_whose_message_came) {  // Z339
  Play play(R"(
    start  ->  receive r   on message own
    r      ->  end normal
    r      ~>  end x   on message m
    r      ~>  end y   on message n
  )");
  play.publish("n");
  EXPECT_EQ(play.path(), "start r~n y");
  EXPECT_EQ(play.story("waits-no-more").size(), 3u);
}

TEST(BoundaryEvent, leads_to_an_inclusive_join_that_waits_for_it) {  // Z224
  Play play(R"(
    start  ->  and fork
    fork   ->  or join
    fork   ->  job a
    a      ->  end
    a      ~>  join   after 1h
    join   ->  end joined
  )");
  EXPECT_EQ(play.count("completed join"), 0);
  EXPECT_EQ(play.pass(1h).state(), "completed");
  EXPECT_EQ(play.count("completed join"), 1);
}

TEST(BoundaryEvent, may_come_while_the_activity_has_an_incident) {  // Z111
  Play failed("start  ->  job a\n a  ~>  end caught   after 1h");
  failed.fail("a", 0).pass(1h);
  EXPECT_EQ(failed.state(), "completed");
  Play completing("start  ->  job a   out x = assert(y, y > 1)\n a  ~>  end caught   on signal s");
  completing.complete("a");
  EXPECT_EQ(completing.state(), "incident");
  EXPECT_EQ(completing.signal("s").path(), "start a~s caught");
}

}  // namespace
}  // namespace pawl::engine
