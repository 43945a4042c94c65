// SPDX-License-Identifier: Apache-2.0
#include "runtime/lanes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pawl::runtime {
namespace {

TEST(Lanes, definitions_come_in_turn_whatever_waits_for_one_of_them) {
  Lanes lanes;
  std::string order;
  const auto post = [&](std::uint64_t definition, char name) {
    lanes.post(key_from(definition), [&order, name] { order += name; });
  };
  for (int i = 0; i < 4; ++i) post(1, 'a');
  post(2, 'b');
  post(3, 'c');
  post(2, 'b');
  while (lanes.run_once()) {
  }
  EXPECT_EQ(order, "abcabaa");
}

}  // namespace
}  // namespace pawl::runtime
