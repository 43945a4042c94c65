// SPDX-License-Identifier: Apache-2.0
// The test program is its own script helper, also one that tries what it has no right to.
#include <gtest/gtest.h>

#include "script/helper.hpp"
#include "script/tries_for_test.hpp"

int main(int count, char** words) {
  using namespace pawl::script;
  if (const auto helper = serve_if_helper(count, words)) return *helper;
  if (count == 2) {
    if (const Try* one = find_try(words[1])) return serve_as_helper(one->act);
    if (std::string_view(words[1]) == parent_word) return be_a_parent();
  }
  testing::InitGoogleTest(&count, words);
  return RUN_ALL_TESTS();
}
