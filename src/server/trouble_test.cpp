// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "server/operations.hpp"
#include "testkit/sim/world.hpp"

namespace pawl::server {
namespace {

using testkit::sim::Setting;
using testkit::sim::World;

// Work that cannot be stored: every mapping doubles a value.
Setting with_work_that_is_set_aside() {
  std::string mappings;
  for (int i = 0; i < 40; ++i) mappings += "   out x.a = x   out x.b = x";
  Setting setting{.seed = 5,
                  .shards = 1,
                  .drawings = {"start  ->  catch c   after 1m" + mappings + "\n c  ->  end"}};
  setting.allowance.value = setting.allowance.instance = SIZE_MAX / 4;
  return setting;
}

std::vector<store::IncidentRow> incidents_of(World& world) {
  EXPECT_TRUE(world.node()->catch_up().has_value());
  return *world.node()->index().incidents(Key::none);
}

TEST(SetAside, C9_work_that_was_set_aside_is_tried_again_when_its_incident_is_resolved) {
  World world(with_work_that_is_set_aside());
  Metrics metrics;
  Operations operations(*world.node(), metrics);
  operations.start({.process = "p0", .variables = object({{"x", object({{"s", "0123456789"}})}})},
                   [](const Result<StartedInstance>& started) { EXPECT_TRUE(started); });
  world.run_quietly();
  world.pass(Millis(60'000));
  const auto before = incidents_of(world);
  ASSERT_EQ(before.size(), 1u);
  EXPECT_EQ(before[0].type, store::work_set_aside);

  std::optional<Result<Done>> resolved;
  operations.resolve_incident(before[0].key, {"tester"},
                              [&](Result<Done> done) { resolved = std::move(done); });
  world.run_quietly();
  ASSERT_TRUE(resolved);
  EXPECT_TRUE(resolved->has_value()) << resolved->error().text;
  for (const store::IncidentRow& row : incidents_of(world)) EXPECT_NE(row.key, before[0].key);

  std::optional<Result<Done>> again;
  operations.resolve_incident(before[0].key, {"tester"},
                              [&](Result<Done> done) { again = std::move(done); });
  world.run_quietly();
  ASSERT_TRUE(again && !again->has_value());
  EXPECT_EQ(again->error().code, Code::not_found);
}

TEST(NodeHealth, C6_a_node_knows_that_its_disk_fails_and_that_it_works_again) {
  World world(
      {.seed = 5, .shards = 1, .drawings = {"start  ->  job a   type work\n a  ->  end\n"}});
  EXPECT_EQ(world.node()->trouble().text, "");
  bool fails = true;
  world.disk().on_operation([&](const store::Operation& operation) {
    return fails && operation.kind == store::Io::sync ? store::Fault::error : store::Fault::none;
  });
  Metrics metrics;
  Operations operations(*world.node(), metrics);
  const auto start = [&] {
    operations.start({.process = "p0"}, [](const Result<StartedInstance>&) {});
    world.run_quietly();
  };
  start();
  EXPECT_NE(world.node()->trouble().text, "");
  fails = false;
  world.pass(Millis(10'000));
  start();
  EXPECT_EQ(world.node()->trouble().text, "");
}

}  // namespace
}  // namespace pawl::server
