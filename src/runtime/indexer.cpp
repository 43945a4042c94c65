// SPDX-License-Identifier: Apache-2.0
#include "runtime/indexer.hpp"

#include <fmt/format.h>

#include "runtime/mutation.hpp"
#include "store/codec.hpp"

namespace pawl::runtime {

using store::Committed;
using store::Position;

namespace {

// Records. Little at a time: a commit that falls into it waits for the disk.
constexpr std::size_t durable_every = 20'000;
constexpr std::size_t most_waiting_bytes = 96u << 20;

// In memory: the events take several times as much as in the journal.
std::size_t bytes_of(const std::vector<Committed>& records) {
  constexpr std::size_t fixed = sizeof(Committed) + sizeof(store::Record) + 100;
  std::size_t bytes = 0;
  for (const Committed& one : records) {
    bytes += fixed + 2 * one.bytes.size() + one.record->events.capacity() * sizeof(engine::Event);
  }
  return bytes;
}

}  // namespace

Result<void> Indexer::catch_up_with_journal(const std::function<void(const store::Record&)>& seen) {
  if (index_.applied() > journal_.last()) {
    return fail(Whose::machine, Code::store_damaged,
                fmt::format("the index is at position {}, the journal ends at {}: files of the "
                            "journal are missing; restore a backup",
                            number(index_.applied()), number(journal_.last())));
  }
  std::vector<Committed> window;
  Result<void> failed;
  const auto flush = [&] {
    if (failed && !window.empty()) failed = index_.apply(window);
    window.clear();
    return failed.has_value();
  };
  if (index_.applied() == journal_.last()) return {};
  PAWL_CHECK(journal_.read(index_.applied() + 1, [&](Position position, std::string_view bytes) {
    auto record = store::decode_record(bytes);
    if (!record) {
      failed = record.error();
      return false;
    }
    seen(*record);
    window.push_back(
        {position, std::make_shared<const store::Record>(std::move(*record)), std::string(bytes)});
    return window.size() < limits::index_window || flush();
  }));
  flush();
  return failed;
}

void Indexer::add(std::vector<Committed> records) {
  bool enough = false;
  {
    const std::lock_guard lock(mutex_);
    waiting_bytes_ += bytes_of(records);
    for (Committed& one : records) waiting_.push_back(std::move(one));
    enough = waiting_.size() >= limits::index_window || hurry_;
  }
  if (enough) changed_.notify_all();
}

void Indexer::keep_snapshot(Key instance, Position at, std::string bytes) {
  constexpr std::size_t most = 10'000;
  const std::lock_guard lock(mutex_);
  if (snapshots_.size() < most) snapshots_.push_back({instance, at, std::move(bytes)});
}

bool Indexer::run_once() {
  std::vector<Committed> window;
  std::deque<Snapshot> snapshots;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t size = std::min(waiting_.size(), limits::index_window);
    window.assign(std::make_move_iterator(waiting_.begin()),
                  std::make_move_iterator(waiting_.begin() + static_cast<std::ptrdiff_t>(size)));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(size));
    waiting_bytes_ -= bytes_of(window);
    snapshots.swap(snapshots_);
    hurry_ = false;
  }
  if (window.empty() && snapshots.empty()) return false;
  if (mutated(Mutation::skip_index_record) && window.size() > 3) {
    auto skipped = std::make_shared<store::Record>(*window[1].record);
    skipped->events.clear();
    window[1].record = skipped;
  }
  Result<void> applied = window.empty() ? Result<void>() : index_.apply(window);
  for (Snapshot& one : snapshots) {
    if (!index_.keep_snapshot(one.instance, one.at, std::move(one.bytes))) break;
  }
  {
    const std::lock_guard lock(mutex_);
    error_ = applied ? Error{.text = ""} : applied.error();
    if (!applied) {  // tried again: the journal has it, so nothing is lost
      waiting_bytes_ += bytes_of(window);
      waiting_.insert(waiting_.begin(), std::make_move_iterator(window.begin()),
                      std::make_move_iterator(window.end()));
    }
  }
  changed_.notify_all();
  if (applied) make_durable(window.size());
  return applied.has_value();
}

void Indexer::make_durable(std::size_t records) {
  since_durable_ += records;
  journal_.prepare();
  if (since_durable_ < durable_every) return;
  const auto position = index_.make_durable();
  if (!position) return;
  since_durable_ = 0;
  passed_ = number(*position);
}

void Indexer::wait() {
  std::unique_lock lock(mutex_);
  const auto ready = [&] {
    return stopped_ || (hurry_ && !waiting_.empty()) || waiting_.size() >= limits::index_window;
  };
  changed_.wait_for(lock, window_, ready);
}

void Indexer::hurry() {
  {
    const std::lock_guard lock(mutex_);
    if (hurry_) return;
    hurry_ = true;
  }
  changed_.notify_all();
}

bool Indexer::wait_until_applied(Position position) {
  hurry();
  std::unique_lock lock(mutex_);
  while (index_.applied() < position && !stopped_) {
    hurry_ = true;
    changed_.wait_for(lock, Millis(100));
  }
  return index_.applied() >= position;
}

void Indexer::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

std::size_t Indexer::backlog() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

bool Indexer::has_too_much() const {
  return waiting_.size() > limits::index_lag || waiting_bytes_ > most_waiting_bytes;
}

bool Indexer::is_far_behind() const {
  const std::lock_guard lock(mutex_);
  return has_too_much();
}

void Indexer::wait_until_near(Millis most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [&] { return stopped_ || !has_too_much(); });
}

Error Indexer::last_error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

}  // namespace pawl::runtime
