// SPDX-License-Identifier: Apache-2.0
// Compensation: what was done is undone by its handlers, and who waits for that.
#include <gtest/gtest.h>

#include "engine/drawings_for_test.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

// Two tasks that can be undone, then a job, then the throw event.
const std::string two_undoable = R"(
  start  ->  task a
  a      ->  task b
  b      ->  job go
  go     ->  throw undo   undoes
  undo   ->  end
  a      =>  job undo-a
  b      =>  job undo-b
)";

TEST(Compensation, with_nothing_to_undo_completes_at_once) {  // Z254
  for (const std::string dialect : dialects) {
    Play thrown(dialect + "start  ->  throw undo   undoes\n undo  ->  end");
    EXPECT_EQ(thrown.path(), "start undo end");
    Play at_end(dialect + "start  ->  end undo   undoes");
    EXPECT_EQ(at_end.state(), "completed");
  }
}

TEST(Compensation, the_throw_event_waits_for_the_handler) {  // Z255, C25
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  task a
      a      ->  throw undo   undoes
      undo   ->  end
      a      =>  job undo-a
    )");
    EXPECT_EQ(play.waiting(), "undo-a");
    EXPECT_TRUE(play.is_active("undo"));
    EXPECT_EQ(play.complete("undo-a").path(), "start a undo-a undo end");
  }
}

TEST(Compensation, all_handlers_run_at_once_and_are_all_waited_for) {  // Z256
  Play play(two_undoable);
  play.complete("go");
  EXPECT_EQ(play.waiting(), "undo-a undo-b");
  play.complete("undo-b");
  EXPECT_TRUE(play.is_active("undo"));
  EXPECT_EQ(play.complete("undo-a").state(), "completed");
}

TEST(Compensation, begins_with_what_was_done_last_in_other_dialects) {  // C17
  for (const std::string dialect : {"dialect camunda7\n", "dialect plain\n"}) {
    Play play(dialect + two_undoable);
    play.complete("go");
    EXPECT_EQ(play.waiting(), "undo-b undo-a");
  }
}

TEST(Compensation, ends_with_the_instance) {  // Z257, Z258, C26
  Play running(two_undoable);
  running.complete("go").cancel();
  EXPECT_EQ(running.told("terminated"),
            "terminated undo-a, terminated undo-b, terminated undo, terminated drawn");
  Play unused(two_undoable);
  unused.cancel();
  EXPECT_EQ(unused.state(), "terminated");
  Play done("start  ->  task a\n a  ->  end\n a  =>  job undo-a");
  EXPECT_EQ(done.state(), "completed");
}

TEST(Compensation, reaches_into_completed_sub_processes) {  // Z259, C19
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  sub outer {
        start  ->  sub inner {
          start  ->  task a
          a      ->  end
          a      =>  job undo-a
        }
        inner  ->  end
      }
      outer  ->  throw undo   undoes
      undo   ->  end
    )");
    EXPECT_EQ(play.waiting(), "undo-a");
    EXPECT_EQ(play.complete("undo-a").state(), "completed");
  }
}

TEST(Compensation, leaves_alone_what_has_not_completed) {  // Z260, Z265
  for (const std::string only : {"", " box", " a"}) {
    Play play(R"(
      start  ->  and fork
      fork   ->  sub box {
        start  ->  task a
        a      ->  job b
        a      =>  job undo-a
        b      =>  job undo-b
      }
      fork   ->  throw undo   undoes)" +
              only + "\n undo  ->  job after");
    EXPECT_EQ(play.waiting(), "after b") << only;
  }
}

TEST(Compensation, in_a_sub_process_undoes_what_is_in_it_only) {  // Z261
  Play play(R"(
    start  ->  task a
    a      ->  sub box {
      start  ->  task b
      b      ->  throw undo   undoes
      undo   ->  end
      b      =>  job undo-b
    }
    box    ->  end
    a      =>  job undo-a
  )");
  EXPECT_EQ(play.waiting(), "undo-b");
  EXPECT_EQ(play.complete("undo-b").state(), "completed");
}

TEST(Compensation, undoes_each_time_that_something_was_done) {  // Z262
  Play play(R"(
    start  ->  xor again
    again  ->  job a
    a      ->  xor more
    more   ->  again   if x < 2
    more   ->  throw undo   undoes   otherwise
    undo   ->  end
    a      =>  job undo-a
  )");
  play.complete("a", R"({"x":1})").complete("a", R"({"x":2})");
  EXPECT_EQ(play.waiting(), "undo-a undo-a");
  EXPECT_EQ(play.complete("undo-a").complete("undo-a").state(), "completed");
}

