// SPDX-License-Identifier: Apache-2.0
// CRC32C (Castagnoli), the checksum of everything in the journal. Uses the processor's instruction
// where there is one, else tables; both give the same number.
#pragma once

#include <cstdint>
#include <string_view>

namespace pawl::store {

// `before` is the checksum of the bytes that came before these.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

// The two ways by name, so that a test can compare them.
std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t before);
bool has_crc32c_instruction();
std::uint32_t crc32c_by_instruction(std::string_view bytes, std::uint32_t before);

}  // namespace pawl::store
