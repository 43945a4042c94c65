// SPDX-License-Identifier: Apache-2.0
#include "runtime/job_queue.hpp"

#include "runtime/mutation.hpp"

namespace pawl::runtime {

JobQueue::Type& JobQueue::type_of(const std::string& name) {
  const auto found = types_.find(name);
  if (found != types_.end()) return found->second;
  return types_.emplace(name, Type{.name = name}).first->second;
}

void JobQueue::expect_stored(const std::string& type) { type_of(type).more_stored = true; }

void JobQueue::offer(const std::string& name, const OfferedJob& job, store::Position at) {
  if (jobs_.contains(job.key)) {
    offer_again(job.key);
    return;
  }
  Type& type = type_of(name);
  const Place place{job.priority, job.key};
  // Behind those that are stored: it is fetched when its turn comes.
  if (type.more_stored && (type.offered.empty() || *type.offered.rbegin() < place)) {
    type.stored_at = std::max(type.stored_at, at);
    return;
  }
  add(type, job);
  if (type.offered.size() > most_) type.stored_at = std::max(type.stored_at, at);
  shrink(type);
}

// New ones have the largest keys: they usually go to the end.
void JobQueue::add(Type& type, const OfferedJob& job) {
  const auto place = type.offered.insert(type.offered.end(), {job.priority, job.key});
  jobs_.emplace(job.key, Known{.job = job, .type = &type, .place = place});
}

// It is neither offered nor leased any more.
void JobQueue::leave(Known& known) {
  if (known.state == State::offered) known.type->offered.erase(known.place);
  if (known.state == State::leased) leases_.erase(known.lease);
  known.state = State::held;
}

void JobQueue::shrink(Type& type) {
  if (type.offered.size() <= most_) return;
  while (type.offered.size() > most_ / 2) {
    const auto last = std::prev(type.offered.end());
    jobs_.erase(last->key);
    type.offered.erase(last);
  }
  type.more_stored = true;
}

void JobQueue::remove(Key job) {
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return;
  leave(found->second);
  jobs_.erase(found);
}

void JobQueue::gone(Key job, store::Position at) {
  remove(job);
  gone_[job] = at;
}

Result<void> JobQueue::refill(Type& type, store::Position indexed) {
  std::erase_if(gone_, [&](const auto& one) { return one.second <= indexed; });
  // Leased and held ones are stored too: so many more must be asked for to be sure of a new one.
  const std::size_t wanted = most_ / 2 + jobs_.size() + gone_.size();
  PAWL_TRY(rows, fetch_(type.name, wanted));
  std::size_t added = 0;
  for (const OfferedJob& row : rows) {
    if (added == most_ / 2) break;
    if (gone_.contains(row.key)) continue;
    if (jobs_.contains(row.key)) continue;
    add(type, row);
    ++added;
  }
  type.more_stored = rows.size() == wanted || added == most_ / 2 || indexed < type.stored_at;
  return {};
}

Result<std::optional<OfferedJob>> JobQueue::peek(const std::string& name, store::Position indexed) {
  const auto found = types_.find(name);
  if (found == types_.end()) return std::optional<OfferedJob>();
  Type& type = found->second;
  if (type.offered.empty() && type.more_stored) PAWL_CHECK(refill(type, indexed));
  if (type.offered.empty()) return std::optional<OfferedJob>();
  return std::optional<OfferedJob>(jobs_.at(type.offered.begin()->key).job);
}

std::uint64_t JobQueue::take(Key job, Instant deadline) {
  Known& known = jobs_.at(job);
  leave(known);
  known.state = State::leased;
  known.fence = ++last_fence_;
  known.lease = leases_.insert(leases_.end(), {deadline, job});
  return known.fence;
}

bool JobQueue::extend(Key job, Instant deadline) {
  const auto found = jobs_.find(job);
  if (found == jobs_.end() || found->second.state != State::leased) return false;
  leases_.erase(found->second.lease);
  found->second.lease = leases_.insert({deadline, job}).first;
  return true;
}

void JobQueue::hold(Key job) {
  const auto found = jobs_.find(job);
  if (found != jobs_.end()) leave(found->second);
}

void JobQueue::put_back(Known& known) {
  leave(known);
  known.state = State::offered;
  known.fence = 0;
  known.place = known.type->offered.insert({known.job.priority, known.job.key}).first;
  freshly_offered_.insert(known.type->name);
}

bool JobQueue::waits_for_index(const std::string& type) const {
  const auto found = types_.find(type);
  return found != types_.end() && found->second.more_stored && found->second.offered.empty();
}

std::set<std::string> JobQueue::types_with_offers() {
  std::set<std::string> types;
  types.swap(freshly_offered_);
  return types;
}

void JobQueue::offer_again(Key job) {
  const auto found = jobs_.find(job);
  if (found != jobs_.end()) put_back(found->second);
}

JobQueue::Answer JobQueue::answer(Key job, std::uint64_t fence) {
  const auto found = jobs_.find(job);
  if (fence != 0 && !mutated(Mutation::ignore_fence)) {
    // A lease is always in memory: without one the answer is late.
    if (found == jobs_.end() || found->second.fence != fence) return Answer::late;
  }
  hold(job);
  return Answer::right;
}

std::optional<Key> JobQueue::instance_of(Key job) const {
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return std::nullopt;
  return found->second.job.instance;
}

std::vector<std::string> JobQueue::expire(Instant now) {
  std::vector<std::string> types;
  while (!leases_.empty() && leases_.begin()->first <= now) {
    Known& known = jobs_.at(leases_.begin()->second);
    types.push_back(known.type->name);
    const Key key = known.job.key;
    put_back(known);
    if (mutated(Mutation::drop_job_on_expiry)) remove(key);
  }
  return types;
}

std::optional<Instant> JobQueue::next_deadline() const {
  if (leases_.empty()) return std::nullopt;
  return leases_.begin()->first;
}

void JobQueue::forget_offers() {
  for (auto& [name, type] : types_) {
    for (const Place& place : type.offered) jobs_.erase(place.key);
    type.offered.clear();
    type.more_stored = true;
  }
}

}  // namespace pawl::runtime
