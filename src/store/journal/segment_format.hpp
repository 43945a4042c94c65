// SPDX-License-Identifier: Apache-2.0
// What the bytes of a segment file mean, and what its names are. A segment is a header in the first
// sector, then frames, then space that holds zeros or what the file held before it was reused. A
// frame is one batch of records. Numbers are little-endian. docs/journal-format.md has the tables.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "store/record.hpp"

namespace pawl::store {

inline constexpr std::uint32_t segment_version = 1;
inline constexpr std::size_t sector_bytes = 512;
// Frames begin in the second sector, so that no frame is ever written into the header's.
inline constexpr std::uint64_t frames_start = sector_bytes;
inline constexpr std::size_t segment_header_bytes = 64;
inline constexpr std::size_t frame_header_bytes = 32;
inline constexpr std::uint64_t largest_payload = 1ull << 30;

struct SegmentHeader {
  Position first{Position::none};  // of the first record that belongs here
  std::uint64_t serial{0};         // grows with every segment that is made
  std::uint64_t salt{0};           // is in every frame: frames of another life of this file differ
  std::uint64_t size{0};           // of the file
  bool operator==(const SegmentHeader&) const = default;
};

enum class HeaderState : std::uint8_t { valid, broken, too_new };
struct ReadHeader {
  HeaderState state{HeaderState::broken};
  std::uint32_t version{0};
  SegmentHeader header{};  // if valid
};

// A whole sector.
std::string encode_header(const SegmentHeader& header);
ReadHeader decode_header(std::string_view bytes);

struct FrameHeader {
  std::uint32_t magic{0};
  std::uint32_t crc{0};  // of all that follows, without the padding
  std::uint64_t salt{0};
  std::uint64_t first{0};   // position of the first record
  std::uint32_t count{0};   // of records
  std::uint32_t length{0};  // of the payload
};
inline constexpr std::uint32_t frame_magic = 0x4D524650;  // "PFRM"

// Needs frame_header_bytes.
FrameHeader decode_frame_header(std::string_view bytes);
constexpr std::uint64_t frame_bytes(std::uint64_t payload) {
  return (frame_header_bytes + payload + 7) / 8 * 8;
}

// A frame is built in two steps, because the segment that it goes to may have to be made between
// them. nullopt: more than largest_payload.
std::optional<std::uint64_t> begin_frame(std::string& frame, std::span<const std::string> records);
void finish_frame(std::string& frame, std::size_t count, Position first, std::uint64_t salt);

// Checks magic, salt, lengths and checksum of a whole frame.
bool is_valid_frame(std::string_view frame, std::uint64_t salt);
// Calls `visit` for each record until it returns false. False: these are not `count` records.
bool split_payload(std::string_view payload, std::uint32_t count,
                   const std::function<bool(std::string_view)>& visit);

// "journal-0000000000000001.pawl" and "spare-0000000000000001.pawl".
std::string segment_name(Position first);
std::string spare_name(std::uint64_t number);
std::optional<std::uint64_t> number_in_segment_name(std::string_view name);
std::optional<std::uint64_t> number_in_spare_name(std::string_view name);
inline constexpr const char* unfinished_name = "unfinished.pawl";  // a file that is being zeroed

}  // namespace pawl::store
