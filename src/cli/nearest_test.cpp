// SPDX-License-Identifier: Apache-2.0
#include "cli/nearest.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pawl::cli {
namespace {

TEST(Nearest, finds_the_word_that_was_meant) {
  constexpr std::string_view known[] = {"run", "check", "feel", "help"};
  const std::pair<const char*, std::optional<std::string_view>> rows[] = {
      {"chekc", "check"},       {"fel", "feel"},    {"rum", "run"},       {"halp", "help"},
      {"deploy", std::nullopt}, {"", std::nullopt}, {"xy", std::nullopt},
  };
  for (const auto& [typed, meant] : rows) EXPECT_EQ(nearest(typed, known), meant) << typed;
}

TEST(Nearest, has_no_hint_for_a_word_without_end) {
  constexpr std::string_view known[] = {"run"};
  EXPECT_EQ(nearest(std::string(1'000'000, 'r'), known), std::nullopt);
}

}  // namespace
}  // namespace pawl::cli
