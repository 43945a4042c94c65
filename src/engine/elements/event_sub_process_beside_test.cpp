// SPDX-License-Identifier: Apache-2.0
// Event sub-processes that do not interrupt, and several of them in one scope.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

struct BesideKind {
  const char* words;
  void (*happens)(Play&);
  bool again;  // the event may happen a second time
};

constexpr BesideKind beside_kinds[] = {
    {"after 1h", [](Play& play) { play.pass(1h); }, false},
    {"at 1970-01-01T01:00:00Z", [](Play& play) { play.pass(1h); }, false},
    {"every R2/PT1H", [](Play& play) { play.pass(1h); }, true},
    {"on message m   key 1", [](Play& play) { play.publish("m:1"); }, true},
    {"on signal s", [](Play& play) { play.signal("s"); }, true},
};

std::string with_handler_beside(const std::string& words, const std::string& inside = "job note") {
  return "start  ->  job a\n a  ->  end\n handler h   " + words + "   beside {\n start  ->  " +
         inside + "\n }";
}

TEST(EventSubProcess, beside_the_main_path_lets_that_go_on) {  // Z115, C124, C125
  for (const char* dialect : {"", "dialect camunda7\n", "dialect plain\n"}) {
    for (const BesideKind& kind : beside_kinds) {
      Play play(dialect + with_handler_beside(kind.words));
      kind.happens(play);
      EXPECT_EQ(play.waiting(), "a note") << kind.words;
      EXPECT_EQ(play.complete("note").state(), "waiting") << kind.words;
      EXPECT_EQ(play.complete("a").state(), "completed") << kind.words;
      EXPECT_EQ(play.waits(), "") << kind.words;
    }
  }
}

TEST(EventSubProcess, runs_once_for_each_time_its_event_happens) {  // Z116, Z122, C120
  for (const BesideKind& kind : beside_kinds) {
    Play play(with_handler_beside(kind.words));
    kind.happens(play);
    if (!kind.again) {
      EXPECT_EQ(play.waits(), "") << kind.words;
      continue;
    }
    play.set("h", R"({"mine":1})", true);
    kind.happens(play);
    EXPECT_EQ(play.waiting(), "a note note") << kind.words;
    EXPECT_EQ(play.visible("note"), R"({"mine":1})") << kind.words;
    play.complete("note");
    EXPECT_EQ(play.visible("note"), "{}") << kind.words;
    EXPECT_EQ(play.complete("note").complete("a").state(), "completed") << kind.words;
  }
}

TEST(EventSubProcess, a_cycle_goes_on_until_the_scope_ends) {  // C124
  Play play(R"(
    start  ->  sub box {
      start  ->  job a
      handler h   every R/PT1H   beside {
        start  ->  end
      }
    }
    box    ->  job b
  )");
  for (int hour = 0; hour < 5; ++hour) play.pass(1h);
  EXPECT_EQ(play.count("completed h"), 5);
  play.complete("a");
  EXPECT_EQ(play.waits(), "");
  EXPECT_EQ(play.pass(5h).count("completed h"), 5);
}

TEST(EventSubProcess, may_have_activities_with_boundary_events) {  // Z117, C123
  Play box(R"(
    start  ->  job a
    handler h   on message m   beside {
      start  ->  sub inner {
        start  ->  job work
      }
      inner  ~>  end   on message n
    }
  )");
  box.publish("m").publish("n");
  EXPECT_EQ(box.count("terminated inner"), 1);
  EXPECT_EQ(box.count("completed h"), 1);
  EXPECT_EQ(box.waiting(), "a");
  Play task(
      "start  ->  job a\n handler h   on message m {\n"
      "start  ->  job work\n work  ~>  job late   after 1h\n }");
  task.publish("m").pass(1h);
  EXPECT_EQ(task.waiting(), "late");
  EXPECT_EQ(task.complete("late").state(), "completed");
}

TEST(EventSubProcess, what_is_local_to_it_is_not_seen_outside) {  // Z118
  Play play(with_handler_beside("on message m   in x = 1"));
  play.publish("m").complete("note");
  EXPECT_EQ(play.variables(), "{}");
  EXPECT_EQ(play.visible("a"), "{}");
}

