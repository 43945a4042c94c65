// SPDX-License-Identifier: Apache-2.0
// Committer: takes the drafts of all shards and makes all that are ready durable with one append.
// Only then are the shards told. A draft is never split, and what follows a failed one is dropped.
// One that cannot be written is left out, with those that were built on it.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>

#include "runtime/commit_pace.hpp"
#include "runtime/indexer.hpp"
#include "runtime/shard.hpp"
#include "store/journal.hpp"

namespace pawl::runtime {

class Committer {
 public:
  using Tell = std::function<void(std::uint32_t shard, Request)>;
  Committer(store::Journal& journal, Indexer& indexer, Millis longest_wait, Tell tell)
      : journal_(journal),
        indexer_(indexer),
        tell_(std::move(tell)),
        pace_(longest_wait),
        inbox_(0) {}

  void take(std::vector<Draft> drafts);
  // One append. False: there was nothing to do, or the index has to come nearer first.
  bool run_once();
  // Returns when there may be something to do, or the time is over. If company is likely, waits for
  // it a moment.
  void wait_for(Millis most);
  void wake() { inbox_.wake(); }
  // What is asked before this moment is committed together: nobody need look at it earlier.
  CommitPace::Time slot() const { return pace_.slot(); }

  store::Position committed() const { return journal_.last(); }

  // Counted since the start; any thread may look.
  struct Count {
    std::atomic<std::uint64_t> commits{0}, failures{0}, records{0}, bytes{0}, micros{0};
  };
  const Count& count() const { return count_; }
  // Why nothing can be made durable now; text empty: it can, as far as is known. A failure is
  // forgotten after a while, so that somebody tries again. Any thread.
  Error trouble() const;

 private:
  std::size_t encode(std::size_t from);
  bool encode(Draft& draft);
  void refuse(Draft& draft, const Error& error, bool follows);
  Result<store::Position> append();
  void succeed(std::size_t from, std::size_t to, store::Position first);
  void fail_with(std::size_t from, std::size_t to, const Error& error);

  store::Journal& journal_;
  Indexer& indexer_;
  Tell tell_;
  Count count_;
  using SteadyTime = std::chrono::steady_clock::time_point;
  mutable std::mutex health_mutex_;
  Error failure_{.text = ""};  // of the last append
  SteadyTime failed_at_{};
  SteadyTime append_began_{};  // that is under way
  CommitPace pace_;
  Inbox<std::vector<Draft>> inbox_;
  std::vector<std::vector<Draft>> taken_;
  std::vector<Draft> drafts_;                      // of this round
  std::vector<std::string> encoded_;               // their records
  std::map<std::uint32_t, std::uint64_t> failed_;  // shard → epochs up to this one have failed
  std::map<std::uint32_t, std::vector<Refusal>> refusals_;  // of this append, by shard
  std::map<Key, std::uint64_t> refused_;  // instance → its life that has a turn that was refused
};

}  // namespace pawl::runtime
