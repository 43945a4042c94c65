// SPDX-License-Identifier: Apache-2.0
// The four operations, modulo, powers and roots. Everything is computed exactly, or to more than
// 34 digits, and rounded once at the end. Small operands stay in 128 bits.
#include <algorithm>
#include <boost/multiprecision/cpp_dec_float.hpp>

#include "value/decimal.hpp"
#include "value/decimal_wide.hpp"

namespace pawl {
namespace {

using decimal::bits_of;
using decimal::digits_of;
using decimal::digits_of_u128;
using decimal::powers_of_ten;
using decimal::rounded;
using decimal::U128;
using decimal::U256;
using decimal::Unrounded;
using decimal::wide_power_of_ten;

// A double's worth of 34 digits, the 34 that ln loses near 1, and some to spare.
using Float = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<80>>;

// Enough to round 34 digits correctly when a far smaller number is added or taken away.
constexpr int guard_digits = 40;

U128 power_of_ten(int exponent) { return powers_of_ten[static_cast<std::size_t>(exponent)]; }

// a + b with both signs in the arguments; a has the larger exponent.
std::optional<Decimal> add_aligned(const Decimal& a, const Decimal& b) {
  const int shift = a.exponent() - b.exponent();
  if (a.digits() + shift < digits_of_u128) {
    const U128 x = a.coefficient() * power_of_ten(shift);
    const U128 y = b.coefficient();
    if (a.is_negative() == b.is_negative()) {
      return rounded(a.is_negative(), x + y, b.exponent(), false);
    }
    const bool first_larger = x >= y;
    return rounded(first_larger ? a.is_negative() : b.is_negative(), first_larger ? x - y : y - x,
                   b.exponent(), false);
  }

  // Here x has more digits than y ever has.
  const int scale = std::min(shift, guard_digits);
  const U256 x = U256(a.coefficient()) * wide_power_of_ten(scale);
  U256 y = b.coefficient();
  bool more = false;
  if (const int dropped = shift - scale; dropped > 0) {
    const bool all = dropped > digits_of_u128;
    const U128 divisor = all ? 0 : power_of_ten(dropped);
    y = all ? U128{0} : b.coefficient() / divisor;
    more = all || b.coefficient() % divisor != 0;
  }
  const int exponent = a.exponent() - scale;
  if (a.is_negative() == b.is_negative()) {
    return rounded(Unrounded{a.is_negative(), x + y, exponent, more});
  }
  return rounded(Unrounded{a.is_negative(), x - y - (more ? 1 : 0), exponent, more});
}

// |a| mod |b|, exact.
std::optional<Decimal> remainder_of_magnitudes(const Decimal& a, const Decimal& b) {
  int shift = a.exponent() - b.exponent();
  if (shift < 0) {
    if (b.digits() - shift > 2 * Decimal::max_digits) return a.abs();  // b is larger than a
    const U256 modulus = U256(b.coefficient()) * wide_power_of_ten(-shift);
    return rounded(Unrounded{false, U256(a.coefficient()) % modulus, a.exponent(), false});
  }
  // a.coefficient × 10^shift mod b.coefficient, by squaring.
  const U256 modulus = b.coefficient();
  U256 result = U256(a.coefficient()) % modulus;
  U256 factor = U256(10) % modulus;
  for (; shift > 0; shift >>= 1) {
    if ((shift & 1) != 0) result = result * factor % modulus;
    factor = factor * factor % modulus;
  }
  return rounded(Unrounded{false, result, b.exponent(), false});
}

// Powers keep 38 digits between the steps, four more than the result has.
struct Scaled {
  U256 coefficient{1};
  std::int64_t exponent{0};
};

constexpr std::int64_t hopeless_exponent = 100'000;  // far beyond what could be rounded back

Scaled product(const Scaled& a, const Scaled& b) {
  Scaled result{a.coefficient * b.coefficient, a.exponent + b.exponent};
  if (const int drop = digits_of(result.coefficient) - digits_of_u128; drop > 0) {
    const U256& divisor = wide_power_of_ten(drop);
    result.coefficient = (result.coefficient + divisor / 2) / divisor;
    result.exponent += drop;
  }
  result.exponent = std::clamp(result.exponent, -hopeless_exponent, hopeless_exponent);
  return result;
}

// 999…9 (38 digits) may round up to 10^38, which has one digit too many for the next product.
Scaled shortened(Scaled number) {
  if (digits_of(number.coefficient) > digits_of_u128) {
    number.coefficient /= 10;
    ++number.exponent;
  }
  return number;
}

// nullopt also where only a step on the way is out of range (10^-6176).
std::optional<Decimal> integer_power(const Decimal& base, std::int64_t exponent) {
  auto left = static_cast<std::uint64_t>(exponent);
  if (exponent < 0) left = 0 - left;
  const bool negative = base.is_negative() && (left & 1) != 0;

  Scaled result;
  Scaled factor{base.coefficient(), base.exponent()};
  while (left != 0) {
    if ((left & 1) != 0) result = shortened(product(result, factor));
    left >>= 1;
    if (left != 0) factor = shortened(product(factor, factor));
  }
  const auto magnitude = rounded(Unrounded{negative, result.coefficient, result.exponent, false});
  return exponent >= 0 || !magnitude ? magnitude : divide(Decimal(1), *magnitude);
}

std::optional<Decimal> power_of_power_of_ten(const Decimal& base, std::int64_t exponent) {
  const bool negative = base.is_negative() && (exponent & 1) != 0;
  std::int64_t zeros = 0;
  if (__builtin_mul_overflow(exponent, std::int64_t{base.exponent()}, &zeros)) {
    zeros = (exponent < 0) == (base.exponent() < 0) ? hopeless_exponent : -hopeless_exponent;
  }
  return rounded(negative, 1, zeros, false);
}

Float to_float(const Decimal& value) { return Float(value.to_string()); }

std::optional<Decimal> from_float(const Float& value) {
  if (!(boost::multiprecision::isfinite)(value)) return std::nullopt;
  return Decimal::parse(value.str(60, std::ios_base::scientific));
}

// e to this or beyond is out of range, or zero.
const Decimal& exponential_limit() {
  static const Decimal limit(14'300);
  return limit;
}

std::optional<Decimal> exponential_of(const Float& value) {
  return from_float(boost::multiprecision::exp(value));
}

bool is_odd(const Decimal& whole) {
  return whole.exponent() == 0 && (whole.coefficient() & 1) != 0;
}

// By logarithm: for exponents that are large or no integers.
std::optional<Decimal> real_power(const Decimal& base, const Decimal& exponent) {
  const Decimal one(1);
  if (base.is_zero()) return base;
  if (base.is_negative() && !exponent.is_integer()) return std::nullopt;
  if (base.abs() == one) return is_odd(exponent) ? base : one;

  const Float result_log = to_float(exponent) * boost::multiprecision::log(to_float(base.abs()));
  if (result_log > to_float(exponential_limit())) return std::nullopt;
  if (result_log < -to_float(exponential_limit())) return Decimal();
  const auto magnitude = exponential_of(result_log);
  if (magnitude && base.is_negative() && is_odd(exponent)) return magnitude->negated();
  return magnitude;
}

}  // namespace

std::optional<Decimal> add(const Decimal& a, const Decimal& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return a.exponent() >= b.exponent() ? add_aligned(a, b) : add_aligned(b, a);
}

std::optional<Decimal> subtract(const Decimal& a, const Decimal& b) { return add(a, b.negated()); }

std::optional<Decimal> multiply(const Decimal& a, const Decimal& b) {
  const bool negative = a.is_negative() != b.is_negative();
  const std::int64_t exponent = a.exponent() + b.exponent();
  if (bits_of(a.coefficient()) + bits_of(b.coefficient()) <= 126) {
    return rounded(negative, a.coefficient() * b.coefficient(), exponent, false);
  }
  return rounded(
      Unrounded{negative, U256(a.coefficient()) * U256(b.coefficient()), exponent, false});
}

std::optional<Decimal> divide(const Decimal& a, const Decimal& b) {
  if (b.is_zero()) return std::nullopt;
  const bool negative = a.is_negative() != b.is_negative();
  if (a.coefficient() % b.coefficient() == 0) {
    return rounded(negative, a.coefficient() / b.coefficient(), a.exponent() - b.exponent(), false);
  }
  // Scaled so that the quotient has at least 35 digits.
  const int scale = std::max(0, Decimal::max_digits + 1 + b.digits() - a.digits());
  const U256 dividend = U256(a.coefficient()) * wide_power_of_ten(scale);
  const U256 divisor = b.coefficient();
  const U256 quotient = dividend / divisor;
  const bool more = quotient * divisor != dividend;
  return rounded(Unrounded{negative, quotient, a.exponent() - b.exponent() - scale, more});
}

std::optional<Decimal> modulo(const Decimal& a, const Decimal& b) {
  if (b.is_zero()) return std::nullopt;
  auto remainder = remainder_of_magnitudes(a, b);
  if (!remainder || remainder->is_zero()) return remainder;
  if (a.is_negative()) remainder = remainder->negated();
  return a.is_negative() == b.is_negative() ? remainder : add(*remainder, b);
}

std::optional<Decimal> power(const Decimal& base, const Decimal& exponent) {
  if (exponent.is_zero()) return Decimal(1);
  if (base.is_zero() && exponent.is_negative()) return std::nullopt;
  const auto whole = exponent.to_int64();
  if (whole && *whole >= -largest_exact_power && *whole <= largest_exact_power) {
    if (const auto result = integer_power(base, *whole)) return result;
  } else if (whole && base.coefficient() == 1) {
    return power_of_power_of_ten(base, *whole);
  }
  return real_power(base, exponent);
}

std::optional<Decimal> square_root(const Decimal& a) {
  if (a.is_negative()) return std::nullopt;
  if (a.is_zero()) return a;
  // An even exponent, and 69 or 70 digits under the root for 35 in the result.
  int scale = 2 * Decimal::max_digits + 2 - a.digits();
  if (((a.exponent() - scale) & 1) != 0) --scale;
  const U256 radicand = U256(a.coefficient()) * wide_power_of_ten(scale);
  const U256 root = boost::multiprecision::sqrt(radicand);
  return rounded(Unrounded{false, root, (a.exponent() - scale) / 2, root * root != radicand});
}

std::optional<Decimal> natural_log(const Decimal& a) {
  if (a.is_negative() || a.is_zero()) return std::nullopt;
  return from_float(boost::multiprecision::log(to_float(a)));
}

std::optional<Decimal> exponential(const Decimal& a) {
  if (a.abs() > exponential_limit()) {
    if (a.is_negative()) return Decimal();
    return std::nullopt;
  }
  return exponential_of(to_float(a));
}

}  // namespace pawl
