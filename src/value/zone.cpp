// SPDX-License-Identifier: Apache-2.0
// Time zones: what the offset is at a given moment. The zone library throws; nothing of that
// leaves this file. Where local time is skipped or repeated, the offset before the change counts.
#include <date/tz.h>

#include <algorithm>
#include <exception>

#include "value/temporal.hpp"

namespace pawl {
namespace {

// The zone files list their changes up to this year; later ones follow the same yearly rule.
constexpr std::int32_t last_listed_year = 2037;
constexpr std::int32_t first_listed_year = 1800;  // before that, every zone has its local mean time
constexpr std::int32_t calendar_cycle = 28;

// Not by locate_zone(): it throws for a name that is not there, which takes as long as thirty that
// are.
const date::time_zone* find_zone(std::string_view name) {
  try {
    const auto& zones = date::get_tzdb().zones;  // by name
    const auto at = std::lower_bound(
        zones.begin(), zones.end(), name,
        [](const date::time_zone& zone, std::string_view wanted) { return zone.name() < wanted; });
    return at != zones.end() && at->name() == name ? &*at : nullptr;
  } catch (const std::exception&) {
    return nullptr;
  }
}

bool same_calendar(std::int32_t a, std::int32_t b) {
  return iso_weekday({a, 1, 1}) == iso_weekday({b, 1, 1}) &&
         days_in_month(a, 2) == days_in_month(b, 2);
}

// The same day in a year that the zone files list and that has the same weekdays.
Date in_listed_years(Date day) {
  if (day.year < first_listed_year) return {first_listed_year, 1, 1};
  if (day.year <= last_listed_year) return day;
  for (std::int32_t back = 0; back < calendar_cycle; ++back) {
    if (same_calendar(last_listed_year - back, day.year)) {
      return {last_listed_year - back, day.month, day.day};
    }
  }
  return day;
}

std::int64_t seconds_of_day(const Time& time) {
  return time.hour * 3600 + time.minute * 60 + time.second;
}

std::int64_t floor_days(std::int64_t seconds) {
  return seconds / 86400 - (seconds % 86400 < 0 ? 1 : 0);
}

std::int32_t named_offset_at_local(const date::time_zone& zone, const Date& day, const Time& time) {
  const std::int64_t seconds = days_from_epoch(in_listed_years(day)) * 86400 + seconds_of_day(time);
  try {
    const auto info = zone.get_info(date::local_seconds(std::chrono::seconds(seconds)));
    return static_cast<std::int32_t>(info.first.offset.count());
  } catch (const std::exception&) {
    return 0;
  }
}

std::int32_t named_offset_at_utc(const date::time_zone& zone, std::int64_t seconds) {
  const std::int64_t days = floor_days(seconds);
  const std::int64_t listed =
      days_from_epoch(in_listed_years(date_from_days(days))) * 86400 + (seconds - days * 86400);
  try {
    const auto info = zone.get_info(date::sys_seconds(std::chrono::seconds(listed)));
    return static_cast<std::int32_t>(info.offset.count());
  } catch (const std::exception&) {
    return 0;
  }
}

std::int32_t offset_at_utc(const Zone& zone, std::int64_t seconds) {
  if (zone.kind == Zone::Kind::offset) return zone.offset_seconds;
  if (zone.kind == Zone::Kind::none) return 0;
  const date::time_zone* named = find_zone(*zone.name);
  return named != nullptr ? named_offset_at_utc(*named, seconds) : 0;
}

}  // namespace

bool operator==(const Zone& a, const Zone& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Zone::Kind::offset) return a.offset_seconds == b.offset_seconds;
  return a.kind == Zone::Kind::none || *a.name == *b.name;
}

bool zone_exists(std::string_view name) { return find_zone(name) != nullptr; }

std::int32_t offset_at(const Zone& zone, const Date& date, const Time& time) {
  if (zone.kind == Zone::Kind::offset) return zone.offset_seconds;
  if (zone.kind == Zone::Kind::none) return 0;
  const date::time_zone* named = find_zone(*zone.name);
  return named != nullptr ? named_offset_at_local(*named, date, time) : 0;
}

UtcSeconds to_utc(const DateTime& date_time) {
  const Time& time = date_time.time;
  const std::int64_t local = days_from_epoch(date_time.date) * 86400 + seconds_of_day(time);
  return {local - offset_at(time.zone, date_time.date, time),
          static_cast<std::int32_t>(time.nanos)};
}

DateTime from_utc(UtcSeconds utc, const Zone& zone) {
  const std::int64_t local = utc.seconds + offset_at_utc(zone, utc.seconds);
  const std::int64_t days = floor_days(local);
  const std::int64_t rest = local - days * 86400;
  Time time{static_cast<std::uint8_t>(rest / 3600), static_cast<std::uint8_t>(rest / 60 % 60),
            static_cast<std::uint8_t>(rest % 60), static_cast<std::uint32_t>(utc.nanos), zone};
  return {date_from_days(days), std::move(time)};
}

DateTime from_instant(Instant instant) {
  const std::int64_t millis = instant.time_since_epoch().count();
  const std::int64_t seconds = millis / 1000 - (millis % 1000 < 0 ? 1 : 0);
  const auto nanos = static_cast<std::int32_t>((millis - seconds * 1000) * 1'000'000);
  return from_utc({seconds, nanos}, Zone{Zone::Kind::offset, 0, nullptr});
}

Instant to_instant(const DateTime& date_time) {
  constexpr std::int64_t furthest = INT64_MAX / 1000 - 1;  // an Instant counts milliseconds
  const UtcSeconds utc = to_utc(date_time);
  const std::int64_t seconds = std::clamp(utc.seconds, -furthest, furthest);
  return Instant(Millis(seconds * 1000 + utc.nanos / 1'000'000));
}

}  // namespace pawl
