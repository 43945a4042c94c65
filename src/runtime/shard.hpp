// SPDX-License-Identifier: Apache-2.0
// Shard: a fixed share of all instances, run by one thread. It takes requests, lets the engine take
// turns in memory, and hands what they left to the committer; replies, jobs, timers and mail leave
// only when the journal has the turn. If a commit fails it forgets what was not committed and
// brings the instances back from the store. It never waits: what needs the index to come nearer is
// held.
//
// The shard with number 0 also has the mailbox and the deployments of the node.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <set>

#include "engine/turn.hpp"
#include "runtime/clock.hpp"
#include "runtime/inbox.hpp"
#include "runtime/job_queue.hpp"
#include "runtime/keys.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/names.hpp"
#include "runtime/residents.hpp"
#include "runtime/timer_queue.hpp"
#include "runtime/waiting_room.hpp"

namespace pawl::runtime {

using RecordPtr = std::shared_ptr<const store::Record>;

// The records of a draft: of a turn, of the start of the next execution if it continues as new, and
// of the starts of instances that it calls.
class Records {
 public:
  void push_back(RecordPtr record) {
    if (many_.empty() && count_ < held_.size()) {
      held_[count_++] = std::move(record);
      return;
    }
    if (many_.empty()) many_.assign(held_.begin(), held_.end());
    many_.push_back(std::move(record));
  }
  const RecordPtr* begin() const { return many_.empty() ? held_.data() : many_.data(); }
  const RecordPtr* end() const {
    return many_.empty() ? held_.data() + count_ : many_.data() + many_.size();
  }

 private:
  std::array<RecordPtr, 2> held_{};
  std::size_t count_{0};
  std::vector<RecordPtr> many_{};
};

// What one or more turns leave that must be committed together.
struct Draft {
  std::uint32_t shard{0};
  std::uint64_t epoch{0};  // of the shard: drafts of an older one were built on a failed commit
  std::uint64_t sequence{0};
  Records records{};
  // Whose it is, if it has no records: it says something that is true only if those before it are
  // stored.
  Key instance{Key::none};
  std::uint64_t life{0};
};

// A turn that is taken beside the shard (lanes.hpp), with all that it needs and what came of it.
struct AwayTurn {
  Key instance{Key::none};
  engine::Instance& state;  // the shard keeps it, and away from it, until the turn is back
  CommandRequest request{};
  engine::World world{};
  Result<engine::Turn> turn{engine::Turn{}};
  std::string broken{};       // the invariant
  bool out_of_memory{false};  // or there was none
  bool dropped{false};        // the node closes, and it had not begun
};

// What a shard has around it.
struct Surroundings {
  const Clock& clock;
  Definitions& definitions;
  Names& names;
  const store::Index& index;
  std::uint32_t shards{1};
  std::size_t resident_bytes{limits::resident_bytes};
  std::size_t steps_per_turn{limits::steps_per_turn};
  std::uint64_t slow_turn{limits::slow_turn};
  bool scripts_beside{false};
  engine::Allowance allowance{};
  std::uint64_t seed{0};
  std::function<void(std::vector<Draft>)> commit{};
  std::function<void(std::uint32_t shard, Request)> post{};
  std::function<void()> hurry_index{};
  std::function<bool()> index_lags{};  // own work waits for it
  // Does it on another thread; one after the other for each definition.
  std::function<void(Key definition, std::function<void()>)> beside{};
  std::function<void(Key, Position, std::string)> keep_snapshot{};
  std::function<void(const RecordPtr&, Position)> watch{};  // durable records, for subscribers
  std::atomic<std::uint64_t> evictions{0};                  // of all shards
  std::atomic<bool> closing{false};                         // what waits beside is not begun
};

class Shard {
 public:
  Shard(Surroundings& around, std::uint32_t number);

  // Reads what must be in memory from the index. Everything committed must be applied there.
  Result<void> recover(Position committed);

  // From outside: false if the shard has as much as it can hold.
  bool offer(Request& request) { return inbox_.offer(request); }
  // From the other parts of the runtime.
  void post(Request request) {
    own_.post(std::move(request));
    inbox_.wake();
  }
  void wait_for(Millis most) { inbox_.wait_for(most); }
  void wake() { inbox_.wake(); }
  // One round: what was asked, what is due, what is left. False: there was nothing to do.
  bool run_once();
  // Nothing is under way any more.
  bool may_stop() const {
    return pending_.empty() && drafts_.empty() && own_.empty() && away_ == 0;
  }
  // The node closes: whoever waits is told, and nothing new is begun.
  void refuse_waiting();
  // How long the next round can wait, if nothing is asked meanwhile.
  Millis idle_time() const;

  struct Load {
    std::size_t residents{0}, resident_bytes{0}, in_flight{0}, jobs{0}, timers{0}, messages{0};
  };
  Load load() const {  // after the last round; any thread
    const std::lock_guard lock(load_mutex_);
    return load_;
  }

