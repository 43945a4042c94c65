// SPDX-License-Identifier: Apache-2.0
#include "engine/cron.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

std::string next(std::string_view cron, std::string_view after) {
  const auto parsed = parse_cron(cron);
  if (!parsed) return "not cron";
  const auto due = next_after(*parsed, to_instant(*parse_date_time(after)));
  return due ? to_string(from_instant(*due)) : "never";
}

struct CronRow {
  const char* cron;
  const char* after;
  const char* next;
};

TEST(Cron, finds_the_next_time_that_fits) {  // Z380, Z381
  const CronRow rows[] = {
      {"0 0 9 * * *", "2026-03-01T08:59:59Z", "2026-03-01T09:00:00Z"},
      {"0 0 9 * * *", "2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z"},  // later, never the same
      {"0 0 9 * * *", "2026-03-01T08:59:59.999Z", "2026-03-01T09:00:00Z"},
      {"*/10 * * * * *", "2026-03-01T00:00:05Z", "2026-03-01T00:00:10Z"},
      {"*/10 * * * * *", "2026-12-31T23:59:55Z", "2027-01-01T00:00:00Z"},
      {"5/20 * * * * ?", "2026-03-01T00:00:26Z", "2026-03-01T00:00:45Z"},
      {"0 0/15 8-10,14 * * *", "2026-03-01T10:45:00Z", "2026-03-01T14:00:00Z"},
      {"0 0 9 * * MON-FRI", "2026-03-06T10:00:00Z", "2026-03-09T09:00:00Z"},  // over a weekend
      {"0 0 9 * * fri-sun", "2026-03-05T10:00:00Z", "2026-03-06T09:00:00Z"},
      {"0 0 0 * * 0", "2026-03-02T00:00:00Z", "2026-03-08T00:00:00Z"},  // Sunday twice
      {"0 0 0 * * 7", "2026-03-02T00:00:00Z", "2026-03-08T00:00:00Z"},
      {"0 0 0 L * *", "2028-02-01T00:00:00Z", "2028-02-29T00:00:00Z"},
      {"0 0 0 L-3 * *", "2026-04-01T00:00:00Z", "2026-04-27T00:00:00Z"},
      {"0 0 0 1W * *", "2026-07-31T00:00:00Z", "2026-08-03T00:00:00Z"},   // 1 August: a Saturday
      {"0 0 0 15W * *", "2026-08-01T00:00:00Z", "2026-08-14T00:00:00Z"},  // 15th: a Saturday
      {"0 0 0 LW * *", "2026-05-01T00:00:00Z", "2026-05-29T00:00:00Z"},   // 31st: a Sunday
      {"0 0 0 ? * 5L", "2026-03-01T00:00:00Z", "2026-03-27T00:00:00Z"},
      {"0 0 0 ? * MON#2", "2026-03-01T00:00:00Z", "2026-03-09T00:00:00Z"},
      {"0 0 0 29 2 *", "2026-03-01T00:00:00Z", "2028-02-29T00:00:00Z"},
      {"0 0 0 13 * FRI", "2026-03-14T00:00:00Z", "2026-11-13T00:00:00Z"},  // both must fit
      {"0 0 0 1 JAN,jul *", "2026-03-01T00:00:00Z", "2026-07-01T00:00:00Z"},
      {"@hourly", "2026-03-01T00:00:00Z", "2026-03-01T01:00:00Z"},
      {"@yearly", "2026-03-01T00:00:00Z", "2027-01-01T00:00:00Z"},
      {"0 0 0 1 1 *", "1960-03-01T00:00:00Z", "1961-01-01T00:00:00Z"},  // before 1970
      {"0 0 0 30 2 *", "2026-03-01T00:00:00Z", "never"},
  };
  for (const CronRow& row : rows) EXPECT_EQ(next(row.cron, row.after), row.next) << row.cron;
}

TEST(Cron, refuses_what_is_none) {  // Z381
  for (const char* text : {"",
                           " ",
                           "0 9 * * *",
                           "0 0 9 * * * 2030",
                           "60 * * * * *",
                           "* 60 * * * *",
                           "* * 24 * * *",
                           "* * * 0 * *",
                           "* * * 32 * *",
                           "* * * * 13 *",
                           "* * * * * 8",
                           "* * * * * MON#6",
                           "5-1 * * * * *",
                           "*/0 * * * * *",
                           "1,,2 * * * * *",
                           "a * * * * *",
                           "* * * * FOO *",
                           "? * * * * *",
                           "* * * L-x * *",
                           "* * * W * *",
                           "@often",
                           "-1 * * * * *"}) {
    EXPECT_FALSE(parse_cron(text)) << text;
  }
}

TEST(Cron, knows_weekdays_that_are_written_as_numbers) {
  EXPECT_TRUE(has_numbered_weekday("0 0 9 ? * 2-6"));
  EXPECT_TRUE(has_numbered_weekday("0 0 9 ? * 5L"));
  EXPECT_TRUE(has_numbered_weekday("0 0 9 ? * 2#1"));
  for (const char* text : {"0 0 9 * * *", "0 0 9 * * ?", "0 0 9 ? * MON-FRI", "0 0 9 ? * MON#2"}) {
    EXPECT_FALSE(has_numbered_weekday(text)) << text;
  }
}

}  // namespace
}  // namespace pawl::engine