TEST(EventSubProcess, gives_what_came_with_its_event_to_the_process) {  // Z182, Z322
  Play shared(with_handler_beside("on message m"));
  shared.publish("m", R"({"v":7})");
  EXPECT_EQ(shared.variables(), R"({"v":7})");
  EXPECT_EQ(shared.variables("h"), "{}");
  Play mapped(with_handler_beside("on message m   caught out w = v + 1"));
  mapped.publish("m", R"({"v":7})");
  EXPECT_EQ(mapped.variables(), R"({"w":8})");
}

TEST(EventSubProcess, keeps_its_results_until_it_completes_where_they_are_isolated) {
  Play play("dialect plain\n" + with_handler_beside("on message m"));
  play.publish("m", R"({"v":7})");
  EXPECT_EQ(play.variables(), "{}");
  EXPECT_EQ(play.visible("note"), R"({"v":7})");
  EXPECT_EQ(play.complete("note", R"({"w":1})").variables(), R"({"v":7,"w":1})");
  Play ended("dialect plain\n" + with_handler_beside("on message m"));
  ended.publish("m", R"({"v":7})").cancel();
  EXPECT_EQ(ended.told("created"), "created v=7 in h.start, created v=7 in h");
}

TEST(EventSubProcess, lets_out_only_what_its_output_mappings_name) {  // Z279
  Play play(with_handler_beside("on message m   in x = 1   out y = x + 1"));
  play.publish("m").complete("note");
  EXPECT_EQ(play.variables(), R"({"y":2})");
}

constexpr const char* two_handlers = R"(
  start  ->  job a
  handler h   on message m   beside {
    start  ->  job x
  }
  handler i   on message n   beside {
    start  ->  job y
  }
  handler j   on message stop {
    start  ->  job z
  }
)";

TEST(EventSubProcess, several_run_beside_each_other) {  // Z119
  Play play(two_handlers);
  play.publish("m").publish("n").publish("m");
  EXPECT_EQ(play.waiting(), "a x y x");
  EXPECT_EQ(play.complete("x").complete("x").complete("y").complete("a").state(), "completed");
}

TEST(EventSubProcess, one_that_interrupts_ends_those_that_run) {  // Z120
  Play play(two_handlers);
  play.publish("m").publish("stop");
  EXPECT_EQ(play.waiting(), "z");
  EXPECT_TRUE(play.told("terminated activating")
                  .ends_with("terminated a, terminated x, terminated h, activating j, "
                             "activating j.start, activating z"));
  EXPECT_EQ(play.complete("z").state(), "completed");
}

TEST(EventSubProcess, ends_its_wait_with_the_sub_process) {  // Z121
  Play play(R"(
    start  ->  sub box {
      start  ->  job a
      handler h   on message m   beside {
        start  ->  job x
      }
      handler i   after 1h {
        start  ->  job y
      }
    }
    box    ->  job b
  )");
  EXPECT_EQ(play.waits(), "m at h.start, +3600s at i.start");
  play.complete("a");
  EXPECT_EQ(play.waits(), "");
  EXPECT_EQ(play.waiting(), "b");
}

TEST(EventSubProcess, keeps_its_scope_until_it_has_completed) {  // Z123
  Play play(with_handler_beside("on message m"));
  play.publish("m").complete("a");
  EXPECT_EQ(play.count("completed end"), 1);
  EXPECT_EQ(play.state(), "waiting");
  // The scope still lives: its event may happen again.
  EXPECT_EQ(play.publish("m").waiting(), "note note");
  EXPECT_EQ(play.complete("note").complete("note").state(), "completed");
}

TEST(EventSubProcess, is_ended_with_its_scope) {  // Z95, Z124
  Play play(R"(
    start  ->  sub box {
      start  ->  job a
      handler h   on message m   beside {
        start  ->  job x
      }
    }
  )");
  play.publish("m").cancel();
  EXPECT_EQ(play.state(), "terminated");
  EXPECT_EQ(play.told("terminating terminated"),
            "terminating drawn, terminating box, terminating a, terminated a, terminating h, "
            "terminating x, terminated x, terminated h, terminated box, terminated drawn");
}

