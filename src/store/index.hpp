// SPDX-License-Identifier: Apache-2.0
// Index: the projection of the journal that answers questions and brings instances back. It may lag
// behind the journal, remembers the position it has applied in the same transaction, and can be
// rebuilt from nothing. `apply`, `keep_snapshot`, `make_durable` and `forget_…` are called by
// one thread; the queries by any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "store/record.hpp"

namespace pawl::store {

struct Selection;  // store/selection.hpp
struct Selected;

// A record that the journal has: decoded, and its bytes as they are in the journal.
struct Committed {
  Position position{Position::none};
  std::shared_ptr<const Record> record{};
  std::string bytes{};
};

enum class InstanceState : std::uint8_t { active, completed, terminated };
enum class JobAvailability : std::uint8_t { activatable, backing_off, out_of_retries };

// --- rows ---------------------------------------------------------------------------------------
struct InstanceRow {
  Key key{Key::none};
  std::string process{};  // id
  std::int32_t version{0};
  Key definition{Key::none};
  InstanceState state{InstanceState::active};
  std::uint32_t execution{1};
  std::string id{};
  std::string business_id{};
  Instant started{};  // the first execution
  Instant ended{};
  std::uint32_t incidents{0};  // open ones
  bool busy{false};            // has work left that it does by itself, or a next execution to start
  std::uint32_t shard{0};
  // Of an instance that a call activity has started.
  Key caller{Key::none};          // instance
  Key caller_element{Key::none};  // element instance
  Key root{Key::none};            // the instance that nobody called
  bool owes_answer{false};        // it has ended, and its caller has not taken note yet
};
struct ElementRow {  // of an open element instance
  Key key{Key::none};
  Key instance{Key::none};
  Key scope{Key::none};
  ElementIndex element{ElementIndex::none};
  std::string element_id{};
  std::uint32_t iteration{0};
  bool body{false};
};
struct JobRow {
  Key key{Key::none};
  Key instance{Key::none};
  Key element{Key::none};  // element instance
  std::string type{};
  std::int32_t retries{0};
  std::int32_t priority{0};
  JobAvailability availability{JobAvailability::activatable};
};
enum class TimerKind : std::uint8_t { element, job_retry };
struct TimerRow {
  Key key{Key::none};  // of the timer; of the job whose back-off ends
  Key instance{Key::none};
  Instant due{};
  TimerKind kind{TimerKind::element};
};
struct SubscriptionRow {
  Key key{Key::none};
  Key instance{Key::none};
  engine::MailKind kind{engine::MailKind::message};
  std::string name{};
  std::string correlation{};
  std::string process{};
  Position opened{Position::none};  // where in the journal
};
struct MessageRow {
  MessagePublished message{};           // `offered` as it is now, by key: neither taken nor refused
  std::vector<std::string> taken_by{};  // process ids, sorted
};
// The type of an incident that the runtime made, not the engine.
inline constexpr std::string_view work_set_aside = "WORK_SET_ASIDE";

struct IncidentRow {
  Key key{Key::none};
  Key instance{Key::none};
  Key element{Key::none};  // element instance; none: the runtime set work aside
  std::string element_id{};
  std::string type{};  // as clients know it: "CONDITION_ERROR"
  std::string message{};
  Instant at{};
  Key job{Key::none};
  Key subject{Key::none};  // of work set aside
};
struct VariableRow {  // of the root scope
  Key instance{Key::none};
  std::string name{};
  Value value{};
};
struct DefinitionRow {
  ProcessDeployed process{};
  std::string resource_name{};
  std::string checksum{};
};
struct SignalRow {
  SignalBroadcast signal{};
  Position position{Position::none};
};

// --- questions ----------------------------------------------------------------------------------
inline constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

struct InstanceQuery {
  std::optional<InstanceState> state{};
  std::string process{};      // empty: any
  std::string id{};           // empty: any
  std::string business_id{};  // empty: any
  bool busy{false};           // only those with work left
  bool with_incidents{false};
  Key caller{Key::none};     // only those that it has called; none: any
  bool owe_answer{false};    // only those
  bool roots{false};         // only those that nobody has called
  Key after{Key::none};      // pages: keys greater than this, ascending
  bool newest_first{false};  // by start instead of by key
  std::size_t limit{no_limit};
};
struct JobQuery {
  std::string type{};  // empty: any
  Key instance{Key::none};
  std::optional<JobAvailability> availability{};
  std::size_t limit{no_limit};
};
// What is needed to bring an instance back: the newest snapshot, then the turns after it.
struct Past {
  InstanceRow row{};
  std::string snapshot{};                // empty: none
  Position snapshot_at{Position::none};  // the snapshot holds everything up to this position
  std::vector<std::string> turns{};      // encoded records of the newest execution, after it
  std::size_t bytes{0};                  // of `turns`
};
struct HistoryEntry {
  Position position{Position::none};
  std::string bytes{};  // an encoded record
};

// The id of an element in its diagram, for people who read the tables; empty if it is not known.
using ElementNames = std::function<std::string(Key definition, ElementIndex element)>;

class Index {
 public:
  virtual ~Index() = default;

