// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

constexpr const char* split_and_join = R"(
  start  ->  or split
  split  ->  job a   if x > 0
  split  ->  job b   if x > 1
  split  ->  job c   if x > 2
  split  ->  job d   otherwise
  a      ->  or join
  b      ->  join
  c      ->  join
  d      ->  join
  join   ->  end
)";

TEST(InclusiveGateway, takes_every_flow_that_holds_else_the_default) {  // Z214
  const std::pair<const char*, const char*> rows[] = {
      {R"({"x":0})", "d"}, {R"({"x":1})", "a"}, {R"({"x":2})", "a b"}, {R"({"x":3})", "a b c"}};
  for (const auto& [given, waiting] : rows) {
    EXPECT_EQ(Play(split_and_join, given).waiting(), waiting) << given;
  }
}

TEST(InclusiveGateway, never_evaluates_the_condition_of_the_default_flow) {  // Z215
  const Play play(R"(
    start  ->  or split
    split  ->  end a   if x = 1
    split  ->  end b   if missing > 1   otherwise
  )",
                  R"({"x":1})");
  EXPECT_EQ(play.path(), "start split a");
}

TEST(InclusiveGateway, takes_all_flows_when_all_hold_without_default) {  // Z216
  const Play play(R"(
    start  ->  or split
    split  ->  job a   if true
    split  ->  job b   if true
  )");
  EXPECT_EQ(play.waiting(), "a b");
}

TEST(InclusiveGateway, passes_a_single_flow_without_condition) {  // Z217
  EXPECT_EQ(Play("start  ->  or g\n g  ->  end").path(), "start g end");
}

TEST(InclusiveGateway, stops_with_an_incident_when_its_only_condition_is_false) {  // Z218
  const Play play("start  ->  or g\n g  ->  end   if false");
  EXPECT_NE(play.incident().find("CONDITION_ERROR at g"), std::string::npos) << play.incident();
}

TEST(InclusiveGateway, without_outgoing_flow_ends_the_token) {  // Z219
  EXPECT_EQ(Play("start  ->  or g").state(), "completed");
}

TEST(InclusiveGateway, joins_the_tokens_of_a_parallel_fork_once) {  // Z220
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  task b
    a      ->  or join
    b      ->  join
    join   ->  end
  )");
  EXPECT_EQ(play.count("completed join"), 1) << play.trace();
  EXPECT_EQ(play.count("completed end"), 1);
}

TEST(InclusiveGateway, fires_at_once_when_no_other_token_can_come) {  // Z221
  Play play(split_and_join, R"({"x":1})");
  play.complete("a");
  EXPECT_EQ(play.path(), "start split a join end") << play.trace();
}

TEST(InclusiveGateway, waits_for_those_branches_that_were_taken) {  // Z222, Z223
  Play play(split_and_join, R"({"x":2})");
  play.complete("a");
  EXPECT_EQ(play.count("activated join"), 0);
  play.complete("b");
  EXPECT_EQ(play.path(), "start split a b join end") << play.trace();
}

TEST(InclusiveGateway, waits_for_a_branch_that_comes_by_a_boundary_event) {  // Z224, with an error
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  job b
    a      ->  or join
    b      ->  end other
    b      ~>  join   on error E
    join   ->  end
  )");
  EXPECT_EQ(play.count("activated join"), 0) << play.trace();
  play.throw_error("b", "E");
  EXPECT_EQ(play.count("completed join"), 1) << play.trace();
  EXPECT_EQ(play.state(), "completed");
}

TEST(InclusiveGateway, looks_again_when_a_token_it_waits_for_ends_elsewhere) {
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  job b
    a      ->  or join
    b      ->  xor choose
    choose ->  join        if back
    choose ->  end other   otherwise
    join   ->  end
  )",
            R"({"back":false})");
  EXPECT_EQ(play.count("activated join"), 0);
  play.complete("b");
  EXPECT_EQ(play.path(), "start fork a b choose join other end") << play.trace();
}

TEST(InclusiveGateway, looks_again_when_a_waited_for_sub_process_is_terminated) {
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  sub box {
      start  ->  job inner
    }
    a      ->  or join
    box    ->  join
    box    ~>  end elsewhere   on error E
    join   ->  end
  )");
  EXPECT_EQ(play.count("activated join"), 0);
  play.throw_error("inner", "E");
  EXPECT_EQ(play.count("completed join"), 1) << play.trace();
  EXPECT_EQ(play.state(), "completed");
}

TEST(InclusiveGateway, joins_then_splits_in_one_gateway) {  // Z225, Z226
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  task b
    fork   ->  xor choose
    a      ->  or both
    b      ->  both
    choose ->  both        if false
    choose ->  end other   otherwise
    both   ->  job c   if true
    both   ->  job d   if false
  )");
  EXPECT_EQ(play.count("activated both"), 1) << play.trace();
  EXPECT_EQ(play.waiting(), "c");
}

TEST(InclusiveGateway, fires_when_every_incoming_flow_has_a_token) {  // Z227
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  task b
    fork   ->  job late
    a      ->  or join
    b      ->  xor b2
    late   ->  b2
    b2     ->  join
    join   ->  end
  )");
  EXPECT_EQ(play.count("completed join"), 1) << "though a third token is on its way\n"
                                             << play.trace();
  play.complete("late");
  EXPECT_EQ(play.count("completed join"), 2);
  EXPECT_EQ(play.state(), "completed");
}

