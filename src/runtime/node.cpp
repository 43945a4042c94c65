// SPDX-License-Identifier: Apache-2.0
#include "runtime/node.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/allocator.hpp"
#include "runtime/threads.hpp"
#include "store/patience.hpp"

namespace pawl::runtime {

void refuse(Request& request, const Error& error) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.reply; }) {
          if (one.reply) one.reply(error);
        }
        if constexpr (requires { one.ended; }) {
          if (one.ended) one.ended(error);
        }
      },
      request);
}

Node::Node(Stores stores, const Clock& clock, NodeOptions options)
    : stores_(std::move(stores)),
      options_(options),
      names_(*stores_.index),
      indexer_(std::make_unique<Indexer>(*stores_.journal, *stores_.index, options.index_window)),
      committer_(std::make_unique<Committer>(*stores_.journal, *indexer_, options.commit_wait,
                                             [this](std::uint32_t shard, Request request) {
                                               shards_[shard]->post(std::move(request));
                                             })),
      around_{.clock = clock,
              .definitions = *stores_.definitions,
              .names = names_,
              .index = *stores_.index,
              .shards = options.shards,
              .resident_bytes = options.resident_bytes / options.shards,
              .steps_per_turn = options.steps_per_turn,
              .slow_turn = options.slow_turn,
              .scripts_beside = options.scripts_beside,
              .allowance = options.allowance,
              .seed = options.seed},
      sweeper_(options.retention) {
  around_.commit = [this](std::vector<Draft> drafts) { committer_->take(std::move(drafts)); };
  around_.post = [this](std::uint32_t shard, Request request) {
    if (shard < shards_.size()) shards_[shard]->post(std::move(request));
  };
  around_.hurry_index = [this] { indexer_->hurry(); };
  indexer_->when_passed = [this] { committer_->wake(); };
  around_.index_lags = [this] { return indexer_->lags(); };
  around_.beside = [this](Key definition, std::function<void()> work) {
    lanes_.post(definition, std::move(work));
  };
  around_.keep_snapshot = [this](Key instance, Position at, std::string bytes) {
    indexer_->keep_snapshot(instance, at, std::move(bytes));
  };
  around_.watch = [this](const RecordPtr& record, Position at) {
    if (!watched_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(watchers_mutex_);
    for (const auto& [number, watcher] : watchers_) watcher(record, at);
  };
  for (std::uint32_t i = 0; i < options.shards; ++i) {
    shards_.push_back(std::make_unique<Shard>(around_, i));
  }
}

Result<std::unique_ptr<Node>> Node::open(Stores stores, const Clock& clock, NodeOptions options) {
  if (options.shards == 0 || options.shards > limits::shards) {
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("a node has 1 to {} shards, not {}", limits::shards, options.shards));
  }
  std::unique_ptr<Node> node(new Node(std::move(stores), clock, options));
  PAWL_CHECK(node->recover());
  return node;
}

Node::~Node() { close(); }

Result<void> Node::recover() {
  PAWL_TRY(rows, stores_.index->definitions());
  for (const store::DefinitionRow& row : rows) stores_.definitions->add_stored(row);
  PAWL_CHECK(indexer_->catch_up_with_journal(
      [this](const store::Record& record) { stores_.definitions->note(record); }));
  for (auto& shard : shards_) PAWL_CHECK(shard->recover(stores_.journal->last()));
  return {};
}

// --- threads ------------------------------------------------------------------------------------

void Node::run() {
  constexpr unsigned lanes = 2;
  lanes_.run(lanes);
  indexer_thread_ = std::thread([this] { run_indexer(); });
  committer_thread_ = std::thread([this] { run_committer(); });
  for (std::uint32_t i = 0; i < shards(); ++i) {
    shard_threads_.emplace_back([this, i] {
      name_thread(fmt::format("pawl-shard-{}", i));
      run_shard(*shards_[i]);
    });
  }
}

void Node::run_shard(Shard& shard) {
  while (!(closing_ && shard.may_stop())) {
    if (closing_) shard.refuse_waiting();
    if (shard.run_once()) continue;
    shard.wait_for(closing_ ? Millis(1) : std::max(shard.idle_time(), Millis(0)));
    if (!closing_ && shard.may_stop()) std::this_thread::sleep_until(committer_->slot());
  }
}

