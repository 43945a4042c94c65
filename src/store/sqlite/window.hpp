// SPDX-License-Identifier: Apache-2.0
// Window: the records of one `apply`, folded into what they change in the tables, before any SQL is
// run. What is created and ended within the window leaves nothing; an instance that starts and ends
// within it leaves its row, its variables and its history. Holds pointers into the records.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/key_map.hpp"
#include "store/index.hpp"
#include "store/sqlite/stored.hpp"

namespace pawl::store::sqlite {

inline constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

struct InstanceChange {
  Key key{Key::none};
  const engine::InstanceStarted* started{nullptr};  // the newest execution, if it began here
  bool is_new{false};                               // so did the instance
  bool has_ended{false};                            // the newest execution, here
  bool continues{false};                            // it was said here that it will continue
  InstanceState outcome{InstanceState::active};
  Instant began{};
  Instant ended{};
  bool more{false};
  std::uint32_t shard{0};
  ElementIndex root{ElementIndex::none};
  Position first{Position::none};
  Position since{Position::none};
  // Counts ends and restarts: open rows of an earlier epoch go, and so do variables of one before
  // the last restart.
  std::uint32_t epoch{0};
  std::uint32_t restart{0};
  std::uint32_t first_record{nowhere};  // of the chain `Window::next_record`
  std::uint32_t last_record{nowhere};
  std::optional<Stored::Instance> stored{};                   // loaded when it is needed
  std::vector<const engine::InstanceMigrated*> migrations{};  // of the newest execution
};

// What all changes of rows have in common.
struct RowChange {
  Key key{Key::none};
  std::uint32_t instance{nowhere};  // place in Window::instances
  std::uint32_t epoch{0};
  bool stored{false};  // the table may have it
  bool open{false};    // it is there after the window
};
struct ElementChange : RowChange {
  const engine::ElementActivating* made{nullptr};  // nullptr: only the job changed
  Key job{Key::none};
  std::uint32_t migrations{0};  // of its instance in this window, before it began
};
struct JobChange : RowChange {
  const engine::JobCreated* made{nullptr};  // nullptr: only what follows changed
  std::optional<std::int32_t> retries{};
  std::optional<JobAvailability> availability{};
};
struct TimerChange : RowChange {
  Instant due{};
  TimerKind kind{TimerKind::element};
};
struct SubscriptionChange : RowChange {
  const engine::SubscriptionOpened* made{nullptr};
  Position position{Position::none};
};
struct IncidentChange : RowChange {
  IncidentRow row{};
};
struct SignalChange : RowChange {
  const SignalBroadcast* made{nullptr};
  Position position{Position::none};
};
struct MessageChange : RowChange {
  const MessagePublished* made{nullptr};  // nullptr: only offers and takers changed
  Stored::Message now{};
};
struct CallChange {  // by the key of the instance that was called
  Key key{Key::none};
  const engine::Caller* made{nullptr};  // nullptr: only what follows changed
  bool owes{false};
};
struct VariableChange {
  std::uint32_t instance{nowhere};
  std::uint32_t epoch{0};
  const Name* name{nullptr};
  const Value* value{nullptr};
};

// Changes of one table by key, in order of first touch.
template <class Change>
class Changes {
 public:
  Change* find(Key key) {
    const engine::Slot slot = places_.find(key);
    return slot == engine::Slot::none ? nullptr : &all_[engine::number(slot)];
  }
  // `given` names the key.
  Change& add(Change given) {
    places_.insert(given.key, static_cast<engine::Slot>(all_.size()));
    return all_.emplace_back(std::move(given));
  }
  void reserve(std::size_t count) { all_.reserve(count); }
  std::vector<Change>& all() { return all_; }
  std::uint32_t place(const Change& change) const {
    return static_cast<std::uint32_t>(&change - all_.data());
  }

 private:
  engine::KeyMap places_;
  std::vector<Change> all_;
};

struct VariablePlace {
  std::uint32_t instance{nowhere};
  const Name* name{nullptr};
  friend bool operator==(const VariablePlace& a, const VariablePlace& b) {
    return a.instance == b.instance && *a.name == *b.name;
  }
};
struct HashOfVariable {
  std::size_t operator()(const VariablePlace& place) const {
    return place.instance * 0x9E3779B97F4A7C15ull ^ place.name->hash();
  }
};

struct Window {
  explicit Window(Stored& database) : stored(database) {}

  Stored& stored;
  std::span<const Committed> records{};
  std::vector<std::uint32_t> next_record{};  // of the same instance
  Changes<InstanceChange> instances{};
  Changes<ElementChange> elements{};
  Changes<JobChange> jobs{};
  Changes<TimerChange> timers{};
  Changes<SubscriptionChange> subscriptions{};
  Changes<IncidentChange> incidents{};
  Changes<MessageChange> messages{};
  Changes<SignalChange> signals{};
  Changes<CallChange> calls{};
  std::vector<VariableChange> variables{};
  std::unordered_map<VariablePlace, std::uint32_t, HashOfVariable> variable_at{};
  std::map<std::uint32_t, std::uint64_t> next_keys{};  // by shard
  std::vector<const ResourceDeployed*> resources{};
  std::vector<const ProcessDeployed*> processes{};
};

// Takes all of them, in order. Errors of the database are in `window.stored.trouble`.
void fold_records(Window& window, std::span<const Committed> records);

// --- for the files of the window
InstanceChange& touched_instance(Window& window, Key key);
void close_row(Changes<TimerChange>& timers, Key key);
void fold_notices(Window& window, const Committed& committed);
void take_mail(Window& window, InstanceChange& instance, const engine::MailReceived& event);
void raise_incident(Window& window, InstanceChange& instance, const engine::IncidentRaised& event,
                    Instant at);
void resolve_incident(Window& window, Key incident);
void close_job(Window& window, Key job);
JobChange& changed_job(Window& window, Key job);
const Stored::Instance& facts_of(Window& window, InstanceChange& instance);

// Is the row there after the window? Not if its execution has ended.
inline bool stays(Window& window, const RowChange& change) {
  if (!change.open || change.instance == nowhere) return change.open;
  return window.instances.all()[change.instance].epoch == change.epoch;
}

}  // namespace pawl::store::sqlite
