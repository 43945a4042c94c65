// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

constexpr const char* with_task = R"(
  start  ->  sub box {
    start  ->  job inner
    inner  ->  end
  }
  box    ->  end
)";

TEST(SubProcess, activates_then_its_start_event_inside_its_scope) {  // Z85, S1
  const Play play(with_task);
  EXPECT_EQ(play.told("activated"),
            "activated drawn, activated start, activated box, "
            "activated box.start, activated inner");
}

TEST(SubProcess, completes_when_its_only_path_has_ended) {  // Z86, S2, S5
  Play play(with_task);
  play.complete("inner");
  EXPECT_EQ(play.path(), "start box.start inner box.end box end");
  EXPECT_EQ(play.state(), "completed");
}

TEST(SubProcess, its_job_belongs_to_the_inner_element_instance) {  // Z87, S4
  Play play(with_task);
  const Instance& state = play.driver().instance();
  const ElementInstance* owner = state.find_job_owner(play.job_of("inner"));
  ASSERT_NE(owner, nullptr);
  EXPECT_EQ(owner->key, play.key_of("inner"));
  EXPECT_EQ(state.parent_of(*owner)->key, play.key_of("box"));
  EXPECT_EQ(state.process->at(state.definition_of(*owner).scope).id, "box");
}

TEST(SubProcess, is_cancelled_depth_first) {  // Z88, Z404, S7
  Play play(with_task);
  play.cancel();
  EXPECT_EQ(play.told("terminating terminated job-canceled"),
            "terminating drawn, terminating box, terminating inner, job-canceled inner, "
            "terminated inner, terminated box, terminated drawn");
  EXPECT_EQ(play.state(), "terminated");
}

TEST(SubProcess, nested_ones_end_from_the_inside_out) {  // Z90, S1
  Play play(R"(
    start  ->  sub outer {
      start  ->  sub inner {
        start  ->  job a
      }
      inner  ->  job b
    }
    outer  ->  end
  )");
  play.complete("a");
  EXPECT_EQ(play.waiting(), "b");
  play.complete("b");
  EXPECT_EQ(play.path(), "start outer.start inner.start a inner b outer end");
}

TEST(SubProcess, completes_only_after_the_last_of_its_paths) {  // Z91, S2
  Play play(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  job a
      fork   ->  job b
      a      ->  end endA
      b      ->  end endB
    }
    box    ->  end
  )");
  play.complete("a");
  EXPECT_TRUE(play.is_active("box"));
  play.complete("b");
  EXPECT_EQ(play.state(), "completed");
}

TEST(SubProcess, terminates_all_its_tasks_before_itself) {  // Z92
  Play play(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  job a
      fork   ->  job b
    }
    box    ->  end
  )");
  play.cancel();
  EXPECT_EQ(play.told("terminated"),
            "terminated a, terminated b, terminated box, terminated drawn");
}

TEST(SubProcess, can_be_cancelled_while_a_token_waits_at_a_join) {  // Z93
  Play play(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  and join
      fork   ->  job a
      a      ->  join
    }
    box    ->  end
  )");
  play.cancel();
  EXPECT_EQ(play.state(), "terminated");
}

TEST(SubProcess, the_path_from_the_root_to_a_child_can_be_told) {  // Z96, S4
  Play play(with_task);
  const Instance& state = play.driver().instance();
  std::string path;
  for (const ElementInstance* one = state.find(play.key_of("inner")); one;
       one = state.parent_of(*one)) {
    path = state.definition_of(*one).id + " " + path;
  }
  EXPECT_EQ(path, "drawn box inner ");
}

TEST(SubProcess, without_start_event_begins_at_every_element_nothing_leads_to) {
  Play play(R"(
    dialect plain
    start  ->  sub box {
      job a
      job b
    }
    box    ->  end
  )");
  EXPECT_EQ(play.waiting(), "a b");
  play.complete("a").complete("b");
  EXPECT_EQ(play.state(), "completed");
}

TEST(SubProcess, that_is_empty_completes_at_once) {
  const Play play("start  ->  sub box {\n}\n box  ->  end");
  EXPECT_EQ(play.path(), "start box end");
}

std::string nested_sub_processes(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += "start  ->  sub s" + std::to_string(i) + " {\n";
  text += "start  ->  job deepest\n";
  for (int i = depth; i-- > 0;) text += "}\ns" + std::to_string(i) + "  ->  end\n";
  return text;
}

TEST(SubProcess, two_hundred_nested_ones_work) {  // S1
  Play play(nested_sub_processes(200));
  play.complete("deepest");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed s199"), 1);
}

TEST(SubProcess, two_hundred_nested_ones_can_be_cancelled) {  // S7
  Play play(nested_sub_processes(200));
  play.cancel();
  EXPECT_EQ(play.state(), "terminated");
  const auto ended = play.story("terminated");
  ASSERT_EQ(ended.size(), 202u);
  EXPECT_EQ(ended.front(), "terminated deepest");
  EXPECT_EQ(ended[1], "terminated s199");
  EXPECT_EQ(ended.back(), "terminated drawn");
}

TEST(SubProcess, cancelling_twice_changes_nothing) {  // S7, S9, Z405
  Play play(with_task);
  play.cancel();
  EXPECT_NE(play.rejection(CancelInstance{}), "");
  EXPECT_EQ(play.state(), "terminated");
}

TEST(SubProcess, A12_cancelling_an_instance_that_is_already_ending_is_refused) {  // Z405
  const auto process = testkit::draw("start  ->  sub box {\n start  ->  job a\n }");
  Instance instance(process);
  World world{.next_key = 2};
  const auto turn = [&](const Command& command, std::size_t steps) {
    world.max_steps = steps;
    auto taken = take_turn(instance, command, world);
    if (taken) world.next_key = taken->next_key;
    return taken;
  };
  ASSERT_TRUE(turn(StartInstance{.instance = key_from(1)}, 100).has_value());
  const auto begun = turn(CancelInstance{}, 1);
  ASSERT_TRUE(begun.has_value() && begun->more);
  const auto again = turn(CancelInstance{}, 1);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, Code::not_found);
  ASSERT_TRUE(turn(Continue{}, 100).has_value());
  EXPECT_EQ(instance.ended, Ended::terminated);
}

}  // namespace
}  // namespace pawl::engine
