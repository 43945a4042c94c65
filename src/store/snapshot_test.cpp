// SPDX-License-Identifier: Apache-2.0
// A snapshot gives back the state that was taken, and broken bytes give an error.
#include "store/snapshot.hpp"

#include <gtest/gtest.h>

#include "engine/turn.hpp"
#include "store/codec.hpp"
#include "store/wire.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "testkit/state_bytes.hpp"

namespace pawl::store {
namespace {

using testkit::Play;

std::string after_snapshot(const engine::Instance& state) {
  const auto back = decode_snapshot(state.process, *encode_snapshot(state));
  return back ? testkit::state_bytes(*back) + engine::broken_invariant_of(*back)
              : back.error().text;
}

TEST(Snapshot, D2_has_everything_that_an_instance_waits_with) {
  const std::string undoing = R"(
    dialect camunda7
    start  ->  sub box   each items as item {
      start  ->  task a
      a      ->  end
      a      =>  job undo-a
      handler h   on undoing {
        start  ->  job own
        own    ->  end again   undoes
      }
    }
    box  ->  job b
    b    ->  throw t   undoes
  )";
  Play recorded(undoing, R"({"items":["x","y"]})");
  EXPECT_EQ(after_snapshot(recorded.driver().instance()),
            testkit::state_bytes(recorded.driver().instance()));
  recorded.complete("b").complete("own");
  EXPECT_EQ(recorded.waiting(), "own undo-a");
  EXPECT_EQ(after_snapshot(recorded.driver().instance()),
            testkit::state_bytes(recorded.driver().instance()));

  Play removed("start  ->  job a   each items as item   index place   collect x in xs",
               R"({"items":[1,2,3]})");
  const auto iteration = removed.driver().instance().find_job_owner(removed.job_of("a"))->key;
  EXPECT_EQ(removed.rejection(engine::RemoveIteration{iteration, false}), "");
  EXPECT_EQ(after_snapshot(removed.driver().instance()),
            testkit::state_bytes(removed.driver().instance()));

  Play called(std::vector<Play::Named>{
      {"main", "start  ->  call c   process child\n c  ~>  job n   on escalation   beside"},
      {"child", "start  ->  throw up   escalates E\n up  ->  job a"}});
  const engine::Instance& child = *called.called("child");
  EXPECT_EQ(after_snapshot(child), testkit::state_bytes(child));
  EXPECT_EQ(after_snapshot(called.driver().instance()),
            testkit::state_bytes(called.driver().instance()));
}

// Slots that were freed are taken again, and a snapshot counts them anew: what happens next must
// not depend on them.
TEST(Snapshot, A14_an_instance_that_was_read_back_is_migrated_with_the_same_events) {
  const auto process = testkit::draw(R"(
    start  ->  and f
    f      ->  sub one {
      start  ->  job a
    }
    f      ->  job b
    b      ->  sub two {
      start  ->  job c
      c      ~>  job d   after 1h   beside
    }
    f      ->  job e
  )");
  Play play(process);
  play.complete("a").complete("b");  // `two` lies where `one` was
  engine::Events told;
  for (const auto& one : play.driver().journal()) told.push_back(one.event);
  engine::Instance resident(process);
  ASSERT_TRUE(engine::replay(resident, told, {}).has_value());
  auto reloaded = decode_snapshot(process, *encode_snapshot(resident));
  ASSERT_TRUE(reloaded.has_value()) << reloaded.error().text;
  engine::MigrateInstance migrate{.definition = key_from(9),
                                  .version = 2,
                                  .process = std::make_shared<model::Process>(*process)};
  for (const char* id : {"b", "two", "c", "e"}) {
    const ElementIndex index = process->find(id)->index;
    migrate.moves.push_back({index, index});
  }
  const auto events_of = [&](engine::Instance& instance) {
    const auto turn = engine::take_turn(instance, migrate, {.next_key = 100});
    EXPECT_TRUE(turn.has_value()) << turn.error().text;
    return *encode({.instance = instance.key, .events = turn->events});
  };
  EXPECT_EQ(events_of(resident), events_of(*reloaded));
}

// Records inside each other, deeper than any process can be.
std::string deep_records(std::size_t levels) {
  std::string inner;
  for (std::size_t i = 0; i < levels; ++i) {
    std::string outer;
    wire::Writer(outer).number(1, 1);
    wire::Writer(outer).text(4, inner);
    inner = std::move(outer);
  }
  const auto wrap = [](std::uint32_t field, const std::string& bytes) {
    std::string out;
    wire::Writer(out).text(field, bytes);
    return out;
  };
  std::string root;
  wire::Writer(root).number(1, 7);
  wire::Writer(root).number(2, 1);
  return wrap(15, wrap(2, root + wrap(21, wrap(1, inner))));
}

TEST(Snapshot, with_records_that_no_process_can_have_is_refused) {
  Play play("start  ->  job a");
  EXPECT_TRUE(decode_snapshot(play.process(), deep_records(5)).has_value());
  EXPECT_FALSE(decode_snapshot(play.process(), deep_records(3'000)).has_value());
  std::string other;  // a handler that the process does not have
  wire::Writer(other).number(1, 1);
  wire::Writer(other).number(2, 99);
  std::string done, compensation, root, element, bytes;
  wire::Writer(done).text(1, other);
  wire::Writer(compensation).text(21, done);
  wire::Writer(root).number(1, 7);
  wire::Writer(root).number(2, 1);
  wire::Writer(element).text(2, root + compensation);
  wire::Writer(bytes).text(15, element);
  EXPECT_FALSE(decode_snapshot(play.process(), bytes).has_value());
}

}  // namespace
}  // namespace pawl::store
