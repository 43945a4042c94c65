// SPDX-License-Identifier: Apache-2.0
// Dates, times and durations: making them and asking them.
#include <fmt/format.h>

#include "feel/builtins/builtins.hpp"
#include "feel/literals.hpp"

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

constexpr std::size_t longest_zone = 100;  // there are none of this length

Value no_such(Call& call, std::string_view what) {
  return call.refuse(fmt::format("{} is no {}", preview(call[0], 40), what));
}

// The argument as a text, to be read as a date, time or duration.
std::optional<std::string_view> text_in(Call& call) {
  if (!call[0].is_string()) return std::nullopt;
  call.machine.charge(call.text(0).size(), cost::scanned);
  const bool is_in_zone = call.text(0).find('@') != std::string_view::npos;
  call.machine.charge(is_in_zone ? cost::temporal + cost::zone : cost::temporal);
  return call.text(0);
}

const Date& day_of(const Value& value) {
  return value.kind() == Kind::date ? value.as_date() : value.as_date_time().date;
}

// ---- making

Value date_from(Call& call) {
  if (call[0].kind() == Kind::date) return call[0];
  if (call[0].kind() == Kind::date_time) return call[0].as_date_time().date;
  const auto text = text_in(call);
  const auto date = text ? date_from_text(*text) : std::nullopt;
  return date ? Value(*date) : no_such(call, "date");
}

std::optional<Date> date_of_parts(Call& call, std::size_t first) {
  const auto year = call[first].as_int();
  const auto month = call[first + 1].as_int();
  const auto day = call[first + 2].as_int();
  if (!year || !month || !day) return std::nullopt;
  if (*year < -999'999'999 || *year > 999'999'999 || *month < 1 || *month > 12 || *day < 1 ||
      *day > 31) {
    return std::nullopt;
  }
  const Date date{static_cast<std::int32_t>(*year), static_cast<std::uint8_t>(*month),
                  static_cast<std::uint8_t>(*day)};
  if (!is_valid(date)) return std::nullopt;
  return date;
}

Value date_from_parts(Call& call) {
  const auto date = date_of_parts(call, 0);
  return date ? Value(*date) : call.refuse("there is no such day");
}

