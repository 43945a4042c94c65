// SPDX-License-Identifier: Apache-2.0
#include "engine/cron.hpp"

#include <algorithm>
#include <charconv>

namespace pawl::engine {
namespace {

constexpr int days_searched = 36'525;

struct Range {
  int low;
  int high;
  std::string_view names;  // three letters each, from `low` on
};
constexpr Range of_seconds{0, 59, ""};
constexpr Range of_hours{0, 23, ""};
constexpr Range of_days{1, 31, ""};
constexpr Range of_months{1, 12, "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"};
constexpr Range of_weekdays{0, 7, "SUNMONTUEWEDTHUFRISAT"};

std::optional<int> parse_number(std::string_view text, const Range& range) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) {
    if (number < range.low || number > range.high) return std::nullopt;
    return number;
  }
  if (text.size() != 3) return std::nullopt;
  for (std::size_t i = 0; i + 3 <= range.names.size(); i += 3) {
    const bool same =
        std::equal(text.begin(), text.end(), range.names.begin() + static_cast<std::ptrdiff_t>(i),
                   [](char a, char b) { return (a & ~0x20) == b; });
    if (same) return range.low + static_cast<int>(i / 3);
  }
  return std::nullopt;
}

// "*", "5", "1-5", each with "/step".
std::optional<std::uint64_t> parse_part(std::string_view text, const Range& range) {
  const std::size_t slash = text.find('/');
  const std::string_view span = text.substr(0, slash);
  int step = 1;
  if (slash != std::string_view::npos) {
    const auto parsed = parse_number(text.substr(slash + 1), {1, 1'000, ""});
    if (!parsed) return std::nullopt;
    step = *parsed;
  }
  int low = range.low;
  int high = range.high;
  if (span != "*") {
    const std::size_t dash = span.find('-');
    const auto first = parse_number(span.substr(0, dash), range);
    if (!first) return std::nullopt;
    low = *first;
    if (dash != std::string_view::npos) {
      auto last = parse_number(span.substr(dash + 1), range);
      if (last == 0 && range.high == 7) last = 7;  // FRI-SUN
      if (!last || *last < low) return std::nullopt;
      high = *last;
    } else if (slash == std::string_view::npos) {
      high = low;
    }
  }
  std::uint64_t bits = 0;
  for (int i = low; i <= high; i += step) bits |= std::uint64_t{1} << i;
  return bits;
}

template <class Each>
bool each_part(std::string_view text, char separator, const Each& each) {
  for (;;) {
    const std::size_t end = text.find(separator);
    if (!each(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool parse_field(std::string_view text, const Range& range, std::uint64_t& bits) {
  return each_part(text, ',', [&](std::string_view part) {
    const auto parsed = parse_part(part, range);
    if (parsed) bits |= *parsed;
    return parsed.has_value();
  });
}

std::optional<CronDay> parse_month_day(std::string_view text) {
  using Kind = CronDay::Kind;
  if (text == "L") return CronDay{.kind = Kind::last};
  if (text == "LW") return CronDay{.kind = Kind::working_day};
  if (text.starts_with("L-")) {
    const auto before = parse_number(text.substr(2), {0, 30, ""});
    if (!before) return std::nullopt;
    return CronDay{.kind = Kind::last, .number = *before};
  }
  if (text.ends_with('W')) {
    const auto day = parse_number(text.substr(0, text.size() - 1), of_days);
    if (!day) return std::nullopt;
    return CronDay{.kind = Kind::working_day, .number = *day};
  }
  const auto days = parse_part(text, of_days);
  if (!days) return std::nullopt;
  return CronDay{.kind = Kind::month_days, .days = *days};
}

int iso(int weekday) { return weekday == 0 ? 7 : weekday; }

std::optional<CronDay> parse_weekday(std::string_view text) {
  using Kind = CronDay::Kind;
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    const auto day = parse_number(text.substr(0, hash), of_weekdays);
    const auto nth = parse_number(text.substr(hash + 1), {1, 5, ""});
    if (!day || !nth) return std::nullopt;
    return CronDay{.kind = Kind::nth_weekday, .number = iso(*day), .nth = *nth};
  }
  if (text.size() > 1 && text.ends_with('L')) {
    const auto day = parse_number(text.substr(0, text.size() - 1), of_weekdays);
    if (!day) return std::nullopt;
    return CronDay{.kind = Kind::last_weekday, .number = iso(*day)};
  }
  const auto days = parse_part(text, of_weekdays);
  if (!days) return std::nullopt;
  return CronDay{.kind = Kind::weekdays, .days = *days | (*days & 1) << 7};
}

bool parse_days(std::string_view text, std::optional<CronDay> (*parse)(std::string_view),
                std::vector<CronDay>& days) {
  if (text == "*" || text == "?") return true;
  return each_part(text, ',', [&](std::string_view part) {
    const auto day = parse(part);
    if (day) days.push_back(*day);
    return day.has_value();
  });
}

std::string_view spelled_out(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"@yearly", "0 0 0 1 1 *"}, {"@annually", "0 0 0 1 1 *"}, {"@monthly", "0 0 0 1 * *"},
      {"@weekly", "0 0 0 * * 0"}, {"@daily", "0 0 0 * * *"},    {"@midnight", "0 0 0 * * *"},
      {"@hourly", "0 0 * * * *"}};
  for (const auto& [word, meaning] : words) {
    if (text == word) return meaning;
  }
  return text;
}

std::vector<std::string_view> fields_of(std::string_view text) {
  std::vector<std::string_view> fields;
  each_part(text, ' ', [&](std::string_view field) {
    if (!field.empty()) fields.push_back(field);
    return true;
  });
  return fields;
}

// Saturday and Sunday give way to the nearest working day of the same month.
int nearest_working_day(const Date& date, int day) {
  const int last = days_in_month(date.year, date.month);
  day = day == 0 ? last : std::min(day, last);
  const int weekday = iso_weekday({date.year, date.month, static_cast<std::uint8_t>(day)});
  if (weekday == 6) return day == 1 ? 3 : day - 1;
  if (weekday == 7) return day == last ? day - 2 : day + 1;
  return day;
}

bool fits(const CronDay& wanted, const Date& date) {
  const int last = days_in_month(date.year, date.month);
  switch (wanted.kind) {
    case CronDay::Kind::month_days:
      return (wanted.days >> date.day & 1) != 0;
    case CronDay::Kind::last:
      return date.day == last - wanted.number;
    case CronDay::Kind::working_day:
      return date.day == nearest_working_day(date, wanted.number);
    case CronDay::Kind::weekdays:
      return (wanted.days >> iso_weekday(date) & 1) != 0;
    case CronDay::Kind::last_weekday:
      return iso_weekday(date) == wanted.number && date.day > last - 7;
    case CronDay::Kind::nth_weekday:
      return iso_weekday(date) == wanted.number && (date.day - 1) / 7 + 1 == wanted.nth;
  }
  return false;
}

bool fits_one(const std::vector<CronDay>& wanted, const Date& date) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(),
                                       [&](const CronDay& day) { return fits(day, date); });
}

bool has(std::uint64_t bits, std::int64_t number) { return (bits >> number & 1) != 0; }

// The first second of the day, from `from` on; -1: none.
std::int64_t second_of_day(const Cron& cron, std::int64_t from) {
  std::int64_t at = from;
  while (at < 86'400) {
    if (!has(cron.hours, at / 3600)) {
      at = (at / 3600 + 1) * 3600;
    } else if (!has(cron.minutes, at / 60 % 60)) {
      at = (at / 60 + 1) * 60;
    } else if (!has(cron.seconds, at % 60)) {
      ++at;
    } else {
      return at;
    }
  }
  return -1;
}

}  // namespace

