// SPDX-License-Identifier: Apache-2.0
// Dates, times and zones from and to text (DMN 1.5, ISO 8601). Strict: two digits where two belong,
// no plus sign before a year, no leading zero in years of more than four digits.
#include <fmt/format.h>

#include "base/ascii.hpp"
#include "value/temporal.hpp"

namespace pawl {
namespace {

constexpr std::int32_t largest_offset = 18 * 3600;
constexpr std::size_t longest_year = 9;
constexpr std::size_t longest_zone_name = 64;

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view take_digits() {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) ++count;
    const std::string_view digits = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return digits;
  }

  // Exactly two digits, at most `largest`.
  std::optional<std::uint8_t> two(int largest) {
    const std::string_view digits = take_digits();
    if (digits.size() != 2) return std::nullopt;
    const int number = (digits[0] - '0') * 10 + (digits[1] - '0');
    if (number > largest) return std::nullopt;
    return static_cast<std::uint8_t>(number);
  }

 private:
  std::string_view rest_;
};

std::optional<std::int32_t> read_year(Reader& reader) {
  const bool negative = reader.take('-');
  const std::string_view digits = reader.take_digits();
  if (digits.size() < 4 || digits.size() > longest_year) return std::nullopt;
  if (digits.size() > 4 && digits.front() == '0') return std::nullopt;
  std::int32_t year = 0;
  for (const char c : digits) year = year * 10 + (c - '0');
  if (negative && year == 0) return std::nullopt;
  return negative ? -year : year;
}

std::optional<Date> read_date(Reader& reader) {
  const auto year = read_year(reader);
  if (!year || !reader.take('-')) return std::nullopt;
  const auto month = reader.two(12);
  if (!month || !reader.take('-')) return std::nullopt;
  const auto day = reader.two(31);
  if (!day) return std::nullopt;
  const Date date{*year, *month, *day};
  if (!is_valid(date)) return std::nullopt;
  return date;
}

std::optional<std::uint32_t> read_fraction(Reader& reader) {
  const std::string_view digits = reader.take_digits();
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  std::uint32_t nanos = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    nanos = nanos * 10 + static_cast<std::uint32_t>(i < digits.size() ? digits[i] - '0' : 0);
  }
  return nanos;
}

std::optional<Zone> read_offset(Reader& reader, bool negative) {
  const auto hours = reader.two(18);
  if (!hours || !reader.take(':')) return std::nullopt;
  const auto minutes = reader.two(59);
  if (!minutes) return std::nullopt;
  std::int32_t seconds = *hours * 3600 + *minutes * 60;
  if (reader.take(':')) {
    const auto more = reader.two(59);
    if (!more) return std::nullopt;
    seconds += *more;
  }
  if (seconds > largest_offset || !reader.done()) return std::nullopt;
  return Zone{Zone::Kind::offset, negative ? -seconds : seconds, nullptr};
}

// What follows a time, up to the end of the text.
std::optional<Zone> read_zone(Reader& reader) {
  if (reader.done()) return Zone{};
  if (reader.take('Z')) {
    if (!reader.done()) return std::nullopt;
    return Zone{Zone::Kind::offset, 0, nullptr};
  }
  if (reader.take('+')) return read_offset(reader, false);
  if (reader.take('-')) return read_offset(reader, true);
  if (!reader.take('@')) return std::nullopt;
  const std::string_view name = reader.rest();
  if (name.size() > longest_zone_name || !zone_exists(name)) return std::nullopt;
  return Zone{Zone::Kind::named, 0, std::make_shared<const std::string>(name)};
}

// The seconds may be left out: 10:30 is 10:30:00.
std::optional<Time> read_time(Reader& reader) {
  Time time;
  const auto hour = reader.two(23);
  if (!hour || !reader.take(':')) return std::nullopt;
  const auto minute = reader.two(59);
  if (!minute) return std::nullopt;
  time.hour = *hour;
  time.minute = *minute;
  if (reader.take(':')) {
    const auto second = reader.two(59);
    if (!second) return std::nullopt;
    time.second = *second;
    if (reader.take('.')) {
      const auto nanos = read_fraction(reader);
      if (!nanos) return std::nullopt;
      time.nanos = *nanos;
    }
  }
  const auto zone = read_zone(reader);
  if (!zone) return std::nullopt;
  time.zone = *zone;
  return time;
}

std::string zone_text(const Zone& zone) {
  if (zone.kind == Zone::Kind::none) return {};
  if (zone.kind == Zone::Kind::named) return "@" + *zone.name;
  if (zone.offset_seconds == 0) return "Z";
  const std::int32_t seconds = std::abs(zone.offset_seconds);
  std::string text = fmt::format("{}{:02}:{:02}", zone.offset_seconds < 0 ? '-' : '+',
                                 seconds / 3600, seconds / 60 % 60);
  if (seconds % 60 != 0) text += fmt::format(":{:02}", seconds % 60);
  return text;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  Reader reader(text);
  const auto date = read_date(reader);
  return reader.done() ? date : std::nullopt;
}

std::optional<Time> parse_time(std::string_view text) {
  Reader reader(text);
  return read_time(reader);
}

std::optional<DateTime> parse_date_time(std::string_view text) {
  Reader reader(text);
  const auto date = read_date(reader);
  if (!date || !reader.take('T')) return std::nullopt;
  auto time = read_time(reader);
  if (!time) return std::nullopt;
  return DateTime{*date, std::move(*time)};
}

std::string to_string(const Date& date) {
  return fmt::format("{}{:04}-{:02}-{:02}", date.year < 0 ? "-" : "", std::abs(date.year),
                     date.month, date.day);
}

std::string to_string(const Time& time) {
  std::string text = fmt::format("{:02}:{:02}:{:02}", time.hour, time.minute, time.second);
  if (time.nanos != 0) {
    std::string fraction = fmt::format(".{:09}", time.nanos);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += fraction;
  }
  return text + zone_text(time.zone);
}

std::string to_string(const DateTime& date_time) {
  return to_string(date_time.date) + "T" + to_string(date_time.time);
}

}  // namespace pawl
