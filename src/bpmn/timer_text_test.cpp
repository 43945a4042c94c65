// SPDX-License-Identifier: Apache-2.0
#include "bpmn/timer_text.hpp"

#include <gtest/gtest.h>

namespace pawl::bpmn {
namespace {

TEST(TimerText, durations_have_units_in_order) {
  for (const char* text : {"PT1S", "P1D", "P1Y2M3DT4H5M6.5S", "-PT1H", "P2W"}) {
    EXPECT_TRUE(is_duration_text(text)) << text;
  }
  for (const char* text : {"", "P", "PT", "1S", "PT1", "P1H", "PT1S1H", "P1X", "duration"}) {
    EXPECT_FALSE(is_duration_text(text)) << text;
  }
}

TEST(TimerText, dates_may_leave_out_their_end) {
  for (const char* text : {"2030-01-31T12:00:00Z", "2030-01-31T12:00:00+01:00", "2030-01-31",
                           "2030-01", "2030", "2030-01-31T12:00:00@Europe/Berlin"}) {
    EXPECT_TRUE(is_date_text(text)) << text;
  }
  for (const char* text : {"", "PT1S", "20x0", "tomorrow", "2030 01"}) {
    EXPECT_FALSE(is_date_text(text)) << text;
  }
}

TEST(TimerText, cycles_are_repetitions_or_cron) {
  for (const char* text : {"R3/PT10S", "R/PT1M", "R5/2030-01-01T00:00:00Z/P1D", "0 0 9 * * ?",
                           "*/5 * * * *", "@daily"}) {
    EXPECT_TRUE(is_cycle_text(text)) << text;
  }
  for (const char* text : {"", "Rx/PT1S", "R3/no", "often", "1 2 3"}) {
    EXPECT_FALSE(is_cycle_text(text)) << text;
  }
}

}  // namespace
}  // namespace pawl::bpmn
