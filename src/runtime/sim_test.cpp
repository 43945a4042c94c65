// SPDX-License-Identifier: Apache-2.0
// The simulator: one seed is one run. A failure prints the seed; repeat it with
// PAWL_SEED=N build/…/test_runtime --gtest_filter='*SimulatorSeeds*'
// PAWL_SEEDS=N runs the seeds up to N, PAWL_FIRST_SEED=N begins there.
#include <gtest/gtest.h>

#include <cstdlib>

#include "testkit/sim/world.hpp"

namespace pawl::testkit::sim {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* given = std::getenv(variable);
  return given ? std::strtoull(given, nullptr, 10) : otherwise;
}

// The seeds in parts, so that several processes can share them: each takes every tenth.
constexpr std::uint64_t seed_parts = 10;

class SimulatorSeeds : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SimulatorSeeds, keep_every_promise_whatever_fails) {
  const std::uint64_t only = number_from("PAWL_SEED", 0);
  const std::uint64_t first = only ? only : number_from("PAWL_FIRST_SEED", 1);
  const std::uint64_t last = only ? only : number_from("PAWL_SEEDS", 1'000);
  for (std::uint64_t seed = first + GetParam(); seed <= last; seed += seed_parts) {
    const std::string problem = run_seed(seed);
    ASSERT_EQ(problem, "") << "repeat with: PAWL_SEED=" << seed
                           << " test_runtime --gtest_filter='*SimulatorSeeds*'";
  }
}

INSTANTIATE_TEST_SUITE_P(Part, SimulatorSeeds, testing::Range(std::uint64_t{0}, seed_parts));

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