TEST(Compensation, undoes_everything_once) {  // Z263
  Play one_after_another(R"(
    start  ->  task a
    a      ->  throw undo   undoes
    undo   ->  throw again   undoes
    again  ->  end
    a      =>  job undo-a
  )");
  one_after_another.complete("undo-a");
  EXPECT_EQ(one_after_another.state(), "completed");
  EXPECT_EQ(one_after_another.count("completed undo-a"), 1);
  Play side_by_side(R"(
    start  ->  task a
    a      ->  and fork
    fork   ->  throw undo   undoes
    fork   ->  throw again   undoes
    a      =>  job undo-a
  )");
  EXPECT_EQ(side_by_side.waiting(), "undo-a");
  EXPECT_EQ(side_by_side.complete("undo-a").state(), "completed");
}

TEST(Compensation, of_one_activity_leaves_the_others) {  // Z264, C23, C32
  for (const std::string dialect : dialects) {
    for (const std::string kind : {"throw", "end"}) {
      Play play(dialect + "start  ->  task a\n a  ->  task b\n b  ->  " + kind +
                " undo   undoes b\n a  =>  job undo-a\n b  =>  job undo-b");
      EXPECT_EQ(play.waiting(), "undo-b");
      EXPECT_EQ(play.complete("undo-b").state(), "completed");
    }
  }
}

TEST(Compensation, of_a_sub_process_undoes_all_that_is_in_it) {  // Z264
  Play play(R"(
    start  ->  task a
    a      ->  sub box {
      start  ->  task b
      b      ->  task c
      b      =>  job undo-b
      c      =>  job undo-c
    }
    box    ->  throw undo   undoes box
    undo   ->  end
    a      =>  job undo-a
  )");
  EXPECT_EQ(play.waiting(), "undo-b undo-c");
}

TEST(Compensation, of_a_sub_process_with_a_handler_of_its_own_runs_both) {  // Z266, C24
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  sub box {
        start  ->  task b
        b      =>  job undo-b
      }
      box    ->  throw undo   undoes box
      undo   ->  end
      box    =>  job undo-box
    )");
    EXPECT_EQ(play.waiting(), dialect.empty() ? "undo-box undo-b" : "undo-b undo-box");
    EXPECT_EQ(play.complete("undo-b").complete("undo-box").state(), "completed");
  }
}

TEST(Compensation, the_handler_may_be_a_sub_process) {  // Z267, C34
  Play play(R"(
    start  ->  task a
    a      ->  throw undo   undoes
    undo   ->  end
    a      =>  sub undo-a {
      start  ->  job one
      one    ->  job two
      two    ->  end
    }
  )");
  EXPECT_EQ(play.waiting(), "one");
  EXPECT_EQ(play.complete("one").waiting(), "two");
  EXPECT_EQ(play.complete("two").state(), "completed");
  EXPECT_EQ(play.path(), "start a undo-a.start one two undo-a.end undo-a undo end");
}

TEST(Compensation, the_handler_may_be_a_loop) {  // Z267
  for (const std::string kind : {"job", "sub"}) {
    const std::string inside = kind == "sub" ? " {\n start  ->  job x\n }" : "";
    Play play("start  ->  task a\n a  ->  throw undo   undoes\n undo  ->  end\n a  =>  " + kind +
                  " undo-a   each items as item" + inside,
              R"({"items":[1,2]})");
    const std::string job = kind == "sub" ? "x" : "undo-a";
    EXPECT_EQ(play.waiting(), job + " " + job);
    EXPECT_EQ(play.complete(job).complete(job).state(), "completed");
    EXPECT_EQ(play.count("completed undo-a#body"), 1);
  }
}

TEST(Compensation, the_handler_may_wait_for_a_message) {  // C34
  Play play(camunda + R"(
    start  ->  task a
    a      ->  throw undo   undoes
    undo   ->  end
    a      =>  receive undo-a   on message m
  )");
  EXPECT_EQ(play.waits(), "m at undo-a");
  EXPECT_EQ(play.publish("m").state(), "completed");
}

TEST(Compensation, the_handler_may_call_a_process) {  // Z267, Z268, C34
  Play play(std::vector<Play::Named>{
      {"main",
       "start  ->  call c   process child\n c  ->  throw undo   undoes\n undo  ->  end\n"
       "c  =>  call undo-c   process undoing"},
      {"child", "start  ->  task x\n x  =>  job undo-x"},
      {"undoing", "start  ->  job u"}});
  EXPECT_EQ(play.waiting(), "u");
  EXPECT_EQ(play.complete("u").state(), "completed");
}

