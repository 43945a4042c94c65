// SPDX-License-Identifier: Apache-2.0
#include "store/memory/memory_index.hpp"

#include <algorithm>
#include <set>

#include "store/sequence.hpp"

namespace pawl::store {
namespace {

// The rows that `keep` says yes to, in the order of their keys.
template <class Row, class Keep>
std::vector<Row> rows(const std::map<Key, Row>& all, Keep keep) {
  std::vector<Row> kept;
  for (const auto& [key, row] : all) {
    if (keep(row)) kept.push_back(row);
  }
  return kept;
}

template <class Row>
void cut(std::vector<Row>& all, std::size_t limit) {
  if (all.size() > limit) all.resize(limit);
}

bool matches(const InstanceQuery& query, const InstanceRow& row) {
  return row.key > query.after && (!query.state || row.state == *query.state) &&
         (query.process.empty() || row.process == query.process) &&
         (query.id.empty() || row.id == query.id) &&
         (query.business_id.empty() || row.business_id == query.business_id) &&
         (!query.busy || row.busy) && (!query.with_incidents || row.incidents > 0) &&
         (query.caller == Key::none || row.caller == query.caller) &&
         (!query.owe_answer || row.owes_answer) && (!query.roots || row.caller == Key::none);
}

template <class Row>
const Key* owner_in(const std::map<Key, Row>& all, Key key) {
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second.instance;
}

}  // namespace

MemoryState MemoryIndex::state() const {
  const std::lock_guard guard(mutex_);
  return state_;
}

void MemoryIndex::restore(MemoryState state) {
  const std::lock_guard guard(mutex_);
  state_ = std::move(state);
}

Result<void> MemoryIndex::apply(std::span<const Committed> records) {
  const std::lock_guard guard(mutex_);
  PAWL_TRY(fresh, not_yet_applied(records, state_.applied));
  for (const Committed& one : fresh) take(state_, one, names_);
  return {};
}

Result<void> MemoryIndex::keep_snapshot(Key key, Position at, std::string bytes) {
  const std::lock_guard guard(mutex_);
  const auto found = state_.instances.find(key);
  if (at > state_.applied || found == state_.instances.end()) return {};
  MemoryState::Instance& instance = found->second;
  if (!instance.running || at < instance.since) return {};
  instance.snapshot = std::move(bytes);
  instance.snapshot_at = at;
  return {};
}

Position MemoryIndex::applied() const {
  const std::lock_guard guard(mutex_);
  return state_.applied;
}

// --- what the runtime asks
Result<std::uint64_t> MemoryIndex::next_key(std::uint32_t shard) const {
  const std::lock_guard guard(mutex_);
  const auto found = state_.next_keys.find(shard);
  return found == state_.next_keys.end() ? std::uint64_t{0} : found->second;
}

InstanceRow MemoryIndex::row_of(const MemoryState::Instance& instance) const {
  InstanceRow row = instance.row;
  for (const auto& [key, incident] : state_.incidents) {
    if (incident.instance == row.key) ++row.incidents;
  }
  return row;
}

Result<std::optional<Past>> MemoryIndex::past_of(Key key) const {
  const std::lock_guard guard(mutex_);
  const auto found = state_.instances.find(key);
  if (found == state_.instances.end()) return std::optional<Past>();
  const MemoryState::Instance& instance = found->second;
  Past past{
      .row = row_of(instance), .snapshot = instance.snapshot, .snapshot_at = instance.snapshot_at};
  for (const HistoryEntry& entry : instance.history) {
    if (entry.position < instance.since || entry.position <= past.snapshot_at) continue;
    past.bytes += entry.bytes.size();
    past.turns.push_back(entry.bytes);
  }
  return std::optional<Past>(std::move(past));
}

Result<std::optional<Key>> MemoryIndex::owner_of(Key key) const {
  const std::lock_guard guard(mutex_);
  for (const Key* owner : {owner_in(state_.jobs, key), owner_in(state_.timers, key),
                           owner_in(state_.subscriptions, key), owner_in(state_.incidents, key)}) {
    if (owner) return std::optional<Key>(*owner);
  }
  for (const auto& [instance, one] : state_.instances) {
    if (one.elements.contains(key)) return std::optional<Key>(instance);
  }
  return std::optional<Key>();
}

Result<std::vector<JobRow>> MemoryIndex::offerable_jobs(const std::string& type,
                                                        std::size_t limit) const {
  const std::lock_guard guard(mutex_);
  auto found = rows(state_.jobs, [&](const JobRow& job) {
    return job.type == type && job.availability == JobAvailability::activatable;
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const JobRow& a, const JobRow& b) { return a.priority > b.priority; });
  cut(found, limit);
  return found;
}

Result<std::vector<std::string>> MemoryIndex::offerable_types() const {
  const std::lock_guard guard(mutex_);
  std::set<std::string> types;
  for (const auto& [key, job] : state_.jobs) {
    if (job.availability == JobAvailability::activatable) types.insert(job.type);
  }
  return std::vector<std::string>(types.begin(), types.end());
}

Result<std::vector<TimerRow>> MemoryIndex::timers_after(Instant due, Key key,
                                                        std::size_t limit) const {
  const std::lock_guard guard(mutex_);
  auto found = rows(state_.timers, [&](const TimerRow& timer) {
    return std::pair(timer.due, timer.key) > std::pair(due, key);
  });
  std::sort(found.begin(), found.end(), [](const TimerRow& a, const TimerRow& b) {
    return std::pair(a.due, a.key) < std::pair(b.due, b.key);
  });
  cut(found, limit);
  return found;
}

Result<std::vector<SubscriptionRow>> MemoryIndex::subscriptions() const {
  const std::lock_guard guard(mutex_);
  return rows(state_.subscriptions, [](const auto&) { return true; });
}

Result<std::vector<MessageRow>> MemoryIndex::messages() const {
  const std::lock_guard guard(mutex_);
  std::vector<MessageRow> all;
  for (const auto& [key, message] : state_.messages) all.push_back(message.row);
  return all;
}

Result<std::vector<SignalRow>> MemoryIndex::signals() const {
  const std::lock_guard guard(mutex_);
  return rows(state_.signals, [](const auto&) { return true; });
}

Result<std::vector<DefinitionRow>> MemoryIndex::definitions() const {
  const std::lock_guard guard(mutex_);
  std::vector<DefinitionRow> all;
  for (const auto& [key, process] : state_.processes) {
    const auto resource = state_.resources.find(process.resource);
    const bool known = resource != state_.resources.end();
    all.push_back({.process = process,
                   .resource_name = known ? resource->second.name : "",
                   .checksum = known ? resource->second.checksum : ""});
  }
  return all;
}

Result<std::string> MemoryIndex::resource(Key resource) const {
  const std::lock_guard guard(mutex_);
  const auto found = state_.resources.find(resource);
  if (found == state_.resources.end()) return unknown_resource(resource);
  return found->second.content;
}

// --- what people ask
Result<std::vector<InstanceRow>> MemoryIndex::instances(const InstanceQuery& query) const {
  const std::lock_guard guard(mutex_);
  std::vector<InstanceRow> found;
  for (const auto& [key, instance] : state_.instances) {
    const InstanceRow row = row_of(instance);
    if (matches(query, row)) found.push_back(row);
  }
  if (query.newest_first) {
    std::sort(found.begin(), found.end(), [](const InstanceRow& a, const InstanceRow& b) {
      return std::tie(a.started, a.key) > std::tie(b.started, b.key);
    });
  }
  cut(found, query.limit);
  return found;
}

Result<std::vector<JobRow>> MemoryIndex::jobs(const JobQuery& query) const {
  const std::lock_guard guard(mutex_);
  auto found = rows(state_.jobs, [&](const JobRow& job) {
    return (query.type.empty() || job.type == query.type) &&
           (query.instance == Key::none || job.instance == query.instance) &&
           (!query.availability || job.availability == *query.availability);
  });
  cut(found, query.limit);
  return found;
}

Result<std::vector<IncidentRow>> MemoryIndex::incidents(Key instance) const {
  const std::lock_guard guard(mutex_);
  return rows(state_.incidents, [&](const IncidentRow& incident) {
    return instance == Key::none || incident.instance == instance;
  });
}

Result<std::vector<VariableRow>> MemoryIndex::variables(Key instance) const {
  const std::lock_guard guard(mutex_);
  std::vector<VariableRow> all;
  const auto found = state_.instances.find(instance);
  if (found == state_.instances.end()) return all;
  for (const auto& [name, value] : found->second.variables) all.push_back({instance, name, value});
  return all;
}

Result<std::vector<ElementRow>> MemoryIndex::elements(Key instance) const {
  const std::lock_guard guard(mutex_);
  const auto found = state_.instances.find(instance);
  if (found == state_.instances.end()) return std::vector<ElementRow>();
  return rows(found->second.elements, [](const auto&) { return true; });
}

Result<std::vector<TimerRow>> MemoryIndex::timers(Key instance) const {
  const std::lock_guard guard(mutex_);
  return rows(state_.timers, [&](const TimerRow& timer) { return timer.instance == instance; });
}

Result<std::vector<SubscriptionRow>> MemoryIndex::subscriptions_of(Key instance) const {
  const std::lock_guard guard(mutex_);
  return rows(state_.subscriptions, [&](const auto& one) { return one.instance == instance; });
}

Result<std::vector<HistoryEntry>> MemoryIndex::history(Key instance) const {
  const std::lock_guard guard(mutex_);
  const auto found = state_.instances.find(instance);
  if (found == state_.instances.end()) return std::vector<HistoryEntry>();
  return found->second.history;
}

Result<Key> MemoryIndex::forget_ended(Key after, std::size_t rows, const MayForget& may) {
  const std::lock_guard lock(mutex_);
  auto place = state_.instances.upper_bound(after);
  Key last = Key::none;
  for (; rows > 0 && place != state_.instances.end(); --rows) {
    const InstanceRow& row = place->second.row;
    last = row.key;
    const bool gone =
        row.ended != Instant{} && !row.owes_answer && may({row.key, row.process, row.ended});
    if (gone) state_.forgotten = std::max(state_.forgotten, row.ended);
    place = gone ? state_.instances.erase(place) : std::next(place);
  }
  return rows > 0 ? Key::none : last;
}

Result<Instant> MemoryIndex::forgotten() const {
  const std::lock_guard lock(mutex_);
  return state_.forgotten;
}

}  // namespace pawl::store