TEST(EventSubProcess, a_terminate_end_event_ends_only_the_event_sub_process) {  // Z400, C122
  Play play(
      with_handler_beside("on message m", "and fork\n fork  ->  job b\n fork  ->  terminate"));
  play.publish("m");
  EXPECT_EQ(play.count("terminated b"), 1);
  EXPECT_EQ(play.count("completed h"), 1);
  EXPECT_EQ(play.waiting(), "a");
  EXPECT_EQ(play.publish("m").count("completed h"), 2);
  EXPECT_EQ(play.complete("a").state(), "completed");
}

TEST(EventSubProcess, a_terminate_end_event_of_the_scope_ends_it_too) {  // Z400
  Play play(R"(
    start  ->  job a
    a      ->  terminate
    handler h   on message m   beside {
      start  ->  job x
    }
  )");
  play.publish("m").complete("a");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("terminated h"), 1);
}

TEST(EventSubProcess, may_have_event_sub_processes_itself) {
  Play play(R"(
    start  ->  job a
    handler h   on message m   beside {
      start  ->  job x
      handler i   on message n   key k {
        start  ->  job y
      }
    }
  )",
            R"({"k":4})");
  play.publish("m");
  EXPECT_EQ(play.waits(), "m at h.start, n:4 at i.start");
  play.publish("n:4");
  EXPECT_EQ(play.waiting(), "a y");
  EXPECT_EQ(play.complete("y").waiting(), "a");
  EXPECT_EQ(play.waits(), "m at h.start");
}

// --- what they wait for -------------------------------------------------------------------------

TEST(EventSubProcess, waits_with_the_key_that_the_start_event_makes) {  // Z127
  Play play(R"(
    start  ->  job a   caught out k = n + 1
    handler h   on message m   key k {
      start  ->  end
    }
  )",
            R"({"n":1})");
  EXPECT_EQ(play.waits(), "m:2 at h.start");
  EXPECT_EQ(play.publish("m:2").state(), "completed");
}

TEST(EventSubProcess, an_incident_at_the_start_event_opens_none) {  // Z127
  Play play(R"(
    start  ->  job a   caught out k = n
    handler h   on message m   key k {
      start  ->  end
    }
  )");
  EXPECT_TRUE(play.incident().starts_with("EXTRACT_VALUE_ERROR at start: correlation key"));
  EXPECT_EQ(play.waits(), "");
  play.set("", R"({"k":"x"})").resolve("start");
  EXPECT_EQ(play.waits(), "m:x at h.start");
  EXPECT_EQ(play.waiting(), "a");
}

TEST(EventSubProcess, opens_none_if_one_cannot_be_evaluated) {
  Play play(R"(
    start  ->  sub box {
      start  ->  job a
      handler h   on message m {
        start  ->  end
      }
      handler i   after =wait {
        start  ->  end
      }
    }
  )");
  EXPECT_TRUE(play.incident().starts_with("EXTRACT_VALUE_ERROR at box: timer \"i.start\""));
  EXPECT_EQ(play.waits(), "");
  play.set("", R"({"wait":"PT5S"})").resolve("box");
  EXPECT_EQ(play.waits(), "m at h.start, +5s at i.start");
}

TEST(EventSubProcess, stops_at_a_failing_input_mapping) {  // Z128
  for (const char* how : {"", "   beside"}) {
    Play play(std::string("start  ->  job a\n handler h   on message m   in x = assert(y, y > 1)") +
              how + " {\n start  ->  job fix   in z = v\n }");
    play.publish("m", R"({"v":7})");
    EXPECT_TRUE(play.incident().starts_with("IO_MAPPING_ERROR at h: mapping")) << play.incident();
    play.resolve("h");
    EXPECT_EQ(play.incident_count(), 1u);
    play.set("", R"({"y":5})").resolve("h");
    EXPECT_TRUE(play.waiting().ends_with("fix")) << play.trace();
    EXPECT_EQ(play.variables("h"), R"({"x":5})");
    EXPECT_EQ(play.variables("fix"), R"({"z":7})");  // what came with the message was kept
  }
}

TEST(EventSubProcess, does_not_begin_in_a_scope_that_completes) {
  Play play(R"(
    start  ->  sub box   out y = assert(x, x > 1) {
      start  ->  job a
      handler h   on message m {
        start  ->  job fix
      }
    }
  )");
  play.complete("a");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_EQ(play.waits(), "");
  EXPECT_EQ(play.set("", R"({"x":5})").resolve("box").state(), "completed");
}

}  // namespace
}  // namespace pawl::engine
