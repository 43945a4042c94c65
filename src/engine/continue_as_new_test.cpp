// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

TEST(ContinueAsNew, ends_everything_and_keeps_the_variables_for_the_next) {  // G5
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  receive b   on message m
    fork   ->  sub box {
      start  ->  catch c   after 1h
    }
    box    ~>  end late   after 2h
  )",
            R"({"x":1})");
  EXPECT_EQ(play.rejection(ContinueAsNew{}), "");
  EXPECT_EQ(play.state(), "continued");
  EXPECT_EQ(play.waits(), "");
  EXPECT_EQ(play.waiting(), "");
  EXPECT_EQ(play.count("completed drawn"), 0);
  EXPECT_EQ(to_json(play.driver().instance().next_variables), R"({"x":1})");
}

TEST(ContinueAsNew, takes_the_variables_it_is_given) {  // G5
  Play play("start  ->  job a", R"({"x":1})");
  EXPECT_EQ(play.rejection(ContinueAsNew{Value(5)}),
            "continue as new: variables must be an object, not a number");
  EXPECT_EQ(play.rejection(ContinueAsNew{object({{"y", 2}})}), "");
  EXPECT_EQ(to_json(play.driver().instance().next_variables), R"({"y":2})");
}

TEST(ContinueAsNew, is_refused_when_the_instance_is_ending) {
  Play ended("start  ->  end");
  EXPECT_NE(ended.rejection(ContinueAsNew{}), "");
  Instance instance(testkit::draw("start  ->  job a"));
  const World world{.next_key = 2};
  ASSERT_TRUE(take_turn(instance, StartInstance{.instance = key_from(1)}, world));
  const World cut{.next_key = 100, .max_steps = 0};
  ASSERT_TRUE(take_turn(instance, ContinueAsNew{}, cut));
  EXPECT_EQ(take_turn(instance, ContinueAsNew{}, cut).error().text,
            "this instance is already ending");
  EXPECT_FALSE(take_turn(instance, CancelInstance{}, cut));
  ASSERT_TRUE(take_turn(instance, Continue{}, world));
  EXPECT_EQ(instance.ended, Ended::continued);
}

TEST(ContinueAsNew, an_end_event_may_ask_for_it_again_and_again) {  // G5, G11
  Play play(R"(
    start  ->  and fork
    fork   ->  script count   = x + 1   into x
    fork   ->  job other
    count  ->  xor again
    again  ->  continue next   if x < 100
    again  ->  terminate       otherwise
  )",
            R"({"x":0})");
  while (play.state() == "continued") ASSERT_TRUE(play.driver().start_next());
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"x":100})");
  EXPECT_EQ(play.driver().instance().execution, 100u);
  EXPECT_EQ(play.driver().instance().key, key_from(1));
}

TEST(ContinueAsNew, of_the_last_token_does_the_same) {
  Play play("start  ->  continue next   out y = x + 1", R"({"x":1})");
  EXPECT_EQ(play.state(), "continued");
  EXPECT_EQ(to_json(play.driver().instance().next_variables), R"({"x":1,"y":2})");
}

}  // namespace
}  // namespace pawl::engine
