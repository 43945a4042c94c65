// SPDX-License-Identifier: Apache-2.0
// Turns: bounded, deterministic, and foldable.
#include "engine/turn.hpp"

#include <gtest/gtest.h>

#include "engine/apply.hpp"
#include "engine/step.hpp"
#include "engine/weight.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::draw;
using testkit::Play;

model::ProcessPtr chain(int length) {
  std::string text = "start  ->  task t0\n";
  for (int i = 1; i < length; ++i) {
    text += "t" + std::to_string(i - 1) + "  ->  task t" + std::to_string(i) + "\n";
  }
  return draw(text);
}

TEST(Turn, stops_after_its_steps_and_says_that_there_is_more) {
  Instance instance(chain(2'500));
  const auto turn = take_turn(instance, StartInstance{.instance = key_from(1)}, {.next_key = 2});
  ASSERT_TRUE(turn.has_value());
  EXPECT_TRUE(turn->more);
  EXPECT_EQ(instance.agenda.size(), 1u);
  EXPECT_EQ(instance.ended, Ended::no);
}

TEST(Turn, the_same_whatever_the_number_of_steps_per_turn) {
  const auto process = draw(R"(
    start  ->  or split
    split  ->  task a   if true
    split  ->  sub box   if true {
      start  ->  task t
      t      ->  error(E) x
    }
    a      ->  or join
    box    ->  join
    box    ~>  join   on error E
    join   ->  end
  )");
  const Play whole(process);
  for (const std::size_t steps : {1u, 2u, 3u, 5u}) {
    const Play cut(process, "{}", steps);
    EXPECT_EQ(cut.story(), whole.story()) << steps;
  }
}

TEST(Turn, a_long_chain_ends_in_several_turns) {
  const Play play(chain(2'500));
  EXPECT_EQ(play.state(), "completed");
}

runtime::Driver circle(std::uint64_t steps_without_wait) {
  runtime::Driver driver(draw("start  ->  xor again\n again  ->  task t\n t  ->  again"));
  driver.steps_per_turn = 10;
  driver.allowance.steps = steps_without_wait;
  driver.keeps_journal = false;
  return driver;
}

TEST(Turn, A5_a_circle_without_waiting_is_stopped_by_an_incident_that_names_it) {
  runtime::Driver driver = circle(1'000);
  ASSERT_TRUE(driver.start().has_value());
  ASSERT_EQ(driver.incidents().size(), 1u);
  const runtime::OpenIncident& incident = driver.incidents().begin()->second;
  EXPECT_EQ(incident.kind, IncidentKind::endless);
  EXPECT_EQ(incident.element, driver.instance().root_scope().key);
  EXPECT_NE(incident.message.find("1000 steps without waiting for anything: "
                                  "\"t\" → \"again\" → \"t\""),
            std::string::npos)
      << incident.message;
}

TEST(Turn, a_stopped_circle_goes_on_when_it_is_resolved_and_is_stopped_again) {
  runtime::Driver driver = circle(1'000);
  ASSERT_TRUE(driver.start().has_value());
  const Key first = driver.incidents().begin()->first;
  ASSERT_TRUE(driver.send(ResolveIncident{first}).has_value());
  ASSERT_EQ(driver.incidents().size(), 1u);
  EXPECT_NE(driver.incidents().begin()->first, first);
}

TEST(Turn, a_stopped_circle_is_migrated_only_when_it_waits_and_that_is_said) {
  runtime::Driver driver = circle(1'000);
  ASSERT_TRUE(driver.start().has_value());
  const auto refused =
      driver.send(MigrateInstance{.process = driver.instance().process, .moves = {}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::invalid_state);
  EXPECT_NE(refused.error().text.find("only when it waits"), std::string::npos);
}

// How slow a machine is does not decide whether the expressions of an element are too much.
TEST(Turn, scripts_have_a_budget_of_their_own_in_a_step) {
  Instance instance(chain(1));
  const World world;
  Step step(instance, world);
  step.begin_step();
  step.charge_script(400'000'000);
  EXPECT_TRUE(step.expect_budget().has_value());
  step.charge(limits::cost_per_step);
  EXPECT_FALSE(step.expect_budget().has_value());
  step.begin_step();
  EXPECT_TRUE(step.expect_budget().has_value());
  step.charge_script(limits::scripts_per_step);
  EXPECT_FALSE(step.expect_budget().has_value());
}

TEST(Turn, a_stopped_circle_can_be_cancelled) {
  runtime::Driver driver = circle(1'000);
  ASSERT_TRUE(driver.start().has_value());
  ASSERT_TRUE(driver.send(CancelInstance{}).has_value());
  EXPECT_EQ(driver.instance().ended, Ended::terminated);
  EXPECT_TRUE(driver.incidents().empty());
}

// What happens elsewhere in the instance while it is stopped happens when it goes on.
TEST(Turn, jobs_beside_a_stopped_circle_can_be_completed) {
  runtime::Driver driver(draw(R"(
    start  ->  and fork
    fork   ->  xor again
    again  ->  task t
    t      ->  again
    fork   ->  job work
    work   ->  job after
  )"));
  driver.allowance.steps = 1'000;
  driver.keeps_journal = false;
  ASSERT_TRUE(driver.start().has_value());
  ASSERT_EQ(driver.open_jobs().size(), 1u);
  ASSERT_TRUE(driver.send(CompleteJob{*driver.open_jobs().begin()}).has_value());
  EXPECT_TRUE(driver.open_jobs().empty()) << "it stands still";
  ASSERT_TRUE(driver.send(ResolveIncident{driver.incidents().begin()->first}).has_value());
  EXPECT_EQ(driver.open_jobs().size(), 1u);
}

TEST(Turn, a_loop_that_waits_now_and_then_is_not_endless) {
  runtime::Driver driver(draw("start  ->  xor again\n again  ->  job w\n w  ->  again"));
  driver.steps_per_turn = 1;
  driver.allowance.steps = 10;
  driver.keeps_journal = false;
  ASSERT_TRUE(driver.start().has_value());
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(driver.open_jobs().size(), 1u);
    ASSERT_TRUE(driver.send(CompleteJob{*driver.open_jobs().begin()}).has_value());
  }
  EXPECT_TRUE(driver.incidents().empty());
}

// Each token makes two of itself.
TEST(Turn, A16_tokens_that_double_are_stopped_before_they_fill_the_memory) {
  runtime::Driver driver(
      draw("start  ->  task hub\n hub  ->  and fork\n fork  ->  task a\n"
           "fork  ->  task b\n a  ->  hub\n b  ->  hub"));
  driver.keeps_journal = false;
  driver.allowance.instance = 1u << 20;
  ASSERT_TRUE(driver.start().has_value());
  ASSERT_EQ(driver.incidents().size(), 1u);
  EXPECT_EQ(driver.incidents().begin()->second.kind, IncidentKind::too_large);
  EXPECT_LT(weight_of(driver.instance()), 3u << 20);
  ASSERT_TRUE(driver.send(CancelInstance{}).has_value());
  EXPECT_EQ(driver.instance().ended, Ended::terminated);
}

TEST(Turn, gives_the_same_events_for_the_same_input) {
  const auto process = draw("start  ->  script s   = uuid()   into id\n s  ->  end");
  const auto run = [&](std::uint64_t seed) {
    Instance instance(process);
    const auto turn =
        take_turn(instance, StartInstance{.instance = key_from(1)}, {.next_key = 2, .seed = seed});
    std::string id;
    for (const Event& event : turn->events) {
      if (const auto* created = std::get_if<VariableCreated>(&event)) {
        id = created->value.as_string();
      }
    }
    return id;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(Fold, after_each_turn_gives_the_state_that_the_turn_left) {  // S9
  runtime::Driver driver(draw(R"(
    start  ->  sub box {
      start  ->  and fork
      fork   ->  job a   in x = 1
      fork   ->  job b
      a      ->  and join
      b      ->  join
    }
    box    ->  end
  )"));
  driver.steps_per_turn = 1;
  Events so_far;
  std::size_t turns = 0;
  driver.after_turn = [&](const Instance& instance, const Events& events) {
    so_far.insert(so_far.end(), events.begin(), events.end());
    EXPECT_EQ(describe(fold(driver.process(), so_far)), describe(instance));
    ++turns;
  };
  ASSERT_TRUE(driver.start().has_value());
  while (!driver.open_jobs().empty()) {
    ASSERT_TRUE(driver.send(CompleteJob{*driver.open_jobs().begin(), {}}).has_value());
  }
  EXPECT_TRUE(driver.has_ended());
  EXPECT_GT(turns, 8u) << "one step each";
}

}  // namespace
}  // namespace pawl::engine
