// SPDX-License-Identifier: Apache-2.0
// Event sub-processes that interrupt. Those beside the main path, those for errors, those in loops
// and what happens between the steps of a turn have files of their own.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

struct HandlerKind {
  const char* words;
  void (*happens)(Play&);
};

constexpr HandlerKind handler_kinds[] = {
    {"after 1h", [](Play& play) { play.pass(1h); }},
    {"at 1970-01-01T01:00:00Z", [](Play& play) { play.pass(1h); }},
    {"every R3/PT1H", [](Play& play) { play.pass(1h); }},
    {"on message m   key 1", [](Play& play) { play.publish("m:1"); }},
    {"on signal s", [](Play& play) { play.signal("s"); }},
    {"on error E", [](Play& play) { play.throw_error("a", "E"); }},
};

std::string with_handler(const std::string& words) {
  return "start  ->  job a\n a  ->  end\n handler h   " + words +
         " {\n start  ->  job fix\n fix  ->  end\n }";
}

TEST(EventSubProcess, begins_with_its_start_event_in_its_own_scope) {  // Z102, C118, C124, C125
  for (const char* dialect : {"", "dialect camunda7\n", "dialect plain\n"}) {
    for (const HandlerKind& kind : handler_kinds) {
      Play play(dialect + with_handler(kind.words));
      kind.happens(play);
      EXPECT_EQ(play.waiting(), "fix") << kind.words;
      const auto story = play.told("activating activated completed terminated");
      EXPECT_TRUE(
          story.ends_with("terminated a, activating h, activated h, activating h.start, "
                          "activated h.start, completed h.start, activating fix, "
                          "activated fix"))
          << story;
      EXPECT_EQ(play.waits(), "") << kind.words;
      EXPECT_EQ(play.complete("fix").state(), "completed") << kind.words;
    }
  }
}

TEST(EventSubProcess, ends_the_active_tasks_first_and_the_process_with_itself) {  // Z103, C118
  Play play(with_handler("on message m"));
  play.publish("m").complete("fix");
  EXPECT_EQ(play.told("received triggered interrupted job-canceled terminated completed"),
            "completed start, received h.start {}, triggered h.start, interrupted drawn, "
            "job-canceled a, terminated a, completed h.start, completed fix, "
            "completed h.end, completed h, completed drawn");
}

TEST(EventSubProcess, runs_at_once_where_nothing_is_active) {
  // The only token waits at a join; there is no element instance to end.
  Play play(R"(
    start  ->  and fork
    fork   ->  and join
    fork   ->  job a
    a      ->  end
    a      ~>  join   on signal never
    join   ->  end joined
    handler h   on message m {
      start  ->  end
    }
  )");
  play.complete("a");
  EXPECT_EQ(play.state(), "waiting");
  EXPECT_EQ(play.publish("m").state(), "completed");
  EXPECT_EQ(play.count("completed joined"), 0);
}

TEST(EventSubProcess, keeps_what_its_input_mapping_makes) {  // Z104
  Play play(with_handler("on message m   in x = y + 1"), R"({"y":1})");
  play.publish("m");
  EXPECT_EQ(play.variables("h"), R"({"x":2})");
  EXPECT_EQ(play.variables(), R"({"y":1})");
  EXPECT_EQ(play.visible("fix"), R"({"x":2,"y":1})");
}

TEST(EventSubProcess, drops_the_token_that_waits_at_a_join) {  // Z105
  Play play(R"(
    start  ->  and fork
    fork   ->  and join
    fork   ->  job a
    a      ->  join
    join   ->  end
    handler h   on message m {
      start  ->  job fix
    }
  )");
  play.publish("m");
  EXPECT_EQ(play.waiting(), "fix");
  EXPECT_EQ(play.complete("fix").state(), "completed");
  EXPECT_EQ(play.count("terminated a"), 1);
  EXPECT_EQ(play.count("activating join"), 0);
}

constexpr const char* nested_handlers = R"(
  start  ->  and fork
  fork   ->  job outside
  fork   ->  sub box {
    start  ->  job a
    a      ->  end
    handler h   on message m {
      start  ->  job fix
    }
  }
  box    ->  end after
  outside  ->  end
)";

