// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "feel/builtins/builtins.hpp"

namespace pawl::feel {
namespace {

Value or_undefined(Call& call, const std::optional<Decimal>& number) {
  return number ? Value(*number) : call.refuse("the result is out of range or not defined");
}

Value rounded(Call& call, Rounding rounding) {
  std::int64_t scale = 0;
  if (call.has(1)) {
    const auto wanted = call.whole(1);
    if (!wanted || *wanted < -Decimal::max_exponent || *wanted > -Decimal::min_exponent) {
      return call.refuse(fmt::format("the scale must be from {} to {}", -Decimal::max_exponent,
                                     -Decimal::min_exponent));
    }
    scale = *wanted;
  }
  call.machine.charge(cost::decimal);
  return or_undefined(call, round_to(call[0].as_decimal(), static_cast<int>(scale), rounding));
}

Value decimal(Call& call) { return rounded(call, Rounding::half_even); }
Value floor(Call& call) { return rounded(call, Rounding::floor); }
Value ceiling(Call& call) { return rounded(call, Rounding::ceiling); }
Value round_up(Call& call) { return rounded(call, Rounding::up); }
Value round_down(Call& call) { return rounded(call, Rounding::down); }
Value round_half_up(Call& call) { return rounded(call, Rounding::half_up); }
Value round_half_down(Call& call) { return rounded(call, Rounding::half_down); }

Value decimal_with_mode(Call& call) {
  static constexpr std::pair<std::string_view, Rounding> modes[] = {
      {"UP", Rounding::up},
      {"DOWN", Rounding::down},
      {"CEILING", Rounding::ceiling},
      {"FLOOR", Rounding::floor},
      {"HALF_UP", Rounding::half_up},
      {"HALF_DOWN", Rounding::half_down},
      {"HALF_EVEN", Rounding::half_even},
  };
  constexpr std::size_t longest_mode = 20;  // and a little more
  std::string mode(call.text(2).substr(0, longest_mode));
  std::transform(mode.begin(), mode.end(), mode.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  for (const auto& [name, rounding] : modes) {
    if (name == mode) return rounded(call, rounding);
  }
  if (mode != "UNNECESSARY") {
    return call.refuse(fmt::format("{} is no rounding mode", preview(call[2], 40)));
  }
  const Value exact = rounded(call, Rounding::down);
  if (exact == call[0]) return exact;
  return call.refuse("the number can't be rounded without loss");
}

Value absolute(Call& call) { return call[0].as_decimal().abs(); }

Value absolute_duration(Call& call) {
  if (call[0].kind() == Value::Kind::year_month_duration) {
    const std::int64_t months = call[0].as_year_month_duration().months;
    return YearMonthDuration{months < 0 ? -months : months};
  }
  const DayTimeDuration& given = call[0].as_day_time_duration();
  return given < DayTimeDuration{} ? DayTimeDuration{-given.seconds, -given.nanos} : given;
}

std::optional<Decimal> remainder(Call& call, const Decimal& a, const Decimal& b) {
  const auto distance = static_cast<std::uint64_t>(std::abs(a.exponent() - b.exponent()));
  call.machine.charge(cost::remainder * (1 + cost::bits(distance)));
  return modulo(a, b);
}

Value modulo_of(Call& call) {
  return or_undefined(call, remainder(call, call[0].as_decimal(), call[1].as_decimal()));
}

Value sqrt_of(Call& call) {
  call.machine.charge(cost::root);
  return or_undefined(call, square_root(call[0].as_decimal()));
}

Value log_of(Call& call) {
  call.machine.charge(cost::logarithm);
  return or_undefined(call, natural_log(call[0].as_decimal()));
}

Value exp_of(Call& call) {
  call.machine.charge(cost::exponential);
  return or_undefined(call, exponential(call[0].as_decimal()));
}

Value remainder_is(Call& call, bool odd) {
  const auto rest = remainder(call, call[0].as_decimal(), Decimal(2));
  if (!rest || !rest->is_integer()) return call.refuse("an integer is needed");
  return rest->is_zero() != odd;
}

Value odd(Call& call) { return remainder_is(call, true); }
Value even(Call& call) { return remainder_is(call, false); }

Value random_number(Call& call) {
  constexpr std::uint64_t parts = 1'000'000'000'000'000;
  return or_undefined(call, Decimal::make(false, call.machine.random() % parts, -15));
}

constexpr Builtin number_table[] = {
    {"decimal(n: number, scale: number)", decimal},
    {"decimal(n: number, scale: number, mode: string)", decimal_with_mode},
    {"floor(n: number, scale?: number)", floor},
    {"ceiling(n: number, scale?: number)", ceiling},
    {"round up(n: number, scale: number)", round_up},
    {"round down(n: number, scale: number)", round_down},
    {"round half up(n: number, scale: number)", round_half_up},
    {"round half down(n: number, scale: number)", round_half_down},
    {"abs(number|n: number)", absolute},
    {"abs(number|n: duration)", absolute_duration},
    {"modulo(dividend: number, divisor: number)", modulo_of},
    {"sqrt(number: number)", sqrt_of},
    {"log(number: number)", log_of},
    {"exp(number: number)", exp_of},
    {"odd(number: number)", odd},
    {"even(number: number)", even},
    {"random number()", random_number},
};

}  // namespace

std::span<const Builtin> number_builtins() { return number_table; }

}  // namespace pawl::feel
