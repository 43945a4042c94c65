// SPDX-License-Identifier: Apache-2.0
#include "store/journal/crc32c.hpp"

#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace pawl::store {
namespace {

static_assert(std::endian::native == std::endian::little, "the journal is little-endian");

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// Table k has the effect of a byte that is followed by k zero bytes, so that eight bytes can be
// looked up at once.
constexpr Tables make_tables() {
  Tables crc_tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
    crc_tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = crc_tables[k - 1][byte];
      crc_tables[k][byte] = (before >> 8) ^ crc_tables[0][before & 0xFF];
    }
  }
  return crc_tables;
}

constexpr Tables crc_tables = make_tables();

std::uint64_t load(const char* from) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    const std::uint64_t word = load(at) ^ crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= crc_tables[7 - k][(word >> (8 * k)) & 0xFF];
  }
  for (; left > 0; --left, ++at) {
    crc = (crc >> 8) ^ crc_tables[0][(crc ^ static_cast<std::uint8_t>(*at)) & 0xFF];
  }
  return ~crc;
}

#if defined(__x86_64__)

bool has_crc32c_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(std::string_view bytes,
                                                                      std::uint32_t before) {
  std::uint64_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) crc = _mm_crc32_u64(crc, load(at));
  for (; left > 0; --left, ++at) {
    crc = _mm_crc32_u8(static_cast<std::uint32_t>(crc), static_cast<std::uint8_t>(*at));
  }
  return ~static_cast<std::uint32_t>(crc);
}

#else

bool has_crc32c_instruction() { return false; }

std::uint32_t crc32c_by_instruction(std::string_view bytes, std::uint32_t before) {
  return crc32c_by_table(bytes, before);
}

#endif

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  static const bool quick = has_crc32c_instruction();
  return quick ? crc32c_by_instruction(bytes, before) : crc32c_by_table(bytes, before);
}

}  // namespace pawl::store
