// SPDX-License-Identifier: Apache-2.0
#include "store/journal/spare_segments.hpp"

#include <algorithm>

namespace pawl::store {
namespace {

Result<void> fill_segment(Files& files, std::uint64_t size) {
  PAWL_TRY(file, files.open(unfinished_name, true));
  PAWL_CHECK(file->allocate(size));
  return file->sync();
}

}  // namespace

void SpareSegments::adopt(const std::vector<SpareFile>& found) {
  for (const SpareFile& spare : found) next_number_ = std::max(next_number_, spare.number + 1);
  for (const SpareFile& spare : found) {
    if (spare.size == options_.segment_bytes && ready_.size() < options_.most) {
      ready_.push_back(spare);
    } else {
      discard(spare);
    }
  }
}

std::string SpareSegments::next_name() {
  const std::lock_guard lock(mutex_);
  return spare_name(next_number_++);
}

bool SpareSegments::pop(SpareFile& spare) {
  const std::lock_guard lock(mutex_);
  if (ready_.empty()) return false;
  spare = std::move(ready_.back());
  ready_.pop_back();
  return true;
}

// The file gets the name of a spare only when all of it is there. Whatever fails, nothing is left
// that takes space: on a full disk the next attempt finds what this one found.
Result<SpareFile> SpareSegments::make_alone(std::uint64_t size) {
  SpareFile spare{.name = next_name(), .number = 0, .size = size};
  auto made = fill_segment(files_, size);
  if (made) made = files_.rename(unfinished_name, spare.name);
  if (made) return spare;
  static_cast<void>(files_.remove(unfinished_name).has_value());
  return made.error();
}

Result<SpareFile> SpareSegments::make(std::uint64_t size) {
  const std::lock_guard lock(making_);
  return make_alone(size);
}

Result<SpareFile> SpareSegments::take(std::uint64_t size) {
  SpareFile spare;
  if (size <= options_.segment_bytes && pop(spare)) return spare;
  const std::lock_guard lock(making_);
  // `prepare` may have been about to finish one.
  if (size <= options_.segment_bytes && pop(spare)) return spare;
  return make_alone(std::max(size, options_.segment_bytes));
}

void SpareSegments::give_back(SpareFile spare) {
  if (spare.size != options_.segment_bytes) return discard(spare);
  const std::lock_guard lock(mutex_);
  ready_.push_back(std::move(spare));
}

void SpareSegments::discard(const SpareFile& spare) {
  // If it cannot be removed it is found and removed when the journal is opened again.
  static_cast<void>(files_.remove(spare.name).has_value());
}

std::string SpareSegments::name_for_recycled(std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  if (size != options_.segment_bytes || ready_.size() >= options_.most) return {};
  return spare_name(next_number_++);
}

Result<void> SpareSegments::prepare() {
  const std::lock_guard making(making_);
  {
    const std::lock_guard lock(mutex_);
    if (!ready_.empty()) return {};
  }
  PAWL_TRY(spare, make_alone(options_.segment_bytes));
  give_back(std::move(spare));
  return {};
}

}  // namespace pawl::store
