// SPDX-License-Identifier: Apache-2.0
// What is on the disk after a write or a sync failed is not known: nothing of the batch, a part, or
// all of it; and the system may show us bytes that it never wrote. So nothing is written to that
// segment any more. The next append makes a new segment whose header says "goes on at position p",
// with p the first position of the failed batch. From the moment when that segment exists durably,
// frames of the older one at p or later do not count (segment_survey.cpp), and the batch has failed
// for good. Until then a crash may bring the whole batch back: nobody was told about it, so both
// are right. If the older segment holds no record at all, the new one has the same name and takes
// its place in one step.
#include "store/journal/segment_journal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "store/patience.hpp"

namespace pawl::store {
namespace {

constexpr std::size_t kept_buffer = 4u << 20;

// Neighbouring numbers give unlike salts; different numbers give different ones (splitmix64).
std::uint64_t salt_of(std::uint64_t serial, std::uint64_t secret) {
  std::uint64_t x = serial * 0x9E3779B97F4A7C15ull + secret;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

Error no_longer_kept(Position from, Position first) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("position {} of the journal is no longer kept; the oldest is {}",
                          number(from), number(first)));
}

Error damaged(const Files& files, const Segment& segment, std::uint64_t offset) {
  return fail(Whose::machine, Code::store_damaged,
              fmt::format("{}/{}, offset {}: the record was there when the journal was opened and "
                          "cannot be read any more\n  hint   restore a backup; `pawl verify DIR` "
                          "shows what is readable",
                          files.place(), segment.name, offset));
}

using Visit = std::function<bool(Position, std::string_view)>;

// Visits the records of one frame from `from` on. False: the visitor has enough.
bool visit_frame(const Frame& frame, Position from, const Visit& visit) {
  Position at = frame.first;
  bool goes_on = true;
  split_payload(frame.payload, frame.count, [&](std::string_view record) {
    if (at >= from) goes_on = visit(at, record);
    at = at + 1;
    return goes_on;
  });
  return goes_on;
}

// The records from `from` on, up to `stop`. False: the visitor has enough.
Result<bool> visit_segment(const Files& files, const Segment& segment, Position stop, Position from,
                           const Visit& visit) {
  FileView view(*segment.file);
  std::uint64_t offset = frames_start;
  Position at = segment.header.first;
  while (at < stop) {
    PAWL_TRY(frame, frame_at(view, segment.header, offset));
    if (!frame || frame->first != at) return damaged(files, segment, offset);
    at = at + frame->count;
    offset += frame->bytes;
    if (at > from && !visit_frame(*frame, from, visit)) return false;
  }
  return true;
}

// The frames up to `stop`, and zeros behind them. What comes later in the file may be half written.
// A server that closes does not wait for the rest of a large copy.
Result<void> copy_segment(const Files& files, const Segment& segment, Position stop, Files& to) {
  constexpr std::uint64_t piece = 1u << 20;
  FileView view(*segment.file);
  std::uint64_t end = frames_start;
  for (Position at = segment.header.first; at < stop;) {
    PAWL_CHECK(check_patience());
    PAWL_TRY(frame, frame_at(view, segment.header, end));
    if (!frame || frame->first != at) return damaged(files, segment, end);
    at = at + frame->count;
    end += frame->bytes;
  }
  PAWL_TRY(copy, to.open(segment.name, true));
  PAWL_CHECK(copy->allocate(segment.header.size));
  for (std::uint64_t offset = 0; offset < end; offset += piece) {
    PAWL_CHECK(check_patience());
    PAWL_TRY(bytes, segment.file->read_at(offset, std::min(piece, end - offset)));
    PAWL_CHECK(copy->write_at(offset, bytes));
  }
  return copy->sync();
}

// The same bytes once more, and durable: see `settle`.
Result<void> rewrite(File& file, std::uint64_t offset, std::uint64_t size) {
  PAWL_TRY(bytes, file.read_at(offset, size));
  return file.write_last(offset, bytes);
}

}  // namespace

SegmentJournal::SegmentJournal(Files& files, SegmentOptions options)
    : files_(files),
      options_(options),
      spares_(files, {.segment_bytes = options.segment_bytes, .most = options.spares}) {}

// --- opening ------------------------------------------------------------------------------------
Result<std::unique_ptr<SegmentJournal>> SegmentJournal::open(Files& files, SegmentOptions options) {
  PAWL_CHECK(files.lock());
  PAWL_TRY(found, survey(files));
  if (!found.problems.empty()) return found.problems.front();
  std::unique_ptr<SegmentJournal> journal(new SegmentJournal(files, options));
  PAWL_CHECK(journal->start(std::move(found)));
  return journal;
}

