// SPDX-License-Identifier: Apache-2.0
#include "store/journal/segment_format.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "store/journal/crc32c.hpp"
#include "store/wire.hpp"

namespace pawl::store {
namespace {

constexpr std::string_view segment_magic("PAWLLOG\n", 8);
constexpr std::size_t header_crc_at = segment_header_bytes - 4;

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
template <class T>
T get(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The checksum of a frame covers all but the magic and itself.
std::uint32_t frame_crc(std::string_view frame, std::size_t payload) {
  return crc32c(frame.substr(8, frame_header_bytes - 8 + payload));
}

std::optional<std::uint64_t> number_in(std::string_view name, std::string_view prefix) {
  constexpr std::string_view suffix = ".pawl";
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  if (name.size() < 16 + suffix.size()) return std::nullopt;
  name.remove_suffix(suffix.size());
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string encode_header(const SegmentHeader& header) {
  std::string bytes(sector_bytes, '\0');
  bytes.replace(0, segment_magic.size(), segment_magic);
  put(bytes, 8, segment_version);
  put(bytes, 16, number(header.first));
  put(bytes, 24, header.serial);
  put(bytes, 32, header.salt);
  put(bytes, 40, header.size);
  put(bytes, header_crc_at, crc32c(std::string_view(bytes).substr(0, header_crc_at)));
  return bytes;
}

// Every version has magic, version and checksum at these places, so that a later version is known
// as such and not taken for damage.
ReadHeader decode_header(std::string_view bytes) {
  if (bytes.size() < segment_header_bytes || !bytes.starts_with(segment_magic)) return {};
  if (get<std::uint32_t>(bytes, header_crc_at) != crc32c(bytes.substr(0, header_crc_at))) return {};
  const auto version = get<std::uint32_t>(bytes, 8);
  if (version > segment_version) return {HeaderState::too_new, version, {}};
  if (version == 0 || get<std::uint64_t>(bytes, 16) == 0) return {};
  return {HeaderState::valid,
          version,
          {.first = position_from(get<std::uint64_t>(bytes, 16)),
           .serial = get<std::uint64_t>(bytes, 24),
           .salt = get<std::uint64_t>(bytes, 32),
           .size = get<std::uint64_t>(bytes, 40)}};
}

FrameHeader decode_frame_header(std::string_view bytes) {
  return {.magic = get<std::uint32_t>(bytes, 0),
          .crc = get<std::uint32_t>(bytes, 4),
          .salt = get<std::uint64_t>(bytes, 8),
          .first = get<std::uint64_t>(bytes, 16),
          .count = get<std::uint32_t>(bytes, 24),
          .length = get<std::uint32_t>(bytes, 28)};
}

std::optional<std::uint64_t> begin_frame(std::string& frame, std::span<const std::string> records) {
  std::uint64_t estimate = frame_header_bytes;
  for (const std::string& record : records) estimate += record.size() + 10;
  if (estimate > largest_payload) return std::nullopt;
  frame.clear();
  frame.reserve(estimate + 8);
  frame.resize(frame_header_bytes);
  wire::Writer out(frame);
  for (const std::string& record : records) {
    out.varint(record.size());
    frame.append(record);
  }
  put(frame, 28, static_cast<std::uint32_t>(frame.size() - frame_header_bytes));
  frame.resize(frame_bytes(frame.size() - frame_header_bytes), '\0');
  return frame.size();
}

void finish_frame(std::string& frame, std::size_t count, Position first, std::uint64_t salt) {
  put(frame, 0, frame_magic);
  put(frame, 8, salt);
  put(frame, 16, number(first));
  put(frame, 24, static_cast<std::uint32_t>(count));
  put(frame, 4, frame_crc(frame, get<std::uint32_t>(frame, 28)));
}

bool is_valid_frame(std::string_view frame, std::uint64_t salt) {
  if (frame.size() < frame_header_bytes) return false;
  const FrameHeader header = decode_frame_header(frame);
  return header.magic == frame_magic && header.salt == salt && header.count > 0 &&
         header.length <= frame.size() - frame_header_bytes &&
         header.crc == frame_crc(frame, header.length);
}

bool split_payload(std::string_view payload, std::uint32_t count,
                   const std::function<bool(std::string_view)>& visit) {
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t size = 0;
    if (!wire::take_varint(payload, size) || size > payload.size()) return false;
    if (!visit(payload.substr(0, size))) return true;
    payload.remove_prefix(size);
  }
  return payload.empty();
}

std::string segment_name(Position first) {
  return fmt::format("journal-{:016}.pawl", number(first));
}
std::string spare_name(std::uint64_t number) { return fmt::format("spare-{:016}.pawl", number); }

std::optional<std::uint64_t> number_in_segment_name(std::string_view name) {
  return number_in(name, "journal-");
}
std::optional<std::uint64_t> number_in_spare_name(std::string_view name) {
  return number_in(name, "spare-");
}

}  // namespace pawl::store
