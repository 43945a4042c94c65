// SPDX-License-Identifier: Apache-2.0
#include "engine/slots.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

TEST(Slots, are_found_by_their_number_and_never_move) {
  Slots<std::size_t> slots;
  EXPECT_TRUE(slots.empty());
  std::vector<const std::size_t*> places;
  for (std::size_t i = 0; i < 1'000; ++i) places.push_back(&slots.emplace_back(i));
  ASSERT_EQ(slots.size(), 1'000u);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    EXPECT_EQ(slots[i], i);
    EXPECT_EQ(&slots[i], places[i]) << i;
  }
}

TEST(Slots, are_all_different) {
  Slots<std::size_t> slots;
  for (std::size_t i = 0; i < 300; ++i) slots.emplace_back(0);
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] += i + 1;
  for (std::size_t i = 0; i < slots.size(); ++i) EXPECT_EQ(slots[i], i + 1);
}

}  // namespace
}  // namespace pawl::engine