 private:
  // What a turn was for, in words, and the key by which it is not tried again if it is set aside.
  struct Work {
    std::string_view name{"command"};
    Key subject{Key::none};  // none: somebody asked for it
  };
  struct Pending {
    std::uint64_t sequence{0};
    Key instance{Key::none};
    std::uint64_t life{0};  // Resident::life
    Records records{};
    std::function<void(const Error*)> after{};  // nullptr: durable
    Reply<Done> reply{};                        // of a turn
    Key answers{Key::none};                     // of a turn: CommandRequest::answers
    Work work{};                                // of a turn
    std::size_t bytes{0};                       // of the values in its records
  };
  // What one instance has to tell another: an answer to its caller, the end to one that it called.
  // Derived from what is durable, and done again after a crash; nobody minds having it twice.
  struct Errand {
    Key target{Key::none};  // instance
    engine::Command command{};
    Key caller{Key::none};  // of the call that it is about
    Key element{Key::none};
    Key child{Key::none};
  };
  enum class Found : std::uint8_t { here, later, nowhere, unreadable };

  // --- requests (shard.cpp)
  void handle(StartRequest& request);
  void handle(CommandRequest& request);
  void handle(MigrateRequest& request);
  void handle(WaitRequest& request);
  void handle(DeployRequest& request);
  void handle(PublishRequest& request);
  void handle(SignalRequest& request);
  void handle(ActivateRequest& request);
  void handle(StreamRequest& request);
  void handle(ReturnJobRequest& request);
  void handle(LeaseRequest& request);
  void handle(ResumeRequest& request);
  void handle(DraftsDurable& durable);
  void handle(DraftsFailed& failed);
  void handle(TurnTaken& taken);
  void handle(SubscriptionChange& change);
  void handle(DeliverRequest& request);
  void handle(Delivered& delivered);
  void answer_correlation(Key message, Key instance);  // none: nobody takes it
  void dispatch(Request& request);
  void handle_all(std::vector<Request>& requests);
  bool take_requests();
  bool go_on_with_own_work();
  void send_drafts();
  Result<void> recover_mail();
  void deploy(DeployRequest& request);

  // --- turns (shard_turns.cpp)
  void take_turn_of(Resident& resident, CommandRequest request);
  void send_away(Resident& resident, CommandRequest request);
  void finish_turn(Resident& resident, CommandRequest request, Result<engine::Turn> turn);
  void settle_resident(Key instance, Position at);
  void forget_turns_of(Key instance);
  void record_turn(Resident& resident, engine::Turn turn, CommandRequest& request);
  static Work work_of(const engine::Command& command, Key instance);
  bool is_slow(const Definition& definition) const {
    return slow_.contains(definition.key) ||
           (around_.scripts_beside && definition.process->has_scripts());
  }
  void handle_held(Key instance, std::deque<CommandRequest> held);
  // Of a request from outside that has to wait for a turn beside the shard. False: too many wait.
  bool take_place(CommandRequest& request);
  void note_pace(const Definition& definition, std::uint64_t cost);
  bool may_do_own_work() const;
  void on_refused(Pending& one, const Refusal& refusal);
  void fold_again(Resident& resident);
  void on_out_of_memory(Resident& resident, CommandRequest request);
  store::Record as_record(const Resident& resident, engine::Turn& turn);
  void continue_as_new(Resident& resident, const DefinitionPtr& next, Records& out,
                       std::vector<engine::ChildStart>& calls);
  void draft(Pending pending);
  void draft_notices(std::vector<store::Notice> notices, std::function<void(const Error*)> after);
  void after_pending(Resident& resident, std::function<void(const Error*)> after);
  void go_on(Resident& resident);
  void tell(const Reply<Done>& reply, Key answers, Result<Done> done);
  void settle(Pending& one, const Error* error);
  engine::World world_now(const Definition& definition);  // of one turn
  void on_broken(Resident& resident, CommandRequest request, const std::string& what);
  void set_aside(const Work& work, Key instance, const std::string& reason);
  void reload(Key instance);

  // --- migration (shard_migration.cpp)
  void move_subscriptions(Key instance);

  // --- calls between instances (shard_calls.cpp)
  void start_children(std::vector<engine::ChildStart> calls, Records& out,
                      std::vector<Key>& started);
  void add_answer(Key child, const engine::CallerAnswered& answer);
  void add_cancel(Key caller, Key element, Key child);
  void cancel_again(const Resident& caller);
  Result<void> answer_again(Key child);
  void call_again(Key child);
  bool run_errands();
  void settle_errand(const Errand& errand, const Result<Done>& done);

  // --- instances in memory (shard_instances.cpp)
  Found bring(Key instance, Resident*& resident);
  Result<std::unique_ptr<Resident>> load(Key instance);
  Found owner_of(Key target, Key& instance);
  DefinitionPtr definition_before(Key ended) const;
  void answer_duplicate(StartRequest& request, const NameHolder& holder);
  void hold_for_index(Request request);
  void finish(Key instance, Resident& resident, Position at);
  bool evict();
  bool should_leave(const Resident& oldest) const;

