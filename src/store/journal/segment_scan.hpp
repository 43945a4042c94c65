// SPDX-License-Identifier: Apache-2.0
// Reading one segment: a view that holds about a megabyte of it, the frame at an offset, and the
// search for a frame behind bytes that are none. All of it only reads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "store/files.hpp"
#include "store/journal/segment_format.hpp"

namespace pawl::store {

struct Segment {
  std::string name{};
  SegmentHeader header{};
  std::unique_ptr<File> file{};
};

class FileView {
 public:
  explicit FileView(const File& file) : file_(file) {}
  // At most `size` bytes, fewer at the end of the file. Good until the next call.
  Result<std::string_view> at(std::uint64_t offset, std::uint64_t size);

 private:
  const File& file_;
  std::uint64_t start_{0};
  std::string bytes_{};
};

struct Frame {
  Position first{Position::none};
  std::uint32_t count{0};
  std::uint64_t bytes{0};      // with header and padding
  std::string_view payload{};  // in the view
};

// nullopt: there is no whole frame of this segment at `offset`.
Result<std::optional<Frame>> frame_at(FileView& view, const SegmentHeader& segment,
                                      std::uint64_t offset);

// The first offset at or behind `from` where a frame of this segment begins, whole or not. Records
// cannot look like it, because they do not know the salt.
Result<std::optional<std::uint64_t>> find_mark(const Segment& segment, std::uint64_t from);
// The offset of the first whole frame of this segment at or behind `from`.
Result<std::optional<std::uint64_t>> find_frame(const Segment& segment, std::uint64_t from);

// How many bytes a frame claims that was begun at `offset` but is not whole; 0: none was begun.
Result<std::uint64_t> begun_bytes(FileView& view, const SegmentHeader& segment,
                                  std::uint64_t offset, Position expected);

}  // namespace pawl::store
