// SPDX-License-Identifier: Apache-2.0
// Numbers like Z206 are lines of the list of Zeebe's behaviours.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

TEST(ExclusiveGateway, takes_the_first_flow_that_holds) {  // Z206, Z207
  const char* order = R"(
    start  ->  xor route
    route  ->  end free       otherwise
    route  ->  end manual     if total > 100
    route  ->  end automatic  if total > 10
  )";
  const std::pair<const char*, const char*> rows[] = {
      {R"({"total":500})", "start route manual"},     // both conditions hold: the first wins
      {R"({"total":100})", "start route automatic"},  // border: greater, not equal
      {R"({"total":10})", "start route free"},        // the default, though declared first
  };
  for (const auto& [given, path] : rows) {
    const Play play(order, given);
    EXPECT_EQ(play.path(), path) << play.trace();
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(ExclusiveGateway, never_evaluates_the_condition_of_the_default_flow) {  // Z208
  const Play play(R"(
    start  ->  xor route
    route  ->  end a   if missing.b > 1   otherwise
    route  ->  end b   if x > 1
  )",
                  R"({"x":1})");
  EXPECT_EQ(play.path(), "start route a") << play.trace();
}

TEST(ExclusiveGateway, without_outgoing_flow_ends_the_token) {  // Z209
  const Play play("start  ->  xor route");
  EXPECT_EQ(play.path(), "start route");
  EXPECT_EQ(play.state(), "completed");
}

TEST(ExclusiveGateway, passes_each_arriving_token_at_once) {  // Z210
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  job b
    a      ->  xor merge
    b      ->  merge
    merge  ->  end
  )");
  play.complete("a");
  EXPECT_EQ(play.count("completed end"), 1) << play.trace();
  play.complete("b");
  EXPECT_EQ(play.count("completed end"), 2);
  EXPECT_EQ(play.state(), "completed");
}

TEST(ExclusiveGateway, stops_with_an_incident_when_a_variable_is_missing) {  // Z211
  Play play(R"(
    start  ->  xor route
    route  ->  end a   if total > 1
    route  ->  end b   otherwise
  )");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_NE(play.incident().find("EXTRACT_VALUE_ERROR at route"), std::string::npos);
  EXPECT_NE(play.incident().find("total"), std::string::npos) << play.incident();
  play.cancel();
  EXPECT_EQ(play.told("resolved terminated"), "resolved route, terminated route, terminated drawn");
}

TEST(ExclusiveGateway, says_which_conditions_were_tried_when_none_holds) {  // Z212
  Play play(R"(
    start  ->  xor route
    route  ->  end a   if total > 100
    route  ->  end b   if total > 10
  )",
            R"({"total":5})");
  const std::string incident = play.incident();
  EXPECT_NE(incident.find("CONDITION_ERROR at route"), std::string::npos) << incident;
  EXPECT_NE(incident.find("tried  total > 100"), std::string::npos) << incident;
  EXPECT_NE(incident.find("tried  total > 10 "), std::string::npos) << incident;
  EXPECT_NE(incident.find("default flow"), std::string::npos) << incident;

  play.set("", R"({"total":50})").resolve("route");
  EXPECT_EQ(play.path(), "start route b") << play.trace();
}

TEST(ExclusiveGateway, goes_on_after_a_condition_of_the_wrong_type_was_mended) {  // Z213
  Play play(R"(
    start  ->  xor route
    route  ->  end a   if flag
    route  ->  end b   otherwise
  )",
            R"({"flag":"yes"})");
  EXPECT_NE(play.incident().find("\"flag\" must give true or false, but gave \"yes\" (string)"),
            std::string::npos)
      << play.incident();
  play.set("", R"({"flag":true})").resolve("route");
  EXPECT_EQ(play.path(), "start route a");
}

}  // namespace
}  // namespace pawl::engine
