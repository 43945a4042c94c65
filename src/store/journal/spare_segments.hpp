// SPDX-License-Identifier: Apache-2.0
// SpareSegments: files that are long enough and wait to become the next segment, so that an append
// need not wait until megabytes of zeros are on the disk. They are made anew or are segments that
// are no longer needed. All functions may be called by any thread, if the Files can.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/journal/segment_survey.hpp"

namespace pawl::store {

class SpareSegments {
 public:
  struct Options {
    std::uint64_t segment_bytes{};
    std::size_t most{};  // that are kept
  };
  SpareSegments(Files& files, Options options) : files_(files), options_(options) {}

  // Takes over what was found when the journal was opened; removes what is of no use.
  void adopt(const std::vector<SpareFile>& found);

  // A new file of this size, whatever is ready.
  Result<SpareFile> make(std::uint64_t size);
  // A file of at least this size; makes one if none is ready.
  Result<SpareFile> take(std::uint64_t size);
  // Back from `take`, unused.
  void give_back(SpareFile spare);
  // Back from `take`, but something is wrong with it.
  void discard(const SpareFile& spare);

  // The name under which a segment of this size may become a spare; empty: no more are wanted.
  std::string name_for_recycled(std::uint64_t size);
  // Its new name is durable: from now on it may be overwritten.
  void add(SpareFile spare) { give_back(std::move(spare)); }

  // Makes one if none is ready.
  Result<void> prepare();

 private:
  Result<SpareFile> make_alone(std::uint64_t size);
  bool pop(SpareFile& spare);
  std::string next_name();

  Files& files_;
  const Options options_;
  std::mutex making_{};  // one file is made at a time; taken before mutex_
  mutable std::mutex mutex_{};
  std::vector<SpareFile> ready_{};
  std::uint64_t next_number_{1};
};

}  // namespace pawl::store
