// SPDX-License-Identifier: Apache-2.0
// What the work of an expression costs. A step stands for about 25 ns of processor time in the
// release build; it has 256 parts, because a byte costs far less. bench/feel.cpp measures how true
// this is: what is charged must be within a factor of three of what is spent.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pawl::feel::cost {

inline constexpr std::uint64_t step = 256;

// Parts for a byte
inline constexpr std::uint64_t compared = 1;  // with another one, or with one that is looked for
inline constexpr std::uint64_t made = 4;      // new memory, filled
inline constexpr std::uint64_t scanned = 16;  // looked at one by one, or searched for a text
inline constexpr std::uint64_t walked = 32;   // read as characters

// Parts for
inline constexpr std::uint64_t item = 96;    // one of a list: copied, compared, passed over
inline constexpr std::uint64_t entry = 512;  // one of a context: copied or made

// Steps for
inline constexpr std::uint64_t name = 1;     // looked up outside
inline constexpr std::uint64_t decimal = 3;  // + - * / < of numbers that are no small integers
inline constexpr std::uint64_t remainder =
    4;                                     // modulo, and for each bit that the exponents differ by
inline constexpr std::uint64_t power = 3;  // for each bit of the exponent
inline constexpr std::uint64_t root = 12;
inline constexpr std::uint64_t exponential = 300;
inline constexpr std::uint64_t logarithm = 4'000;
inline constexpr std::uint64_t number_text = 6;  // of a number that is no small integer
inline constexpr std::uint64_t temporal = 4;     // arithmetic, or the text, of dates and durations
inline constexpr std::uint64_t zone = 3;         // the offset of a named zone
inline constexpr std::uint64_t chance = 6;       // uuid()

// Bytes that values take beside their content.
inline constexpr std::size_t value_bytes = 16;  // in a list
inline constexpr std::size_t node_bytes = 48;   // of each text, list, closure …
inline constexpr std::size_t entry_bytes = 64;  // of a context, without a long key
inline constexpr std::size_t short_key = 15;    // is held in the entry

// The bits of a number: about how often `count` things are halved.
constexpr std::uint64_t bits(std::uint64_t count) {
  std::uint64_t found = 0;
  for (; count > 0; count >>= 1) ++found;
  return found;
}

}  // namespace pawl::feel::cost
