// SPDX-License-Identifier: Apache-2.0
// Inside of the decimals: wide intermediates and the one place where they are rounded to 34 digits.
#pragma once

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>

#include "value/decimal.hpp"

namespace pawl::decimal {

using U128 = unsigned __int128;
// 77 digits: the product of two 38-digit coefficients fits.
using U256 = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    256, 256, boost::multiprecision::unsigned_magnitude, boost::multiprecision::unchecked, void>>;

inline constexpr int digits_of_u128 = 38;  // that always fit

constexpr auto powers_of_ten = [] {
  std::array<U128, digits_of_u128 + 1> table{};
  table[0] = 1;
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] * 10;
  return table;
}();

inline constexpr U128 largest_coefficient = powers_of_ten[Decimal::max_digits] - 1;

constexpr int bits_of(U128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  if (high != 0) return 128 - __builtin_clzll(high);
  return low != 0 ? 64 - __builtin_clzll(low) : 0;
}

// 0 for 0.
constexpr int digits_of(U128 value) {
  const int guess = bits_of(value) * 1233 >> 12;  // log10(2) = 0.30103
  return guess < 39 && value >= powers_of_ten[static_cast<std::size_t>(guess)] ? guess + 1 : guess;
}

int digits_of(const U256& value);
const U256& wide_power_of_ten(int exponent);  // 0 … 76

// How a quotient goes on after its last digit.
enum class Rest : std::uint8_t { none, below_half, half, above_half };

// The quotient, one higher where the rounding says so.
bool rounds_away(Rounding rounding, bool negative, bool odd, Rest rest);

// A number before rounding: ±(coefficient + rest) × 10^exponent. `more` says that something other
// than zero follows the coefficient.
struct Unrounded {
  bool negative{false};
  U256 coefficient{0};
  std::int64_t exponent{0};
  bool more{false};
};

// To 34 digits, half even. nullopt: too large.
std::optional<Decimal> rounded(const Unrounded& number);
std::optional<Decimal> rounded(bool negative, U128 coefficient, std::int64_t exponent, bool more);

}  // namespace pawl::decimal
