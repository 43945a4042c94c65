// SPDX-License-Identifier: Apache-2.0
// Journal: the truth. Records as bytes, in order, durable. Used by one thread at a time (the
// committer), except for `read`, which any thread may call for positions that are committed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "store/record.hpp"

namespace pawl::store {

class Journal {
 public:
  virtual ~Journal() = default;

  // Appends all of them or none, in order, durable when it returns; gives the position of the
  // first. No records: nothing is written, the position that comes next. Error of Whose::machine:
  // nothing of it will ever be read by this process, and later appends may succeed (a full disk has
  // space again); after a crash the whole batch may be there.
  virtual Result<Position> append(std::span<const std::string> records) = 0;

  // Position of the last committed record; none: the journal is empty and always was.
  virtual Position last() const = 0;
  // Position of the oldest record that is still kept; last() + 1 if none is.
  virtual Position first() const = 0;

  // Calls `visit` for each record from `from` on, oldest first, until it returns false. Error if
  // `from` is no longer kept, or the journal is damaged there.
  virtual Result<void> read(
      Position from, const std::function<bool(Position, std::string_view bytes)>& visit) const = 0;

  // Records up to and including this position are no longer needed. May keep more than asked.
  virtual Result<void> drop_through(Position position) = 0;

  // What was found and mended when the journal was opened ("cut 312 bytes of an unfinished write
  // at the end of journal-00000001.pawl"); empty: nothing.
  virtual std::string mended() const = 0;

  // Work that makes the next appends cheaper, such as preparing the next file. Any thread.
  virtual void prepare() = 0;
};

}  // namespace pawl::store