Result<void> SegmentJournal::start(Survey found) {
  serial_ = found.serial;
  next_ = found.next;
  end_ = found.end;
  segments_ = found.segments;
  if (found.has_unfinished) PAWL_CHECK(files_.remove(unfinished_name));
  spares_.adopt(found.spares);
  if (segments_.empty()) return next_segment(0);
  closed_ = false;
  if (found.torn > 0) PAWL_CHECK(mend(found));
  return settle(found);
}

Result<void> SegmentJournal::mend(const Survey& found) {
  const Segment& segment = *segments_.back();
  const std::string zeros(std::min<std::uint64_t>(found.torn, 1u << 20), '\0');
  for (std::uint64_t done = 0; done < found.torn; done += zeros.size()) {
    const auto part = std::string_view(zeros).substr(0, found.torn - done);
    PAWL_CHECK(segment.file->write_at(found.end + done, part));
  }
  mended_ = fmt::format("cut {} bytes of an unfinished write at the end of {} (offset {})",
                        found.torn, segment.name, found.end);
  return {};
}

// What we have read may be in the system's memory only: the process before us may have been killed
// between write and sync, or its sync may have failed, after which Linux does not try again.
// Records that we show to others must not vanish later, so all that can be in doubt is written once
// more: the header of the last segment, its last frame, and the names.
Result<void> SegmentJournal::settle(const Survey& found) {
  File& file = *segments_.back()->file;
  if (found.last_frame > 0) {
    PAWL_CHECK(rewrite(file, found.last_frame, found.end - found.last_frame));
  }
  PAWL_CHECK(file.sync());
  return files_.sync_names();
}

// --- appending ----------------------------------------------------------------------------------
Result<Position> SegmentJournal::append(std::span<const std::string> records) {
  const Position first = next_;
  if (records.empty()) return first;
  const auto size = begin_frame(frame_, records);
  if (!size) {
    return fail(Whose::caller, Code::too_large,
                fmt::format("a batch of the journal may have {} bytes", largest_payload));
  }
  if (closed_ || end_ + *size > segments_.back()->header.size) PAWL_CHECK(next_segment(*size));
  finish_frame(frame_, records.size(), first, segments_.back()->header.salt);
  PAWL_CHECK(write_frame());
  if (frame_.capacity() > kept_buffer) std::string().swap(frame_);
  const std::lock_guard lock(mutex_);
  next_ = first + records.size();
  return first;
}

Result<void> SegmentJournal::write_frame() {
  File& file = *segments_.back()->file;
  closed_ = true;  // unless all goes well
  PAWL_CHECK(file.write_last(end_, frame_));
  PAWL_CHECK(file.sync());
  closed_ = false;
  end_ += frame_.size();
  return {};
}

// From here on the old segment is closed, whatever happens: the new one may be on the disk already,
// and a frame that was added to the old one now would not count.
Result<void> SegmentJournal::next_segment(std::uint64_t frame) {
  closed_ = true;
  if (!named_ || named_->header.size < frames_start + frame) {
    named_ = nullptr;  // even if an error is told, another file may get its name now
    PAWL_TRY(made, make_segment(frame));
    named_ = std::move(made);
  }
  PAWL_CHECK(files_.sync_names());
  const std::lock_guard lock(mutex_);
  if (!segments_.empty() && segments_.back()->header.first == next_) segments_.pop_back();
  segments_.push_back(std::move(named_));
  named_ = nullptr;
  end_ = frames_start;
  closed_ = false;
  return {};
}

Result<SegmentPtr> SegmentJournal::make_segment(std::uint64_t frame) {
  const std::uint64_t least = frames_start + frame;
  const std::uint64_t few = std::max(least, options_.first_bytes);
  const bool is_first = serial_ == 0 && few < options_.segment_bytes;
  PAWL_TRY(spare, is_first ? spares_.make(few) : spares_.take(least));
  auto segment = std::make_shared<Segment>();
  segment->name = segment_name(next_);
  const std::uint64_t serial = ++serial_;
  segment->header = {.first = next_,
                     .serial = serial,
                     .salt = salt_of(serial, options_.secret),
                     .size = spare.size};
  auto made = write_header(spare, *segment);
  if (made) made = files_.rename(spare.name, segment->name);
  if (made) return segment;
  // Without space the spare is as good as before, and is what lets us go on later.
  made.error().code == Code::disk_full ? spares_.give_back(spare) : spares_.discard(spare);
  return made.error();
}

