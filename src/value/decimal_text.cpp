// SPDX-License-Identifier: Apache-2.0
// Decimals from and to text, and from and to doubles by way of text.
#include "value/decimal_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/ascii.hpp"
#include "value/decimal_wide.hpp"

namespace pawl {
namespace {

using decimal::U128;

constexpr std::size_t longest_plain_text = 40;
constexpr std::int64_t exponent_ceiling = 1'000'000'000;  // larger ones are not told apart

// Reads digits into a coefficient of up to 38; what does not fit is counted and remembered as
// "something follows", so that thousands of digits cost one pass.
class DigitReader {
 public:
  void take(char digit, bool after_point) {
    any_ = true;
    if (kept_ < decimal::digits_of_u128) {
      coefficient_ = coefficient_ * 10 + static_cast<unsigned>(digit - '0');
      if (coefficient_ != 0) ++kept_;
      if (after_point) --exponent_;
    } else {
      more_ = more_ || digit != '0';
      if (!after_point) ++exponent_;
    }
  }

  bool any() const { return any_; }
  U128 coefficient() const { return coefficient_; }
  std::int64_t exponent() const { return exponent_; }
  bool more() const { return more_; }

 private:
  U128 coefficient_{0};
  std::int64_t exponent_{0};
  int kept_{0};
  bool more_{false};
  bool any_{false};
};

// "12", "-3", "+400"; saturates.
std::optional<std::int64_t> read_exponent(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) value = std::min(value * 10 + (c - '0'), exponent_ceiling);
  return negative ? -value : value;
}

std::string coefficient_text(U128 value) {
  std::array<char, 40> buffer{};
  char* at = buffer.data() + buffer.size();
  do {
    *--at = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  return {at, buffer.data() + buffer.size()};
}

std::string scientific_text(const std::string& digits, int exponent) {
  const int leading = exponent + static_cast<int>(digits.size()) - 1;
  std::string text = digits.substr(0, 1);
  if (digits.size() > 1) text += '.' + digits.substr(1);
  return text + (leading < 0 ? "E-" : "E+") + std::to_string(std::abs(leading));
}

std::string plain_text(const std::string& digits, int exponent) {
  if (exponent >= 0) return digits + std::string(static_cast<std::size_t>(exponent), '0');
  const auto behind = static_cast<std::size_t>(-exponent);
  if (digits.size() > behind) {
    const std::size_t point = digits.size() - behind;
    return digits.substr(0, point) + '.' + digits.substr(point);
  }
  return "0." + std::string(behind - digits.size(), '0') + digits;
}

std::size_t plain_length(std::size_t digits, int exponent) {
  if (exponent >= 0) return digits + static_cast<std::size_t>(exponent);
  return std::max(digits, static_cast<std::size_t>(-exponent) + 1) + 1;
}

// As `scientific_text` makes it.
std::size_t scientific_length(std::size_t digits, int exponent) {
  const int leading = std::abs(exponent + static_cast<int>(digits) - 1);
  const std::size_t point = digits > 1 ? 1 : 0;
  std::size_t length = digits + point + 3;  // E, the sign, the first digit
  for (int rest = leading; rest >= 10; rest /= 10) ++length;
  return length;
}

}  // namespace

std::size_t decimal::text_size(const Decimal& number) noexcept {
  const auto digits = static_cast<std::size_t>(number.digits());
  const std::size_t plain = plain_length(digits, number.exponent());
  return (number.is_negative() ? 1 : 0) +
         (plain <= longest_plain_text ? plain : scientific_length(digits, number.exponent()));
}

std::optional<Decimal> Decimal::parse(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  std::size_t at = negative ? 1 : 0;

  DigitReader reader;
  while (at < text.size() && is_digit(text[at])) reader.take(text[at++], false);
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (at == text.size() || !is_digit(text[at])) return std::nullopt;
    while (at < text.size() && is_digit(text[at])) reader.take(text[at++], true);
  }
  if (!reader.any()) return std::nullopt;

  std::int64_t exponent = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const auto given = read_exponent(text.substr(at + 1));
    if (!given) return std::nullopt;
    exponent = *given;
    at = text.size();
  }
  if (at != text.size()) return std::nullopt;
  if (reader.coefficient() == 0) return Decimal();
  return decimal::rounded(negative, reader.coefficient(), reader.exponent() + exponent,
                          reader.more());
}

std::optional<Decimal> Decimal::from_double(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  return parse({buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())});
}

double Decimal::to_double() const {
  const std::string text =
      (negative_ ? "-" : "") + coefficient_text(coefficient_) + "e" + std::to_string(exponent_);
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec == std::errc::result_out_of_range) {
    const double magnitude = digits() + exponent_ > 0 ? HUGE_VAL : 0.0;
    return negative_ ? -magnitude : magnitude;
  }
  return value;
}

std::string Decimal::to_string() const {
  const std::string digits = coefficient_text(coefficient_);
  const bool plain = plain_length(digits.size(), exponent_) <= longest_plain_text;
  const std::string text =
      plain ? plain_text(digits, exponent_) : scientific_text(digits, exponent_);
  return negative_ ? "-" + text : text;
}

}  // namespace pawl
