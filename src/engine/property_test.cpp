// SPDX-License-Identifier: Apache-2.0
// Random block-structured processes, driven at random to their end by jobs, mail and time. Play
// checks after every turn that the invariants (S9) hold and that folding the events gives the same
// state.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>

#include "testkit/as_xml.hpp"
#include "testkit/draw.hpp"
#include "testkit/known_processes.hpp"
#include "testkit/play.hpp"
#include "testkit/random_process.hpp"

namespace pawl::engine {
namespace {

using runtime::OpenSubscription;
using testkit::Dice;
using testkit::Play;
using testkit::random_process;

// What a worker might do with one open job: mostly it completes it, sometimes it fails or throws.
Command worker_says(Play& play, Dice& dice) {
  const Key key = testkit::any_of(dice, play.driver().open_jobs());
  const unsigned what = dice.below(20);
  const std::string name = "v" + std::to_string(dice.below(4));
  if (what == 0) return FailJob{.job = key, .retries = 1, .message = "not now"};
  if (what == 1) return FailJob{.job = key, .retries = 0, .message = "never"};
  if (what <= 3) return ThrowError{key, "E", "by chance", {}};
  return CompleteJob{key, object({{name, static_cast<int>(dice.below(9))}})};
}

void serve_one(Play& play, Dice& dice) {
  RC_ASSERT(play.driver().send(worker_says(play, dice)).has_value());
}

// Some element instance that lives, of any depth.
const ElementInstance& any_element(const Instance& instance, Dice& dice) {
  const ElementInstance* one = &instance.root_scope();
  while (one->first_child != Slot::none && dice.chance(70)) {
    one = &instance.at(one->first_child);
    while (one->next != Slot::none && dice.chance(40)) one = &instance.at(one->next);
  }
  return *one;
}

void set_something(Play& play, Dice& dice) {
  const Key scope = any_element(play.driver().instance(), dice).key;
  const Value variables = object({{"v2", static_cast<int>(dice.below(9))}});
  RC_ASSERT(
      play.driver().send(SetVariables{scope, variables, /*local=*/dice.chance(50)}).has_value());
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
  if (dice.chance(5)) {
    set_something(play, dice);
  } else if (jobs && what < 7) {
    serve_one(play, dice);
  } else if (mail && what < 8) {  // a signal may begin more than a worker does at a time
    deliver_one(play, dice);
  } else if (due) {
    RC_ASSERT(play.driver().advance_to(*due).has_value());
  } else if (jobs) {
    serve_one(play, dice);
  } else if (mail) {
    deliver_one(play, dice);
  }
}

// Uncaught errors and jobs without retries stop a token; a person resolves the incident and the job
// is offered again.
void resolve_all(Play& play) {
  while (!play.driver().incidents().empty()) {
    const auto [incident, open] = *play.driver().incidents().begin();
    const Instance& home = play.driver().home_of(incident);
    const ElementInstance* owner = home.find(open.element);
    if (owner && owner->job && owner->job->retries == 0) {
      RC_ASSERT(play.driver().send(UpdateRetries{owner->job->key, 1}).has_value());
      if (!play.driver().incidents().contains(incident)) continue;
    }
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

// Play wants every command to be carried out, so this one goes around it.
std::optional<Command> meanwhile(Play& play, Dice& dice) {
  const runtime::Driver& driver = play.driver();
  if (driver.has_ended() || !dice.chance(40)) return {};
  const unsigned what = dice.below(10);
  if (what < 5 && !driver.open_jobs().empty()) return worker_says(play, dice);
  if (what < 6 && !driver.incidents().empty()) {
    return ResolveIncident{driver.incidents().begin()->first};
  }
  if (what < 7) return CancelInstance{};
  return SetVariables{any_element(driver.instance(), dice).key, object({{"v3", 1}}), false};
}

TEST(RandomProcess, D3_keeps_its_state_when_commands_meet_a_turn_that_was_cut) {
  std::size_t met = 0;
  const bool held = rc::check([&](std::uint64_t seed) {
    Dice dice(seed);
    Play play(testkit::draw(random_process(dice)), "{}", 1 + dice.below(3));
    play.driver().when_cut = [&, inner = dice]() mutable {
      auto command = meanwhile(play, inner);
      met += command ? 1 : 0;
      return command;
    };
    run_to_the_end(play, dice);
    RC_ASSERT(play.state() == "completed" || play.state() == "terminated");
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
  EXPECT_GT(met, 20u);
}

std::map<std::string, int> runs_of(const Play& play) {
  std::map<std::string, int> runs;
  std::istringstream lines(play.told_by_all("completed"));
  for (std::string line; std::getline(lines, line, ',');) {
    const std::string id = line.substr(line.rfind(' ') + 1);
    const bool said =
        id.ends_with("start") || id.ends_with("#body") || id == "first" || id.starts_with("child");
    if (!said) ++runs[id];
  }
  return runs;
}

TEST(RandomProcess, D1_runs_each_element_as_often_as_its_drawing_says) {
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const testkit::KnownProcesses known = testkit::known_processes(dice);
    Play play(known.all, "{}", 1 + dice.below(1'000));
    for (int i = 0; !play.driver().has_ended(); ++i) {
      RC_ASSERT(i < 5'000);
      RC_ASSERT(!play.driver().open_jobs().empty());
      const Key job = testkit::any_of(dice, play.driver().open_jobs());
      const bool fails = dice.chance(10);
      const Command command =
          fails ? Command(FailJob{.job = job, .retries = 1}) : CompleteJob{job, object({})};
      RC_ASSERT(play.driver().send(command).has_value());
    }
    RC_ASSERT(play.state() == "completed");
    RC_ASSERT(runs_of(play) == known.runs);
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
}

std::string zeebe_drawing(Dice& dice) {
  std::string drawing = random_process(dice);
  if (drawing.starts_with("dialect")) drawing.erase(0, drawing.find('\n') + 1);
  return drawing;
}

TEST(RandomProcess, D1_tells_the_same_story_when_it_is_read_from_a_file) {
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const auto process = testkit::draw(zeebe_drawing(dice));
    const auto read = testkit::through_a_file(*process);
    RC_ASSERT((read ? "" : read.error().text) == std::string());
    Play drawn(process);
    run_to_the_end(drawn, dice);
    Play from_file(*read);
    run_to_the_end(from_file, dice);
    RC_ASSERT(from_file.story() == drawn.story());
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
}

void note_active(const Instance& instance, const ElementInstance& from,
                 std::set<std::string>& ids) {
  if (from.element != ElementIndex{0}) ids.insert(instance.definition_of(from).id);
  for (Slot child = from.first_child; child != Slot::none; child = instance.at(child).next) {
    note_active(instance, instance.at(child), ids);
  }
}

// All that lives, each once, as a person who migrates would list it.
std::string active_ids(const Instance& instance) {
  std::set<std::string> ids;
  note_active(instance, instance.root_scope(), ids);
  return fmt::format("{}", fmt::join(ids, " "));
}

TEST(RandomProcess, D1_goes_on_when_it_is_migrated_to_a_copy_of_its_process) {
  std::size_t migrated = 0;
  const bool held = rc::check([&](std::uint64_t seed) {
    Dice dice(seed);
    const auto process = testkit::draw(random_process(dice));
    Play play(process);
    for (unsigned i = dice.below(8); i > 0 && !play.driver().has_ended(); --i) {
      resolve_all(play);
      if (!play.driver().has_ended()) something_happens(play, dice);
    }
    if (play.driver().has_ended()) return;
    const auto copy = std::make_shared<model::Process>(*process);
    migrated += play.migrate(copy, active_ids(play.driver().instance())).empty() ? 1 : 0;
    run_to_the_end(play, dice);
    RC_ASSERT(play.state() == "completed");
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_TRUE(held);
  EXPECT_GT(migrated, 10u);
}

}  // namespace
}  // namespace pawl::engine
