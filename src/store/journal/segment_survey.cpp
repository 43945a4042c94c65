// SPDX-License-Identifier: Apache-2.0
#include "store/journal/segment_survey.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::store {
namespace {

constexpr Position no_stop = position_from(~std::uint64_t{0});

struct Looking {
  Files& files;
  Survey found{};
  bool was_used{false};  // a spare was a segment that was not the first of the journal

  void problem(Code code, const std::string& name, std::uint64_t offset, const std::string& fact) {
    const char* hint = code == Code::store_too_new
                           ? "use the version of Pawl that wrote it, or a later one"
                           : "restore a backup; `pawl verify DIR` shows what is readable";
    found.problems.push_back(fail(
        Whose::machine, code,
        fmt::format("{}/{}, offset {}: {}\n  hint   {}", files.place(), name, offset, fact, hint)));
  }
  void damage(const std::string& name, std::uint64_t offset, const std::string& fact) {
    problem(Code::store_damaged, name, offset, fact);
  }
};

// --- names and headers --------------------------------------------------------------------------
Result<void> look_at_spare(Looking& look, const std::string& name, std::uint64_t number) {
  PAWL_TRY(file, look.files.open(name, false));
  PAWL_TRY(size, file->size());
  PAWL_TRY(head, file->read_at(0, segment_header_bytes));
  // A spare keeps the header of its last life until the next: its serial must not be used again.
  const ReadHeader read = decode_header(head);
  look.found.serial = std::max(look.found.serial, read.header.serial);
  look.was_used = look.was_used || read.header.first > position_from(1);
  look.found.spares.push_back({.name = name, .number = number, .size = size});
  return {};
}

// A segment gets its name only when its header is durable, so a bad header is never a crash.
Result<void> look_at_header(Looking& look, const std::string& name, std::uint64_t number) {
  auto segment = std::make_shared<Segment>();
  segment->name = name;
  PAWL_TRY(file, look.files.open(name, false));
  segment->file = std::move(file);
  PAWL_TRY(size, segment->file->size());
  PAWL_TRY(head, segment->file->read_at(0, segment_header_bytes));
  const ReadHeader read = decode_header(head);
  segment->header = read.header;
  if (read.state == HeaderState::too_new) {
    look.problem(Code::store_too_new, name, 0,
                 fmt::format("the format is version {}, this program knows {}", read.version,
                             segment_version));
  } else if (read.state == HeaderState::broken) {
    look.damage(name, 0, "the header of the file is broken");
  } else if (store::number(read.header.first) != number) {
    look.damage(name, 0,
                fmt::format("the file was renamed; it was {}", segment_name(read.header.first)));
  } else {
    if (size < read.header.size) {
      look.damage(name, size,
                  fmt::format("the file is cut off; it had {} bytes", read.header.size));
    }
    look.found.serial = std::max(look.found.serial, read.header.serial);
    look.found.segments.push_back(std::move(segment));
  }
  return {};
}

Result<void> look_at_names(Looking& look) {
  PAWL_TRY(names, look.files.list());
  for (const std::string& name : names) {
    if (const auto position = number_in_segment_name(name)) {
      PAWL_CHECK(look_at_header(look, name, *position));
    } else if (const auto spare = number_in_spare_name(name)) {
      PAWL_CHECK(look_at_spare(look, name, *spare));
    } else if (name == unfinished_name) {
      look.found.has_unfinished = true;
    }
  }
  std::ranges::sort(look.found.segments, {}, [](const SegmentPtr& s) { return s->header.first; });
  return {};
}

// --- frames -------------------------------------------------------------------------------------
struct Walk {
  Position next{Position::none};
  std::uint64_t offset{frames_start};
  std::uint64_t last_frame{0};
};

// Goes over whole frames in order until `stop`, or until something else comes.
Result<void> walk(Looking& look, FileView& view, const Segment& segment, Walk& at, Position stop) {
  while (at.next < stop) {
    PAWL_TRY(frame, frame_at(view, segment.header, at.offset));
    if (!frame || frame->first != at.next || number(stop) - number(at.next) < frame->count) break;
    at.next = at.next + frame->count;
    at.last_frame = at.offset;
    at.offset += frame->bytes;
    look.found.records += frame->count;
    look.found.bytes += frame->bytes;
  }
  return {};
}

// Something is wrong at `at`: says so, and goes to the next whole frame that may follow. False:
// none.
Result<bool> pass_over(Looking& look, FileView& view, const Segment& segment, Walk& at) {
  PAWL_TRY(behind, find_frame(segment, at.offset));
  if (!behind) return false;
  PAWL_TRY(frame, frame_at(view, segment.header, *behind));
  if (!frame || frame->first < at.next || *behind == at.offset) {
    look.damage(segment.name, *behind, "a frame out of order");
    return false;
  }
  look.damage(
      segment.name, at.offset,
      fmt::format(
          "broken bytes with whole frames behind them (offset {}); records {} to {} are lost",
          *behind, number(at.next), number(frame->first) - 1));
  at.next = frame->first;
  at.offset = *behind;
  return true;
}

// A segment that another one follows: records up to the other's first must be there. What comes
// after them is a batch whose write failed; the other segment exists so that it does not count.
Result<void> look_at_closed(Looking& look, const Segment& segment, Position stop) {
  FileView view(*segment.file);
  Walk at{.next = segment.header.first};
  for (;;) {
    PAWL_CHECK(walk(look, view, segment, at, stop));
    if (at.next >= stop) return {};
    PAWL_TRY(goes_on, pass_over(look, view, segment, at));
    if (goes_on && at.next < stop) continue;
    look.damage(segment.name, at.offset,
                fmt::format("records {} to {} are not there", number(at.next), number(stop) - 1));
    return {};
  }
}

Result<void> look_at_last(Looking& look, const Segment& segment) {
  FileView view(*segment.file);
  Walk at{.next = segment.header.first};
  for (;;) {
    PAWL_CHECK(walk(look, view, segment, at, no_stop));
    PAWL_TRY(goes_on, pass_over(look, view, segment, at));
    if (!goes_on) break;
  }
  PAWL_TRY(torn, begun_bytes(view, segment.header, at.offset, at.next));
  // A frame is begun only when the one before it is durable, so one write at most can be torn.
  PAWL_TRY(mark, find_mark(segment, at.offset + 8));
  if (mark) {
    look.damage(segment.name, at.offset,
                fmt::format("broken bytes; another frame begins behind them (offset {})", *mark));
  }
  look.found.next = at.next;
  look.found.end = at.offset;
  look.found.last_frame = at.last_frame;
  look.found.torn = torn;
  return {};
}

Result<void> look_at_frames(Looking& look) {
  const auto& segments = look.found.segments;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool is_last = i + 1 == segments.size();
    if (!is_last && segments[i]->header.serial >= segments[i + 1]->header.serial) {
      look.damage(segments[i]->name, 0, "the file is younger than the one that follows it");
    }
    PAWL_CHECK(is_last ? look_at_last(look, *segments[i])
                       : look_at_closed(look, *segments[i], segments[i + 1]->header.first));
  }
  return {};
}

}  // namespace

Result<Survey> survey(Files& files) {
  Looking look{files};
  PAWL_CHECK(look_at_names(look));
  PAWL_CHECK(look_at_frames(look));
  if (look.found.segments.empty() && look.found.problems.empty() && look.was_used) {
    look.damage(segment_name(position_from(1)), 0,
                "the files of the journal are gone; only spares are left");
  }
  return std::move(look.found);
}

Result<JournalReport> check_journal(Files& files) {
  PAWL_TRY(found, survey(files));
  JournalReport report{
      .segments = found.segments.size(), .records = found.records, .bytes = found.bytes};
  if (!found.segments.empty()) {
    report.first = found.segments.front()->header.first;
    report.last = position_from(number(found.next) - 1);
  }
  for (const Error& problem : found.problems) report.problems.push_back(problem.text);
  if (found.torn > 0) {
    report.unfinished =
        fmt::format("{}/{}, offset {}: an unfinished write of {} bytes", files.place(),
                    found.segments.back()->name, found.end, found.torn);
  }
  return report;
}

}  // namespace pawl::store
