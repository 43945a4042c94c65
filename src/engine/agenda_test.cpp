// SPDX-License-Identifier: Apache-2.0
#include "engine/agenda.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace pawl::engine {
namespace {

Work work(std::uint64_t number) { return {.key = key_from(number)}; }

TEST(Agenda, does_what_a_double_ended_queue_does) {
  Agenda agenda;
  std::deque<Work> expected;
  std::mt19937 random(7);
  for (std::uint64_t i = 1; i < 20'000; ++i) {
    const bool grows = i / 1'000 % 2 == 0;  // long and short ones, in turn
    switch (random() % (grows ? 4 : 8)) {
      case 0:
        agenda.push_front(work(i));
        expected.push_front(work(i));
        break;
      case 1:
      case 2:
        agenda.push_back(work(i));
        expected.push_back(work(i));
        break;
      default:
        if (expected.empty()) break;
        agenda.pop_front();
        expected.pop_front();
    }
    ASSERT_EQ(agenda.empty(), expected.empty());
    ASSERT_EQ(agenda.size(), expected.size());
    if (!expected.empty()) {
      ASSERT_EQ(agenda.front(), expected.front());
    }
    ASSERT_TRUE(std::equal(agenda.begin(), agenda.end(), expected.begin(), expected.end()));
  }
}

TEST(Agenda, takes_what_was_stored) {
  const std::vector<Work> stored{work(1), work(2)};
  Agenda agenda;
  agenda.push_back(work(9));
  agenda.assign(stored.begin(), stored.end());
  EXPECT_EQ(agenda.front(), work(1));
  EXPECT_EQ(agenda.size(), 2u);
}

}  // namespace
}  // namespace pawl::engine