TEST(Compensation, the_handler_has_mappings_and_results_like_any_task) {  // Z269
  Play mapped(R"(
    start  ->  task a
    a      ->  throw undo   undoes
    undo   ->  job after
    a      =>  job undo-a   in k = x + 1   out y = k * 10
  )",
              R"({"x":1})");
  EXPECT_EQ(mapped.variables("undo-a"), R"({"k":2})");
  EXPECT_EQ(mapped.complete("undo-a").variables(), R"({"x":1,"y":20})");
  for (const std::string dialect : dialects) {
    Play plain(dialect +
               "start  ->  task a\n a  ->  throw undo   undoes\n undo  ->  job after\n"
               "a  =>  job undo-a");
    EXPECT_EQ(plain.complete("undo-a", R"({"z":3})").variables(), R"({"z":3})") << dialect;
  }
}

TEST(Compensation, in_an_event_sub_process_undoes_what_is_around) {  // Z270, C33
  for (const std::string dialect : dialects) {
    for (const std::string only : {"", " a"}) {
      for (const std::string beside : {"", "   beside"}) {
        Play play(dialect +
                  "start  ->  task a\n a  ->  job b\n a  =>  job undo-a\n handler h   "
                  "on message m" +
                  beside + " {\n start  ->  throw undo   undoes" + only + "\n undo  ->  end\n }");
        play.publish("m");
        EXPECT_EQ(play.waiting(), beside.empty() ? "undo-a" : "b undo-a");
        play.complete("undo-a");
        if (!beside.empty()) play.complete("b");
        EXPECT_EQ(play.state(), "completed");
      }
    }
  }
}

TEST(Compensation, what_was_done_in_a_terminated_scope_cannot_be_undone) {  // Z271
  Play play(R"(
    start  ->  sub box {
      start  ->  task a
      a      ->  job b
      a      =>  job undo-a
    }
    box    ~>  throw undo   on error E   undoes
    undo   ->  end
  )");
  EXPECT_EQ(play.throw_error("b", "E").state(), "completed");
  EXPECT_EQ(play.count("activating undo-a"), 0);
}

TEST(Compensation, that_was_cut_off_is_not_waited_for_later) {  // Z272
  Play play(R"(
    start  ->  task a
    a      ->  throw undo   undoes
    a      =>  job undo-a
    handler h   on message m {
      start  ->  throw again   undoes
      again  ->  end
    }
  )");
  EXPECT_EQ(play.waiting(), "undo-a");
  EXPECT_EQ(play.publish("m").state(), "completed");
  EXPECT_EQ(play.count("terminated undo-a"), 1);
}

TEST(Compensation, an_incident_of_a_handler_keeps_the_throw_event_waiting) {  // Z273
  Play play(two_undoable);
  play.complete("go").fail("undo-a", 0, "no").complete("undo-b");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_TRUE(play.is_active("undo"));
  play.cancel();
  EXPECT_EQ(play.incident_count(), 0u);
}

TEST(Compensation, an_error_of_a_handler_is_caught_around_the_throw_event) {
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  sub box {
        start  ->  task a
        a      ->  throw undo   undoes
        undo   ->  end
        a      =>  job undo-a
      }
      box    ~>  job fix   on error E
    )");
    EXPECT_EQ(play.throw_error("undo-a", "E").waiting(), "fix");
    EXPECT_EQ(play.told("terminated"), "terminated undo-a, terminated undo, terminated box");
  }
}

TEST(Compensation, leaves_other_tasks_alone) {  // C35
  Play play(camunda + R"(
    start  ->  and fork
    fork   ->  sub x {
      start  ->  task a
      a      =>  job undo-a
    }
    fork   ->  sub y {
      start  ->  task b
      b      =>  job undo-b
    }
    fork   ->  job other
    fork   ->  job go
    go     ->  end undo   undoes
  )");
  play.complete("go");
  EXPECT_EQ(play.waiting(), "other undo-b undo-a");
}

TEST(Compensation, listeners_of_a_handler_run_once_for_each_run_of_it) {  // C36
  Play play(camunda + R"(
    start  ->  script a   = 1   times 2
    a      ->  throw undo   undoes
    undo   ->  end
    a      =>  script undo-a   = 1   starting first   ending last
  )");
  int listeners = 0;
  for (; play.state() == "waiting"; ++listeners) play.complete("undo-a");
  EXPECT_EQ(listeners, 4);
  EXPECT_EQ(play.count("job-created undo-a type=first retries=3"), 2);
  EXPECT_EQ(play.count("job-created undo-a type=last retries=3"), 2);
  EXPECT_EQ(play.state(), "completed");
}

TEST(Compensation, is_kept_when_an_event_sub_process_interrupts) {  // C37
  Play play(camunda + R"(
    start  ->  task a
    a      ->  job b
    a      =>  job undo-a
    handler h   on message m {
      start  ->  job c
      c      ->  end undo   undoes
    }
    handler g   after 1h {
      start  ->  end
    }
  )");
  play.publish("m");
  EXPECT_EQ(play.waits(), "");
  EXPECT_EQ(play.complete("c").waiting(), "undo-a");
}

}  // namespace
}  // namespace pawl::engine