  // --- what durable turns cause (shard_effects.cpp)
  void project(const store::Record& record, Position at);
  void job_failed(const engine::JobFailed& event, Key instance, Position at);
  void answer_waiters(Key instance, const Resident& resident);
  void offer_again(Key instance, Key job);
  void reoffer(Resident& resident, Key job, Position at);

  // --- jobs (shard_jobs.cpp)
  void serve(const std::string& type);
  void serve(const std::shared_ptr<JobStream>& self);
  std::vector<ActivatedJob> activate(const std::string& type, std::size_t most,
                                     std::size_t most_bytes, Millis lease);
  bool activate_one(const OfferedJob& offered, Millis lease, std::vector<ActivatedJob>& out);
  bool answer_poll(ActivateRequest& request);
  void give_up(ActivateRequest& request);
  void expire_waiters();
  void release_held_jobs();

  // --- timers and mail (shard_mail.cpp)
  void fire_timers();
  bool fire_some_timers(std::size_t most);
  void expire_messages();
  void deliver(Key subscription, Key mail, const Value& variables);
  void deliver_again(Key subscription);
  void offer_kept(const store::SubscriptionRow& row);
  void deliver_signal(const store::SignalBroadcast& signal,
                      const std::vector<store::SubscriptionRow>& to);
  void send_signals();
  bool has_unsent_signals() const;
  void settle_signal(Key signal, Key subscription);

  void tell_load();
  Key next_key() {  // the next new one
    if (own_keys_.from == own_keys_.to) own_keys_ = keys_.more();
    return key_from(own_keys_.from);
  }
  Key new_key() {
    const Key key = next_key();
    ++own_keys_.from;
    return key;
  }
  void keep_keys_of(const engine::Turn& turn) { own_keys_ = {turn.next_key, turn.end_key}; }
  bool pauses() const { return around_.clock.now() < paused_until_; }
  Error pending_error() const;

  Surroundings& around_;
  const std::uint32_t number_;
  WaitingRoom beside_{limits::turns_waiting, limits::turns_waiting_bytes};
  Inbox<Request> inbox_;
  Inbox<Request> own_;
  Instant now_{};
  Keys keys_;
  engine::KeyRange own_keys_{};  // for turns that are taken here
  std::mt19937_64 random_;

  Residents residents_;
  std::unordered_map<Key, Position> ended_;  // the index may still take them for active
  std::deque<Key> to_continue_;
  std::deque<Errand> errands_;
  std::unordered_map<Key, std::vector<Reply<Ending>>> waiters_;
  std::unordered_map<Key, Reply<Correlated>> correlating_;  // message → who asks for its taker
  JobQueue jobs_;
  TimerQueue timers_;

  std::vector<Draft> drafts_;  // of this round
  std::deque<Pending> pending_;
  std::size_t pending_bytes_{0};
  std::uint64_t round_cost_{0};                  // of turns that this round has taken
  std::unordered_map<Key, std::uint32_t> slow_;  // definition → turns that are still taken beside
  std::size_t away_{0};                          // turns that are taken beside now
  bool from_outside_{false};  // what is handled now was asked by a caller, not by the runtime
  std::uint64_t sequence_{0};
  std::uint64_t epoch_{1};
  Position durable_{Position::none};
  Error unreadable_{};                    // why the last instance could not be brought back
  Position reload_from_{Position::none};  // an index behind this knows less than was acknowledged
  Instant paused_until_{};                // own work rests after a failed commit
  std::uint32_t failures_{0};
  bool closing_{false};
  mutable std::mutex load_mutex_;
  Load load_{};

  std::vector<Request> taken_, asked_;
  struct Held {
    Position until{Position::none};
    Request request{};
  };
  std::deque<Held> for_index_;

  std::map<std::string, std::vector<std::shared_ptr<JobStream>>> streams_;
  std::map<std::string, std::deque<ActivateRequest>> pollers_;
  Instant next_sweep_{Instant::max()};  // of the pollers: those whose time is over leave
  std::set<std::string> to_serve_;
  std::vector<Key> held_jobs_;  // their instance has turns that are not durable yet

  // Shard 0 only.
  std::deque<DeployRequest> deployments_;  // one after the other: the first is under way
  Mailbox mailbox_;
  struct Broadcast {
    store::SignalBroadcast signal{};
    std::deque<store::SubscriptionRow> unsent{};
    std::set<Key> open{};  // subscriptions that have not answered
  };
  std::map<Key, Broadcast> broadcasts_;
  std::set<Key> aside_;                          // subjects of work that was set aside
  std::map<Key, std::pair<Key, Key>> aside_by_;  // incident → instance, subject
};

}  // namespace pawl::runtime