TEST(InclusiveGateway, with_one_incoming_flow_never_waits) {  // Z228
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  job b
    a      ->  xor merge
    b      ->  merge
    merge  ->  or g
    g      ->  end
  )");
  play.complete("a");
  EXPECT_EQ(play.count("completed end"), 1);
}

TEST(InclusiveGateway, fires_twice_for_two_tokens_on_one_flow_and_one_on_another) {  // Z229
  Play play(R"(
    start  ->  and fork
    fork   ->  task a1
    fork   ->  task a2
    fork   ->  job b
    a1     ->  xor merge
    a2     ->  merge
    merge  ->  or join
    b      ->  join
    join   ->  end
  )");
  play.complete("b");
  EXPECT_EQ(play.count("completed join"), 2) << play.trace();
  EXPECT_EQ(play.state(), "completed");
}

TEST(InclusiveGateway, waits_for_a_task_in_a_loop_that_leads_to_it) {  // Z230
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  xor again
    again  ->  job work
    work   ->  xor done
    a      ->  or join
    done   ->  again       if not(ok)
    done   ->  join        otherwise
    join   ->  end
  )",
            R"({"ok":false})");
  play.complete("work", R"({"ok":false})");
  EXPECT_EQ(play.count("activated join"), 0);
  play.complete("work", R"({"ok":true})");
  EXPECT_EQ(play.count("completed join"), 1) << play.trace();
  EXPECT_EQ(play.state(), "completed");
}

TEST(InclusiveGateway, does_not_wait_for_a_loop_that_cannot_reach_it) {  // Z231
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  task b
    fork   ->  xor again
    again  ->  job work
    work   ->  xor done
    done   ->  again       if not(ok)
    done   ->  end other   otherwise
    a      ->  or join
    b      ->  join
    join   ->  end
  )",
            R"({"ok":false})");
  EXPECT_EQ(play.count("completed join"), 1) << play.trace();
}

TEST(InclusiveGateway, does_not_wait_for_a_token_that_comes_only_through_itself) {  // C77
  Play play(R"(
    start  ->  or again
    again  ->  job work
    work   ->  xor done
    done   ->  again   if not(ok)
    done   ->  end     otherwise
  )",
            R"({"ok":false})");
  play.complete("work", R"({"ok":false})");
  EXPECT_EQ(play.waiting(), "work") << play.trace();
  play.complete("work", R"({"ok":true})");
  EXPECT_EQ(play.state(), "completed");
}

TEST(InclusiveGateway, two_joins_in_one_cycle_do_not_hold_each_other_for_ever) {
  Play play(R"(
    start  ->  and fork
    fork   ->  or one
    fork   ->  or two
    one    ->  xor after1
    after1 ->  two   if false
    after1 ->  end   otherwise
    two    ->  xor after2
    after2 ->  one   if false
    after2 ->  end   otherwise
  )");
  EXPECT_EQ(play.state(), "completed") << play.trace();
}

TEST(InclusiveGateway, takes_the_right_flows_after_its_incident_was_resolved) {  // Z233
  Play play(R"(
    start  ->  and fork
    fork   ->  task a
    fork   ->  task b
    a      ->  or both
    b      ->  both
    both   ->  job c   if x > 1
    both   ->  job d   otherwise
  )");
  EXPECT_EQ(play.state(), "incident");
  play.set("", R"({"x":2})").resolve("both");
  EXPECT_EQ(play.waiting(), "c") << play.trace();
}

TEST(InclusiveGateway, waits_for_tokens_deep_inside_the_scopes_of_a_branch) {  // C71, C74
  Play play(R"(
    start  ->  or split
    split  ->  sub outer   if true {
      start  ->  sub inner {
        start  ->  job deep
      }
      inner  ->  end
    }
    split  ->  task quick   if true
    outer  ->  or join
    quick  ->  join
    join   ->  end
  )");
  EXPECT_EQ(play.count("activated join"), 0) << play.trace();
  play.complete("deep");
  EXPECT_EQ(play.count("completed join"), 1);
  EXPECT_EQ(play.state(), "completed");
}

TEST(InclusiveGateway, waits_until_a_loop_in_a_branch_has_left) {  // C73
  for (const std::string how : {"", "sequential"}) {
    Play play(
        "dialect camunda7\n"
        R"(
      start  ->  or split
      split  ->  sub box   if true   times 2   )" +
        how + R"( {
        start  ->  job work
      }
      split  ->  task quick   if true
      box    ->  or join
      quick  ->  join
      join   ->  end
    )");
    play.complete("work");
    EXPECT_EQ(play.count("activated join"), 0) << how << play.trace();
    play.complete("work");
    EXPECT_EQ(play.count("completed join"), 1) << how;
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(InclusiveGateway, partial_merges_wait_only_for_what_can_reach_them) {  // C70
  Play play(R"(
    start  ->  or split
    split  ->  job a   if true
    split  ->  job b   if true
    split  ->  job c   if true
    a      ->  or first
    b      ->  first
    first  ->  or second
    c      ->  second
    second ->  end
  )");
  play.complete("a").complete("b");
  EXPECT_EQ(play.count("completed first"), 1);
  EXPECT_EQ(play.count("completed second"), 0);
  play.complete("c");
  EXPECT_EQ(play.count("completed second"), 1);
  EXPECT_EQ(play.state(), "completed");
}

}  // namespace
}  // namespace pawl::engine
