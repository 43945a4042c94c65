// SPDX-License-Identifier: Apache-2.0
// Driver: runs one instance, and those that it calls, in memory, with virtual time. It keeps the
// journal of events, the open jobs, timers and subscriptions, and moves time only when it is told
// to. `pawl run` and the tests stand on it; the durable runtime drives the same engine with the
// same turns. What is virtual is how the world reaches the instance: `pawl run --data` sends it
// through a node.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/apply.hpp"
#include "engine/turn.hpp"

namespace pawl::runtime {

struct Recorded {
  Instant at{};
  engine::Event event{};
};

struct OpenIncident {
  Key element{Key::none};
  engine::IncidentKind kind{engine::IncidentKind::unknown};
  Code code{Code::broken_invariant};
  std::string message{};
};

struct OpenSubscription {
  Key element{Key::none};
  engine::MailKind kind{engine::MailKind::message};
  Name name{};
  std::string correlation{};
};

// The processes of a run, by id: each is there once.
class Library final : public engine::Callables {
 public:
  void add(const model::ProcessPtr& process) { processes_[process->id] = process; }
  Result<engine::Called> find_called(const engine::CallTarget& target) const override;

 private:
  std::map<std::string, model::ProcessPtr> processes_;
};

class Driver {
 public:
  explicit Driver(model::ProcessPtr process, Instant now = Instant{});
  Driver(Driver&&) = default;
  Driver& operator=(Driver&&) = default;
  virtual ~Driver() = default;

  // Carries the command out, with all turns it needs. A rejected command changes nothing. Error
  // budget_exceeded: the instance goes on and on without waiting for anything.
  virtual Result<void> send(const engine::Command& command);
  virtual Result<void> start(Value variables = {});
  // The next execution of an instance that ended to continue as new.
  virtual Result<void> start_next();
  // What call activities can start.
  Library library{};

  const engine::Instance& instance() const { return instance_; }
  // The instance and those that were called and have not ended, by key.
  std::vector<const engine::Instance*> instances() const;
  // The one that has this element instance, job, timer, subscription or incident; else the first.
  const engine::Instance& home_of(Key key) const;
  const model::ProcessPtr& process() const { return process_; }
  const std::vector<Recorded>& journal() const { return journal_; }
  bool has_ended() const { return instance_.ended != engine::Ended::no; }

  Instant now() const { return now_; }
  // When something will happen by itself; nullopt: never.
  std::optional<Instant> next_due() const;
  // Moves time forward and does what becomes due on the way, in order.
  virtual Result<void> advance_to(Instant when);

  // By age. A message goes to the oldest that has its name and key; false: nobody waits for it. A
  // signal goes to all that wait now; how many.
  const std::map<Key, OpenSubscription>& subscriptions() const { return subscriptions_; }
  virtual Result<bool> publish(std::string_view name, std::string_view correlation,
                               Value variables = {});
  virtual Result<std::size_t> broadcast(std::string_view name, Value variables = {});
  const std::map<Key, Instant>& timers() const { return timers_; }

  // Open jobs that a worker may take now, oldest first.
  const std::set<Key>& open_jobs() const { return open_jobs_; }
  const std::map<Key, OpenIncident>& incidents() const { return incidents_; }
  // The variables a job sees: the merged view of its element, nearest scope first.
  Value variables_of(Key element_instance) const;

  // Called after every turn with its events, already applied and recorded.
  std::function<void(const engine::Instance&, const engine::Events&)> after_turn{};
  // Asked before a turn that was cut goes on: what it gives is taken first, as if somebody had sent
  // it meanwhile. If that is rejected nothing happens.
  std::function<std::optional<engine::Command>()> when_cut{};
  std::size_t steps_per_turn{limits::steps_per_turn};
  engine::Allowance allowance{};
  bool keeps_journal{true};

 protected:
  // A turn that somebody else took and made durable, of the instance or of one that was called.
  // `find` knows the processes that they begin with or are migrated to.
  Result<void> take_over(Instant at, Key instance, engine::Events events,
                         const engine::FindProcess& find);
  // Time has come to here; what should have become due and did not is not waited for.
  void move_time(Instant when);

 private:
  struct Errand {
    Key instance{Key::none};  // none: the first one
    engine::Command command{};
  };
  Result<engine::Turn> guarded_turn(engine::Instance& instance, const engine::Command& command,
                                    const engine::World& world);
  engine::Instance* find_instance(Key key);
  Result<void> take_turn_of(engine::Instance& instance, const engine::Command& command);
  Result<void> run_errand(const Errand& errand);
  void note_errands(const engine::Instance& instance, const engine::Events& events);
  void begin_child(engine::ChildStart child);
  void settle_child(Key child);
  void record(const engine::Instance& instance, engine::Events events);
  void project(const engine::Instance& instance, const engine::Event& event);
  void project_wait(const engine::Event& event);
  void forget_timer(Key timer);
  std::vector<Key> waiting_for(engine::MailKind kind, std::string_view name,
                               std::string_view correlation) const;
  void forget_incident(const engine::Instance& instance, Key incident);

  model::ProcessPtr process_;
  engine::Instance instance_;
  std::map<Key, engine::Instance> children_;
  std::deque<Errand> errands_;
  Instant now_;
  std::uint64_t next_key_{1};
  std::uint64_t turns_{0};
  std::size_t called_{0};  // instances, by the last command
  std::string broken_;
  std::vector<Recorded> journal_;
  std::set<Key> open_jobs_;
  std::set<std::pair<Instant, Key>> due_;  // timers, and jobs that are tried again
  std::map<Key, Instant> timers_;
  std::map<Key, OpenSubscription> subscriptions_;
  std::map<Key, OpenIncident> incidents_;
};

}  // namespace pawl::runtime
