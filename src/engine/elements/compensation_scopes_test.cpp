// SPDX-License-Identifier: Apache-2.0
// Compensation of loops and of whole scopes: how often handlers run, what they see, and event
// sub-processes that undo a scope in their own way.
#include <gtest/gtest.h>

#include "engine/drawings_for_test.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

std::string repeat(const std::string& word, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += (i == 0 ? "" : " ") + word;
  return out;
}

TEST(CompensationOfLoop, runs_once_for_the_whole_loop_in_zeebe) {  // Z83
  for (const std::string how : {"", "   sequential"}) {
    Play play("start  ->  script a   = 1   times 3" + how +
              "\n a  ->  throw undo   undoes\n undo  ->  end\n a  =>  job undo-a");
    EXPECT_EQ(play.waiting(), "undo-a") << how;
    EXPECT_EQ(play.complete("undo-a").state(), "completed");
  }
}

TEST(CompensationOfLoop, runs_once_for_each_iteration_elsewhere) {  // C20
  for (const std::string how : {"", "   sequential"}) {
    for (const std::string only : {"", " a"}) {
      Play play(camunda + "start  ->  script a   = 1   times 5" + how +
                "\n a  ->  throw undo   undoes" + only + "\n undo  ->  end\n a  =>  job undo-a");
      EXPECT_EQ(play.waiting(), repeat("undo-a", 5)) << how << only;
    }
  }
}

TEST(CompensationOfLoop, runs_only_if_the_loop_has_completed) {  // Z83, C22
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  and fork
      fork   ->  job a   times 5
      fork   ->  job go
      go     ->  end undo   undoes
      a      =>  job undo-a
    )");
    play.complete("a").complete("a").complete("a").complete("a").complete("go");
    EXPECT_EQ(play.waiting(), "a");
    EXPECT_EQ(play.complete("a").state(), "completed");
  }
}

TEST(CompensationOfLoop, of_a_sub_process_undoes_what_each_iteration_has_done) {  // Z84, Z264, C21
  for (const std::string dialect : dialects) {
    for (const std::string only : {"", " box"}) {
      Play play(dialect + R"(
        start  ->  sub box   times 3 {
          start  ->  task a
          a      =>  job undo-a
        }
        box    ->  throw undo   undoes)" +
                only + "\n undo  ->  end");
      EXPECT_EQ(play.waiting(), "undo-a undo-a undo-a");
      EXPECT_EQ(play.complete("undo-a").complete("undo-a").complete("undo-a").state(), "completed");
    }
  }
}

TEST(CompensationOfLoop, the_handler_sees_the_variables_of_its_iteration) {  // C27
  for (const std::string dialect : dialects) {
    Play play(dialect + R"(
      start  ->  sub box   each items as item {
        start  ->  script s   = item * 10   into tenfold
        s      =>  job undo-s
      }
      box    ->  throw undo   undoes
      undo   ->  end
    )",
              R"({"items":[1,2]})");
    const std::string seen = play.visible("undo-s");
    const std::string item = dialect.empty() ? R"("item":1)" : R"("item":2)";
    EXPECT_NE(seen.find(item), std::string::npos) << seen;
    if (dialect == "dialect plain\n") {
      EXPECT_NE(seen.find(R"("tenfold":20)"), std::string::npos) << seen;
    }
  }
}

TEST(CompensationOfLoop, the_handler_of_an_iteration_sees_its_item) {  // C27
  Play play(camunda + R"(
    start  ->  script a   = item   each items as item
    a      ->  throw undo   undoes
    a      =>  job undo-a
  )",
            R"({"items":["x","y"]})");
  EXPECT_EQ(play.variables("undo-a"), R"({"item":"y","loopCounter":1})");
}

TEST(CompensationOfLoop, the_snapshot_is_of_the_moment_when_it_completed) {  // C27
  Play play("dialect plain\n" + std::string(R"(
    start  ->  sub box {
      variables isolated
      start  ->  script s   = 1   into x
      s      ->  task a
      a      ->  script t   = 2   into x
      t      ->  end
      a      =>  job undo-a
    }
    box    ->  script later   = 3   into x
    later  ->  throw undo   undoes
  )"));
  EXPECT_EQ(play.variables(), R"({"x":3})");
  EXPECT_NE(play.visible("undo-a").find(R"("x":2)"), std::string::npos) << play.visible("undo-a");
}

TEST(CompensationOfLoop, of_very_many_iterations_takes_bounded_steps) {
  Play play(testkit::draw(camunda +
                          "start  ->  script a   = 1   times 3000\n a  ->  throw undo   undoes\n"
                          "undo  ->  end\n a  =>  script undo-a   = 1"),
            "{}", 10);
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed undo-a"), 3000);
}

// --- event sub-processes that undo the scope they are in
const std::string with_undoing_handler = R"(
  start  ->  sub box {
    start  ->  task a
    a      =>  job undo-a
    handler h   on undoing {
      start  ->  job own
      own    ->  end
    }
  }
  box    ->  throw undo   undoes
  undo   ->  end
)";

