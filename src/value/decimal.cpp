// SPDX-License-Identifier: Apache-2.0
// Making, comparing and rounding decimals. Arithmetic is in decimal_arithmetic.cpp, text in
// decimal_text.cpp.
#include "value/decimal.hpp"

#include <algorithm>

#include "value/decimal_wide.hpp"

namespace pawl {
namespace decimal {
namespace {

// The largest exponent of the leading digit; the exponent of the last digit is at least
// Decimal::min_exponent.
constexpr std::int64_t largest_leading = Decimal::max_exponent + Decimal::max_digits - 1;

template <class Wide>
Rest rest_after(const Wide& remainder, const Wide& divisor, bool more) {
  if (remainder == 0 && !more) return Rest::none;
  const Wide other = divisor - remainder;
  if (remainder < other) return Rest::below_half;
  if (remainder > other) return Rest::above_half;
  return more ? Rest::above_half : Rest::half;
}

// How many digits have to go, so that neither the number of digits nor the exponent is too large.
std::int64_t digits_to_drop(int digits, std::int64_t exponent) {
  const std::int64_t surplus = std::max(0, digits - Decimal::max_digits);
  return std::max(surplus, Decimal::min_exponent - exponent);
}

Decimal::Coefficient narrow(const U256& value) { return static_cast<U128>(value); }

}  // namespace

int digits_of(const U256& value) {
  if (value == 0) return 0;
  const int guess = static_cast<int>(msb(value) + 1) * 1233 >> 12;
  return value >= wide_power_of_ten(guess) ? guess + 1 : guess;
}

const U256& wide_power_of_ten(int exponent) {
  static const auto table = [] {
    std::array<U256, 78> powers{};
    powers[0] = 1;
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();
  return table[static_cast<std::size_t>(exponent)];
}

bool rounds_away(Rounding rounding, bool negative, bool odd, Rest rest) {
  if (rest == Rest::none) return false;
  switch (rounding) {
    case Rounding::half_even:
      return rest == Rest::above_half || (rest == Rest::half && odd);
    case Rounding::half_up:
      return rest != Rest::below_half;
    case Rounding::half_down:
      return rest == Rest::above_half;
    case Rounding::up:
      return true;
    case Rounding::down:
      return false;
    case Rounding::ceiling:
      return !negative;
    case Rounding::floor:
      return negative;
  }
  return false;
}

std::optional<Decimal> rounded(bool negative, U128 coefficient, std::int64_t exponent, bool more) {
  const std::int64_t drop = digits_to_drop(digits_of(coefficient), exponent);
  if (drop > digits_of_u128) return Decimal();
  if (drop > 0 || more) {
    const U128 divisor = powers_of_ten[static_cast<std::size_t>(std::max<std::int64_t>(drop, 0))];
    const U128 quotient = coefficient / divisor;
    const Rest rest =
        drop > 0 ? rest_after<U128>(coefficient % divisor, divisor, more) : Rest::below_half;
    const bool away = rounds_away(Rounding::half_even, negative, (quotient & 1) != 0, rest);
    coefficient = quotient + (away ? 1 : 0);
    exponent += std::max<std::int64_t>(drop, 0);
  }
  if (coefficient == 0) return Decimal();
  if (digits_of(coefficient) - 1 + exponent > largest_leading) return std::nullopt;
  return Decimal::make(negative, coefficient, static_cast<int>(exponent));
}

std::optional<Decimal> rounded(const Unrounded& number) {
  const int digits = digits_of(number.coefficient);
  if (digits <= digits_of_u128) {
    return rounded(number.negative, narrow(number.coefficient), number.exponent, number.more);
  }
  // Bring it down to 38 digits with `more` for the rest, so that rounding happens only once.
  const int drop = digits - digits_of_u128;
  const U256& divisor = wide_power_of_ten(drop);
  const U256 quotient = number.coefficient / divisor;
  const bool more = number.more || quotient * divisor != number.coefficient;
  return rounded(number.negative, narrow(quotient), number.exponent + drop, more);
}

}  // namespace decimal

namespace {

using decimal::powers_of_ten;
using decimal::U128;

void strip_zeros(std::uint64_t& coefficient, std::int64_t& exponent) {
  while (coefficient % 10000 == 0) coefficient /= 10000, exponent += 4;
  while (coefficient % 10 == 0) coefficient /= 10, exponent += 1;
}

// Divisions of 128 bits are slow; most numbers are left after one, or need none.
void strip_zeros(U128& coefficient, std::int64_t& exponent) {
  while (coefficient > UINT64_MAX) {
    const int zeros = coefficient % powers_of_ten[16] == 0 ? 16
                      : coefficient % 10000 == 0           ? 4
                      : coefficient % 10 == 0              ? 1
                                                           : 0;
    if (zeros == 0) return;
    coefficient /= powers_of_ten[static_cast<std::size_t>(zeros)];
    exponent += zeros;
  }
  auto small = static_cast<std::uint64_t>(coefficient);
  strip_zeros(small, exponent);
  coefficient = small;
}

std::strong_ordering compare_magnitudes(const Decimal& a, const Decimal& b) {
  if (a.is_zero() || b.is_zero()) return !a.is_zero() <=> !b.is_zero();
  const int leading_a = a.digits() + a.exponent();
  const int leading_b = b.digits() + b.exponent();
  if (leading_a != leading_b) return leading_a <=> leading_b;
  const int shift = a.exponent() - b.exponent();  // at most 33 digits: the leading ones are level
  U128 x = a.coefficient();
  U128 y = b.coefficient();
  if (shift > 0) x *= powers_of_ten[static_cast<std::size_t>(shift)];
  if (shift < 0) y *= powers_of_ten[static_cast<std::size_t>(-shift)];
  return x < y   ? std::strong_ordering::less
         : x > y ? std::strong_ordering::greater
                 : std::strong_ordering::equal;
}

}  // namespace

Decimal::Decimal(std::int64_t value) {
  if (value == 0) return;
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) magnitude = 0 - magnitude;
  std::int64_t exponent = 0;
  strip_zeros(magnitude, exponent);
  coefficient_ = magnitude;
  exponent_ = static_cast<std::int32_t>(exponent);
  negative_ = value < 0;
}

std::optional<Decimal> Decimal::make(bool negative, Coefficient coefficient, int exponent) {
  if (coefficient == 0) return Decimal();
  if (coefficient > decimal::largest_coefficient || exponent < min_exponent) {
    return decimal::rounded(negative, coefficient, exponent, false);
  }
  std::int64_t stripped_exponent = exponent;
  strip_zeros(coefficient, stripped_exponent);
  if (decimal::digits_of(coefficient) - 1 + stripped_exponent > max_exponent + max_digits - 1) {
    return std::nullopt;
  }
  Decimal made;
  made.coefficient_ = coefficient;
  made.exponent_ = static_cast<std::int32_t>(stripped_exponent);
  made.negative_ = negative;
  return made;
}

int Decimal::digits() const { return std::max(1, decimal::digits_of(coefficient_)); }

std::optional<std::int64_t> Decimal::to_int64() const {
  if (exponent_ < 0 || exponent_ > 18) return std::nullopt;
  const U128 largest = static_cast<U128>(INT64_MAX) + (negative_ ? 1 : 0);
  if (coefficient_ > largest) return std::nullopt;
  const U128 magnitude = coefficient_ * powers_of_ten[static_cast<std::size_t>(exponent_)];
  if (magnitude > largest) return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(magnitude);
  return static_cast<std::int64_t>(negative_ ? 0 - bits : bits);
}

Decimal Decimal::negated() const {
  Decimal other = *this;
  other.negative_ = !negative_ && coefficient_ != 0;
  return other;
}

Decimal Decimal::abs() const {
  Decimal other = *this;
  other.negative_ = false;
  return other;
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  if (a.negative_ != b.negative_) {
    return a.negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  return a.negative_ ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}

std::optional<Decimal> round_to(const Decimal& a, int scale, Rounding rounding) {
  using decimal::Rest;
  const std::int64_t drop = -static_cast<std::int64_t>(scale) - a.exponent();
  if (drop <= 0 || a.is_zero()) return a;

  U128 quotient = 0;
  Rest rest = Rest::below_half;
  if (drop <= decimal::digits_of_u128) {
    const U128 divisor = powers_of_ten[static_cast<std::size_t>(drop)];
    quotient = a.coefficient() / divisor;
    const U128 remainder = a.coefficient() % divisor;
    const U128 other = divisor - remainder;
    rest = remainder == 0       ? Rest::none
           : remainder < other  ? Rest::below_half
           : remainder == other ? Rest::half
                                : Rest::above_half;
  }
  const bool odd = (quotient & 1) != 0;
  if (decimal::rounds_away(rounding, a.is_negative(), odd, rest)) ++quotient;
  return decimal::rounded(a.is_negative(), quotient, -static_cast<std::int64_t>(scale), false);
}

}  // namespace pawl
