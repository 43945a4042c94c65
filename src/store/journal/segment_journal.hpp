// SPDX-License-Identifier: Apache-2.0
// SegmentJournal: the journal in files of one directory. An append is one write and one sync; a
// batch is there whole or not at all, because its frame has a checksum. Opening reads everything,
// cuts an unfinished write at the end, and refuses a journal that is damaged elsewhere.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "store/journal.hpp"
#include "store/journal/spare_segments.hpp"

namespace pawl::store {

struct SegmentOptions {
  std::uint64_t segment_bytes{64u << 20};
  // Of the first segment of a new journal: nobody waits for megabytes of zeros to begin.
  std::uint64_t first_bytes{2u << 20};
  std::size_t spares{2};  // old segments that are kept for reuse
  // Mixed into the salts, so that no record can hold bytes that look like a frame of its segment.
  // Drawn at random by the program; tests and the simulator leave it 0.
  std::uint64_t secret{0};
};

class SegmentJournal : public Journal {
 public:
  // Locks the directory. `files` must outlive the journal.
  static Result<std::unique_ptr<SegmentJournal>> open(Files& files, SegmentOptions options);

  Result<Position> append(std::span<const std::string> records) override;
  Position last() const override;
  Position first() const override;
  Result<void> read(
      Position from,
      const std::function<bool(Position, std::string_view bytes)>& visit) const override;
  Result<void> drop_through(Position position) override;
  std::string mended() const override { return mended_; }
  void prepare() override;

  // Copies the files to another directory, which is empty: everything that is committed when
  // `meanwhile` has ended, and nothing that was dropped since it began. Any thread.
  Result<void> copy_to(Files& to, const std::function<Result<void>()>& meanwhile) const;

 private:
  // A segment on its way out: no longer read, its file not yet gone or renamed durably.
  struct Retired {
    SegmentPtr segment{};
    std::string spare{};  // the name that it gets; empty: it is removed
    bool moved{false};
  };

  SegmentJournal(Files& files, SegmentOptions options);
  Result<void> start(Survey found);
  Result<void> mend(const Survey& found);
  Result<void> settle(const Survey& found);
  Result<void> next_segment(std::uint64_t frame);
  Result<SegmentPtr> make_segment(std::uint64_t frame);
  Result<void> write_header(const SpareFile& spare, Segment& segment);
  Result<void> write_frame();
  struct Part;
  std::vector<Part> parts() const;
  std::optional<Retired> take_oldest(Position through);
  Result<void> retire(Retired& retired);

  Files& files_;
  const SegmentOptions options_;
  SpareSegments spares_;
  std::string mended_{};

  // Of the thread that appends.
  std::uint64_t serial_{0};
  std::uint64_t end_{frames_start};  // of the last segment: where the next frame goes
  bool closed_{true};                // nothing may be written to the last segment any more
  SegmentPtr named_{};               // the next segment; its name is not known to be durable
  std::optional<Retired> retired_{};
  std::string frame_{};

  mutable std::mutex mutex_{};  // guards what follows, for readers
  std::vector<SegmentPtr> segments_{};
  Position next_{position_from(1)};
};

}  // namespace pawl::store
