// SPDX-License-Identifier: Apache-2.0
// What an iteration costs, counted instead of timed: events and turns must not grow with the size
// of the loop. bench/multi_instance.cpp has the times.
#include <gtest/gtest.h>

#include "runtime/driver.hpp"
#include "testkit/draw.hpp"

namespace pawl::runtime {
namespace {

struct Cost {
  std::size_t events{0};
  std::size_t turns{0};
  std::size_t longest{0};  // events of one turn
};

Cost difference(const Cost& more, const Cost& less) {
  return {more.events - less.events, more.turns - less.turns, more.longest};
}

// A loop of `size`: started; then, if its iterations wait, cancelled.
struct Measured {
  Measured(std::string_view drawing, int size) : driver(testkit::draw(drawing), Instant{}) {
    driver.keeps_journal = false;
    driver.steps_per_turn = 50;  // so that all sizes need several turns
    driver.after_turn = [this](const engine::Instance&, const engine::Events& events) {
      cost.events += events.size();
      ++cost.turns;
      cost.longest = std::max(cost.longest, events.size());
    };
    EXPECT_TRUE(driver.start(object({{"n", size}})));
  }
  Driver driver;
  Cost cost{};
};

// Two sizes, and the same again between two much larger ones.
constexpr int small = 1'000, large = 10'000, step = 1'000;

template <class Measure>
void expect_the_same_for_each(Measure cost_of) {
  const Cost early = difference(cost_of(small + step), cost_of(small));
  const Cost late = difference(cost_of(large + step), cost_of(large));
  EXPECT_EQ(late.events, early.events);
  EXPECT_EQ(late.turns, early.turns);
  EXPECT_LE(late.longest, early.longest) << "a turn is bounded";
}

TEST(LoopCost, an_iteration_that_runs_costs_the_same_in_a_large_loop) {  // M19
  for (const std::string how : {"", "sequential", "at once 10"}) {
    const std::string drawing =
        "start  ->  script s   times n   = loopCounter   into r   collect r in out   " + how +
        "\n s  ->  end";
    SCOPED_TRACE(how);
    expect_the_same_for_each([&](int size) {
      Measured run(drawing, size);
      EXPECT_TRUE(run.driver.has_ended());
      return run.cost;
    });
  }
}

TEST(LoopCost, an_iteration_that_waits_costs_the_same_to_start_and_to_cancel) {  // M19
  expect_the_same_for_each([](int size) {
    Measured run("start  ->  job work   times n\n work  ->  end", size);
    EXPECT_EQ(run.driver.open_jobs().size(), static_cast<std::size_t>(size));
    EXPECT_TRUE(run.driver.send(engine::CancelInstance{}));
    EXPECT_TRUE(run.driver.has_ended());
    return run.cost;
  });
}

}  // namespace
}  // namespace pawl::runtime