TEST(EventSubProcess, of_a_sub_process_ends_only_what_is_in_that) {  // Z106
  Play play(nested_handlers);
  play.publish("m");
  EXPECT_EQ(play.waiting(), "outside fix");
  const Instance& state = play.driver().instance();
  EXPECT_EQ(state.parent_of(*state.find(play.key_of("h")))->key, play.key_of("box"));
  EXPECT_EQ(play.complete("fix").count("completed after"), 1);
  EXPECT_EQ(play.complete("outside").state(), "completed");
}

TEST(EventSubProcess, does_not_see_what_was_local_to_the_interrupted_task) {  // Z107
  Play play("start  ->  job a   in mine = 1\n handler h   on message m {\n start  ->  job fix\n }",
            R"({"shared":2})");
  EXPECT_EQ(play.publish("m").visible("fix"), R"({"shared":2})");
}

TEST(EventSubProcess, takes_its_local_variables_with_it) {  // Z108
  Play play(with_handler("on message m   in x = 1"));
  play.publish("m").set("h", R"({"y":2})", true).complete("fix");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.told("created"), "created x=1 in h, created y=2 in h");
}

TEST(EventSubProcess, closes_what_the_others_of_the_scope_wait_for) {  // Z109, Z125, C119
  Play play(R"(
    start  ->  job a
    handler h   on message m {
      start  ->  job fix
    }
    handler i   on message n   key 1 {
      start  ->  job other
    }
    handler j   every R/PT1H   beside {
      start  ->  job tick
    }
    handler k   on signal s   beside {
      start  ->  job heard
    }
  )");
  EXPECT_EQ(play.waits(), "m at h.start, n:1 at i.start, signal s at k.start, +3600s at j.start");
  const Key other = play.subscription_of("i.start");
  const Key tick = play.timer_of("j.start");
  play.publish("m");
  EXPECT_EQ(play.waits(), "");
  EXPECT_NE(play.rejection(DeliverMail{other, key_from(9'000), {}}), "");
  EXPECT_NE(play.rejection(TriggerTimer{tick}), "");
  EXPECT_EQ(play.complete("fix").state(), "completed");
}

TEST(EventSubProcess, is_entered_once_after_all_tasks_have_ended) {  // Z110
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  job b
    handler h   on message m {
      start  ->  job fix
    }
  )");
  play.publish("m");
  EXPECT_TRUE(play.told("terminated activating")
                  .ends_with("terminated a, terminated b, activating h, activating h.start, "
                             "activating fix"));
}

TEST(EventSubProcess, ends_a_gateway_with_its_incident) {  // Z111
  Play play(
      "start  ->  xor x\n x  ->  end   if missing > 1\n"
      "handler h   on message m {\n start  ->  job fix\n }");
  EXPECT_EQ(play.state(), "incident");
  play.publish("m");
  EXPECT_EQ(play.incident_count(), 0u);
  EXPECT_EQ(play.count("terminated x"), 1);
  EXPECT_EQ(play.complete("fix").state(), "completed");
}

TEST(EventSubProcess, ends_the_waits_of_catch_events) {  // Z112
  Play play(R"(
    start  ->  and fork
    fork   ->  catch b   on message n   key 1
    fork   ->  catch c   on message n   key 2
    handler h   on message m {
      start  ->  end
    }
  )");
  play.publish("m");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.waits(), "");
  EXPECT_EQ(play.count("completed b") + play.count("completed c"), 0);
}

TEST(EventSubProcess, leaves_the_boundary_events_of_its_scope_open) {  // Z99, Z100, Z101
  const auto drawing = [](const char* how) {
    return std::string(R"(
      start  ->  sub box {
        start  ->  job a
        handler h   on message m {
          start  ->  job fix
        }
      }
      box    ->  end
      box    ~>  job caught   on message n   )") +
           how;
  };
  Play interrupting(drawing(""));
  interrupting.publish("m");
  EXPECT_EQ(interrupting.waits(), "n at box~n");
  interrupting.publish("n");
  EXPECT_EQ(interrupting.waiting(), "caught");
  EXPECT_TRUE(interrupting.told("terminated")
                  .ends_with("terminated a, terminated fix, terminated h, terminated box"));
  EXPECT_EQ(interrupting.complete("caught").state(), "completed");
  Play beside(drawing("beside"));
  beside.publish("m").publish("n");
  EXPECT_EQ(beside.waiting(), "fix caught");
  EXPECT_EQ(beside.complete("fix").complete("caught").state(), "completed");
}

}  // namespace
}  // namespace pawl::engine
