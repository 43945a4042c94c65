// SPDX-License-Identifier: Apache-2.0
// Event sub-processes whose turn is cut: what comes before the rest of it is done.
#include <gtest/gtest.h>

#include "engine/apply.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

// A command in a turn that is cut after so many steps; the rest follows after the next one.
struct Cut {
  explicit Cut(const Play& play)
      : process(play.process()), instance(fold(process, play.events())) {}
  bool turn(const Command& command, std::size_t steps) {
    auto done = take_turn(instance, command, {.next_key = next_key, .max_steps = steps});
    if (!done) return false;
    next_key = done->next_key;
    all.insert(all.end(), done->events.begin(), done->events.end());
    EXPECT_EQ(broken_invariant_of(instance), "");
    return true;
  }
  std::string job_at() const {
    std::string ids;
    for (std::uint64_t key = 1; key < next_key; ++key) {
      const ElementInstance* owner = instance.find_job_owner(key_from(key));
      if (owner) ids += (ids.empty() ? "" : " ") + instance.definition_of(*owner).id;
    }
    return ids;
  }
  model::ProcessPtr process;
  Instance instance;
  std::uint64_t next_key{1'000};
  Events all{};
};

TEST(EventSubProcess, wins_against_a_catch_event_of_the_main_path) {  // Z113
  Play start(
      "start  ->  catch c   on message n\n c  ->  job a\n a  ->  end\n"
      "handler h   on message m {\n start  ->  job fix\n }");
  for (std::size_t steps = 0; steps < 6; ++steps) {
    for (const bool first : {true, false}) {
      Cut cut(start);
      const DeliverMail main{start.subscription_of("c"), key_from(900), {}};
      const DeliverMail handler{start.subscription_of("h.start"), key_from(901), {}};
      EXPECT_TRUE(cut.turn(first ? main : handler, steps));
      cut.turn(first ? handler : main, steps);  // may come too late
      EXPECT_TRUE(cut.turn(Continue{}, 1'000));
      EXPECT_EQ(cut.job_at(), "fix") << steps << first;
    }
  }
}

TEST(EventSubProcess, wins_against_a_boundary_event_of_the_main_path) {  // Z114, Z98
  Play start(R"(
    start  ->  sub box {
      start  ->  job a
    }
    box    ->  end
    box    ~>  job caught   on message n
    handler h   on message m {
      start  ->  job fix
    }
  )");
  int interrupted = 0;
  for (std::size_t steps = 0; steps < 6; ++steps) {
    Cut cut(start);
    EXPECT_TRUE(cut.turn(DeliverMail{start.subscription_of("box~n"), key_from(900), {}}, steps));
    const bool terminating = cut.instance.find(start.key_of("box")) != nullptr;
    EXPECT_TRUE(cut.turn(DeliverMail{start.subscription_of("h.start"), key_from(901), {}}, steps));
    EXPECT_TRUE(cut.turn(Continue{}, 1'000));
    EXPECT_EQ(cut.job_at(), "fix") << steps;
    interrupted += terminating ? 1 : 0;
  }
  EXPECT_GT(interrupted, 0);  // Z98: the boundary event is not even activated
}

TEST(EventSubProcess, wins_against_an_error_that_is_about_to_be_handled) {  // Z98
  Play start(R"(
    start  ->  sub box {
      start  ->  job a
    }
    box    ->  end
    box    ~>  job caught   on error E
    handler h   on message m {
      start  ->  job fix
    }
  )");
  Cut cut(start);
  EXPECT_TRUE(cut.turn(ThrowError{start.job_of("a"), "E", "", {}}, 0));
  EXPECT_TRUE(cut.turn(DeliverMail{start.subscription_of("h.start"), key_from(900), {}}, 0));
  EXPECT_TRUE(cut.turn(Continue{}, 1'000));
  EXPECT_EQ(cut.job_at(), "fix");
  for (const Event& event : cut.all) {
    const auto* entered = std::get_if<ElementActivating>(&event);
    EXPECT_FALSE(entered && start.process()->at(entered->element).id == "box~E");
  }
}

TEST(EventSubProcess, nothing_happens_to_what_it_is_about_to_end) {
  Play start("start  ->  job a\n a  ->  end\n handler h   on message m {\n start  ->  job fix\n }");
  Cut cut(start);
  EXPECT_TRUE(cut.turn(DeliverMail{start.subscription_of("h.start"), key_from(900), {}}, 0));
  EXPECT_FALSE(cut.turn(CompleteJob{start.job_of("a"), {}}, 0));
  EXPECT_FALSE(cut.turn(ThrowError{start.job_of("a"), "E", "", {}}, 0));
  EXPECT_TRUE(cut.turn(Continue{}, 1'000));
  EXPECT_EQ(cut.job_at(), "fix");
}

TEST(EventSubProcess, ends_a_hundred_thousand_children_in_steps) {
  const auto process = testkit::draw(R"(
    start  ->  job a   times 100000
    handler h   on message m {
      start  ->  job fix
    }
  )");
  Instance instance(process);
  std::uint64_t next_key = 2;
  std::size_t largest = 0;
  const auto turn = [&](const Command& command) {
    auto done = take_turn(instance, command, {.next_key = next_key});
    ASSERT_TRUE(done.has_value());
    next_key = done->next_key;
    largest = std::max(largest, done->events.size());
  };
  turn(StartInstance{.instance = key_from(1)});
  while (!instance.agenda.empty()) turn(Continue{});
  ASSERT_EQ(instance.slot_of.size(), 200'003u);
  Key mail = Key::none;
  for (std::uint64_t key = 2; mail == Key::none; ++key) {
    if (instance.find_subscription(key_from(key))) mail = key_from(key);
  }
  largest = 0;
  turn(DeliverMail{mail, key_from(9'000'000), {}});
  int turns = 1;
  for (; !instance.agenda.empty(); ++turns) turn(Continue{});
  EXPECT_LT(largest, 200'000u);
  EXPECT_EQ(instance.slot_of.size(), 4u);  // process, handler, its task and job
  EXPECT_EQ(broken_invariant_of(instance), "");
}

TEST(EventSubProcess, a_boundary_event_may_come_before_the_scope_is_empty) {  // Z100
  Play start(R"(
    start  ->  sub box {
      start  ->  job a
      handler h   on message m {
        start  ->  job fix
      }
    }
    box    ~>  job caught   on message n
  )");
  Cut cut(start);
  EXPECT_TRUE(cut.turn(DeliverMail{start.subscription_of("h.start"), key_from(900), {}}, 0));
  EXPECT_TRUE(cut.turn(DeliverMail{start.subscription_of("box~n"), key_from(901), {}}, 0));
  EXPECT_TRUE(cut.turn(Continue{}, 1'000));
  EXPECT_EQ(cut.job_at(), "caught");
  Cut cancelled(start);
  EXPECT_TRUE(cancelled.turn(DeliverMail{start.subscription_of("h.start"), key_from(900), {}}, 0));
  EXPECT_TRUE(cancelled.turn(CancelInstance{}, 1'000));
  EXPECT_EQ(cancelled.instance.ended, Ended::terminated);
}

}  // namespace
}  // namespace pawl::engine
