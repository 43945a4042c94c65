// SPDX-License-Identifier: Apache-2.0
#include "feel/arithmetic.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <string>

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

Value mismatch(Machine& machine, std::string_view verb, const Value& a, const Value& b) {
  if (!machine.wants_problems()) return nullptr;
  return machine.type_problem(
      fmt::format("can't {} {} and {}; the left side is {}, the right side {}", verb,
                  kind_name(a.kind()), kind_name(b.kind()), preview(a, 40), preview(b, 40)));
}

Value out_of_range(Machine& machine) {
  return machine.problem(Problem::Kind::other, "the result is out of range or not defined");
}

template <class T>
Value or_out_of_range(Machine& machine, const std::optional<T>& result) {
  return result ? Value(*result) : out_of_range(machine);
}

DayTimeDuration opposite(const DayTimeDuration& duration) {
  return {-duration.seconds, -duration.nanos};
}

std::optional<DayTimeDuration> sum_of_durations(const DayTimeDuration& a,
                                                const DayTimeDuration& b) {
  std::int64_t seconds = 0;
  if (__builtin_add_overflow(a.seconds, b.seconds, &seconds)) return std::nullopt;
  if (seconds > std::numeric_limits<std::int64_t>::max() / 2 ||
      seconds < std::numeric_limits<std::int64_t>::min() / 2) {
    return std::nullopt;
  }
  return normalised(seconds, std::int64_t{a.nanos} + b.nanos);
}

