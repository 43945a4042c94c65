// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "feel/feel_testing.hpp"

namespace pawl::feel {
namespace {

using testing::evaluated;
using testing::expect_rows;

TEST(FeelTemporals, are_made_of_texts_and_parts) {
  expect_rows({{"date(\"2024-02-29\")", "2024-02-29"},
               {"date(\"2023-02-29\")", "null"},
               {"date(2024, 2, 29)", "2024-02-29"},
               {"date(2024, 2, 30)", "null"},
               {"date(year: 2024, month: 1, day: 2)", "2024-01-02"},
               {"date(@\"2024-02-29T10:00:00\")", "2024-02-29"},
               {"date(5)", "null"},
               {"time(\"10:30\")", "10:30:00"},
               {"time(\"T10:30:00\")", "10:30:00"},
               {"time(10, 30, 1.5)", "10:30:01.5"},
               {"time(10, 30, 0, @\"-PT1H\")", "10:30:00-01:00"},
               {"time(24, 0, 0)", "null"},
               {"time(@\"2024-02-29T10:00:00Z\")", "10:00:00Z"},
               {"date and time(\"2024-02-29\")", "2024-02-29T00:00:00"},
               {"date and time(\"2024-02-28T24:00:00\")", "2024-02-29T00:00:00"},
               {"date and time(@\"2024-02-29\", @\"10:00:00\")", "2024-02-29T10:00:00"},
               {"date and time(2024, 2, 29, 10, 0, 0)", "2024-02-29T10:00:00"},
               {"date and time(\"2024-07-01T12:00:00+02:00[Europe/Berlin]\")",
                "2024-07-01T12:00:00@Europe/Berlin"},
               {"date and time(@\"2024-07-01T12:00:00Z\", \"Europe/Berlin\")",
                "2024-07-01T14:00:00@Europe/Berlin"},
               {"date and time(\"yesterday\")", "null"},
               {"duration(\"P1DT25H\")", "P2DT1H"},
               {"duration(\"P-1D\")", "-P1D"},
               {"duration(\"P14M\")", "P1Y2M"},
               {"duration(\"P1Y1D\")", "null"},
               {"duration(\"P1W\")", "null"},
               {"duration(\"P\")", "null"},
               {"years and months duration(@\"2023-01-31\", @\"2024-03-01\")", "P1Y1M"}});
}

TEST(FeelTemporals, answer_questions) {
  expect_rows({{"day of year(@\"2024-12-31\")", "366"},
               {"day of week(@\"2024-02-29\")", "\"Thursday\""},
               {"month of year(date: @\"2024-02-29T10:00:00\")", "\"February\""},
               {"week of year(@\"2027-01-01\")", "53"},
               {"last day of month(@\"2023-02-10\")", "2023-02-28"},
               {"day of week(\"2024-02-29\")", "null"},
               {"day of week()", "null"}});
}

TEST(FeelTemporals, take_the_time_from_outside) {
  EXPECT_EQ(evaluated("now()"), "2023-11-14T22:13:20Z");
  EXPECT_EQ(evaluated("today()"), "2023-11-14");
}

TEST(FeelRanges, lie_to_each_other) {
  expect_rows({{"before(1, 2)", "true"},
               {"before(1, (1..5])", "true"},
               {"before([1..2], [2..5])", "false"},
               {"before([1..2), [2..5])", "true"},
               {"after(point: 9, range: [1..5])", "true"},
               {"meets([1..2], [2..3])", "true"},
               {"met by([2..3], [1..2))", "false"},
               {"overlaps([1..4], [4..9])", "true"},
               {"overlaps((4..9], [1..4])", "false"},
               {"overlaps before([1..4], [2..9])", "true"},
               {"overlaps after([2..9], [1..4])", "true"},
               {"finishes(5, [1..5])", "true"},
               {"finished by([1..5], [3..5])", "true"},
               {"includes([1..5], 5)", "true"},
               {"includes((> 5), [6..7])", "true"},
               {"during([2..3], [1..5])", "true"},
               {"starts(1, [1..5])", "true"},
               {"started by([1..5], [1..2])", "true"},
               {"coincides([1..5], [1..5])", "true"},
               {"coincides([1..5], (1..5])", "false"},
               {"includes([@\"2024-01-01\"..@\"2024-12-31\"], @\"2024-06-01\")", "true"},
               {"before(1, @\"2024-01-01\")", "null"},
               {"before(\"a\", \"b\")", "null"},
               {"meets(1, [1..2])", "null"},
               {"range(\"[1..5)\")", "[1..5)"},
               {"range(\"[a..5)\")", "null"},
               {"range(\"no range\")", "null"}});
}

}  // namespace
}  // namespace pawl::feel