// The header is durable before the file gets the name of a segment: a segment has a whole header.
Result<void> SegmentJournal::write_header(const SpareFile& spare, Segment& segment) {
  PAWL_TRY(file, files_.open(spare.name, false));
  segment.file = std::move(file);
  PAWL_CHECK(segment.file->write_at(0, encode_header(segment.header)));
  return segment.file->sync();
}

// --- reading ------------------------------------------------------------------------------------
Position SegmentJournal::last() const {
  const std::lock_guard lock(mutex_);
  return position_from(number(next_) - 1);
}

Position SegmentJournal::first() const {
  const std::lock_guard lock(mutex_);
  return segments_.front()->header.first;
}

// What a reader sees: a segment and where the next one goes on.
struct SegmentJournal::Part {
  SegmentPtr segment{};
  Position stop{Position::none};
};

std::vector<SegmentJournal::Part> SegmentJournal::parts() const {
  std::vector<Part> parts;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const bool is_last = i + 1 == segments_.size();
    parts.push_back({segments_[i], is_last ? next_ : segments_[i + 1]->header.first});
  }
  return parts;
}

Result<void> SegmentJournal::read(Position from, const Visit& visit) const {
  std::vector<Part> parts = this->parts();
  const Position oldest = parts.front().segment->header.first;
  if (from < oldest) return no_longer_kept(from, oldest);
  for (Part& part : parts) {
    if (part.stop > from) {
      PAWL_TRY(goes_on, visit_segment(files_, *part.segment, part.stop, from, visit));
      if (!goes_on) return {};
    }
    part.segment.reset();  // free to be reused
  }
  return {};
}

Result<void> SegmentJournal::copy_to(Files& to,
                                     const std::function<Result<void>()>& meanwhile) const {
  const std::vector<Part> before = parts();  // held: they stay readable if they are dropped now
  PAWL_CHECK(meanwhile());
  const std::vector<Part> after = parts();
  Position next = before.front().segment->header.first;
  const auto copy = [&](const Part& part) -> Result<void> {
    if (part.segment->header.first != next) return {};
    PAWL_CHECK(copy_segment(files_, *part.segment, part.stop, to));
    next = part.stop;
    return {};
  };
  for (const Part& part : before) {
    const bool kept = part.segment->header.first >= after.front().segment->header.first;
    if (!kept) PAWL_CHECK(copy(part));
  }
  if (after.front().segment->header.first > next) {
    return fail(Whose::machine, Code::busy,
                "the journal grew faster than it could be copied; try again");
  }
  next = after.front().segment->header.first;
  for (const Part& part : after) PAWL_CHECK(copy(part));
  return to.sync_names();
}

// --- dropping -----------------------------------------------------------------------------------
// Takes the oldest segment out of the list, if it has nothing behind `through`. A file that a
// reader still has open is removed and not reused: its bytes stay until the reader is done.
std::optional<SegmentJournal::Retired> SegmentJournal::take_oldest(Position through) {
  const std::lock_guard lock(mutex_);
  if (segments_.size() < 2) return std::nullopt;
  if (number(segments_[1]->header.first) - 1 > number(through)) return std::nullopt;
  Retired retired{.segment = std::move(segments_.front())};
  segments_.erase(segments_.begin());
  if (retired.segment.use_count() == 1) {
    retired.spare = spares_.name_for_recycled(retired.segment->header.size);
  }
  return retired;
}

// One after the other, each durable before the next: after a crash no segment is missing between
// two others. An error leaves the rest for the next time.
Result<void> SegmentJournal::drop_through(Position position) {
  for (;;) {
    if (!retired_) retired_ = take_oldest(position);
    if (!retired_) return {};
    PAWL_CHECK(retire(*retired_));
    retired_.reset();
  }
}

Result<void> SegmentJournal::retire(Retired& retired) {
  const std::string& name = retired.segment->name;
  if (!retired.moved) {
    const auto moved =
        retired.spare.empty() ? files_.remove(name) : files_.rename(name, retired.spare);
    if (!moved) {
      // It may have happened nevertheless.
      PAWL_TRY(names, files_.list());
      if (std::ranges::binary_search(names, name)) return moved.error();
    }
    retired.moved = true;
  }
  PAWL_CHECK(files_.sync_names());
  if (!retired.spare.empty()) {
    spares_.add({.name = retired.spare, .number = 0, .size = retired.segment->header.size});
  }
  return {};
}

// A failure is not told: the append that needs the file makes it itself and tells.
void SegmentJournal::prepare() { static_cast<void>(spares_.prepare().has_value()); }

}  // namespace pawl::store
