// SPDX-License-Identifier: Apache-2.0
// Transactions that are cancelled: everything in them ends, what was done is undone, then the
// cancel boundary event is taken.
#include <gtest/gtest.h>

#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

constexpr const char* dialects_with_transactions[] = {"dialect camunda7\n", "dialect plain\n"};

// Five hotels and a flight are booked; then somebody decides.
const std::string trip = R"(
  start   ->  transaction trip {
    start   ->  and fork
    fork    ->  script hotel   = 1   times 5
    fork    ->  task flight
    hotel   ->  and both
    flight  ->  both
    both    ->  job decide
    decide  ->  xor route
    route   ->  end booked      if ok
    route   ->  end cancelled   otherwise   cancels
    hotel   =>  job undo-hotel
    flight  =>  job undo-flight
  }
  trip    ->  job after
  trip    ~>  job failed   on cancel
)";

std::vector<Undoable> records_in(Play& play, std::string_view element) {
  const ElementInstance* one = play.driver().instance().find(play.key_of(element));
  return one && one->compensation ? one->compensation->done : std::vector<Undoable>();
}

TEST(Transaction, has_a_record_for_everything_that_can_be_undone) {  // C1
  Play play("dialect camunda7\n" + trip);
  const auto records = records_in(play, "trip");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].inside.size() + records[1].inside.size(), 5u);  // of the loop
}

TEST(Transaction, that_completes_can_be_undone_as_a_whole) {  // C2, C11
  Play play("dialect camunda7\n" + trip + "after  ->  throw undo   undoes\n");
  play.complete("decide", R"({"ok":true})");
  EXPECT_EQ(play.waiting(), "after");
  EXPECT_EQ(records_in(play, "drawn").size(), 1u);
  play.complete("after");
  EXPECT_EQ(play.count("activating undo-hotel"), 5);
  EXPECT_EQ(play.count("activating undo-flight"), 1);
}

TEST(Transaction, cancelled_undoes_all_and_takes_the_boundary_event_after_that) {  // C3, C4
  for (const std::string dialect : dialects_with_transactions) {
    Play play(dialect + trip);
    play.complete("decide", R"({"ok":false})");
    EXPECT_EQ(play.count("activating undo-hotel"), 5);
    EXPECT_EQ(play.count("activating undo-flight"), 1);
    for (int i = 0; i < 5; ++i) play.complete("undo-hotel");
    EXPECT_EQ(play.waiting(), "undo-flight");
    play.complete("undo-flight");
    EXPECT_EQ(play.waiting(), "failed");
    EXPECT_EQ(play.count("terminated trip"), 1);
    EXPECT_EQ(play.count("activating after"), 0);
    EXPECT_EQ(play.complete("failed").state(), "completed");
  }
}

TEST(Transaction, cancelled_with_nothing_to_undo_takes_the_boundary_event_at_once) {
  for (const std::string dialect : dialects_with_transactions) {
    Play play(dialect +
              "start  ->  transaction t {\n start  ->  end c   cancels\n }\n"
              "t  ->  job after\n t  ~>  job failed   on cancel");
    EXPECT_EQ(play.waiting(), "failed");
  }
}

TEST(Transaction, cancelled_ends_its_other_paths_first) {  // C5
  Play play(R"(
    dialect camunda7
    start  ->  transaction t {
      start  ->  and fork
      fork   ->  task a
      a      ->  job b
      fork   ->  sub c {
        start  ->  job d
      }
      fork   ->  job go
      go     ->  end x   cancels
      a      =>  job undo-a
      d      =>  job undo-d
    }
    t  ->  end
    t  ~>  job failed   on cancel
  )");
  play.complete("go");
  EXPECT_EQ(play.waiting(), "undo-a");
  EXPECT_EQ(play.told("terminated"), "terminated d, terminated c, terminated b");
  EXPECT_EQ(play.complete("undo-a").waiting(), "failed");
}

const std::string nested_transactions = R"(
  dialect camunda7
  start  ->  transaction outer {
    start  ->  task a
    a      ->  and fork
    fork   ->  transaction inner {
      start  ->  task b
      b      ->  job go-inner
      go-inner  ->  end x   cancels
      b      =>  job undo-b
    }
    inner  ->  end
    inner  ~>  job inner-failed   on cancel
    fork   ->  job go-outer
    go-outer  ->  end y   cancels
    a      =>  job undo-a
  }
  outer  ~>  job outer-failed   on cancel
)";

TEST(Transaction, two_tokens_at_one_cancel_end_event_cancel_it_once) {  // C5
  Play play(R"(
    dialect camunda7
    start  ->  transaction t {
      start  ->  and fork
      fork   ->  end x   cancels   starting s
      fork   ->  x
    }
    t  ->  job after
    t  ~>  job failed   on cancel
  )");
  EXPECT_EQ(play.complete("x").waiting(), "failed") << play.trace();
}

