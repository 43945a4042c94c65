// SPDX-License-Identifier: Apache-2.0
// Indexer: brings the index up to the journal, in the background and in large windows, so that what
// begins and ends within one window costs little. Lets go of journal files that the index has
// durably passed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "base/limits.hpp"
#include "store/index.hpp"
#include "store/journal.hpp"

namespace pawl::runtime {

class Indexer {
 public:
  Indexer(store::Journal& journal, store::Index& index, Millis window)
      : journal_(journal), index_(index), window_(window) {}

  // Applies what the journal has and the index has not. At start, before anything else.
  // `seen` is called for each record first.
  Result<void> catch_up_with_journal(const std::function<void(const store::Record&)>& seen);

  // From the committer, in order.
  void add(std::vector<store::Committed> records);
  // A projection of a projection: thrown away if there is no room for it.
  void keep_snapshot(Key instance, store::Position at, std::string bytes);

  // Applies the next window. False: nothing was waiting, or it failed (and is tried again).
  bool run_once();
  // Waits until there is a window to apply: enough records, enough time, or somebody in a hurry; at
  // most so long if there is nothing to apply.
  void wait(Millis idle);
  // There is a full window, or somebody is in a hurry: no need to wait.
  bool is_due() const;
  void hurry();
  // The caller waits until queries see this position; false: the indexer has stopped, or the
  // patience of those that this thread works for is over.
  bool wait_until_applied(store::Position position);
  void stop();

  // Called when `take_passed` has something new.
  std::function<void()> when_passed{};
  // Records up to here are no longer needed in the journal; none: nothing new.
  store::Position take_passed() {
    return store::position_from(passed_.exchange(0, std::memory_order_relaxed));
  }

  std::size_t backlog() const;
  // So far that instances do not go on by themselves until it has come nearer.
  bool lags() const;
  // So far that nothing more may be committed before it has come nearer: what waits is in memory.
  bool is_far_behind() const;
  // Returns when it has come nearer, or the time is over.
  void wait_until_near(Millis most);
  Error last_error() const;  // of the last window; text empty: none
  // Why it does not come nearer; text empty: it does. Any thread.
  Error trouble() const;

 private:
  bool has_a_window() const;  // with the lock
  bool has_too_much() const;  // the same
  bool due() const;           // the same

  struct Snapshot {
    Key instance{Key::none};
    store::Position at{store::Position::none};
    std::string bytes{};
  };
  void make_durable(const std::vector<store::Committed>& window);

  store::Journal& journal_;
  store::Index& index_;
  const Millis window_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<store::Committed> waiting_;
  std::size_t waiting_bytes_{0};  // of memory that they take, estimated
  std::deque<Snapshot> snapshots_;
  bool hurry_{false};
  bool stopped_{false};
  Error error_{.text = ""};
  std::chrono::steady_clock::time_point applied_at_{std::chrono::steady_clock::now()};
  std::size_t since_durable_{0};  // records that were applied, and their bytes in the journal
  std::size_t bytes_since_durable_{0};
  std::atomic<std::uint64_t> passed_{0};
};

}  // namespace pawl::runtime
