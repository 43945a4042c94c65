// SPDX-License-Identifier: Apache-2.0
// Would the simulator find a real defect? Each deliberate fault is switched on, and it must.
#include "runtime/mutation.hpp"

#include <gtest/gtest.h>

#include "testkit/sim/world.hpp"

namespace pawl::testkit::sim {
namespace {

#ifdef PAWL_MUTATIONS

using runtime::Mutation;

struct Row {
  Mutation mutation;
  const char* name;
};

constexpr Row mutation_rows[] = {
    {Mutation::reply_before_commit, "reply_before_commit"},
    {Mutation::effects_before_commit, "effects_before_commit"},
    {Mutation::keep_state_after_failure, "keep_state_after_failure"},
    {Mutation::ignore_fence, "ignore_fence"},
    {Mutation::lose_timer, "lose_timer"},
    {Mutation::fire_timer_early, "fire_timer_early"},
    {Mutation::redeliver_message, "redeliver_message"},
    {Mutation::forget_offer, "forget_offer"},
    {Mutation::skip_index_record, "skip_index_record"},
    {Mutation::apply_twice, "apply_twice"},
    {Mutation::lose_continue, "lose_continue"},
    {Mutation::duplicate_start, "duplicate_start"},
    {Mutation::drop_job_on_expiry, "drop_job_on_expiry"},
    {Mutation::reuse_keys, "reuse_keys"},
    {Mutation::start_child_twice, "start_child_twice"},
    {Mutation::lose_answer, "lose_answer"},
};
static_assert(std::size(mutation_rows) + 1 == static_cast<std::size_t>(Mutation::count));

class Mutations : public testing::TestWithParam<Row> {};

TEST_P(Mutations, is_found_by_the_simulator) {
  constexpr std::uint64_t most = 400;
  runtime::active_mutation = GetParam().mutation;
  std::uint64_t found_at = 0;
  for (std::uint64_t seed = 1; seed <= most && found_at == 0; ++seed) {
    try {
      if (!run_seed(seed).empty()) found_at = seed;
    } catch (const std::exception&) {
      found_at = seed;
    }
  }
  runtime::active_mutation = Mutation::none;
  EXPECT_NE(found_at, 0u) << "no seed up to " << most << " shows it";
  RecordProperty("seed", std::to_string(found_at));
}

INSTANTIATE_TEST_SUITE_P(Each, Mutations, testing::ValuesIn(mutation_rows),
                         [](const auto& row) { return row.param.name; });

#endif

}  // namespace
}  // namespace pawl::testkit::sim