TEST(Transaction, inside_another_is_cancelled_alone) {  // C6
  Play play(nested_transactions);
  play.complete("go-inner");
  EXPECT_EQ(play.waiting(), "go-outer undo-b");
  play.complete("undo-b");
  EXPECT_EQ(play.waiting(), "go-outer inner-failed");
}

TEST(Transaction, that_runs_inside_one_that_is_cancelled_is_not_undone) {  // C7
  Play play(nested_transactions);
  play.complete("go-outer");
  EXPECT_EQ(play.waiting(), "undo-a");
  EXPECT_EQ(play.complete("undo-a").waiting(), "outer-failed");
  EXPECT_EQ(play.count("activating undo-b"), 0);
}

const std::string looped_transaction = R"(
  dialect camunda7
  start  ->  transaction t   times 5 {
    start   ->  task hotel
    hotel   ->  task flight
    flight  ->  job decide
    decide  ->  xor route
    route   ->  end booked   if ok
    route   ->  end not      otherwise   cancels
    hotel   =>  job undo-hotel
    flight  =>  job undo-flight
  }
  t  ->  job after
  t  ~>  job failed   on cancel
)";

TEST(Transaction, one_cancelled_iteration_ends_the_loop) {  // C8
  Play play(looped_transaction);
  play.complete("decide", R"({"ok":false})");
  EXPECT_EQ(play.count("activating undo-hotel"), 1);
  play.complete("undo-hotel").complete("undo-flight");
  EXPECT_EQ(play.waiting(), "failed");
  EXPECT_EQ(play.count("terminated t"), 5);
  EXPECT_EQ(play.count("activating failed"), 1);
  EXPECT_EQ(play.complete("failed").state(), "completed");
}

TEST(Transaction, a_loop_whose_iterations_succeed_goes_on_once) {  // C9
  Play play(looped_transaction);
  for (int i = 0; i < 5; ++i) play.complete("decide", R"({"ok":true})");
  EXPECT_EQ(play.waiting(), "after");
  EXPECT_EQ(play.complete("after").state(), "completed");
}

TEST(Transaction, cancelled_undoes_what_completed_sub_processes_did) {  // C10
  Play play(R"(
    dialect camunda7
    start  ->  transaction t {
      start  ->  sub box {
        start  ->  task a
        a      =>  job undo-a
      }
      box    ->  end x   cancels
    }
    t  ~>  job failed   on cancel
  )");
  EXPECT_EQ(play.waiting(), "undo-a");
  EXPECT_EQ(play.complete("undo-a").waiting(), "failed");
}

TEST(Transaction, cancelled_runs_the_compensation_event_sub_process_of_what_completed) {  // C12
  Play play(R"(
    dialect camunda7
    start  ->  transaction t {
      start  ->  sub box {
        start  ->  task a
        a      =>  job undo-a
        handler h   on undoing {
          start  ->  job own
        }
      }
      box    ->  end x   cancels
    }
    t  ~>  job failed   on cancel
  )");
  EXPECT_EQ(play.waiting(), "own");
  EXPECT_EQ(play.complete("own").waiting(), "failed");
}

TEST(Transaction, is_not_cancelled_by_a_technical_failure) {  // C16
  Play play("dialect camunda7\n" + trip);
  play.fail("decide", 2, "network");
  EXPECT_EQ(play.waiting(), "decide");
  play.fail("decide", 0, "network");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_TRUE(play.is_active("trip"));
}

TEST(Transaction, that_is_being_undone_ends_with_the_instance) {
  Play play("dialect camunda7\n" + trip);
  play.complete("decide", R"({"ok":false})").cancel();
  EXPECT_EQ(play.state(), "terminated");
  EXPECT_EQ(play.count("activating failed"), 0);
}

TEST(Transaction, an_error_while_it_is_undone_is_caught_on_its_border) {
  Play play("dialect camunda7\n" + trip + "trip  ~>  job broken   on error E\n");
  play.complete("decide", R"({"ok":false})").throw_error("undo-flight", "E");
  EXPECT_EQ(play.waiting(), "broken");
  EXPECT_EQ(play.complete("broken").state(), "completed");
}

TEST(Transaction, cancelled_in_short_turns_ends_the_same_way) {
  Play play(testkit::draw("dialect camunda7\n" + trip), "{}", 1);
  play.complete("decide", R"({"ok":false})");
  for (int i = 0; i < 5; ++i) play.complete("undo-hotel");
  EXPECT_EQ(play.complete("undo-flight").waiting(), "failed");
}

}  // namespace
}  // namespace pawl::engine
