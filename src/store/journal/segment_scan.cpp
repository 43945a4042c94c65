// SPDX-License-Identifier: Apache-2.0
#include "store/journal/segment_scan.hpp"

#include <algorithm>

namespace pawl::store {
namespace {

constexpr std::uint64_t window_bytes = 1u << 20;

// The first place in `bytes` where magic and salt of a frame are; frames begin at multiples of 8.
std::optional<std::uint64_t> find_candidate(std::string_view bytes, std::uint64_t salt) {
  for (std::uint64_t at = 0; at + frame_header_bytes <= bytes.size(); at += 8) {
    const FrameHeader header = decode_frame_header(bytes.substr(at));
    if (header.salt == salt && header.magic == frame_magic) return at;
  }
  return std::nullopt;
}

bool holds_records(const Frame& frame) {
  return split_payload(frame.payload, frame.count, [](std::string_view) { return true; });
}

}  // namespace

Result<std::string_view> FileView::at(std::uint64_t offset, std::uint64_t size) {
  if (offset < start_ || offset + size > start_ + bytes_.size()) {
    PAWL_TRY(bytes, file_.read_at(offset, std::max(size, window_bytes)));
    bytes_ = std::move(bytes);
    start_ = offset;
  }
  return std::string_view(bytes_).substr(offset - start_, size);
}

Result<std::optional<Frame>> frame_at(FileView& view, const SegmentHeader& segment,
                                      std::uint64_t offset) {
  const std::optional<Frame> none;
  if (offset + frame_header_bytes > segment.size) return none;
  PAWL_TRY(head, view.at(offset, frame_header_bytes));
  if (head.size() < frame_header_bytes) return none;
  const FrameHeader header = decode_frame_header(head);
  if (header.magic != frame_magic || header.salt != segment.salt) return none;
  if (header.length > segment.size - offset - frame_header_bytes) return none;
  PAWL_TRY(whole, view.at(offset, frame_header_bytes + header.length));
  if (!is_valid_frame(whole, segment.salt)) return none;
  Frame frame{.first = position_from(header.first),
              .count = header.count,
              .bytes = frame_bytes(header.length),
              .payload = whole.substr(frame_header_bytes)};
  if (!holds_records(frame)) return none;
  return std::optional<Frame>(frame);
}

Result<std::optional<std::uint64_t>> find_mark(const Segment& segment, std::uint64_t from) {
  const std::uint64_t size = segment.header.size;
  FileView view(*segment.file);
  while (from + frame_header_bytes <= size) {
    PAWL_TRY(bytes, view.at(from, std::min(window_bytes, size - from)));
    if (bytes.size() < frame_header_bytes) break;
    const auto found = find_candidate(bytes, segment.header.salt);
    if (found) return std::optional(from + *found);
    from += (bytes.size() - frame_header_bytes) / 8 * 8 + 8;
  }
  return std::optional<std::uint64_t>();
}

Result<std::optional<std::uint64_t>> find_frame(const Segment& segment, std::uint64_t from) {
  FileView view(*segment.file);
  for (;;) {
    PAWL_TRY(mark, find_mark(segment, from));
    if (!mark) return mark;
    PAWL_TRY(frame, frame_at(view, segment.header, *mark));
    if (frame) return mark;
    from = *mark + 8;
  }
}

// A frame has three marks that nothing else has together: magic, salt, and the position that comes
// next. Two of them are enough, so that one damaged byte does not hide a frame. Where the file was
// used before, an old frame has the magic only.
Result<std::uint64_t> begun_bytes(FileView& view, const SegmentHeader& segment,
                                  std::uint64_t offset, Position expected) {
  if (offset + frame_header_bytes > segment.size) return std::uint64_t{0};
  PAWL_TRY(head, view.at(offset, frame_header_bytes));
  if (head.size() < frame_header_bytes) return std::uint64_t{0};
  const FrameHeader header = decode_frame_header(head);
  const int marks = (header.magic == frame_magic ? 1 : 0) + (header.salt == segment.salt ? 1 : 0) +
                    (header.first == number(expected) ? 1 : 0);
  if (marks < 2) return std::uint64_t{0};
  return std::min(frame_bytes(header.length), segment.size - offset);
}

}  // namespace pawl::store
