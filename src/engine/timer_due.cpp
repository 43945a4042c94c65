// SPDX-License-Identifier: Apache-2.0
#include "engine/timer_due.hpp"

#include <fmt/format.h>

#include <charconv>

#include "engine/cron.hpp"

namespace pawl::engine {
namespace {

using Kind = model::TimerDefinition::Kind;

// Further away than this nothing is planned; it also keeps the arithmetic from overflowing.
constexpr std::int32_t last_year = 9'999;
constexpr std::int64_t most_seconds = std::int64_t{last_year} * 366 * 86'400;
constexpr std::int64_t most_months = std::int64_t{last_year} * 12;

// Months and exact time are kept apart: a month has no length of its own.
struct Interval {
  std::int64_t months{0};
  Millis time{0};
};

struct Cycle {
  std::int32_t times{-1};  // -1: without end
  std::optional<DateTime> start{};
  Interval interval{};
};

bool is_within(std::int64_t number, std::int64_t most) { return -most <= number && number <= most; }

// Up to the next millisecond, so that nothing is early.
std::optional<Millis> in_millis(const DayTimeDuration& duration) {
  if (!is_within(duration.seconds, most_seconds)) return std::nullopt;
  const std::int64_t up = duration.nanos > 0 ? 999'999 : 0;
  return Millis(duration.seconds * 1000 + (duration.nanos + up) / 1'000'000);
}

// "P1Y2M3DT4H" has both: it is cut after the months.
std::optional<Interval> parse_mixed(std::string_view text) {
  const std::size_t clock = std::min(text.find('T'), text.size());
  const std::size_t cut = text.substr(0, clock).find_last_of("YM");
  if (cut == std::string_view::npos) return std::nullopt;
  const std::string sign = text.starts_with('-') ? "-P" : "P";
  const auto months = parse_year_month(text.substr(0, cut + 1));
  const auto rest = parse_day_time(sign + std::string(text.substr(cut + 1)));
  if (!months || !rest || !is_within(months->months, most_months)) return std::nullopt;
  const auto time = in_millis(*rest);
  return time ? std::optional(Interval{months->months, *time}) : std::nullopt;
}

std::optional<Interval> parse_interval(std::string_view text) {
  if (const auto months = parse_year_month(text)) {
    if (!is_within(months->months, most_months)) return std::nullopt;
    return Interval{months->months, Millis{0}};
  }
  if (const auto exact = parse_day_time(text)) {
    const auto time = in_millis(*exact);
    return time ? std::optional(Interval{0, *time}) : std::nullopt;
  }
  return parse_mixed(text);
}

// ISO 8601, also 2030-01-31 and 2030-01-31T12:00+01:00[Europe/Berlin], as Java writes zones.
std::optional<DateTime> parse_moment(std::string_view text) {
  if (const auto date = parse_date(text)) return DateTime{*date, {}};
  const std::size_t zone = text.find('[');
  if (zone == std::string_view::npos || !text.ends_with(']')) return parse_date_time(text);
  const std::size_t clock = std::min(text.find('T'), zone);
  const std::size_t offset = std::min(text.find_first_of("+-Z", clock), zone);
  return parse_date_time(std::string(text.substr(0, offset)) + "@" +
                         std::string(text.substr(zone + 1, text.size() - zone - 2)));
}

std::optional<Instant> instant_of(const DateTime& moment) {
  if (!is_within(moment.date.year, last_year)) return std::nullopt;
  return to_instant(moment);
}

// `count` times the interval after the start.
std::optional<Instant> later(const DateTime& start, const Interval& interval, std::int64_t count) {
  const auto moved = add_months(start, interval.months * count);
  if (!moved) return std::nullopt;
  const auto instant = instant_of(*moved);
  return instant ? std::optional(*instant + interval.time * count) : std::nullopt;
}

// "R3/PT1H", "R/2030-01-31T12:00:00Z/P1M"; the interval moves forward.
std::optional<Cycle> parse_cycle(std::string_view text) {
  if (!text.starts_with('R')) return std::nullopt;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  Cycle cycle;
  if (slash > 1) {
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + slash, cycle.times);
    if (error != std::errc{} || end != text.data() + slash || cycle.times < 0) return std::nullopt;
  }
  text.remove_prefix(slash + 1);
  // A zone may have a slash in its name, an interval has none.
  if (const std::size_t last = text.rfind('/'); last != std::string_view::npos) {
    cycle.start = parse_moment(text.substr(0, last));
    if (!cycle.start || !instant_of(*cycle.start)) return std::nullopt;
    text.remove_prefix(last + 1);
  }
  const auto interval = parse_interval(text);
  if (!interval || interval->months < 0 || interval->time < Millis{0}) return std::nullopt;
  if (interval->months == 0 && interval->time == Millis{0}) return std::nullopt;
  cycle.interval = *interval;
  return cycle;
}

Error wrong_timer(const Value& value, std::string_view wanted) {
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("must give {}, but gave {} ({})", wanted, preview(value),
                          kind_name(value.kind())));
}

