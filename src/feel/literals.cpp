// SPDX-License-Identifier: Apache-2.0
#include "feel/literals.hpp"

#include <string>

#include "base/ascii.hpp"

namespace pawl::feel {
namespace {

// "…+02:00[Europe/Berlin]" as "…@Europe/Berlin", and "…z" as "…Z".
std::string with_feel_zone(std::string_view text) {
  if (!text.empty() && text.back() == 'z' && text.find('@') == std::string_view::npos) {
    return std::string(text.substr(0, text.size() - 1)) + "Z";
  }
  if (text.empty() || text.back() != ']') return std::string(text);
  const std::size_t bracket = text.find('[');
  if (bracket == std::string_view::npos) return std::string(text);
  const std::string_view zone = text.substr(bracket + 1, text.size() - bracket - 2);
  std::string_view local = text.substr(0, bracket);
  const std::size_t clock = local.find('T') == std::string_view::npos ? 0 : local.find('T');
  const std::size_t offset = local.find_first_of("+-Zz", clock);
  if (offset != std::string_view::npos) local = local.substr(0, offset);
  return std::string(local) + "@" + std::string(zone);
}

// "10:30" as "10:30:00"; the rest (offset, zone) stays.
std::string with_seconds(std::string text, std::size_t begin) {
  const auto digit = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  const bool is_short = digit(begin) && digit(begin + 1) && begin + 4 < text.size() &&
                        text[begin + 2] == ':' && digit(begin + 3) && digit(begin + 4) &&
                        (begin + 5 == text.size() || text[begin + 5] != ':');
  if (is_short) text.insert(begin + 5, ":00");
  return text;
}

struct DurationParts {
  __int128 months{0};
  __int128 nanos{0};
  bool has_months{false};
  bool has_time{false};
};

constexpr __int128 largest_field = 10'000'000'000'000;  // keeps every product far from overflow

// One "12H" or "-3.5S" of a duration. Units must come in order; `last` is the rank of the one
// before.
class DurationReader {
 public:
  explicit DurationReader(std::string_view text) : text_(text) {}

  std::optional<DurationParts> read() {
    bool is_negative = false;
    if (take('-')) is_negative = true;
    if (!take('P')) return std::nullopt;
    bool any = false;
    while (at_ < text_.size()) {
      if (!in_time_ && take('T')) {
        in_time_ = true;
        any = false;
        continue;
      }
      if (!field()) return std::nullopt;
      any = true;
    }
    if (!any) return std::nullopt;
    if (is_negative) {
      parts_.months = -parts_.months;
      parts_.nanos = -parts_.nanos;
    }
    return parts_;
  }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool field() {
    const int sign = take('-') ? -1 : 1;
    if (sign == 1) take('+');
    __int128 whole = 0;
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) {
      whole = whole * 10 + (text_[at_++] - '0');
      if (whole > largest_field) return false;
    }
    if (at_ == begin) return false;
    __int128 fraction = 0;
    const bool has_fraction = take('.');
    if (has_fraction && !read_fraction(fraction)) return false;
    if (at_ >= text_.size()) return false;
    const char unit = text_[at_++];
    if (has_fraction && unit != 'S') return false;
    return add(unit, sign * whole, sign * fraction);
  }

  bool read_fraction(__int128& nanos) {
    const std::size_t begin = at_;
    __int128 weight = nanos_per_second / 10;
    while (at_ < text_.size() && is_digit(text_[at_])) {
      nanos += weight * (text_[at_++] - '0');
      weight /= 10;
    }
    return at_ > begin;
  }

  bool add(char unit, __int128 whole, __int128 nanos) {
    static constexpr std::string_view date_units = "YMD";
    static constexpr std::string_view time_units = "HMS";
    static constexpr __int128 time_seconds[] = {3600, 60, 1};
    const std::size_t which = (in_time_ ? time_units : date_units).find(unit);
    if (which == std::string_view::npos) return false;
    const int rank = static_cast<int>(which) + (in_time_ ? 3 : 0);
    if (rank <= last_rank_) return false;
    last_rank_ = rank;
    if (!in_time_ && which < 2) {
      parts_.has_months = true;
      parts_.months += whole * (which == 0 ? 12 : 1);
      return true;
    }
    parts_.has_time = true;
    const __int128 seconds = in_time_ ? time_seconds[which] : 86'400;
    parts_.nanos += whole * seconds * nanos_per_second + nanos;
    return true;
  }

  std::string_view text_;
  std::size_t at_{0};
  bool in_time_{false};
  int last_rank_{-1};
  DurationParts parts_;
};

}  // namespace

std::optional<Date> date_from_text(std::string_view text) { return parse_date(text); }

std::optional<Time> time_from_text(std::string_view text) {
  if (!text.empty() && text.front() == 'T') text.remove_prefix(1);
  return parse_time(with_seconds(with_feel_zone(text), 0));
}

std::optional<DateTime> date_time_from_text(std::string_view text) {
  if (const auto date = parse_date(text)) return DateTime{*date, Time{}};
  const std::size_t clock = text.find('T');
  if (clock == std::string_view::npos) return std::nullopt;
  std::string full = with_seconds(with_feel_zone(text), clock + 1);
  const bool is_midnight_after = full.compare(clock + 1, 8, "24:00:00") == 0;
  if (is_midnight_after) full.replace(clock + 1, 2, "00");
  const auto parsed = parse_date_time(full);
  if (!parsed || !is_midnight_after) return parsed;
  return add_duration(*parsed, DayTimeDuration{86'400, 0});
}

Value duration_from_text(std::string_view text) {
  const auto parts = DurationReader(text).read();
  if (!parts || (parts->has_months && parts->has_time)) return nullptr;
  if (parts->has_months) return YearMonthDuration{static_cast<std::int64_t>(parts->months)};
  return normalised(static_cast<std::int64_t>(parts->nanos / nanos_per_second),
                    static_cast<std::int64_t>(parts->nanos % nanos_per_second));
}

Value parse_temporal(std::string_view text) {
  if (const auto date = date_from_text(text)) return *date;
  if (const auto time = time_from_text(text)) return *time;
  if (const auto date_time = date_time_from_text(text)) return *date_time;
  return duration_from_text(text);
}

}  // namespace pawl::feel