std::optional<YearMonthDuration> sum_of_durations(const YearMonthDuration& a,
                                                  const YearMonthDuration& b) {
  YearMonthDuration result;
  if (__builtin_add_overflow(a.months, b.months, &result.months)) return std::nullopt;
  if (result.months == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  return result;
}

// A date counts as midnight; hours that do not fill a day are dropped downwards.
std::optional<Date> moved(const Date& date, const DayTimeDuration& by) {
  const auto at = add_duration(DateTime{date, Time{}}, by);
  if (!at) return std::nullopt;
  return at->date;
}

void charge_zone(Machine& machine, const Value& value) {
  const Time* time = value.kind() == Kind::date_time ? &value.as_date_time().time
                     : value.kind() == Kind::time    ? &value.as_time()
                                                     : nullptr;
  if (time != nullptr && time->zone.kind == Zone::Kind::named) machine.charge(2 * cost::zone);
}

std::optional<Value> add_to_temporal(Machine& machine, const Value& a, const Value& b) {
  const bool by_months = b.kind() == Kind::year_month_duration;
  if (!by_months && b.kind() != Kind::day_time_duration) return std::nullopt;
  charge_zone(machine, a);
  switch (a.kind()) {
    case Kind::date:
      return by_months ? or_out_of_range(machine,
                                         add_months(a.as_date(), b.as_year_month_duration().months))
                       : or_out_of_range(machine, moved(a.as_date(), b.as_day_time_duration()));
    case Kind::date_time:
      return by_months ? or_out_of_range(machine, add_months(a.as_date_time(),
                                                             b.as_year_month_duration().months))
                       : or_out_of_range(machine,
                                         add_duration(a.as_date_time(), b.as_day_time_duration()));
    case Kind::time:
      if (by_months) return std::nullopt;
      return Value(add_duration(a.as_time(), b.as_day_time_duration()));
    default:
      return std::nullopt;
  }
}

std::optional<Value> negated_duration(const Value& value) {
  if (value.kind() == Kind::day_time_duration) return Value(opposite(value.as_day_time_duration()));
  if (value.kind() == Kind::year_month_duration) {
    return Value(YearMonthDuration{-value.as_year_month_duration().months});
  }
  return std::nullopt;
}

// A date beside a date and time counts as its midnight in UTC.
std::optional<DateTime> as_date_time(const Value& value) {
  if (value.kind() == Kind::date_time) return value.as_date_time();
  if (value.kind() != Kind::date) return std::nullopt;
  return DateTime{value.as_date(), Time{.zone = {.kind = Zone::Kind::offset}}};
}

std::optional<Value> subtract_temporals(const Value& a, const Value& b) {
  if (a.kind() == Kind::time && b.kind() == Kind::time) {
    const Date day{1970, 1, 1};
    const DateTime from{day, b.as_time()};
    const DateTime to{day, a.as_time()};
    if (has_zone(from.time) != has_zone(to.time)) return std::nullopt;
    return Value(between(from, to));
  }
  const auto to = as_date_time(a);
  const auto from = as_date_time(b);
  if (!to || !from || has_zone(to->time) != has_zone(from->time)) return std::nullopt;
  return Value(between(*from, *to));
}

Decimal decimal_of(__int128 value) {
  const bool negative = value < 0;
  const auto size = static_cast<unsigned __int128>(negative ? -value : value);
  return Decimal::make(negative, size, 0).value_or(Decimal{});
}

Decimal nanos_of(const DayTimeDuration& duration) {
  return decimal_of(__int128{duration.seconds} * nanos_per_second + duration.nanos);
}

std::optional<DayTimeDuration> duration_of_nanos(const Decimal& nanos) {
  const auto seconds = divide(nanos, Decimal(nanos_per_second));
  if (!seconds) return std::nullopt;
  const auto whole = round_to(*seconds, 0, Rounding::down);
  const auto count = whole ? whole->to_int64() : std::nullopt;
  if (!count) return std::nullopt;
  const auto used = multiply(*whole, Decimal(nanos_per_second));
  const auto rest = used ? subtract(nanos, *used) : std::nullopt;
  const auto rounded = rest ? round_to(*rest, 0, Rounding::down) : std::nullopt;
  const auto rest_count = rounded ? rounded->to_int64() : std::nullopt;
  if (!rest_count) return std::nullopt;
  return normalised(*count, *rest_count);
}

std::optional<YearMonthDuration> duration_of_months(const Decimal& months) {
  const auto whole = round_to(months, 0, Rounding::down);
  const auto count = whole ? whole->to_int64() : std::nullopt;
  if (!count || *count == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  return YearMonthDuration{*count};
}

using DecimalOperation = std::optional<Decimal> (*)(const Decimal&, const Decimal&);

// duration × number or duration / number.
std::optional<Value> scale(Machine& machine, const Value& duration, const Value& number,
                           DecimalOperation operation) {
  if (!number.is_number()) return std::nullopt;
  machine.charge(cost::temporal);
  if (duration.kind() == Kind::day_time_duration) {
    const auto nanos = operation(nanos_of(duration.as_day_time_duration()), number.as_decimal());
    return or_out_of_range(machine, nanos ? duration_of_nanos(*nanos) : std::nullopt);
  }
  if (duration.kind() == Kind::year_month_duration) {
    const auto months =
        operation(Decimal(duration.as_year_month_duration().months), number.as_decimal());
    return or_out_of_range(machine, months ? duration_of_months(*months) : std::nullopt);
  }
  return std::nullopt;
}

// By multiplying if it can be exact, else by a logarithm; also where a product would be too large.
std::uint64_t power_cost(const Decimal& base, const std::optional<std::int64_t>& exponent) {
  constexpr std::int64_t safe_digits = 6'000;
  if (exponent && *exponent >= -largest_exact_power && *exponent <= largest_exact_power) {
    const auto times = std::abs(*exponent);
    if (std::abs(base.digits() + base.exponent()) * times < safe_digits) {
      return cost::power * cost::bits(static_cast<std::uint64_t>(times));
    }
  }
  return cost::logarithm + cost::exponential;
}

Value joined(Machine& machine, std::string_view a, std::string_view b) {
  machine.check_text(a.size() + b.size());
  std::string text;
  text.reserve(a.size() + b.size());
  return text.append(a).append(b);
}

}  // namespace

Value add(Machine& machine, const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) {
    std::int64_t sum_of_both = 0;
    if (!__builtin_add_overflow(a.int_unchecked(), b.int_unchecked(), &sum_of_both))
      return sum_of_both;
  }
  if (a.is_number() && b.is_number()) {
    machine.charge(cost::decimal);
    return or_out_of_range(machine, pawl::add(a.as_decimal(), b.as_decimal()));
  }
  if (a.is_string() && b.is_string()) {
    return joined(machine, a.as_string(), b.as_string());
  }
  machine.charge(cost::temporal);
  if (a.kind() == Kind::day_time_duration && b.kind() == a.kind()) {
    return or_out_of_range(machine,
                           sum_of_durations(a.as_day_time_duration(), b.as_day_time_duration()));
  }
  if (a.kind() == Kind::year_month_duration && b.kind() == a.kind()) {
    return or_out_of_range(
        machine, sum_of_durations(a.as_year_month_duration(), b.as_year_month_duration()));
  }
  if (auto moved_value = add_to_temporal(machine, a, b)) return *std::move(moved_value);
  if (auto moved_value = add_to_temporal(machine, b, a)) return *std::move(moved_value);
  return mismatch(machine, "add", a, b);
}

