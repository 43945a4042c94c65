// SPDX-License-Identifier: Apache-2.0
// Durations: text, normal form, and what they do to dates and times.
#include <fmt/format.h>

#include "base/ascii.hpp"
#include "value/temporal.hpp"

namespace pawl {
namespace {

constexpr std::int64_t seconds_per_day = 86'400;

// Reads "12D", "3M" …: numbers with a unit letter, in the order the caller asks for.
class DurationReader {
 public:
  // Takes the sign and the P.
  explicit DurationReader(std::string_view text) : rest_(text) {
    negative_ = take('-');
    valid_ = take('P') && !rest_.empty();
  }

  bool take(char letter) {
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Adds number × factor to `total` if the next part has this unit.
  void part(char unit, std::int64_t factor, std::int64_t& total) {
    std::size_t digits = 0;
    while (digits < rest_.size() && is_digit(rest_[digits])) ++digits;
    if (digits == 0 || digits == rest_.size() || rest_[digits] != unit) return;
    add(rest_.substr(0, digits), factor, total);
    rest_.remove_prefix(digits + 1);
    ++parts_;
  }

  // "4.25S"
  void seconds(std::int64_t& total, std::int64_t& nanos) {
    std::size_t digits = 0;
    while (digits < rest_.size() && is_digit(rest_[digits])) ++digits;
    if (digits == 0 || digits == rest_.size() || rest_[digits] != '.') {
      return part('S', 1, total);
    }
    std::size_t end = digits + 1;
    std::int64_t scale = nanos_per_second;
    while (end < rest_.size() && is_digit(rest_[end])) {
      scale /= 10;
      nanos += (rest_[end] - '0') * scale;
      ++end;
    }
    const std::size_t behind_point = end - digits - 1;
    valid_ = valid_ && behind_point >= 1 && behind_point <= 9;
    if (end == rest_.size() || rest_[end] != 'S') return;
    add(rest_.substr(0, digits), 1, total);
    rest_.remove_prefix(end + 1);
    ++parts_;
  }

  int parts() const { return parts_; }
  bool negative() const { return negative_; }
  bool done() const { return valid_ && rest_.empty() && parts_ > 0; }

 private:
  void add(std::string_view digits, std::int64_t factor, std::int64_t& total) {
    std::int64_t number = 0;
    for (const char c : digits) {
      if (__builtin_mul_overflow(number, std::int64_t{10}, &number) ||
          __builtin_add_overflow(number, std::int64_t{c - '0'}, &number)) {
        valid_ = false;
        return;
      }
    }
    if (__builtin_mul_overflow(number, factor, &number) ||
        __builtin_add_overflow(total, number, &total)) {
      valid_ = false;
    }
  }

  std::string_view rest_;
  int parts_{0};
  bool negative_{false};
  bool valid_{false};
};

void append_part(std::string& out, std::uint64_t number, char unit) {
  if (number != 0) out += fmt::format("{}{}", number, unit);
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

}  // namespace

std::optional<DayTimeDuration> parse_day_time(std::string_view text) {
  DurationReader reader(text);
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  reader.part('W', 7 * seconds_per_day, seconds);
  reader.part('D', seconds_per_day, seconds);
  const int parts_before_time = reader.parts();
  if (reader.take('T')) {
    reader.part('H', 3600, seconds);
    reader.part('M', 60, seconds);
    reader.seconds(seconds, nanos);
    if (reader.parts() == parts_before_time) return std::nullopt;
  }
  if (!reader.done()) return std::nullopt;
  return reader.negative() ? normalised(-seconds, -nanos) : normalised(seconds, nanos);
}

std::optional<YearMonthDuration> parse_year_month(std::string_view text) {
  DurationReader reader(text);
  std::int64_t months = 0;
  reader.part('Y', 12, months);
  reader.part('M', 1, months);
  if (!reader.done()) return std::nullopt;
  return YearMonthDuration{reader.negative() ? -months : months};
}

std::string to_string(const DayTimeDuration& duration) {
  const std::uint64_t seconds = magnitude(duration.seconds);
  const std::uint64_t nanos = magnitude(duration.nanos);
  if (seconds == 0 && nanos == 0) return "P0D";

  std::string out = duration.seconds < 0 || duration.nanos < 0 ? "-P" : "P";
  append_part(out, seconds / 86'400, 'D');
  if (seconds % 86'400 == 0 && nanos == 0) return out;
  out += 'T';
  append_part(out, seconds / 3600 % 24, 'H');
  append_part(out, seconds / 60 % 60, 'M');
  if (nanos == 0) {
    append_part(out, seconds % 60, 'S');
  } else {
    std::string fraction = fmt::format("{:09}", nanos);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    out += fmt::format("{}.{}S", seconds % 60, fraction);
  }
  return out;
}

std::string to_string(const YearMonthDuration& duration) {
  const std::uint64_t months = magnitude(duration.months);
  if (months == 0) return "P0Y";
  std::string out = duration.months < 0 ? "-P" : "P";
  append_part(out, months / 12, 'Y');
  append_part(out, months % 12, 'M');
  return out;
}

DayTimeDuration normalised(std::int64_t seconds, std::int64_t nanos) {
  const std::int64_t carry = nanos / nanos_per_second;
  nanos %= nanos_per_second;
  if (__builtin_add_overflow(seconds, carry, &seconds)) {
    return {carry < 0 ? INT64_MIN : INT64_MAX, 0};
  }
  if (seconds > 0 && nanos < 0)
    return {seconds - 1, static_cast<std::int32_t>(nanos + nanos_per_second)};
  if (seconds < 0 && nanos > 0)
    return {seconds + 1, static_cast<std::int32_t>(nanos - nanos_per_second)};
  return {seconds, static_cast<std::int32_t>(nanos)};
}

std::optional<DateTime> add_months(const DateTime& date_time, std::int64_t months) {
  const auto moved = add_months(date_time.date, months);
  if (!moved) return std::nullopt;
  return DateTime{*moved, date_time.time};
}

std::optional<DateTime> add_duration(const DateTime& date_time, const DayTimeDuration& duration) {
  static const std::int64_t first = days_from_epoch({-999'999'999, 1, 1}) * seconds_per_day;
  static const std::int64_t last = days_from_epoch({999'999'999, 12, 31}) * seconds_per_day;
  const UtcSeconds start = to_utc(date_time);
  std::int64_t seconds = 0;
  if (__builtin_add_overflow(start.seconds, duration.seconds, &seconds)) return std::nullopt;
  std::int64_t nanos = std::int64_t{start.nanos} + duration.nanos;
  if (nanos < 0) nanos += nanos_per_second, --seconds;
  if (nanos >= nanos_per_second) nanos -= nanos_per_second, ++seconds;
  // A day's margin at both ends, for the offset.
  if (seconds < first + seconds_per_day || seconds > last) return std::nullopt;
  return from_utc({seconds, static_cast<std::int32_t>(nanos)}, date_time.time.zone);
}

Time add_duration(const Time& time, const DayTimeDuration& duration) {
  std::int64_t seconds = time.hour * 3600 + time.minute * 60 + time.second;
  seconds += duration.seconds % seconds_per_day;
  std::int64_t nanos = std::int64_t{time.nanos} + duration.nanos;
  if (nanos < 0) nanos += nanos_per_second, --seconds;
  if (nanos >= nanos_per_second) nanos -= nanos_per_second, ++seconds;
  seconds = ((seconds % seconds_per_day) + seconds_per_day) % seconds_per_day;
  return {static_cast<std::uint8_t>(seconds / 3600), static_cast<std::uint8_t>(seconds / 60 % 60),
          static_cast<std::uint8_t>(seconds % 60), static_cast<std::uint32_t>(nanos), time.zone};
}

DayTimeDuration between(const DateTime& from, const DateTime& to) {
  const UtcSeconds a = to_utc(from);
  const UtcSeconds b = to_utc(to);
  return normalised(b.seconds - a.seconds, std::int64_t{b.nanos} - a.nanos);
}

}  // namespace pawl
