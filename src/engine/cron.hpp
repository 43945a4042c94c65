// SPDX-License-Identifier: Apache-2.0
// Cron texts of timer cycles, in UTC: six fields (second minute hour day month weekday) as Spring
// and Zeebe read them, and @yearly … @hourly. Weekdays are MON…SUN or 0…7, Sunday is 0 and 7. Days
// also: L (last), L-3, 15W (nearest working day), LW; weekdays also: 5L (last Friday), MON#2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "value/temporal.hpp"

namespace pawl::engine {

struct CronDay {
  enum class Kind : std::uint8_t {
    month_days,    // any of `days`
    last,          // the last day of the month, `number` days before it
    working_day,   // the working day nearest to day `number`; 0: the last one
    weekdays,      // any of `days`, Monday is 1
    last_weekday,  // the last weekday `number` of the month
    nth_weekday,   // the `nth` weekday `number` of the month
  };
  Kind kind{Kind::month_days};
  std::uint64_t days{0};
  int number{0};
  int nth{0};
};

struct Cron {
  std::uint64_t seconds{0};  // bit n: second n, and so on
  std::uint64_t minutes{0};
  std::uint64_t hours{0};
  std::uint64_t months{0};
  std::vector<CronDay> month_days{};  // one of them must fit; empty: every day
  std::vector<CronDay> weekdays{};    // the same
};

std::optional<Cron> parse_cron(std::string_view text);
// The first time after `instant`; nullopt: there is none within a hundred years (30 February).
std::optional<Instant> next_after(const Cron& cron, Instant instant);
// Digits as weekdays mean different days to different programs.
bool has_numbered_weekday(std::string_view text);

}  // namespace pawl::engine
