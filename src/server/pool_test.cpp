// SPDX-License-Identifier: Apache-2.0
#include "server/pool.hpp"

#include <gtest/gtest.h>

#include <future>

namespace pawl::server {
namespace {

constexpr std::chrono::seconds long_enough{60};

// Works until nobody waits for it any more.
void hang() {
  while (!store::nobody_waits()) std::this_thread::sleep_for(Millis(1));
}

TEST(Pools, C8_one_kind_of_work_never_waits_for_another) {
  Pools pools;
  for (int i = 0; i < 10; ++i) {
    for (const Work slow : {Work::search, Work::evaluation, Work::backup}) {
      EXPECT_TRUE(pools.run(slow, hang));
    }
  }
  for (const Work quick : {Work::deployment, Work::metrics}) {
    std::promise<void> done;
    EXPECT_TRUE(pools.run(quick, [&] { done.set_value(); }));
    EXPECT_EQ(done.get_future().wait_for(long_enough), std::future_status::ready);
  }
  pools.close();
}

TEST(Pools, C8_closing_ends_what_runs_and_drops_what_waits) {
  Pool pool(1);
  std::atomic<int> begun{0};
  for (int i = 0; i < 3; ++i) {
    pool.run([&] {
      ++begun;
      hang();
    });
  }
  while (begun == 0) std::this_thread::sleep_for(Millis(1));
  pool.close();
  EXPECT_EQ(begun, 1);
  EXPECT_FALSE(pool.run([] {}));
}

TEST(Pools, C8_a_task_ends_when_its_client_has_left_or_its_time_is_over) {
  Pool pool(1);
  const auto leaving = std::make_shared<store::Patience>();
  const auto brief = std::make_shared<store::Patience>(Millis(10));
  std::promise<void> left, late;
  pool.run([&] { hang(), left.set_value(); }, leaving);
  pool.run([&] { hang(), late.set_value(); }, brief);
  leaving->give_up();
  EXPECT_EQ(left.get_future().wait_for(long_enough), std::future_status::ready);
  EXPECT_EQ(late.get_future().wait_for(long_enough), std::future_status::ready);
  EXPECT_NE(brief->check().error().text.find("10 ms"), std::string::npos);
}

}  // namespace
}  // namespace pawl::server