TEST(CompensationSubProcess, is_the_handler_of_its_scope_and_consumes_the_event) {  // C28, C30
  Play play(camunda + with_undoing_handler);
  EXPECT_EQ(play.waiting(), "own");
  EXPECT_EQ(play.complete("own").state(), "completed");
  EXPECT_EQ(play.count("activating undo-a"), 0);
}

TEST(CompensationSubProcess, that_throws_again_runs_the_handlers_inside) {  // C29
  for (const std::string only : {"", " a"}) {
    Play play(camunda + R"(
      start  ->  sub box {
        start  ->  task a
        a      =>  job undo-a
        handler h   on undoing {
          start  ->  job own
          own    ->  end again   undoes)" +
              only + R"(
        }
      }
      box    ->  task b
      b      ->  throw undo   undoes box
      undo   ->  end
      b      =>  job undo-b
    )");
    play.complete("own");
    EXPECT_EQ(play.waiting(), "undo-a") << only;
    EXPECT_EQ(play.complete("undo-a").state(), "completed");
  }
}

TEST(CompensationSubProcess, runs_once_for_each_iteration) {  // C31
  for (const std::string how : {"", "   sequential"}) {
    Play play(camunda + "start  ->  sub box   times 5" + how + R"( {
        start  ->  task a
        handler h   on undoing {
          start  ->  job own
        }
      }
      box    ->  throw undo   undoes
      undo   ->  end
    )");
    EXPECT_EQ(play.waiting(), repeat("own", 5)) << how;
  }
}

TEST(CompensationSubProcess, does_not_begin_while_its_scope_runs) {
  Play play(camunda + R"(
    start  ->  sub box {
      start  ->  task a
      a      ->  throw undo   undoes
      undo   ->  job b
      a      =>  job undo-a
      handler h   on undoing {
        start  ->  job own
      }
    }
  )");
  EXPECT_EQ(play.waiting(), "undo-a");
  EXPECT_EQ(play.complete("undo-a").waiting(), "b");
}

TEST(CompensationResult, of_a_plain_model_leaves_the_handler) {  // Z269
  Play play(R"(
    dialect plain
    start  ->  sub box {
      start  ->  script s   = "booked"   into status
      s      ->  task a
      a      ->  end
      a      =>  job undo-a   in seen = status
    }
    box    ->  throw undo   undoes
    undo   ->  job after
  )");
  EXPECT_EQ(play.variables("undo-a"), R"({"status":"booked","seen":"booked"})");
  play.complete("undo-a", R"({"status":"cancelled","seen":"mine"})");
  EXPECT_EQ(play.waiting(), "after") << play.trace();
  EXPECT_EQ(play.variables(), R"({"status":"cancelled"})");
}

TEST(CompensationResult, a_list_that_a_handler_makes_begins_anew) {
  Play play(R"(
    dialect plain
    start  ->  sub box {
      start  ->  script s   = [1]   into out
      s      ->  task a
      a      ->  end
      a      =>  job undo-a   times 2   collect r in out
    }
    box    ->  throw undo   undoes
    undo   ->  job after
  )");
  play.complete("undo-a", R"({"r":1})").complete("undo-a", R"({"r":2})");
  EXPECT_EQ(play.waiting(), "after") << play.trace();
  EXPECT_EQ(play.variables(), R"({"out":[1,2]})");
}

TEST(CompensationOfAdHoc, finds_an_activity_that_another_path_has_completed) {  // Z264, C33
  for (const std::string only : {"", " a"}) {
    Play play(R"(
      dialect plain
      start  ->  adhoc box {
        task a
        job b
        a  =>  job undo-a
        handler h   on message m   beside {
          start  ->  throw undo   undoes)" +
              only + R"(
          undo   ->  end
        }
      }
    )");
    play.publish("m");
    EXPECT_EQ(play.waiting(), "b undo-a") << only << play.trace();
  }
}

}  // namespace
}  // namespace pawl::engine