void Node::run_committer() {
  name_thread("pawl-committer");
  while (!commits_end_) {
    if (!committer_->run_once()) committer_->wait_for(Millis(60'000));
  }
}

void Node::run_indexer() {
  name_thread("pawl-indexer");
  step_back();  // commits wait for an index that is too far behind, so it is never starved
  Millis pause{1};
  bool sweeps = false;  // has more to look at
  while (!commits_end_ || indexer_->backlog() > 0) {
    indexer_->wait(sweeps ? Millis(1) : Millis(1'000));
    while (indexer_->run_once()) {
      pause = Millis(1);
      if (!indexer_->is_due()) break;
    }
    sweeps = sweeper_.step(*stores_.index, around_.clock.now());
    tidy_memory();
    if (indexer_->last_error().text.empty()) continue;
    if (commits_end_) break;  // the next start goes on
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, Millis(1'000));
  }
}

// When a burst of work is over and nothing has happened for a while, the memory that it took is
// given back, once.
void Node::tidy_memory() {
  constexpr std::chrono::seconds quiet{2};
  const auto now = std::chrono::steady_clock::now();
  const std::uint64_t done = number(stores_.index->applied()) + around_.evictions.load();
  if (done != done_) {
    done_ = done;
    quiet_since_ = now;
    tidy_ = false;
  } else if (!tidy_ && now - quiet_since_ >= quiet) {
    tidy_ = true;
    stores_.index->forget_cached();
    give_back_freed_memory();
  }
}

void Node::close() {
  const std::lock_guard lock(closing_mutex_);
  if (closing_.exchange(true)) return;
  around_.closing = true;
  for (auto& shard : shards_) shard->wake();
  for (std::thread& thread : shard_threads_) thread.join();
  lanes_.close();
  commits_end_ = true;
  committer_->wake();
  if (committer_thread_.joinable()) committer_thread_.join();
  indexer_->stop();
  if (indexer_thread_.joinable()) {
    indexer_thread_.join();
    static_cast<void>(stores_.index->make_durable().has_value());
  }
  for (auto& shard : shards_) shard->refuse_waiting();
}

Millis Node::idle_time() const {
  Millis least{1'000};
  for (const auto& shard : shards_) least = std::min(least, shard->idle_time());
  return least;
}

// --- requests -----------------------------------------------------------------------------------

namespace {

// The key that says which shard is asked.
std::optional<Key> key_in(const Request& request) {
  if (const auto* command = std::get_if<CommandRequest>(&request)) return command->target;
  if (const auto* migrate = std::get_if<MigrateRequest>(&request)) return migrate->instance;
  if (const auto* wait = std::get_if<WaitRequest>(&request)) return wait->instance;
  if (const auto* given = std::get_if<ReturnJobRequest>(&request)) return given->job;
  if (const auto* lease = std::get_if<LeaseRequest>(&request)) return lease->job;
  if (const auto* resume = std::get_if<ResumeRequest>(&request)) return resume->incident;
  return std::nullopt;
}

}  // namespace

std::uint32_t Node::shard_for(const Request& request) {
  if (const auto key = key_in(request)) return shard_of(*key);
  if (std::holds_alternative<StartRequest>(request)) {
    return next_shard_.fetch_add(1, std::memory_order_relaxed) % shards();
  }
  return 0;  // deployments, messages, signals
}

void Node::ask(Request request) {
  if (closing_) {
    return refuse(request, closing_error());
  }
  if (auto* poll = std::get_if<ActivateRequest>(&request)) return ask_everywhere(std::move(*poll));
  if (const auto* stream = std::get_if<StreamRequest>(&request)) {
    for (auto& shard : shards_) shard->post(*stream);
    return;
  }
  const std::uint32_t shard = shard_for(request);
  if (shard >= shards()) {
    const std::uint64_t key = number(key_in(request).value_or(Key::none));
    return refuse(request, fail(Whose::caller, Code::not_found,
                                fmt::format("nothing has the key {} (any more)", key)));
  }
  if (shards_[shard]->offer(request)) return;
  refuse(request,
         fail(Whose::machine, Code::busy,
              "too much is waiting to be done; nothing was changed, try again in a moment"));
}

// Each shard has a share of the jobs. The first that has some answers.
void Node::ask_everywhere(ActivateRequest request) {
  if (!request.race) request.race = std::make_shared<ActivateRequest::Race>();
  request.race->open = shards();
  for (auto& shard : shards_) {
    Request copy = request;
    if (shard->offer(copy)) continue;
    if (request.race->open.fetch_sub(1) > 1) continue;
    refuse(copy, fail(Whose::machine, Code::busy, "too much is waiting; try again in a moment"));
  }
}

Result<void> Node::catch_up() {
  const Position committed = stores_.journal->last();
  if (stores_.index->applied() >= committed) return {};
  if (!indexer_thread_.joinable()) {
    while (stores_.index->applied() < committed) {
      if (!indexer_->run_once()) return indexer_->last_error();
    }
    return {};
  }
  if (indexer_->wait_until_applied(committed)) return {};
  if (const Error error = indexer_->last_error(); !error.text.empty()) {
    return fail(Whose::machine, Code::store_unavailable,
                fmt::format("the index cannot be brought up to date: {}", error.text));
  }
  PAWL_CHECK(store::check_patience());
  return closing_error();
}

Error Node::trouble() const {
  Error journal = committer_->trouble();
  return journal.text.empty() ? indexer_->trouble() : journal;
}

std::uint64_t Node::watch(Watcher watcher) {
  const std::lock_guard lock(watchers_mutex_);
  watched_ = true;
  watchers_.emplace_back(next_watcher_, std::move(watcher));
  return next_watcher_++;
}

void Node::unwatch(std::uint64_t number) {
  const std::lock_guard lock(watchers_mutex_);
  std::erase_if(watchers_, [&](const auto& one) { return one.first == number; });
  watched_ = !watchers_.empty();
}

}  // namespace pawl::runtime
