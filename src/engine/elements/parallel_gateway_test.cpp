// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

constexpr const char* fork_and_join = R"(
  start  ->  and fork
  fork   ->  job a
  fork   ->  job b
  a      ->  and join
  b      ->  join
  join   ->  end
)";

TEST(ParallelGateway, takes_all_outgoing_flows_as_instances_of_their_own) {  // Z234
  const Play play(fork_and_join);
  EXPECT_EQ(play.waiting(), "a b");
  EXPECT_NE(play.key_of("a"), play.key_of("b"));
}

TEST(ParallelGateway, lets_the_scope_end_only_after_every_branch) {  // Z235
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  job b
    a      ->  end one
    b      ->  end two
  )");
  play.complete("b");
  EXPECT_EQ(play.state(), "waiting");
  play.complete("a");
  EXPECT_EQ(play.path(), "start fork b two a one");
  EXPECT_EQ(play.state(), "completed");
}

TEST(ParallelGateway, ends_an_end_event_once_per_token_and_the_process_once) {  // Z236
  const Play play(R"(
    start  ->  and fork
    fork   ->  xor merge
    fork   ->  task t
    t      ->  merge
    merge  ->  end
  )");
  EXPECT_EQ(play.count("completed end"), 2);
  EXPECT_EQ(play.count("completed drawn"), 1);
}

TEST(ParallelGateway, waits_until_every_incoming_flow_was_taken) {  // Z237
  Play play(fork_and_join);
  play.complete("a");
  EXPECT_FALSE(play.is_active("join"));
  EXPECT_EQ(play.count("activated join"), 0);
  play.complete("b");
  EXPECT_EQ(play.count("activated join"), 1);
  EXPECT_EQ(play.state(), "completed");
}

TEST(ParallelGateway, does_not_fire_for_two_tokens_on_the_same_flow) {  // Z238
  Play play(R"(
    start  ->  and fork
    fork   ->  xor merge
    fork   ->  task t
    fork   ->  job b
    t      ->  merge
    merge  ->  and join
    b      ->  join
    join   ->  end
  )");
  EXPECT_EQ(play.count("activated join"), 0) << play.trace();
  play.complete("b");
  EXPECT_EQ(play.count("activated join"), 1);
  EXPECT_EQ(play.state(), "waiting") << "the second token still waits at the join";
}

TEST(ParallelGateway, joins_then_forks_in_one_gateway) {  // Z239
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  job b
    a      ->  and both
    b      ->  both
    both   ->  job c
    both   ->  job d
  )");
  play.complete("a").complete("b");
  EXPECT_EQ(play.count("activated both"), 1);
  EXPECT_EQ(play.waiting(), "c d");
}

TEST(ParallelGateway, is_not_needed_where_a_task_has_several_flows) {  // Z240
  Play play(R"(
    start  ->  task t
    t      ->  job a
    t      ->  job b
  )");
  EXPECT_EQ(play.waiting(), "a b");
}

TEST(ParallelGateway, passes_a_single_token_or_ends_it) {  // Z241
  EXPECT_EQ(Play("start  ->  and one\n one  ->  end").path(), "start one end");
  const Play last("start  ->  and one");
  EXPECT_EQ(last.path(), "start one");
  EXPECT_EQ(last.state(), "completed");
}

}  // namespace
}  // namespace pawl::engine
