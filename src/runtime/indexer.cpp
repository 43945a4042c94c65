// SPDX-License-Identifier: Apache-2.0
#include "runtime/indexer.hpp"

#include <fmt/format.h>

#include "runtime/mutation.hpp"
#include "store/codec.hpp"
#include "store/patience.hpp"

namespace pawl::runtime {

using store::Committed;
using store::Position;

namespace {

// Records, or bytes of the journal. Each time, every page that was changed since is written to its
// place, so it is done seldom; what it holds back are files of the journal.
constexpr std::size_t durable_every = 100'000;
constexpr std::size_t durable_every_bytes = 32u << 20;

// In memory: the events take several times as much as in the journal.
std::size_t bytes_of(const Committed& one) {
  constexpr std::size_t fixed = sizeof(Committed) + sizeof(store::Record) + 100;
  return fixed + 2 * one.bytes.size() + one.record->events.capacity() * sizeof(engine::Event);
}

std::size_t bytes_of(const std::vector<Committed>& records) {
  std::size_t bytes = 0;
  for (const Committed& one : records) bytes += bytes_of(one);
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
  std::size_t held = 0;
  Result<void> failed;
  const auto flush = [&] {
    if (failed && !window.empty()) failed = index_.apply(window);
    window.clear();
    held = 0;
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
    held += bytes_of(window.back());
    const bool more = window.size() < limits::index_window && held < limits::index_window_bytes;
    return more || flush();
  }));
  flush();
  return failed;
}

void Indexer::add(std::vector<Committed> records) {
  bool enough = false;
  {
    const std::lock_guard lock(mutex_);
    enough = waiting_.empty() && !records.empty();  // the time of the window begins
    waiting_bytes_ += bytes_of(records);
    for (Committed& one : records) waiting_.push_back(std::move(one));
    enough |= due();
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
    std::size_t size = 0;
    for (std::size_t held = 0; size < std::min(waiting_.size(), limits::index_window) &&
                               held < limits::index_window_bytes;
         ++size) {
      held += bytes_of(waiting_[size]);
    }
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
    if (applied) applied_at_ = std::chrono::steady_clock::now();
    if (!applied) {  // tried again: the journal has it, so nothing is lost
      waiting_bytes_ += bytes_of(window);
      waiting_.insert(waiting_.begin(), std::make_move_iterator(window.begin()),
                      std::make_move_iterator(window.end()));
    }
  }
  changed_.notify_all();
  if (applied) make_durable(window);
  return applied.has_value();
}

void Indexer::make_durable(const std::vector<Committed>& window) {
  since_durable_ += window.size();
  for (const Committed& one : window) bytes_since_durable_ += one.bytes.size();
  journal_.prepare();
  if (since_durable_ < durable_every && bytes_since_durable_ < durable_every_bytes) return;
  const auto position = index_.make_durable();
  if (!position) return;
  since_durable_ = bytes_since_durable_ = 0;
  passed_ = number(*position);
  if (when_passed) when_passed();
}

bool Indexer::due() const { return stopped_ || (hurry_ && !waiting_.empty()) || has_a_window(); }

bool Indexer::is_due() const {
  const std::lock_guard lock(mutex_);
  return due();
}

// The window is a span of time that begins with its first record.
void Indexer::wait(Millis idle) {
  std::unique_lock lock(mutex_);
  if (waiting_.empty()) {
    changed_.wait_for(lock, idle, [&] { return stopped_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
  }
  changed_.wait_for(lock, window_, [&] { return due(); });
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
  while (index_.applied() < position && !stopped_ && !store::nobody_waits()) {
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

bool Indexer::has_a_window() const {
  return waiting_.size() >= limits::index_window || waiting_bytes_ >= limits::index_window_bytes;
}

bool Indexer::has_too_much() const {
  return waiting_.size() > limits::index_lag || waiting_bytes_ > limits::index_lag_bytes;
}

bool Indexer::lags() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() > limits::own_lag || waiting_bytes_ > limits::own_lag_bytes;
}

bool Indexer::is_far_behind() const {
  const std::lock_guard lock(mutex_);
  return has_too_much();
}

void Indexer::wait_until_near(Millis most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [&] { return stopped_ || !has_too_much(); });
}

Error Indexer::trouble() const {
  constexpr std::chrono::seconds longest_window{5};
  const std::lock_guard lock(mutex_);
  if (!error_.text.empty()) return error_;
  const auto since = std::chrono::steady_clock::now() - applied_at_;
  if (!has_too_much() || since < longest_window) return {.text = ""};
  return fail(Whose::machine, Code::store_unavailable,
              fmt::format("the index is {} records behind the journal and has not come nearer for "
                          "{} s; nothing more is committed until it has",
                          waiting_.size(),
                          std::chrono::duration_cast<std::chrono::seconds>(since).count()));
}

Error Indexer::last_error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

}  // namespace pawl::runtime
