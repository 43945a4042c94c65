// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "feel/feel_testing.hpp"

namespace pawl::feel {
namespace {

using testing::expect_rows;

TEST(FeelNumbers, are_rounded) {
  expect_rows({{"decimal(2.345, 2)", "2.34"},
               {"decimal(2.355, 2)", "2.36"},
               {"decimal(n: 1234, scale: -2)", "1200"},
               {"decimal(7.5, 0, \"half_down\")", "7"},
               {"decimal(7.5, 0, \"unnecessary\")", "null"},
               {"decimal(7.5, 0, \"sideways\")", "null"},
               {"floor(-1.2)", "-2"},
               {"floor(1.29, 1)", "1.2"},
               {"ceiling(-1.2)", "-1"},
               {"ceiling(1.21, 1)", "1.3"},
               {"round up(-1.1, 0)", "-2"},
               {"round down(-1.9, 0)", "-1"},
               {"round half up(-2.5, 0)", "-3"},
               {"round half down(-2.5, 0)", "-2"},
               {"round up(1, 7000)", "null"},
               {"floor(null)", "null"},
               {"floor(\"1\")", "null"},
               {"round up(1.5)", "null"}});
}

TEST(FeelNumbers, are_calculated_with) {
  expect_rows({{"abs(-3)", "3"},
               {"abs(n: -3)", "3"},
               {"abs(@\"-PT1H\")", "PT1H"},
               {"abs(@\"-P1Y\")", "P1Y"},
               {"abs(\"x\")", "null"},
               {"modulo(-7, 3)", "2"},
               {"modulo(7, -3)", "-2"},
               {"modulo(7, 0)", "null"},
               {"sqrt(2.25)", "1.5"},
               {"sqrt(-1)", "null"},
               {"decimal(log(exp(2)), 10)", "2"},
               {"log(0)", "null"},
               {"odd(-3)", "true"},
               {"even(0)", "true"},
               {"even(1.5)", "null"},
               {"random number() < 1", "true"},
               {"random number() >= 0", "true"}});
}

TEST(FeelStatistics, take_a_list_or_arguments) {
  expect_rows({{"min(3, 1, 2)", "1"},
               {"max([\"a\", \"c\", \"b\"])", "\"c\""},
               {"min([@\"2024-02-01\", @\"2024-01-01\"])", "2024-01-01"},
               {"max(1, \"a\")", "null"},
               {"min([])", "null"},
               {"min([true, false])", "null"},
               {"sum(1, 2, 3.5)", "6.5"},
               {"sum([])", "null"},
               {"sum([1, null])", "null"},
               {"mean([1, 2, 6])", "3"},
               {"product(list: [2, 3, 4])", "24"},
               {"median(5, 1, 3, 4)", "3.5"},
               {"median([])", "null"},
               {"stddev([2, 4])", "1.414213562373095048801688724209698"},
               {"stddev([2])", "null"},
               {"mode([1, 2, 2, 3, 3])", "[2, 3]"},
               {"mode([])", "[]"},
               {"all(true, null)", "null"},
               {"all([true, false, null])", "false"},
               {"all([])", "true"},
               {"any(false, true, null)", "true"},
               {"any([])", "false"},
               {"any(1)", "null"},
               {"and(true, true)", "true"},
               {"or([false])", "false"}});
}

}  // namespace
}  // namespace pawl::feel
