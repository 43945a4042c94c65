// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "store/patience.hpp"
#include "store/selection.hpp"

namespace pawl::store {
namespace {

// What the signs mean, written down as plainly as possible. ASCII only.
bool fits(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return fits(text, pattern.substr(1)) || (!text.empty() && fits(text.substr(1), pattern));
  }
  if (text.empty()) return false;
  if (pattern[0] == '?') return fits(text.substr(1), pattern.substr(1));
  const bool escaped = pattern[0] == '\\' && pattern.size() > 1;
  return pattern[escaped ? 1 : 0] == text[0] &&
         fits(text.substr(1), pattern.substr(escaped ? 2 : 1));
}

TEST(Like, finds_what_its_signs_mean) {
  std::mt19937 random(7);
  const auto draw = [&](std::string_view letters, std::size_t most) {
    std::string out;
    for (std::size_t left = random() % (most + 1); left > 0; --left) {
      out += letters[random() % letters.size()];
    }
    return out;
  };
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = draw("ab*", 12), pattern = draw("aabb**?\\", 8);
    ASSERT_EQ(is_like(text, pattern), fits(text, pattern)) << text << " like " << pattern;
  }
  EXPECT_TRUE(is_like("a€b", "a?b")) << "a sign stands for a character, not for a byte";
}

TEST(Like, C8_plain_parts_are_found_in_linear_time) {
  const std::string text(4u << 20, 'a');
  EXPECT_FALSE(is_like(text, "*" + std::string(900, 'a') + "b*"));
  EXPECT_TRUE(is_like(text, "*" + std::string(900, 'a')));
  EXPECT_FALSE(is_like(text, "*" + std::string(900, 'a') + "b"));
}

TEST(Like, C8_ends_when_nobody_waits) {
  const Patience patience(Millis(1));
  const WorkingFor somebody(patience);
  const std::string half(450, 'a'), text(4u << 20, 'a');
  const auto since = std::chrono::steady_clock::now();
  EXPECT_FALSE(is_like(text, "*" + half + "?" + half + "b"));
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(10));
  EXPECT_FALSE(check_patience());
}

}  // namespace
}  // namespace pawl::store
