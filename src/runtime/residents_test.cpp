// SPDX-License-Identifier: Apache-2.0
#include "runtime/residents.hpp"

#include <gtest/gtest.h>

namespace pawl::runtime {
namespace {

std::unique_ptr<Resident> resident() {
  return std::make_unique<Resident>(nullptr, engine::Instance(nullptr));
}

std::vector<std::uint64_t> by_use(Residents& residents) {
  std::vector<std::uint64_t> keys;
  for (Resident* one = residents.oldest(); one; one = one->newer) keys.push_back(number(one->key));
  return keys;
}

TEST(Residents, are_kept_in_the_order_of_their_use) {
  using Keys = std::vector<std::uint64_t>;
  Residents residents;
  for (std::uint64_t key = 1; key <= 4; ++key) residents.add(key_from(key), resident());
  EXPECT_EQ(by_use(residents), (Keys{1, 2, 3, 4}));
  residents.find(key_from(1));
  residents.find(key_from(3));
  residents.find(key_from(3));
  EXPECT_EQ(by_use(residents), (Keys{2, 4, 1, 3}));
  for (const std::uint64_t key : {2u, 3u, 1u}) residents.remove(key_from(key));
  EXPECT_EQ(by_use(residents), Keys{4});
  EXPECT_EQ(residents.find(key_from(2)), nullptr);
  residents.add(key_from(5), resident());
  EXPECT_EQ(by_use(residents), (Keys{4, 5}));
  EXPECT_EQ(residents.size(), 2u);
}

TEST(Residents, know_when_they_were_used_and_what_they_weigh) {
  Residents residents;
  residents.set_time(Instant(Millis(10)));
  Resident& one = residents.add(key_from(1), resident());
  const std::size_t empty = residents.bytes();
  EXPECT_GT(empty, 0u);
  one.state.value_bytes = 500;
  residents.weigh(one);
  EXPECT_EQ(residents.bytes(), empty + 1'000);
  residents.set_time(Instant(Millis(20)));
  EXPECT_EQ(residents.find(key_from(1))->used, Instant(Millis(20)));
  residents.remove(key_from(1));
  EXPECT_EQ(residents.bytes(), 0u);
  EXPECT_EQ(residents.oldest(), nullptr);
}

}  // namespace
}  // namespace pawl::runtime
