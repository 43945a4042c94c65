// SPDX-License-Identifier: Apache-2.0
#include "value/name.hpp"

#include <gtest/gtest.h>

#include <set>

namespace pawl {
namespace {

std::uint32_t fnv_1a(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u;
  return hash;
}

// A hash that everybody can compute would put all of these in one place of a table.
TEST(Name, A9_names_made_to_collide_do_not) {
  constexpr std::uint32_t mask = 0xFFF;
  std::set<std::uint32_t> places;
  std::size_t made = 0;
  for (int i = 0; made < 1'000; ++i) {
    const std::string name = "v" + std::to_string(i);
    if ((fnv_1a(name) & mask) != 17) continue;
    ++made;
    places.insert(hash_of(name) & mask);
  }
  EXPECT_GT(places.size(), 700u);
}

TEST(Name, is_found_by_text_and_hash) {
  for (const char* text : {"", "a", "1234567", "12345678", "123456789", "eine Länge über 16"}) {
    const Name name(text);
    EXPECT_TRUE(name.is(text, hash_of(text)));
    EXPECT_EQ(name, Name(std::string(text)));
    EXPECT_FALSE(name == Name(std::string(text) + "x"));
  }
  EXPECT_EQ(Name(), Name(""));
}

}  // namespace
}  // namespace pawl
