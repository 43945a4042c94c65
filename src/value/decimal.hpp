// SPDX-License-Identifier: Apache-2.0
// Exact decimal numbers of up to 34 significant digits (as IEEE 754 decimal128 has them), for
// money and counts that must not go through binary floating point. Kept normalised: no trailing
// zeros in the coefficient, so that equal numbers have equal members. Arithmetic rounds half-even
// to 34 digits; nullopt means overflow or an undefined result (division by zero).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

enum class Rounding : std::uint8_t {
  half_even,
  half_up,    // half away from zero
  half_down,  // half towards zero
  up,         // away from zero
  down,       // towards zero
  ceiling,
  floor,
};

class Decimal {
 public:
  using Coefficient = unsigned __int128;

  static constexpr int max_digits = 34;
  static constexpr int max_exponent = 6111;
  static constexpr int min_exponent = -6176;

  constexpr Decimal() = default;
  explicit Decimal(std::int64_t value);

  // coefficient × 10^exponent, rounded to 34 digits; nullopt when out of range.
  static std::optional<Decimal> make(bool negative, Coefficient coefficient, int exponent);
  // A JSON or FEEL number ("-12.50", "1e3", ".5"); nullopt when it is not one or is out of range.
  static std::optional<Decimal> parse(std::string_view text);
  // The shortest decimal that a double stands for (scripts give doubles). Not for NaN or infinity.
  static std::optional<Decimal> from_double(double value);

  bool is_negative() const { return negative_; }
  bool is_zero() const { return coefficient_ == 0; }
  bool is_integer() const { return exponent_ >= 0; }
  Coefficient coefficient() const { return coefficient_; }
  int exponent() const { return exponent_; }
  int digits() const;  // of the coefficient

  std::optional<std::int64_t> to_int64() const;  // only if exact
  double to_double() const;
  // Plain digits ("1200", "0.001"); scientific only where plain would need more than 40 characters.
  std::string to_string() const;

  Decimal negated() const;
  Decimal abs() const;

  friend bool operator==(const Decimal&, const Decimal&) = default;
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);

 private:
  Coefficient coefficient_{0};
  std::int32_t exponent_{0};
  bool negative_{false};
};

std::optional<Decimal> add(const Decimal& a, const Decimal& b);
std::optional<Decimal> subtract(const Decimal& a, const Decimal& b);
std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);
std::optional<Decimal> divide(const Decimal& a, const Decimal& b);
// Remainder with the sign of the divisor (FEEL modulo: a - b * floor(a / b)).
std::optional<Decimal> modulo(const Decimal& a, const Decimal& b);
std::optional<Decimal> power(const Decimal& base, const Decimal& exponent);
// Integer exponents beyond this, and all others, take a logarithm: a hundred times as long. (Beyond
// it, only powers of ten can have an exact result of 34 digits.)
inline constexpr std::int64_t largest_exact_power = 200;
std::optional<Decimal> square_root(const Decimal& a);
std::optional<Decimal> natural_log(const Decimal& a);
std::optional<Decimal> exponential(const Decimal& a);
// Rounded to `scale` digits after the point (negative: before it).
std::optional<Decimal> round_to(const Decimal& a, int scale, Rounding rounding);

}  // namespace pawl
