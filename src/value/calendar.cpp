// SPDX-License-Identifier: Apache-2.0
// The proleptic Gregorian calendar: days, months, weeks.
#include <algorithm>

#include "value/temporal.hpp"

namespace pawl {
namespace {

constexpr std::int32_t largest_year = 999'999'999;

// Eras of 400 years, years that begin in March: leap days fall at the end (a well-known scheme).
constexpr std::int64_t days_per_era = 146'097;
constexpr std::int64_t epoch_offset = 719'468;  // from 0000-03-01 to 1970-01-01

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

int weeks_in_year(std::int32_t year) {
  const int first = iso_weekday({year, 1, 1});
  return first == 4 || (first == 3 && is_leap(year)) ? 53 : 52;
}

}  // namespace

int days_in_month(std::int32_t year, int month) {
  static constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

bool is_valid(const Date& date) {
  return date.year >= -largest_year && date.year <= largest_year && date.month >= 1 &&
         date.month <= 12 && date.day >= 1 && date.day <= days_in_month(date.year, date.month);
}

std::int64_t days_from_epoch(const Date& date) {
  const std::int64_t year = std::int64_t{date.year} - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = floor_divide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month = (date.month + 9) % 12;  // March is 0
  const std::int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * days_per_era + day_of_era - epoch_offset;
}

Date date_from_days(std::int64_t days) {
  days += epoch_offset;
  const std::int64_t era = floor_divide(days, days_per_era);
  const std::int64_t day_of_era = days - era * days_per_era;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * month + 2) / 5 + 1;
  const std::int64_t calendar_month = month < 10 ? month + 3 : month - 9;
  const std::int64_t year = year_of_era + era * 400 + (calendar_month <= 2 ? 1 : 0);
  return {static_cast<std::int32_t>(year), static_cast<std::uint8_t>(calendar_month),
          static_cast<std::uint8_t>(day)};
}

int iso_weekday(const Date& date) {
  const std::int64_t days = days_from_epoch(date) + 3;  // 1970-01-01 was a Thursday
  return static_cast<int>(days - floor_divide(days, 7) * 7) + 1;
}

int day_of_year(const Date& date) {
  return static_cast<int>(days_from_epoch(date) - days_from_epoch({date.year, 1, 1})) + 1;
}

int iso_week(const Date& date) {
  const int week = (day_of_year(date) - iso_weekday(date) + 10) / 7;
  if (week < 1) return weeks_in_year(date.year - 1);
  if (week > weeks_in_year(date.year)) return 1;
  return week;
}

std::optional<Date> add_months(const Date& date, std::int64_t months) {
  std::int64_t index = 0;
  const std::int64_t start = std::int64_t{date.year} * 12 + date.month - 1;
  if (__builtin_add_overflow(start, months, &index)) return std::nullopt;
  const std::int64_t year = floor_divide(index, 12);
  if (year < -largest_year || year > largest_year) return std::nullopt;
  Date moved{static_cast<std::int32_t>(year), static_cast<std::uint8_t>(index - year * 12 + 1),
             date.day};
  const int last = days_in_month(moved.year, moved.month);
  moved.day = static_cast<std::uint8_t>(std::min<int>(moved.day, last));
  return moved;
}

YearMonthDuration months_between(const Date& from, const Date& to) {
  std::int64_t months = (std::int64_t{to.year} - from.year) * 12 + to.month - from.month;
  if (months > 0 && to.day < from.day) --months;
  if (months < 0 && to.day > from.day) ++months;
  return {months};
}

}  // namespace pawl
