// SPDX-License-Identifier: Apache-2.0
// Node: the durable runtime in one process: shards, committer and indexer around one store. With
// threads of its own it serves callers; without, the simulator moves its parts one step at a time.
#pragma once

#include <atomic>
#include <list>
#include <thread>

#include "runtime/committer.hpp"
#include "runtime/indexer.hpp"
#include "runtime/lanes.hpp"
#include "runtime/retention.hpp"
#include "runtime/shard.hpp"
#include "store/files.hpp"

namespace pawl::runtime {

struct NodeOptions {
  std::uint32_t shards{1};
  std::size_t resident_bytes{limits::resident_bytes};  // of all shards together
  std::size_t steps_per_turn{limits::steps_per_turn};  // then it is cut; the simulator cuts early
  std::uint64_t slow_turn{limits::slow_turn};  // turns of this cost are taken beside the shard
  bool scripts_beside{false};                  // and all of processes with JavaScript
  engine::Allowance allowance{};               // of each instance
  Millis index_window{500};  // the index waits so long for records that it applies together
  Millis commit_wait{6};     // a commit waits so long at most for others to share it
  std::uint64_t seed{0};
  Retention retention{};
};

// What a node stands on. `files` may be empty; it must outlive the journal.
struct Stores {
  std::unique_ptr<store::Files> files{};
  std::unique_ptr<store::Journal> journal{};
  std::unique_ptr<Definitions> definitions{};  // the index asks it for the ids of elements
  std::unique_ptr<store::Index> index{};
};

class Node {
 public:
  // Brings the index up to the journal and reads what must be in memory.
  static Result<std::unique_ptr<Node>> open(Stores stores, const Clock& clock, NodeOptions options);
  ~Node();

  void run();    // starts the threads
  void close();  // finishes what is being committed; what has not begun is refused. Any thread.

  // Sends a request to where it belongs. If that is full, or the node closes, the reply says so at
  // once, on this thread.
  void ask(Request request);
  // What is asked before this moment is committed together (runtime/commit_pace.hpp).
  CommitPace::Time commit_slot() const { return committer_->slot(); }
  // What is committed now is seen by queries of the index when this returns.
  Result<void> catch_up();
  const store::Index& index() const { return *stores_.index; }
  const store::Journal& journal() const { return *stores_.journal; }
  Definitions& definitions() { return *stores_.definitions; }

  // Every durable record, in order for each instance, on a thread of the node. Gives a number to
  // end it with.
  using Watcher = std::function<void(const RecordPtr&, Position)>;
  std::uint64_t watch(Watcher watcher);
  void unwatch(std::uint64_t number);

  // --- for the simulator: one step of one part; false: nothing to do
  bool step_shard(std::uint32_t shard) { return shards_[shard]->run_once(); }
  bool step_committer() { return committer_->run_once(); }
  bool step_indexer() { return indexer_->run_once(); }
  bool step_lanes() { return lanes_.run_once(); }
  Millis idle_time() const;
  std::uint32_t shards() const { return static_cast<std::uint32_t>(shards_.size()); }
  Shard::Load load(std::uint32_t shard) const { return shards_[shard]->load(); }
  std::size_t index_backlog() const { return indexer_->backlog(); }
  const Committer::Count& commits() const { return committer_->count(); }
  // Why it cannot do its work now: of the journal, else of the index. Text empty: it can.
  Error trouble() const;

 private:
  Node(Stores stores, const Clock& clock, NodeOptions options);
  Result<void> recover();
  void run_shard(Shard& shard);
  void run_committer();
  void run_indexer();
  void tidy_memory();
  std::uint32_t shard_for(const Request& request);
  void ask_everywhere(ActivateRequest request);

  Stores stores_;
  NodeOptions options_;
  Names names_;
  std::unique_ptr<Indexer> indexer_;
  std::unique_ptr<Committer> committer_;
  Surroundings around_;
  Sweeper sweeper_;
  Lanes lanes_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<std::uint32_t> next_shard_{0};
  std::mutex watchers_mutex_;
  std::vector<std::pair<std::uint64_t, Watcher>> watchers_;
  std::uint64_t next_watcher_{1};
  std::atomic<bool> watched_{false};

  std::mutex closing_mutex_;
  std::atomic<bool> closing_{false};
  std::atomic<bool> commits_end_{false};
  std::vector<std::thread> shard_threads_;
  std::thread committer_thread_;
  std::thread indexer_thread_;

  // Of the indexer's thread: what was done when it last looked, and since when that is all.
  std::uint64_t done_{0};
  std::chrono::steady_clock::time_point quiet_since_{};
  bool tidy_{true};
};

}  // namespace pawl::runtime