Value subtract(Machine& machine, const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) {
    std::int64_t difference = 0;
    if (!__builtin_sub_overflow(a.int_unchecked(), b.int_unchecked(), &difference))
      return difference;
  }
  if (a.is_number() && b.is_number()) {
    machine.charge(cost::decimal);
    return or_out_of_range(machine, pawl::subtract(a.as_decimal(), b.as_decimal()));
  }
  machine.charge(cost::temporal);
  if (const auto opposite_of_b = negated_duration(b)) {
    if (a.kind() == b.kind()) return add(machine, a, *opposite_of_b);
    if (auto moved_value = add_to_temporal(machine, a, *opposite_of_b))
      return *std::move(moved_value);
  }
  charge_zone(machine, a);
  charge_zone(machine, b);
  if (auto difference = subtract_temporals(a, b)) return *std::move(difference);
  return mismatch(machine, "subtract", a, b);
}

Value multiply(Machine& machine, const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a.int_unchecked(), b.int_unchecked(), &product)) return product;
  }
  machine.charge(cost::decimal);
  if (a.is_number() && b.is_number()) {
    return or_out_of_range(machine, pawl::multiply(a.as_decimal(), b.as_decimal()));
  }
  if (auto scaled = scale(machine, a, b, pawl::multiply)) return *std::move(scaled);
  if (auto scaled = scale(machine, b, a, pawl::multiply)) return *std::move(scaled);
  return mismatch(machine, "multiply", a, b);
}

Value divide(Machine& machine, const Value& a, const Value& b) {
  machine.charge(cost::decimal);
  if (b.is_number() && b.as_decimal().is_zero()) {
    return machine.problem(Problem::Kind::other, "can't divide by zero");
  }
  if (a.is_number() && b.is_number()) {
    return or_out_of_range(machine, pawl::divide(a.as_decimal(), b.as_decimal()));
  }
  if (auto scaled = scale(machine, a, b, pawl::divide)) return *std::move(scaled);
  if (a.kind() == b.kind() && a.kind() == Kind::day_time_duration) {
    return or_out_of_range(machine, pawl::divide(nanos_of(a.as_day_time_duration()),
                                                 nanos_of(b.as_day_time_duration())));
  }
  if (a.kind() == b.kind() && a.kind() == Kind::year_month_duration) {
    return or_out_of_range(machine, pawl::divide(Decimal(a.as_year_month_duration().months),
                                                 Decimal(b.as_year_month_duration().months)));
  }
  return mismatch(machine, "divide", a, b);
}

Value power(Machine& machine, const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) return mismatch(machine, "raise to a power", a, b);
  machine.charge(power_cost(a.as_decimal(), b.as_int()));
  return or_out_of_range(machine, pawl::power(a.as_decimal(), b.as_decimal()));
}

Value negate(Machine& machine, const Value& a) {
  if (a.is_int() && a.int_unchecked() != std::numeric_limits<std::int64_t>::min()) {
    return -a.int_unchecked();
  }
  if (a.is_number()) return a.as_decimal().negated();
  if (auto duration = negated_duration(a)) return *std::move(duration);
  if (!machine.wants_problems()) return nullptr;
  return machine.type_problem(
      fmt::format("can't negate {}: {}", kind_name(a.kind()), preview(a, 40)));
}

}  // namespace pawl::feel