  // All of them in one transaction, in order. Those that are applied already are passed over; a gap
  // is an error. On an error nothing changed.
  virtual Result<void> apply(std::span<const Committed> records) = 0;
  // Replaces the snapshot of an instance. Ignored unless `at` is applied already and lies in the
  // newest execution of an instance that has not ended.
  virtual Result<void> keep_snapshot(Key instance, Position at, std::string bytes) = 0;
  // What the queries see.
  virtual Position applied() const = 0;
  // Everything applied survives a crash when it returns; gives its position.
  virtual Result<Position> make_durable() = 0;

  // Memory that only makes it faster can go: it has nothing to do at the moment.
  virtual void forget_cached() {}

  // Which instances that have ended are removed, with their variables and history.
  struct Ended {
    Key key{Key::none};
    std::string process{};
    Instant at{};
  };
  using MayForget = std::function<bool(const Ended&)>;
  // Looks at up to `rows` instances with keys behind `after`, in one transaction. Gives the last
  // key that it looked at; none: there are no more.
  virtual Result<Key> forget_ended(Key after, std::size_t rows, const MayForget& may) = 0;
  // The latest end among those that were removed: what ended before it may be missing.
  virtual Result<Instant> forgotten() const = 0;

  // --- what the runtime asks
  virtual Result<std::uint64_t> next_key(std::uint32_t shard) const = 0;  // 0: none used yet
  virtual Result<std::optional<Past>> past_of(Key instance) const = 0;
  // The instance that an element instance, job, incident, timer or subscription belongs to now.
  virtual Result<std::optional<Key>> owner_of(Key key) const = 0;
  // Jobs of a type that may be offered, by priority (highest first), then key.
  virtual Result<std::vector<JobRow>> offerable_jobs(const std::string& type,
                                                     std::size_t limit) const = 0;
  virtual Result<std::vector<std::string>> offerable_types() const = 0;
  // By due time, then key: those after (due, key), at most `limit`.
  virtual Result<std::vector<TimerRow>> timers_after(Instant due, Key key,
                                                     std::size_t limit) const = 0;
  virtual Result<std::vector<SubscriptionRow>> subscriptions() const = 0;  // open, by key
  virtual Result<std::vector<MessageRow>> messages() const = 0;            // alive, by key
  virtual Result<std::vector<SignalRow>> signals() const = 0;          // not delivered to all yet
  virtual Result<std::vector<DefinitionRow>> definitions() const = 0;  // by key
  virtual Result<std::string> resource(Key resource) const = 0;        // content

  // --- what people ask
  virtual Result<std::vector<InstanceRow>> instances(const InstanceQuery& query) const = 0;
  virtual Result<std::vector<JobRow>> jobs(const JobQuery& query) const = 0;   // by key
  virtual Result<std::vector<IncidentRow>> incidents(Key instance) const = 0;  // none: all; by key
  virtual Result<std::vector<VariableRow>> variables(Key instance) const = 0;  // by name
  virtual Result<std::vector<ElementRow>> elements(Key instance) const = 0;    // open, by key
  virtual Result<std::vector<TimerRow>> timers(Key instance) const = 0;        // by key
  virtual Result<std::vector<SubscriptionRow>> subscriptions_of(Key instance) const = 0;
  virtual Result<std::vector<HistoryEntry>> history(Key instance) const = 0;  // all executions
  virtual Result<std::size_t> history_bytes(Key instance) const = 0;          // about so many
  // Any rows, by any conditions, page by page.
  virtual Result<Selected> find_rows(const Selection& selection) const = 0;
  // The instance whose turn made this key, also if what has it is gone. If the key was not made by
  // a turn it may be any instance, or none.
  virtual Result<std::optional<Key>> maker_of(Key key) const = 0;
};

}  // namespace pawl::store
