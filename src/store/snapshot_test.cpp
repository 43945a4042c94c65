// SPDX-License-Identifier: Apache-2.0
// A snapshot gives back the state that was taken, and broken bytes give an error.
#include "store/snapshot.hpp"

#include <gtest/gtest.h>

#include "store/wire.hpp"
#include "testkit/play.hpp"

namespace pawl::store {
namespace {

using testkit::Play;

std::string after_snapshot(const engine::Instance& state) {
  const auto back = decode_snapshot(state.process, encode_snapshot(state));
  return back ? engine::describe(*back) + engine::broken_invariant_of(*back) : back.error().text;
}

TEST(Snapshot, has_everything_that_an_instance_waits_with) {
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
  EXPECT_EQ(after_snapshot(recorded.driver().instance()), describe(recorded.driver().instance()));
  recorded.complete("b").complete("own");
  EXPECT_EQ(recorded.waiting(), "own undo-a");
  EXPECT_EQ(after_snapshot(recorded.driver().instance()), describe(recorded.driver().instance()));

  Play removed("start  ->  job a   each items as item   index place   collect x in xs",
               R"({"items":[1,2,3]})");
  const auto iteration = removed.driver().instance().find_job_owner(removed.job_of("a"))->key;
  EXPECT_EQ(removed.rejection(engine::RemoveIteration{iteration, false}), "");
  EXPECT_EQ(after_snapshot(removed.driver().instance()), describe(removed.driver().instance()));

  Play called(std::vector<Play::Named>{
      {"main", "start  ->  call c   process child\n c  ~>  job n   on escalation   beside"},
      {"child", "start  ->  throw up   escalates E\n up  ->  job a"}});
  const engine::Instance& child = *called.called("child");
  EXPECT_EQ(after_snapshot(child), describe(child));
  EXPECT_EQ(after_snapshot(called.driver().instance()), describe(called.driver().instance()));
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
