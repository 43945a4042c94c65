// SPDX-License-Identifier: Apache-2.0
// Random loops against a tiny oracle that knows only numbers and sets, no engine.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fmt/format.h>

#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "testkit/random_process.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Dice;
using testkit::Play;

enum class Policy { incident, fail, tolerate, collect };

struct Setting {
  unsigned total{1};
  unsigned at_once{0};  // 0: all
  unsigned needed{0};   // 0: all
  Policy policy{Policy::incident};
  unsigned tolerated{0};
  bool completion_order{false};
  bool compact{false};
  const char* dialect{"zeebe"};

  std::string drawing() const {
    static constexpr const char* names[] = {"incident", "fail", "tolerate", "collect"};
    std::string text = fmt::format("dialect {}\nstart  ->  job work   times {}   collect r in out",
                                   dialect, total);
    text += fmt::format("   failures {}", names[static_cast<int>(policy)]);
    if (policy == Policy::tolerate) text += fmt::format(" {}", tolerated);
    if (at_once != 0) text += fmt::format("   at once {}", at_once);
    if (needed != 0) text += fmt::format("   join {}", needed);
    if (completion_order) text += "   completion order";
    if (compact) text += "   compact";
    return text + "\nwork  ->  end\nwork  ~>  end caught   on message stop";
  }
};

Setting random_setting(Dice& dice) {
  static constexpr const char* dialects[] = {"zeebe", "camunda7", "plain"};
  Setting made{.total = 1 + static_cast<unsigned>(dice.below(25)),
               .at_once = dice.chance(50) ? 0 : 1 + static_cast<unsigned>(dice.below(4)),
               .policy = static_cast<Policy>(dice.below(4)),
               .tolerated = static_cast<unsigned>(dice.below(4)),
               .completion_order = dice.chance(30),
               .compact = dice.chance(30),
               .dialect = dialects[dice.below(3)]};
  if (dice.chance(40)) made.needed = 1 + static_cast<unsigned>(dice.below(made.total + 3));
  return made;
}

// What a loop of jobs must do, written down independently: which iterations are active, which have
// ended how, what is collected, and when it is over.
class Oracle {
 public:
  enum class End { open, done, failed, interrupted };

  explicit Oracle(const Setting& setting)
      : setting_(setting), places_(setting.total, "null"), total_(setting.total) {
    start_more();
  }

  void complete(unsigned iteration, int value) {
    ++completed_;
    ++ended_well_;
    collect(iteration, std::to_string(value));
    ends(iteration);
  }
  void fail(unsigned iteration) {
    if (setting_.policy == Policy::incident) {
      stuck_.insert(iteration);
      return;
    }
    ++failed_;
    const unsigned allowed = setting_.policy == Policy::tolerate  ? setting_.tolerated
                             : setting_.policy == Policy::collect ? ~0u
                                                                  : 0u;
    if (failed_ > allowed) return finish(End::failed);
    if (setting_.policy == Policy::collect) collect(iteration, "E");
    ends(iteration);
  }
  void remove(unsigned iteration) {
    places_[iteration - 1] = "";
    ++removed_;
    ends(iteration);
  }
  void skip(unsigned iteration) {
    ++completed_;
    ends(iteration);
  }
  void add(unsigned count) {
    total_ += count;
    places_.resize(total_, "null");
    start_more();
  }
  void end_early() { finish(End::done); }
  void interrupt() { finish(End::interrupted); }

  const std::set<unsigned>& active() const { return active_; }
  bool is_stuck(unsigned iteration) const { return stuck_.contains(iteration); }
  End end() const { return end_; }
  unsigned started() const { return started_; }
  unsigned ended_well() const { return ended_well_; }
  std::string output() const {
    std::vector<std::string> list;
    for (const std::string& one : setting_.completion_order ? order_ : places_) {
      if (one.empty() || (setting_.compact && one == "null")) continue;
      list.push_back(one);
    }
    return fmt::format("{}", fmt::join(list, ","));
  }

 private:
  void collect(unsigned iteration, const std::string& value) {
    places_[iteration - 1] = value;
    order_.push_back(value);
  }
  void ends(unsigned iteration) {
    active_.erase(iteration);
    stuck_.erase(iteration);
    if (is_enough()) return finish(End::done);
    start_more();
  }
  void start_more() {
    const unsigned at_once = setting_.at_once == 0 ? total_ : setting_.at_once;
    while (started_ < total_ && active_.size() < at_once) active_.insert(++started_);
    if (active_.empty()) finish(setting_.needed == 0 ? End::done : End::failed);
  }
  bool is_enough() const {
    return setting_.needed != 0 && completed_ >= std::min(setting_.needed, total_ - removed_);
  }
  void finish(End how) {
    active_.clear();
    end_ = how;
  }

