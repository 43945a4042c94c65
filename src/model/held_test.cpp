// SPDX-License-Identifier: Apache-2.0
#include "model/held.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pawl::model {
namespace {

TEST(Held, a_copy_is_a_value_of_its_own) {
  Held<std::string> one = std::string("a");
  Held<std::string> two = one;
  *two = "b";
  EXPECT_EQ(*one, "a");
  one = two;
  two.reset();
  EXPECT_EQ(*one, "b");
  EXPECT_FALSE(two);
}

TEST(Held, is_empty_until_something_is_put_in) {
  Held<std::string> held;
  EXPECT_FALSE(held.has_value());
  held.emplace() = "x";
  EXPECT_EQ(held->size(), 1u);
  const Held<std::string> copy_of_none = Held<std::string>();
  EXPECT_FALSE(copy_of_none);
}

}  // namespace
}  // namespace pawl::model
