// SPDX-License-Identifier: Apache-2.0
// Random block-structured processes, driven at random to their end by jobs, mail and time. Play
// checks after every turn that the invariants (S9) hold and that folding the events gives the same
// state.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "testkit/random_process.hpp"

namespace pawl::engine {
namespace {

using runtime::OpenSubscription;
using testkit::Dice;
using testkit::Play;
using testkit::random_process;

// Does with one open job what a worker might: mostly completes it, sometimes fails or throws.
void serve_one(Play& play, Dice& dice) {
  const auto& jobs = play.driver().open_jobs();
  auto job = jobs.begin();
  std::advance(job, dice.below(jobs.size()));
  const Key key = *job;
  const unsigned what = dice.below(10);
  const std::string name = "v" + std::to_string(dice.below(4));
  Command command = CompleteJob{key, object({{name, static_cast<int>(dice.below(9))}})};
  if (what == 0) command = FailJob{.job = key, .retries = 1};
  if (what <= 2) command = ThrowError{key, "E", "by chance", {}};
  RC_ASSERT(play.driver().send(command).has_value());
}

// Delivers some mail, to somebody who waits for it.
void deliver_one(Play& play, Dice& dice) {
  const auto& waiting = play.driver().subscriptions();
  auto one = waiting.begin();
  std::advance(one, dice.below(waiting.size()));
  const OpenSubscription mail = one->second;
  const Value variables = object({{"v1", static_cast<int>(dice.below(9))}});
  if (mail.kind == MailKind::signal) {
    RC_ASSERT(play.driver().broadcast(mail.name.text(), variables).value() > 0);
  } else {
    RC_ASSERT(play.driver().publish(mail.name.text(), mail.correlation, variables).value());
  }
}

// One thing that the world may do now.
void something_happens(Play& play, Dice& dice) {
  const bool jobs = !play.driver().open_jobs().empty();
  const bool mail = !play.driver().subscriptions().empty();
  const auto due = play.driver().next_due();
  const unsigned what = dice.below(10);
  if (jobs && what < 6) {
    serve_one(play, dice);
  } else if (mail && what < 9) {
    deliver_one(play, dice);
  } else if (due) {
    RC_ASSERT(play.driver().advance_to(*due).has_value());
  } else if (jobs) {
    serve_one(play, dice);
  } else if (mail) {
    deliver_one(play, dice);
  }
}

// Uncaught errors stop a token; a person resolves the incident and the job is offered again.
void resolve_all(Play& play) {
  while (!play.driver().incidents().empty()) {
    const Key incident = play.driver().incidents().begin()->first;
    RC_ASSERT(play.driver().send(ResolveIncident{incident}).has_value());
  }
}

void run_to_the_end(Play& play, Dice dice) {
  for (int i = 0; !play.driver().has_ended(); ++i) {
    RC_ASSERT(i < 5'000);
    resolve_all(play);
    if (!play.driver().has_ended()) something_happens(play, dice);
  }
}

TEST(RandomProcess, runs_to_its_end_with_nothing_left_over) {  // S2, S9
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const std::string drawing = random_process(dice);
    Play play(drawing);
    run_to_the_end(play, dice);
    RC_ASSERT(play.state() == "completed");
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
}

TEST(RandomProcess, can_be_cancelled_at_any_moment) {  // S7
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    Play play(random_process(dice));
    for (unsigned i = dice.below(12); i > 0 && !play.driver().has_ended(); --i) {
      something_happens(play, dice);
    }
    if (play.driver().has_ended()) return;
    RC_ASSERT(play.driver().send(CancelInstance{}).has_value());
    RC_ASSERT(play.state() == "terminated");
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
}

TEST(RandomProcess, tells_the_same_story_however_its_turns_are_cut) {
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const auto process = testkit::draw(random_process(dice));
    const std::size_t steps = 1 + dice.below(4);
    Play whole(process);
    run_to_the_end(whole, dice);
    Play cut(process, "{}", steps);
    run_to_the_end(cut, dice);
    RC_ASSERT(cut.story() == whole.story());
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace pawl::engine
