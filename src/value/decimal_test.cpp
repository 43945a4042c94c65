// SPDX-License-Identifier: Apache-2.0
#include "value/decimal.hpp"

#include <gtest/gtest.h>

#include <string>

#include "value/decimal_text.hpp"

namespace pawl {
namespace {

Decimal decimal(std::string_view text) {
  const auto value = Decimal::parse(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(Decimal());
}

std::string shown(const std::optional<Decimal>& value) {
  return value ? value->to_string() : "nothing";
}

TEST(Decimal, parses_and_prints) {
  const std::string nines34(34, '9');
  const std::pair<std::string, std::string> rows[] = {
      {"0", "0"},
      {"-0", "0"},
      {"-0.00", "0"},
      {"000", "0"},
      {"-12.50", "-12.5"},
      {".5", "0.5"},
      {"1e3", "1000"},
      {"1E+3", "1000"},
      {"12e-3", "0.012"},
      {"1200", "1200"},
      {nines34, nines34},
      {"0." + nines34, "0." + nines34},
      {"1e39", "1" + std::string(39, '0')},
      {"1e40", "1E+40"},
      {"-123e60", "-1.23E+62"},
      {"1e-38", "0." + std::string(37, '0') + "1"},
      {"1e-39", "1E-39"},
      {"1e6144", "1E+6144"},
      {"1e-6176", "1E-6176"},
      {"9223372036854775808", "9223372036854775808"},
      {"0e999999999999999999999", "0"},
  };
  for (const auto& [text, expected] : rows) {
    EXPECT_EQ(shown(Decimal::parse(text)), expected) << text;
    EXPECT_EQ(shown(Decimal::parse(expected)), expected) << text;
  }
}

TEST(Decimal, refuses_what_is_no_number) {
  for (const char* text : {"", "-", "+1", ".", "1.", "-.", "1e", "1e+", "e5", "1.2.3", "1 ", " 1",
                           "0x10", "NaN", "Infinity", "1,5", "--1", "1e1.5", "1_000"}) {
    EXPECT_FALSE(Decimal::parse(text)) << text;
  }
}

TEST(Decimal, parse_rounds_half_even_at_34_digits) {
  const std::string ones(33, '1');
  const std::pair<std::string, std::string> rows[] = {
      {ones + "25", ones + "20"},                          // tie, even stays
      {ones + "35", ones + "40"},                          // tie, odd goes up
      {ones + "25" + "0000001", ones + "30" + "0000000"},  // above the tie
      {ones + "249999", ones + "20000" + "0"},
      {std::string(34, '9') + "5", "1" + std::string(35, '0')},
      {std::string(34, '9') + "4", std::string(34, '9') + "0"},
  };
  for (const auto& [text, expected] : rows) {
    EXPECT_EQ(decimal(text), decimal(expected)) << text << " gave " << shown(Decimal::parse(text));
  }
}

TEST(Decimal, parse_sees_a_one_after_thousands_of_zeros) {
  const std::string tie = std::string(33, '1') + "25";
  EXPECT_EQ(shown(Decimal::parse(tie + "." + std::string(5000, '0'))), std::string(33, '1') + "20");
  EXPECT_EQ(shown(Decimal::parse(tie + "." + std::string(5000, '0') + "1")),
            std::string(33, '1') + "30");
}

TEST(Decimal, parse_survives_huge_inputs) {
  EXPECT_EQ(shown(Decimal::parse("0." + std::string(1'000'000, '0') + "1")), "0");
  EXPECT_EQ(shown(Decimal::parse("1" + std::string(7000, '0'))), "nothing");
  EXPECT_EQ(shown(Decimal::parse("1" + std::string(7000, '0') + "e-7000")), "1");
  EXPECT_EQ(shown(Decimal::parse("1e999999999999999999999999")), "nothing");
  EXPECT_EQ(shown(Decimal::parse("1e-999999999999999999999999")), "0");
  EXPECT_EQ(shown(Decimal::parse("1e6145")), "nothing");
  EXPECT_EQ(shown(Decimal::parse(std::string(35, '9') + "e6110")), "nothing");
}

TEST(Decimal, tiny_numbers_round_to_the_last_place_there_is) {
  EXPECT_EQ(shown(Decimal::parse("15e-6177")), "2E-6176");
  EXPECT_EQ(shown(Decimal::parse("25e-6177")), "2E-6176");
  EXPECT_EQ(shown(Decimal::parse("5e-6177")), "0");
  EXPECT_EQ(shown(Decimal::parse("1e-6177")), "0");
}

TEST(Decimal, keeps_64_bit_integers) {
  for (const std::int64_t value : {INT64_MIN, INT64_MIN + 1, INT64_C(-1000), INT64_C(-1),
                                   INT64_C(0), INT64_C(1), INT64_C(10), INT64_MAX - 1, INT64_MAX}) {
    EXPECT_EQ(Decimal(value).to_int64(), value);
    EXPECT_EQ(Decimal(value).to_string(), std::to_string(value));
    EXPECT_EQ(Decimal(value), decimal(std::to_string(value)));
  }
  EXPECT_FALSE(decimal("9223372036854775808").to_int64());
  EXPECT_TRUE(decimal("-9223372036854775808").to_int64());
  EXPECT_FALSE(decimal("-9223372036854775809").to_int64());
  EXPECT_FALSE(decimal("1e19").to_int64());
  EXPECT_FALSE(decimal("0.5").to_int64());
}

TEST(Decimal, goes_through_doubles) {
  EXPECT_EQ(shown(Decimal::from_double(0.1)), "0.1");
  EXPECT_EQ(shown(Decimal::from_double(-2.5e-7)), "-0.00000025");
  EXPECT_EQ(shown(Decimal::from_double(1e21)), "1000000000000000000000");
  EXPECT_EQ(shown(Decimal::from_double(-0.0)), "0");
  EXPECT_EQ(shown(Decimal::from_double(1.0 / 0.0)), "nothing");
  EXPECT_EQ(shown(Decimal::from_double(0.0 / 0.0)), "nothing");
  EXPECT_EQ(decimal("0.1").to_double(), 0.1);
  EXPECT_EQ(decimal("-1e400").to_double(), -HUGE_VAL);
  EXPECT_EQ(decimal("1e-400").to_double(), 0.0);
  EXPECT_EQ(decimal("9007199254740993").to_double(), 9007199254740992.0);
}

TEST(Decimal, orders_by_value) {
  const char* ascending[] = {"-1e6144",
                             "-100",
                             "-99.99",
                             "-1",
                             "-0.001",
                             "-1e-6176",
                             "0",
                             "1e-6176",
                             "0.001",
                             "0.1",
                             "0.9",
                             "1",
                             "1.000000000000000001",
                             "9.99",
                             "10",
                             "1e33",
                             "1e6144"};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      EXPECT_EQ(decimal(ascending[i]) <=> decimal(ascending[j]), i <=> j)
          << ascending[i] << " and " << ascending[j];
    }
  }
}

struct Operation {
  const char* a;
  char sign;
  const char* b;
  std::string expected;
};

std::optional<Decimal> apply(const Operation& row) {
  const Decimal a = decimal(row.a);
  const Decimal b = decimal(row.b);
  switch (row.sign) {
    case '+':
      return add(a, b);
    case '-':
      return subtract(a, b);
    case '*':
      return multiply(a, b);
    case '/':
      return divide(a, b);
    case '%':
      return modulo(a, b);
    default:
      return power(a, b);
  }
}

TEST(Decimal, calculates) {
  const std::string nines34(34, '9');
  const Operation rows[] = {
      {"0.1", '+', "0.2", "0.3"},
      {"1", '+', "-1", "0"},
      {"9223372036854775807", '+', "1", "9223372036854775808"},
      {"1e30", '+', "1e-3", "1" + std::string(30, '0') + ".001"},
      {"1e34", '+', "1", "1" + std::string(34, '0')},
      {"1e34", '-', "1", std::string(34, '9')},
      {"1e35", '-', "1", "1" + std::string(35, '0')},
      {"1e100", '-', "1e-100", "1E+100"},
      {"1e6000", '+', "1e-6000", "1E+6000"},
      {"9999999999999999999999999999999999", '+', "0.5", "1" + std::string(34, '0')},
      {"9999999999999999999999999999999998", '+', "0.5", "9999999999999999999999999999999998"},
      {"9999999999999999999999999999999998", '+', "0.50000000000000000001", nines34},
      {"1000000000000000000000000000000001", '-', "0.5", "1000000000000000000000000000000000"},
      {"9999999999999999999999999999999999e6111", '+', "1e6111", "nothing"},
      {"9999999999999999999999999999999999e6111", '+', "1e6077",
       "9.999999999999999999999999999999999E+6144"},

      {"1.5", '*', "-2", "-3"},
      {"-0.5", '*', "0", "0"},
      {"9999999999999999999999999999999999", '*', "9999999999999999999999999999999999",
       "9.999999999999999999999999999999998E+67"},
      {"1e3100", '*', "1e3100", "nothing"},
      {"1e-3100", '*', "1e-3100", "0"},
      {"18446744073709551616", '*', "18446744073709551616",
       "340282366920938463463374607431768200000"},

      {"10", '/', "4", "2.5"},
      {"1", '/', "3", "0.3333333333333333333333333333333333"},
      {"2", '/', "3", "0.6666666666666666666666666666666667"},
      {"-2", '/', "3", "-0.6666666666666666666666666666666667"},
      {"1", '/', "0", "nothing"},
      {"0", '/', "0", "nothing"},
      {"0", '/', "-7", "0"},
      {"1", '/', "1e-6144", "1E+6144"},
      {"1", '/', "1e-6145", "nothing"},
      {"1", '/', "9999999999999999999999999999999999", "1.000000000000000000000000000000000E-34"},

      {"12", '%', "5", "2"},
      {"-12", '%', "5", "3"},
      {"12", '%', "-5", "-3"},
      {"-12", '%', "-5", "-2"},
      {"10.1", '%', "4.5", "1.1"},
      {"-10.1", '%', "4.5", "3.4"},
      {"10.1", '%', "-4.5", "-3.4"},
      {"-10.1", '%', "-4.5", "-1.1"},
      {"10", '%', "5", "0"},
      {"1", '%', "0", "nothing"},
      {"1e6000", '%', "7", "1"},
      {"1e6001", '%', "7", "3"},
      {"3", '%', "1e6000", "3"},
      {"0.3", '%', "1e30", "0.3"},

      {"2", '^', "10", "1024"},
      {"2", '^', "-2", "0.25"},
      {"2", '^', "0", "1"},
      {"0", '^', "0", "1"},
      {"0", '^', "3", "0"},
      {"0", '^', "-1", "nothing"},
      {"0", '^', "0.5", "0"},
      {"-2", '^', "3", "-8"},
      {"-2", '^', "4", "16"},
      {"-8", '^', "0.5", "nothing"},
      {"4", '^', "0.5", "2"},
      {"2", '^', "0.5", "1.414213562373095048801688724209698"},
      {"8", '^', "-0.5", "0.3535533905932737622004221810524245"},
      {"10", '^', "6144", "1E+6144"},
      {"10", '^', "6145", "nothing"},
      {"10", '^', "-6176", "1E-6176"},
      {"1e-100", '^', "61", "1E-6100"},
      {"1e-62", '^', "-99", "1E+6138"},
      {"1e62", '^', "-99", "1E-6138"},
      {"1e-31", '^', "-198", "1E+6138"},
      {"2e31", '^', "-199", "0"},
      {"10", '^', "999999999999999999", "nothing"},
      {"10", '^', "-999999999999999999", "0"},
      {"1", '^', "999999999999999999", "1"},
      {"-1", '^', "999999999999999999", "-1"},
      {"-1", '^', "1e30", "1"},
      {"2", '^', "1e30", "nothing"},
      {"0.5", '^', "1e30", "0"},
      {"2", '^', "112", "5192296858534827628530496329220096"},
      {"2", '^', "200", "1.606938044258990275541962092341163E+60"},
      {"2", '^', "1000", "1.071508607186267320948425049060002E+301"},
      {"1.000000001", '^', "1000000000", "2.718281827099904322376644023860333"},
  };
  for (const Operation& row : rows) {
    const auto expected = Decimal::parse(row.expected);
    const auto result = apply(row);
    EXPECT_EQ(result, expected) << row.a << ' ' << row.sign << ' ' << row.b << " = "
                                << shown(result) << ", not " << row.expected;
  }
}

TEST(Decimal, takes_roots_logarithms_and_exponentials) {
  EXPECT_EQ(shown(square_root(decimal("16"))), "4");
  EXPECT_EQ(shown(square_root(decimal("0.25"))), "0.5");
  EXPECT_EQ(shown(square_root(decimal("2"))), "1.414213562373095048801688724209698");
  EXPECT_EQ(shown(square_root(decimal("1e-6176"))), "1E-3088");
  EXPECT_EQ(shown(square_root(decimal("0"))), "0");
  EXPECT_EQ(shown(square_root(decimal("-1"))), "nothing");

  EXPECT_EQ(shown(natural_log(decimal("1"))), "0");
  EXPECT_EQ(shown(natural_log(decimal("10"))), "2.302585092994045684017991454684364");
  EXPECT_EQ(shown(natural_log(decimal("1.000000000000000000000000000000001"))),
            "9.999999999999999999999999999999995E-34");
  EXPECT_EQ(shown(natural_log(decimal("0"))), "nothing");
  EXPECT_EQ(shown(natural_log(decimal("-1"))), "nothing");

  EXPECT_EQ(shown(exponential(decimal("0"))), "1");
  EXPECT_EQ(shown(exponential(decimal("1"))), "2.718281828459045235360287471352662");
  EXPECT_EQ(shown(exponential(decimal("14149"))), shown(exponential(decimal("14149.0"))));
  EXPECT_TRUE(exponential(decimal("14149")));
  EXPECT_EQ(shown(exponential(decimal("14150"))), "nothing");
  EXPECT_EQ(shown(exponential(decimal("1e9"))), "nothing");
  EXPECT_EQ(shown(exponential(decimal("-1e9"))), "0");
  EXPECT_EQ(shown(exponential(decimal("-15000"))), "0");
}

TEST(Decimal, rounds_in_seven_ways) {
  using enum Rounding;
  struct Row {
    const char* number;
    int scale;
    Rounding rounding;
    const char* expected;
  };
  const Row rows[] = {
      {"2.5", 0, half_even, "2"},      {"3.5", 0, half_even, "4"},
      {"-2.5", 0, half_even, "-2"},    {"2.5", 0, half_up, "3"},
      {"-2.5", 0, half_up, "-3"},      {"2.49", 0, half_up, "2"},
      {"2.5", 0, half_down, "2"},      {"-2.5", 0, half_down, "-2"},
      {"2.51", 0, half_down, "3"},     {"2.1", 0, up, "3"},
      {"-2.1", 0, up, "-3"},           {"2.9", 0, down, "2"},
      {"-2.9", 0, down, "-2"},         {"2.1", 0, ceiling, "3"},
      {"-2.9", 0, ceiling, "-2"},      {"2.9", 0, floor, "2"},
      {"-2.1", 0, floor, "-3"},        {"1.125", 2, half_even, "1.12"},
      {"1.135", 2, half_even, "1.14"}, {"125", -1, half_even, "120"},
      {"5", -1, half_even, "0"},       {"15", -1, half_even, "20"},
      {"5", -1, half_up, "10"},        {"1", -40, up, "1E+40"},
      {"1", -40, half_up, "0"},        {"1", -7000, up, "nothing"},
      {"1.5", 7000, up, "1.5"},        {"0", -5, up, "0"},
      {"1e-6000", 0, ceiling, "1"},    {"-1e-6000", 0, ceiling, "0"},
      {"-0.4", 0, half_up, "0"},       {"9.99", 1, half_up, "10"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(shown(round_to(decimal(row.number), row.scale, row.rounding)),
              shown(Decimal::parse(row.expected)))
        << row.number << " to " << row.scale;
  }
  EXPECT_TRUE(round_to(decimal("1"), INT32_MAX, up));
  EXPECT_FALSE(round_to(decimal("1"), INT32_MIN, up));
}

TEST(Decimal, knows_how_long_its_text_is) {
  EXPECT_EQ(decimal::text_size(Decimal()), 1u);
  const std::string digits = "1234567891234567891234567891234567";
  for (std::size_t count = 1; count <= digits.size(); ++count) {
    for (int exponent = -1'200; exponent <= 1'200; ++exponent) {
      for (const bool negative : {false, true}) {
        const Decimal positive =
            *Decimal::parse(digits.substr(0, count) + "e" + std::to_string(exponent));
        const Decimal number = negative ? positive.negated() : positive;
        ASSERT_EQ(decimal::text_size(number), number.to_string().size()) << number.to_string();
      }
    }
  }
}

}  // namespace
}  // namespace pawl
