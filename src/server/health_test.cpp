// SPDX-License-Identifier: Apache-2.0
#include "server/health.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace pawl::server {
namespace {

TEST(Health, C6_tells_trouble_and_its_end_to_those_who_watch) {
  std::mutex mutex;
  std::string trouble;
  const auto set = [&](std::string text) {
    const std::lock_guard lock(mutex);
    trouble = std::move(text);
  };
  std::atomic<int> bad{0}, good{0};
  Health health(
      [&] {
        const std::lock_guard lock(mutex);
        return trouble;
      },
      Millis(1));
  health.watch([&](bool well) { ++(well ? good : bad); });
  EXPECT_TRUE(health.is_well());
  set("the disk is full");
  while (bad == 0) std::this_thread::sleep_for(Millis(1));
  EXPECT_EQ(health.trouble(), "the disk is full");
  set("");
  while (good == 0) std::this_thread::sleep_for(Millis(1));
  EXPECT_TRUE(health.is_well());
  EXPECT_EQ(bad, 1);
}

}  // namespace
}  // namespace pawl::server