Result<Schedule> at_date(const Value& value, const Error& error) {
  std::optional<DateTime> moment;
  if (value.kind() == Value::Kind::date_time) moment = value.as_date_time();
  if (value.kind() == Value::Kind::date) moment = DateTime{value.as_date(), {}};
  if (value.is_string()) moment = parse_moment(value.as_string());
  const auto due = moment ? instant_of(*moment) : std::nullopt;
  if (!due) return error;
  return Schedule{.due = *due};
}

std::optional<Interval> interval_of(const Value& value) {
  if (value.is_string()) return parse_interval(value.as_string());
  if (value.kind() == Value::Kind::year_month_duration) {
    const std::int64_t months = value.as_year_month_duration().months;
    return is_within(months, most_months) ? std::optional(Interval{months, {}}) : std::nullopt;
  }
  if (value.kind() != Value::Kind::day_time_duration) return std::nullopt;
  const auto time = in_millis(value.as_day_time_duration());
  return time ? std::optional(Interval{0, *time}) : std::nullopt;
}

Result<Schedule> after_duration(const Value& value, Instant now, const Error& error) {
  const auto interval = interval_of(value);
  const auto due = interval ? later(from_instant(now), *interval, 1) : std::nullopt;
  if (!due) return error;
  return Schedule{.due = *due};
}

std::string text_of(const Interval& interval) {
  const auto millis = interval.time.count();
  const std::string time = to_string(
      DayTimeDuration{millis / 1000, static_cast<std::int32_t>(millis % 1000) * 1'000'000});
  if (interval.months == 0) return time;
  const std::string months = to_string(YearMonthDuration{interval.months});
  return interval.time == Millis{0} ? months : months + time.substr(1);
}

// A start that has passed is now. All times are counted from the start, so that the 31st of one
// month is the 31st again two months later.
Result<Schedule> by_cycle(const Cycle& cycle, Instant now, const Error& error) {
  const bool ahead = cycle.start && to_instant(*cycle.start) > now;
  const DateTime start = ahead ? *cycle.start : from_instant(now);
  const auto due = later(start, cycle.interval, cycle.start ? 0 : 1);
  if (!due) return error;
  Schedule made{.due = *due, .repetitions = cycle.times < 0 ? -1 : std::max(cycle.times, 1) - 1};
  if (made.repetitions != 0) {
    made.cycle = fmt::format("R/{}/{}", to_string(start), text_of(cycle.interval));
  }
  return made;
}

Result<Schedule> again_and_again(const Value& value, Instant now, const Error& error) {
  if (!value.is_string()) return error;
  const std::string_view text = value.as_string();
  if (const auto cycle = parse_cycle(text)) return by_cycle(*cycle, now, error);
  const auto cron = parse_cron(text);
  const auto due = cron ? next_after(*cron, now) : std::nullopt;
  if (!due) return error;
  return Schedule{.due = *due, .repetitions = -1, .cycle = std::string(text)};
}

// The smallest count whose time is later than `previous`. Times grow with the count.
std::optional<Instant> next_in(const Cycle& cycle, Instant previous) {
  constexpr Millis shortest_month = std::chrono::days(28);
  const Millis step = cycle.interval.time + shortest_month * cycle.interval.months;
  std::int64_t low = 1;
  std::int64_t high = std::max<std::int64_t>((previous - to_instant(*cycle.start)) / step, 0) + 2;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const auto at = later(*cycle.start, cycle.interval, middle);
    if (!at || *at > previous) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const auto due = later(*cycle.start, cycle.interval, low);
  return due && *due > previous ? due : std::nullopt;
}

}  // namespace

Result<Schedule> schedule(Kind kind, const Value& value, Instant now) {
  switch (kind) {
    case Kind::date:
      return at_date(value,
                     wrong_timer(value,
                                 "a date and time, such as 2030-01-31T12:00:00Z, as date and time "
                                 "or text"));
    case Kind::duration:
      return after_duration(
          value, now,
          wrong_timer(value, "a duration, such as PT15M or P1DT2H, as duration or text"));
    case Kind::cycle:
      break;
  }
  return again_and_again(
      value, now,
      wrong_timer(value,
                  "a cycle, such as R3/PT1H, R/2030-01-31T12:00:00Z/P1D or a cron text with six "
                  "fields, that comes at least once"));
}

std::optional<Instant> next_due(std::string_view text, Instant previous) {
  if (const auto cycle = parse_cycle(text)) {
    return cycle->start ? next_in(*cycle, previous)
                        : later(from_instant(previous), cycle->interval, 1);
  }
  const auto cron = parse_cron(text);
  return cron ? next_after(*cron, previous) : std::nullopt;
}

}  // namespace pawl::engine