// Hour, minute, second (which may have a fraction) and offset, from four arguments.
std::optional<Time> time_of_parts(Call& call, std::size_t first) {
  call.machine.charge(cost::temporal);
  const auto hour = call[first].as_int();
  const auto minute = call[first + 1].as_int();
  const Decimal second = call[first + 2].as_decimal();
  const auto whole = round_to(second, 0, Rounding::floor);
  const auto whole_second = whole ? whole->to_int64() : std::nullopt;
  if (!hour || !minute || !whole_second) return std::nullopt;
  if (*hour < 0 || *hour > 23 || *minute < 0 || *minute > 59 || *whole_second < 0 ||
      *whole_second > 59) {
    return std::nullopt;
  }
  Time time{.hour = static_cast<std::uint8_t>(*hour),
            .minute = static_cast<std::uint8_t>(*minute),
            .second = static_cast<std::uint8_t>(*whole_second)};
  const auto fraction = subtract(second, *whole);
  const auto nanos = fraction ? multiply(*fraction, Decimal(1'000'000'000)) : std::nullopt;
  const auto whole_nanos = nanos ? round_to(*nanos, 0, Rounding::floor) : std::nullopt;
  if (whole_nanos) time.nanos = static_cast<std::uint32_t>(whole_nanos->to_int64().value_or(0));
  const Value& offset = call[first + 3];
  if (!offset.is_null()) {
    constexpr std::int64_t farthest = 18 * 3'600;
    if (offset.kind() != Kind::day_time_duration) return std::nullopt;
    const std::int64_t seconds = offset.as_day_time_duration().seconds;
    if (seconds < -farthest || seconds > farthest) return std::nullopt;
    time.zone = {.kind = Zone::Kind::offset, .offset_seconds = static_cast<std::int32_t>(seconds)};
  }
  return time;
}

Value time_from(Call& call) {
  if (call[0].kind() == Kind::time) return call[0];
  if (call[0].kind() == Kind::date_time) return call[0].as_date_time().time;
  if (call[0].kind() == Kind::date) return Time{.zone = {.kind = Zone::Kind::offset}};
  const auto text = text_in(call);
  const auto time = text ? time_from_text(*text) : std::nullopt;
  return time ? Value(*time) : no_such(call, "time");
}

Value time_from_parts(Call& call) {
  const auto time = time_of_parts(call, 0);
  return time ? Value(*time) : call.refuse("there is no such time");
}

Value date_time_from(Call& call) {
  if (call[0].kind() == Kind::date_time) return call[0];
  if (call[0].kind() == Kind::date) return DateTime{call[0].as_date(), Time{}};
  const auto text = text_in(call);
  const auto at = text ? date_time_from_text(*text) : std::nullopt;
  return at ? Value(*at) : no_such(call, "date and time");
}

Value date_time_of_both(Call& call) { return DateTime{day_of(call[0]), call[1].as_time()}; }

// The same moment, as the clocks of another zone show it.
Value date_time_in_zone(Call& call) {
  call.machine.charge(2 * cost::temporal + 3 * cost::zone);
  const std::string_view zone = call.text(1).substr(0, longest_zone);
  const auto sample = time_from_text(
      fmt::format("00:00:00{}{}", zone.find('/') == std::string_view::npos ? "" : "@", zone));
  if (!sample) return call.refuse(fmt::format("{} is no time zone", preview(call[1], 40)));
  const Value& given = call[0];
  const DateTime at =
      given.kind() == Kind::date ? DateTime{given.as_date(), Time{}} : given.as_date_time();
  return from_utc(to_utc(at), sample->zone);
}

Value date_time_from_parts(Call& call) {
  const auto date = date_of_parts(call, 0);
  const auto time = time_of_parts(call, 3);
  return date && time ? Value(DateTime{*date, *time})
                      : call.refuse("there is no such date and time");
}

Value duration_from(Call& call) {
  if (call[0].kind() == Kind::day_time_duration || call[0].kind() == Kind::year_month_duration)
    return call[0];
  const auto text = text_in(call);
  Value duration = text ? duration_from_text(*text) : Value();
  return duration.is_null() ? no_such(call, "duration") : duration;
}

Value years_and_months(Call& call) { return months_between(day_of(call[0]), day_of(call[1])); }

Value now(Call& call) { return from_instant(call.machine.environment().now); }

Value today(Call& call) { return from_instant(call.machine.environment().now).date; }

// ---- asking

Value day_of_year_of(Call& call) { return day_of_year(day_of(call[0])); }

Value week_of_year(Call& call) { return iso_week(day_of(call[0])); }

Value day_of_week(Call& call) {
  static constexpr const char* names[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                          "Friday", "Saturday", "Sunday"};
  return names[iso_weekday(day_of(call[0])) - 1];
}

Value month_of_year(Call& call) {
  static constexpr const char* names[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};
  return names[day_of(call[0]).month - 1];
}

Value last_day_of_month(Call& call) {
  Date date = day_of(call[0]);
  date.day = static_cast<std::uint8_t>(days_in_month(date.year, date.month));
  return date;
}

constexpr Builtin temporal_table[] = {
    {"date(from: any)", date_from},
    {"date(year: number, month: number, day: number)", date_from_parts},
    {"time(from: any)", time_from},
    {"time(hour: number, minute: number, second: number, offset?: duration?)", time_from_parts},
    {"date and time(from: any)", date_time_from},
    {"date and time(date: day, time: time)", date_time_of_both},
    {"date and time(date: day, timezone: string)", date_time_in_zone},
    {"date and time(year: number, month: number, day: number, hour: number, minute: number, "
     "second: number, offset?: duration?)",
     date_time_from_parts},
    {"duration(from: any)", duration_from},
    {"years and months duration(from: day, to: day)", years_and_months},
    {"now()", now},
    {"today()", today},
    {"day of year(date: day)", day_of_year_of},
    {"day of week(date: day)", day_of_week},
    {"month of year(date: day)", month_of_year},
    {"week of year(date: day)", week_of_year},
    {"last day of month(date: day)", last_day_of_month},
};

}  // namespace

std::span<const Builtin> temporal_builtins() { return temporal_table; }

}  // namespace pawl::feel