  Setting setting_;
  std::vector<std::string> places_;  // "": taken away
  std::vector<std::string> order_;
  std::set<unsigned> active_, stuck_;
  unsigned total_;
  unsigned started_{0}, completed_{0}, ended_well_{0}, failed_{0}, removed_{0};
  End end_{End::open};
};

const ElementInstance* find_iteration(const Instance& state, Key body_key, unsigned iteration) {
  const ElementInstance* body = state.find(body_key);
  for (Slot child = body->first_child; child != Slot::none; child = state.at(child).next) {
    if (state.at(child).iteration == iteration) return &state.at(child);
  }
  return nullptr;
}

std::set<unsigned> active_iterations(const Instance& state, Key body_key) {
  std::set<unsigned> active;
  const ElementInstance* body = state.find(body_key);
  if (!body) return active;
  for (Slot child = body->first_child; child != Slot::none; child = state.at(child).next) {
    active.insert(state.at(child).iteration);
  }
  return active;
}

// The list that left the loop, as the oracle writes it: an error is "E".
std::string output_of(const Play& play) {
  const Value variables = *parse_json(play.variables());
  const Value* out = variables.find("out");
  if (!out) return "nothing";
  std::vector<std::string> list;
  for (const Value& one : out->as_list()) {
    const Value* error = one.is_context() ? one.find("error") : nullptr;
    list.push_back(error ? std::string(error->find("code")->as_string()) : to_json(one));
  }
  return fmt::format("{}", fmt::join(list, ","));
}

// One thing that a worker or an operator does, said to both.
void do_something(Dice& dice, Play& play, Oracle& oracle, Key body) {
  auto chosen = oracle.active().begin();
  std::advance(chosen, dice.below(oracle.active().size()));
  const unsigned number = *chosen;
  const ElementInstance& iteration = *find_iteration(play.driver().instance(), body, number);
  const Key key = iteration.key, job = iteration.job->key;
  const auto send = [&play](const Command& command) {
    const std::string refused = play.rejection(command);
    RC_ASSERT(refused == "");
  };
  const unsigned what = static_cast<unsigned>(dice.below(100));
  if (what < 2) {
    oracle.interrupt();
    play.publish("stop");
  } else if (what < 4) {
    oracle.end_early();
    send(EndLoop{body});
  } else if (what < 12) {
    const unsigned count = 1 + static_cast<unsigned>(dice.below(3));
    oracle.add(count);
    send(AddIterations{body, count, {}});
  } else if (what < 18 || oracle.is_stuck(number)) {
    const bool completed = dice.chance(50);
    completed ? oracle.skip(number) : oracle.remove(number);
    send(RemoveIteration{key, completed});
  } else if (what < 30) {
    oracle.fail(number);
    send(ThrowError{job, "E", "", {}});
  } else {
    const int value = static_cast<int>(dice.below(100));
    oracle.complete(number, value);
    send(CompleteJob{job, object({{"r", value}})});
  }
}

TEST(RandomLoop, does_what_the_oracle_says) {  // M6, M8, M10, M11, M13, M14, M15
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const Setting setting = random_setting(dice);
    Play play(testkit::draw(setting.drawing()), "{}", 1 + dice.below(50));
    Oracle oracle(setting);
    const Key body = play.key_of("work");
    while (oracle.end() == Oracle::End::open) {
      RC_ASSERT(active_iterations(play.driver().instance(), body) == oracle.active());
      do_something(dice, play, oracle, body);
    }
    RC_LOG() << setting.drawing() << play.trace();
    if (oracle.end() == Oracle::End::failed) {
      RC_ASSERT(play.state() == "incident");
      RC_ASSERT(play.driver().instance().find(body)->active_children == 0u);
      RC_ASSERT(play.driver().send(CancelInstance{}).has_value());
    } else {
      const bool done = oracle.end() == Oracle::End::done;
      RC_ASSERT(play.state() == "completed");
      RC_ASSERT(output_of(play) == (done ? oracle.output() : "nothing"));
      RC_ASSERT(play.count("completed end") == (done ? 1 : 0));
      RC_ASSERT(play.count("completed caught") == (done ? 0 : 1));
    }
    const int started = static_cast<int>(oracle.started());
    const int ended_well = static_cast<int>(oracle.ended_well());
    RC_ASSERT(play.count("activated work") == started);
    RC_ASSERT(play.count("completed work") == ended_well);
    RC_ASSERT(play.count("terminated work") == started - ended_well);
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
