// SPDX-License-Identifier: Apache-2.0
// Driver: runs one instance in memory, with virtual time. It keeps the journal of events, the open
// jobs, timers and subscriptions, and moves time only when it is told to. `pawl run` and the tests
// stand on it; the durable runtime drives the same engine with the same turns. What is virtual is
// how the world reaches the instance: `pawl run --data` sends it through a node.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

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

  const engine::Instance& instance() const { return instance_; }
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
  std::size_t steps_per_turn{limits::steps_per_turn};
  bool keeps_journal{true};

 protected:
  // A turn that somebody else took and made durable.
  void take_over(Instant at, engine::Events events);
  // Time has come to here; what should have become due and did not is not waited for.
  void move_time(Instant when);

 private:
  Result<engine::Turn> guarded_turn(const engine::Command& command, const engine::World& world);
  void record(engine::Events events);
  void project(const engine::Event& event);
  void project_wait(const engine::Event& event);
  void forget_timer(Key timer);
  std::vector<Key> waiting_for(engine::MailKind kind, std::string_view name,
                               std::string_view correlation) const;
  void forget_incident(Key incident);

  model::ProcessPtr process_;
  engine::Instance instance_;
  Instant now_;
  std::uint64_t next_key_{1};
  std::uint64_t turns_{0};
  std::string broken_;
  std::vector<Recorded> journal_;
  std::set<Key> open_jobs_;
  std::set<std::pair<Instant, Key>> due_;  // timers, and jobs that are tried again
  std::map<Key, Instant> timers_;
  std::map<Key, OpenSubscription> subscriptions_;
  std::map<Key, OpenIncident> incidents_;
};

}  // namespace pawl::runtime
