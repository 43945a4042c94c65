// SPDX-License-Identifier: Apache-2.0
// Random loops against a tiny oracle that knows only numbers and sets, no engine.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fmt/format.h>

#include "engine/loop_counters.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "testkit/random_process.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Dice;
using testkit::Play;

// What a loop of jobs must do, written down independently: which iterations are active, which have
// ended how, what is collected, and when it is over.
class Oracle {
 public:
  Oracle(unsigned total, unsigned at_once, unsigned needed, unsigned tolerated)
      : outputs_(total, "null"),
        total_(total),
        at_once_(at_once == 0 ? total : at_once),
        needed_(needed == 0 ? total : std::min(needed, total)),
        tolerated_(tolerated) {
    start_more();
  }

  void complete(unsigned iteration, int value) {
    active_.erase(iteration);
    ++completed_;
    outputs_[iteration - 1] = std::to_string(value);
    if (completed_ >= needed_ && needed_ < total_) return finish();
    start_more();
  }
  void fail(unsigned iteration) {
    active_.erase(iteration);
    ++failed_;
    if (failed_ > tolerated_) {
      broken_ = true;
      active_.clear();
      return;
    }
    start_more();
  }

  const std::set<unsigned>& active() const { return active_; }
  bool is_done() const { return done_; }
  bool is_broken() const { return broken_; }
  unsigned completed() const { return completed_; }
  unsigned failed() const { return failed_; }
  std::string output() const { return fmt::format("[{}]", fmt::join(outputs_, ",")); }

 private:
  void start_more() {
    while (started_ < total_ && active_.size() < at_once_) active_.insert(++started_);
    if (active_.empty() && started_ == total_) finish();
  }
  void finish() {
    active_.clear();
    done_ = true;
  }

  std::vector<std::string> outputs_;
  std::set<unsigned> active_;
  unsigned total_, at_once_, needed_, tolerated_;
  unsigned started_{0}, completed_{0}, failed_{0};
  bool done_{false}, broken_{false};
};

std::set<unsigned> active_iterations(const Instance& state, Key body_key) {
  std::set<unsigned> active;
  const ElementInstance* body = state.find(body_key);
  if (!body) return active;
  for (Slot child = body->first_child; child != Slot::none; child = state.at(child).next) {
    active.insert(state.at(child).iteration);
  }
  return active;
}

Key job_of(const Instance& state, Key body_key, unsigned iteration) {
  const ElementInstance* body = state.find(body_key);
  for (Slot child = body->first_child; child != Slot::none; child = state.at(child).next) {
    if (state.at(child).iteration == iteration) return state.at(child).job->key;
  }
  return Key::none;
}

TEST(RandomLoop, does_what_the_oracle_says) {  // M6, M8, M10, M11, M13, M15
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const unsigned total = 1 + dice.below(25);
    const unsigned at_once = dice.chance(50) ? 0 : 1 + dice.below(4);
    const unsigned tolerated = dice.below(4);
    // Failures and a join of their own would never end; the oracle keeps to one of both.
    const unsigned needed = tolerated == 0 && dice.chance(40) ? 1 + dice.below(total) : 0;
    std::string drawing =
        fmt::format("start  ->  job work   times {}   collect r in out   failures tolerate {}",
                    total, tolerated);
    if (at_once != 0) drawing += fmt::format("   at once {}", at_once);
    if (needed != 0) drawing += fmt::format("   join {}", needed);
    Play play(testkit::draw(drawing + "\nwork  ->  end"), "{}", 1 + dice.below(50));
    Oracle oracle(total, at_once, needed, tolerated);
    const Key body = play.key_of("work");
    while (!oracle.is_done() && !oracle.is_broken()) {
      RC_ASSERT(active_iterations(play.driver().instance(), body) == oracle.active());
      auto chosen = oracle.active().begin();
      std::advance(chosen, dice.below(oracle.active().size()));
      const unsigned iteration = *chosen;
      const Key job = job_of(play.driver().instance(), body, iteration);
      if (dice.chance(15)) {
        oracle.fail(iteration);
        RC_ASSERT(play.driver().send(ThrowError{job, "E", "", {}}).has_value());
      } else {
        const int value = static_cast<int>(dice.below(100));
        oracle.complete(iteration, value);
        RC_ASSERT(play.driver().send(CompleteJob{job, object({{"r", value}})}).has_value());
      }
    }
    if (oracle.is_broken()) {
      RC_ASSERT(play.state() == "incident");
      RC_ASSERT(play.driver().instance().find(body)->active_children == 0u);
      RC_ASSERT(play.driver().send(CancelInstance{}).has_value());
    } else {
      RC_ASSERT(play.state() == "completed");
      RC_ASSERT(play.variables() == "{\"out\":" + oracle.output() + "}");
      RC_ASSERT(play.count("completed end") == 1);
    }
    RC_ASSERT(play.count("completed work") == static_cast<int>(oracle.completed()));
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
}

TEST(RandomLoop, interrupted_at_a_random_moment_leaves_nothing) {  // M12, M17
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const unsigned total = 1 + dice.below(40);
    const std::string how = dice.chance(50) ? "" : fmt::format("at once {}", 1 + dice.below(5));
    static constexpr const char* events[] = {"on error E", "on message m", "on signal s",
                                             "after 1h"};
    const unsigned event = dice.below(4);
    const bool receives = dice.chance(50) && event != 0;
    Play play(testkit::draw(fmt::format(R"(
      start  ->  sub box   times {}   collect r in out   {} {{
        start  ->  {} work
      }}
      box    ->  end normal
      box    ~>  end caught   {}
    )",
                                        total, how, receives ? "receive" : "job", events[event])),
              "{}", 1 + dice.below(20));
    for (unsigned i = dice.below(total); i > 0; --i) {
      receives ? play.publish("work") : play.complete("work");
    }
    if (event == 0) play.throw_error("work", "E");
    if (event == 1) play.publish("m");
    if (event == 2) play.signal("s");
    if (event == 3) play.pass(std::chrono::hours(1));
    RC_ASSERT(play.state() == "completed");
    RC_ASSERT(play.count("completed caught") == 1);
    RC_ASSERT(play.count("completed box#body") == 0);
    RC_ASSERT(play.variables() == "{}");
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace pawl::engine
