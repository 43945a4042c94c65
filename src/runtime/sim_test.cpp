// SPDX-License-Identifier: Apache-2.0
// The simulator: one seed is one run. A failure prints the seed; repeat it with
// PAWL_SEED=N build/…/test_runtime --gtest_filter=Simulator.*
#include <gtest/gtest.h>

#include <cstdlib>

#include "testkit/sim/world.hpp"

namespace pawl::testkit::sim {
namespace {

TEST(Simulator, keeps_every_promise_whatever_fails) {
  if (const char* seed = std::getenv("PAWL_SEED")) {
    EXPECT_EQ(run_seed(std::strtoull(seed, nullptr, 10)), "");
    return;
  }
  const char* wanted = std::getenv("PAWL_SEEDS");
  const std::uint64_t seeds = wanted ? std::strtoull(wanted, nullptr, 10) : 1'000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string problem = run_seed(seed);
    ASSERT_EQ(problem, "") << "repeat with: PAWL_SEED=" << seed
                           << " test_runtime --gtest_filter=Simulator.keeps*";
  }
}

TEST(Simulator, the_same_seed_gives_the_same_run) {
  for (const std::uint64_t seed : {3, 17, 101}) {
    std::uint64_t prints[2];
    for (std::uint64_t& print : prints) {
      World world(setting_for(seed));
      for (int i = 0; i < 300; ++i) world.step();
      print = world.fingerprint();
    }
    EXPECT_EQ(prints[0], prints[1]) << seed;
  }
}

}  // namespace
}  // namespace pawl::testkit::sim
