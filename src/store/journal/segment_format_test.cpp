// SPDX-License-Identifier: Apache-2.0
#include "store/journal/segment_format.hpp"

#include <gtest/gtest.h>

#include "store/journal/crc32c.hpp"

namespace pawl::store {
namespace {

TEST(Crc32c, gives_the_published_numbers) {
  const std::pair<std::string, std::uint32_t> rows[] = {
      {"", 0},
      {"123456789", 0xE3069283},
      {std::string(32, '\0'), 0x8A9136AA},  // RFC 3720, B.4
      {std::string(32, '\xFF'), 0x62A8AB43},
  };
  for (const auto& [bytes, sum] : rows) {
    EXPECT_EQ(crc32c(bytes), sum);
    EXPECT_EQ(crc32c_by_table(bytes, 0), sum);
  }
}

TEST(Crc32c, is_the_same_by_table_by_instruction_and_in_parts) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<char>(i * 131 + i / 7));
  for (std::size_t from = 0; from < 9; ++from) {
    for (std::size_t size = 0; from + size <= bytes.size(); ++size) {
      const auto part = std::string_view(bytes).substr(from, size);
      const std::uint32_t sum = crc32c_by_table(part, 0);
      if (has_crc32c_instruction()) {
        EXPECT_EQ(crc32c_by_instruction(part, 0), sum);
      }
      EXPECT_EQ(crc32c(part.substr(size / 3), crc32c(part.substr(0, size / 3))), sum);
    }
  }
}

TEST(SegmentFormat, a_header_comes_back_as_it_was) {
  const SegmentHeader header{
      .first = position_from(77), .serial = 5, .salt = 0xABCDEF0123456789, .size = 1u << 20};
  const ReadHeader read = decode_header(encode_header(header));
  EXPECT_EQ(read.state, HeaderState::valid);
  EXPECT_EQ(read.header, header);
}

TEST(SegmentFormat, a_frame_comes_back_as_it_was) {
  const std::vector<std::string> records = {"", "a", std::string(300, 'b'), std::string("\0c", 2)};
  std::string frame;
  const auto size = begin_frame(frame, records);
  ASSERT_EQ(size, frame.size());
  finish_frame(frame, records.size(), position_from(9), 42);
  EXPECT_EQ(frame.size() % 8, 0u);
  EXPECT_TRUE(is_valid_frame(frame, 42));
  EXPECT_FALSE(is_valid_frame(frame, 43));
  const FrameHeader header = decode_frame_header(frame);
  EXPECT_EQ(header.first, 9u);
  std::vector<std::string> back;
  EXPECT_TRUE(split_payload(std::string_view(frame).substr(frame_header_bytes, header.length),
                            header.count, [&](std::string_view record) {
                              back.emplace_back(record);
                              return true;
                            }));
  EXPECT_EQ(back, records);
}

TEST(SegmentFormat, a_payload_of_other_than_the_counted_records_is_none) {
  const auto take = [](std::string_view) { return true; };
  const std::string two("\x01x\x02yy", 5);
  EXPECT_TRUE(split_payload(two, 2, take));
  EXPECT_FALSE(split_payload(two, 1, take));
  EXPECT_FALSE(split_payload(two, 3, take));
  EXPECT_FALSE(split_payload(two.substr(0, 4), 2, take));
  EXPECT_FALSE(split_payload(std::string(20, '\xFF'), 1, take));
}

TEST(SegmentFormat, names_hold_their_number) {
  EXPECT_EQ(segment_name(position_from(42)), "journal-0000000000000042.pawl");
  const std::pair<const char*, std::optional<std::uint64_t>> rows[] = {
      {"journal-0000000000000042.pawl", 42},
      {"journal-18446744073709551615.pawl", ~0ull},
      {"journal-18446744073709551616.pawl", std::nullopt},
      {"journal-42.pawl", std::nullopt},
      {"journal-00000000000000-2.pawl", std::nullopt},
      {"journal-0000000000000042.pawl~", std::nullopt},
      {"spare-0000000000000042.pawl", std::nullopt},
      {".pawl", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [name, number] : rows) EXPECT_EQ(number_in_segment_name(name), number) << name;
  EXPECT_EQ(number_in_spare_name(spare_name(7)), 7u);
}

}  // namespace
}  // namespace pawl::store
