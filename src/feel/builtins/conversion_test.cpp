// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "feel/feel_testing.hpp"

namespace pawl::feel {
namespace {

using testing::expect_rows;

TEST(FeelConversion, makes_numbers_of_texts) {
  expect_rows(
      {{"number(\"12.50\")", "12.5"},
       {"number(\"-7\")", "-7"},
       {"number(\"1.234,5\", \".\", \",\")", "1234.5"},
       {"number(from: \"1 234\", grouping separator: \" \", decimal separator: null)", "1234"},
       {"number(\"1,5\", \",\", \",\")", "null"},
       {"number(\"1;5\", \";\", \".\")", "null"},
       {"number(\"twelve\")", "null"},
       {"number(\"\")", "null"},
       {"number(null)", "null"}});
}

TEST(FeelConversion, makes_texts_of_values) {
  expect_rows(
      {{"string(1.50)", "\"1.5\""},
       {"string(\"a\")", "\"a\""},
       {"string(null)", "null"},
       {"string([1, \"a\", null, [true]])", "\"[1, \"a\", null, [true]]\""},
       {"string({a b: 1, \"c-d\": \"x\"})", "\"{a b: 1, \"c-d\": \"x\"}\""},
       {"string(@\"2024-02-29T10:00:00@Europe/Berlin\")", "\"2024-02-29T10:00:00@Europe/Berlin\""},
       {"string(@\"PT36H\")", "\"P1DT12H\""}});
}

TEST(FeelConversion, reads_and_writes_json) {
  expect_rows({{"from json(\"{\\\"a\\\": [1, null]}\").a", "[1, null]"},
               {"from json(\"{\")", "null"},
               {"to json({a: [1, @\"2024-02-29\"]})", "\"{\"a\":[1,\"2024-02-29\"]}\""},
               {"to json(null)", "\"null\""},
               {"to json((1..2])", "\"\"(1..2]\"\""}});
}

TEST(FeelLogicFunctions, treat_missing_values) {
  expect_rows({{"is defined(null)", "false"},
               {"is defined(0)", "true"},
               {"get or else(null, 1)", "1"},
               {"get or else(value: 2, default: 1)", "2"},
               {"is(1, 1.0)", "true"},
               {"is(1, \"1\")", "false"},
               {"is(@\"10:00:00Z\", @\"11:00:00+01:00\")", "false"},
               {"not(negand: false)", "true"},
               {"not(1)", "null"},
               {"assert(5, true)", "5"},
               {"fromAi(7, \"a number\")", "7"}});
}

}  // namespace
}  // namespace pawl::feel