std::optional<Cron> parse_cron(std::string_view text) {
  const auto fields = fields_of(spelled_out(text));
  if (fields.size() != 6) return std::nullopt;
  Cron cron;
  const bool good = parse_field(fields[0], of_seconds, cron.seconds) &&
                    parse_field(fields[1], of_seconds, cron.minutes) &&
                    parse_field(fields[2], of_hours, cron.hours) &&
                    parse_days(fields[3], parse_month_day, cron.month_days) &&
                    parse_field(fields[4], of_months, cron.months) &&
                    parse_days(fields[5], parse_weekday, cron.weekdays);
  return good ? std::optional(cron) : std::nullopt;
}

std::optional<Instant> next_after(const Cron& cron, Instant instant) {
  const auto after = std::chrono::floor<std::chrono::seconds>(instant) + std::chrono::seconds(1);
  const std::int64_t seconds = after.time_since_epoch().count();
  const std::int64_t first =
      std::chrono::floor<std::chrono::days>(after).time_since_epoch().count();
  std::int64_t from = seconds - first * 86'400;
  for (std::int64_t day = first; day < first + days_searched; ++day, from = 0) {
    const Date date = date_from_days(day);
    const bool fitting = has(cron.months, date.month) && fits_one(cron.month_days, date) &&
                         fits_one(cron.weekdays, date);
    if (!fitting) continue;
    const std::int64_t second = second_of_day(cron, from);
    if (second >= 0) return Instant(std::chrono::seconds(day * 86'400 + second));
  }
  return std::nullopt;
}

bool has_numbered_weekday(std::string_view text) {
  const auto fields = fields_of(text);
  if (fields.size() != 6) return false;
  // What stands after # is not a weekday.
  const std::string_view days = fields[5].substr(0, fields[5].find('#'));
  return days.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace pawl::engine
