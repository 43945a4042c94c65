// SPDX-License-Identifier: Apache-2.0
// Dates, times and durations as FEEL and ISO 8601 know them. Plain structs; parse and format are
// exact inverses (canonical text). Nothing here asks a clock; time zones come from the system's
// zone database.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace pawl {

struct Date {
  std::int32_t year{1970};  // -999'999'999 … 999'999'999
  std::uint8_t month{1};
  std::uint8_t day{1};

  friend auto operator<=>(const Date&, const Date&) = default;
};

// No zone (local), a fixed offset, or a named zone ("Europe/Berlin").
struct Zone {
  enum class Kind : std::uint8_t { none, offset, named };
  Kind kind{Kind::none};
  std::int32_t offset_seconds{0};             // for Kind::offset
  std::shared_ptr<const std::string> name{};  // for Kind::named

  friend bool operator==(const Zone& a, const Zone& b);
};

struct Time {
  std::uint8_t hour{0};
  std::uint8_t minute{0};
  std::uint8_t second{0};
  std::uint32_t nanos{0};
  Zone zone{};

  friend bool operator==(const Time&, const Time&) = default;
};

inline bool has_zone(const Time& time) { return time.zone.kind != Zone::Kind::none; }

struct DateTime {
  Date date{};
  Time time{};

  friend bool operator==(const DateTime&, const DateTime&) = default;
};

inline constexpr std::int64_t nanos_per_second = 1'000'000'000;

// Days, hours, minutes, seconds. Both members have the same sign; |nanos| < nanos_per_second.
struct DayTimeDuration {
  std::int64_t seconds{0};
  std::int32_t nanos{0};

  friend auto operator<=>(const DayTimeDuration&, const DayTimeDuration&) = default;
};

struct YearMonthDuration {
  std::int64_t months{0};

  friend auto operator<=>(const YearMonthDuration&, const YearMonthDuration&) = default;
};

// ISO 8601 / FEEL texts. nullopt: not such a text, or no such day.
std::optional<Date> parse_date(std::string_view text);  // 2024-02-29
std::optional<Time> parse_time(std::string_view text);  // 10:30:00.5@Europe/Berlin, 10:30:00+01:00
std::optional<DateTime> parse_date_time(std::string_view text);  // 2024-02-29T10:30:00Z
std::optional<DayTimeDuration> parse_day_time(
    std::string_view text);  // P1DT2H, -PT0.5S, P2W is 14 days
std::optional<YearMonthDuration> parse_year_month(std::string_view text);  // P1Y6M

std::string to_string(const Date& date);
std::string to_string(const Time& time);
std::string to_string(const DateTime& date_time);
std::string to_string(const DayTimeDuration& duration);
std::string to_string(const YearMonthDuration& duration);

bool is_valid(const Date& date);
int days_in_month(std::int32_t year, int month);
std::int64_t days_from_epoch(const Date& date);  // 1970-01-01 is 0
Date date_from_days(std::int64_t days);          // precondition: within the years above
int iso_weekday(const Date& date);               // Monday 1 … Sunday 7
int iso_week(const Date& date);
int day_of_year(const Date& date);

// The offset of a zone at a local date and time; 0 for a zone-less value. For a bare time a named
// zone is taken at the given date.
std::int32_t offset_at(const Zone& zone, const Date& date, const Time& time);
bool zone_exists(std::string_view name);

// Nanoseconds are kept apart so that nothing overflows: seconds since 1970 in UTC.
struct UtcSeconds {
  std::int64_t seconds{0};
  std::int32_t nanos{0};
  friend auto operator<=>(const UtcSeconds&, const UtcSeconds&) = default;
};
UtcSeconds to_utc(const DateTime& date_time);  // local values are taken as UTC
DateTime from_utc(UtcSeconds utc, const Zone& zone);
DateTime from_instant(Instant instant);  // in UTC ("Z")
Instant to_instant(const DateTime& date_time);

// Calendar arithmetic; nullopt when the year leaves its range.
std::optional<Date> add_months(const Date& date,
                               std::int64_t months);  // 31 January + 1 month = last of February
std::optional<DateTime> add_months(const DateTime& date_time, std::int64_t months);
std::optional<DateTime> add_duration(const DateTime& date_time, const DayTimeDuration& duration);
Time add_duration(const Time& time, const DayTimeDuration& duration);  // wraps at midnight
DayTimeDuration between(const DateTime& from, const DateTime& to);     // to - from
YearMonthDuration months_between(const Date& from, const Date& to);    // whole months, towards zero

DayTimeDuration normalised(std::int64_t seconds, std::int64_t nanos);

}  // namespace pawl
