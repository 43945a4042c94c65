// SPDX-License-Identifier: Apache-2.0
// Jobs: given to those who asked for them, streams first, then those who wait.
#include <fmt/format.h>

#include "runtime/mutation.hpp"
#include "runtime/shard.hpp"

namespace pawl::runtime {
namespace {

// What the job sees: the nearest scope first.
Value merged_variables(const engine::Instance& state, const engine::ElementInstance& element) {
  std::vector<Entry> merged;
  for (const auto* one = &element; one != nullptr; one = state.parent_of(*one)) {
    for (const engine::Variable& variable : one->variables.all()) {
      const bool hidden = std::any_of(merged.begin(), merged.end(), [&](const Entry& entry) {
        return entry.key == variable.name.text();
      });
      if (!hidden) merged.push_back({variable.name.string(), variable.value});
    }
  }
  return Value::context(std::move(merged));
}

}  // namespace

std::size_t job_bytes(const ActivatedJob& job) {
  constexpr std::size_t around = 300;  // keys, names and numbers
  return around + job.variables.encoded_size() + job.details.encoded_size();
}

// False: it cannot be given away now, and was taken out of the queue or held.
bool Shard::activate_one(const OfferedJob& offered, Millis lease, std::vector<ActivatedJob>& out) {
  Resident* resident = nullptr;
  const Found found = bring(offered.instance, resident);
  if (found == Found::nowhere) {
    jobs_.gone(offered.key, std::max(durable_, reload_from_));
    return false;
  }
  // Its variables are what the newest turn left, and that must be durable before somebody sees it.
  if (found == Found::later || found == Found::unreadable || resident->pending != 0 ||
      resident->away || resident->reloads) {
    jobs_.hold(offered.key);
    held_jobs_.push_back(offered.key);
    return false;
  }
  const engine::ElementInstance* owner = resident->state.find_job_owner(offered.key);
  if (!owner || owner->job->state != engine::JobState::activatable) {
    jobs_.gone(offered.key, std::max(durable_, reload_from_));
    return false;
  }
  const Instant deadline = now_ + lease;
  out.push_back({.key = offered.key,
                 .fence = jobs_.take(offered.key, deadline),
                 .type = owner->job->type.string(),
                 .instance = offered.instance,
                 .root = resident->state.caller ? resident->state.caller->root : offered.instance,
                 .element_instance = owner->key,
                 .element = owner->element,
                 .definition = resident->definition,
                 .retries = owner->job->retries,
                 .priority = owner->job->priority,
                 .deadline = deadline,
                 .variables = merged_variables(resident->state, *owner),
                 .details = owner->job->details,
                 .kind = owner->job->kind});
  return true;
}

// One is always given, however large it is: else nobody would ever get it.
std::vector<ActivatedJob> Shard::activate(const std::string& type, std::size_t most,
                                          std::size_t most_bytes, Millis lease) {
  std::vector<ActivatedJob> jobs;
  std::size_t bytes = 0;
  while (jobs.size() < most && bytes < most_bytes) {
    const auto next = jobs_.peek(type, around_.index.applied());
    if (!next || !*next) break;
    if (!activate_one(**next, lease, jobs)) continue;
    bytes += job_bytes(jobs.back());
    if (jobs.size() == 1 || bytes <= most_bytes) continue;
    jobs_.offer_again(jobs.back().key);
    jobs.pop_back();
    return jobs;
  }
  if (jobs.size() < most && jobs_.waits_for_index(type)) {
    to_serve_.insert(type);
    around_.hurry_index();
  }
  return jobs;
}

// What kept them may be over: the turns of their instance are durable, or failed.
void Shard::release_held_jobs() {
  if (held_jobs_.empty()) return;
  std::vector<Key> held;
  held.swap(held_jobs_);
  for (const Key job : held) jobs_.offer_again(job);
  to_serve_.merge(jobs_.types_with_offers());
}

// All of its credit is taken first: other shards serve the same stream. Who has it may also use up
// the bytes.
void Shard::serve(const std::shared_ptr<JobStream>& self) {
  JobStream& stream = *self;
  const std::int64_t credit = stream.credit.exchange(0);
  const std::int64_t room = stream.bytes.load();
  if (credit <= 0 || room <= 0) {
    stream.credit += credit;
    stream.missed = true;
    return;
  }
  auto jobs = activate(stream.type, static_cast<std::size_t>(credit),
                       static_cast<std::size_t>(room), stream.lease);
  for (const ActivatedJob& job : jobs) {
    stream.bytes -= static_cast<std::int64_t>(job_bytes(job));
  }
  const bool has_more = stream.bytes > 0 && jobs.size() < static_cast<std::size_t>(credit);
  stream.credit += credit - static_cast<std::int64_t>(jobs.size());
  if (has_more && stream.missed.exchange(false)) {
    for (std::uint32_t other = 0; other < around_.shards; ++other) {
      if (other != number_) around_.post(other, StreamRequest{self});
    }
  }
  if (!jobs.empty()) stream.push(std::move(jobs));
}

void Shard::serve(const std::string& type) {
  const auto streams = streams_.find(type);
  if (streams != streams_.end()) {
    std::erase_if(streams->second, [](const auto& stream) { return stream->closed.load(); });
    for (const auto& stream : streams->second) serve(stream);
    if (streams->second.empty()) streams_.erase(streams);
  }
  const auto waiting = pollers_.find(type);
  if (waiting == pollers_.end()) return;
  while (!waiting->second.empty()) {
    ActivateRequest& first = waiting->second.front();
    if (!answer_poll(first)) break;
    waiting->second.pop_front();
  }
  if (waiting->second.empty()) pollers_.erase(waiting);
}

// False: there is nothing for it now.
bool Shard::answer_poll(ActivateRequest& request) {
  if (request.race && request.race->won) return true;
  auto jobs = activate(request.type, request.most, request.most_bytes, request.lease);
  if (jobs.empty()) return false;
  if (request.race && request.race->won.exchange(true)) {
    for (const ActivatedJob& job : jobs) jobs_.offer_again(job.key);
  } else {
    request.reply(std::move(jobs));
  }
  return true;
}

void Shard::give_up(ActivateRequest& request) {
  if (request.race && (request.race->open.fetch_sub(1) > 1 || request.race->won.exchange(true))) {
    return;
  }
  request.reply(std::vector<ActivatedJob>());
}

void Shard::handle(ActivateRequest& request) {
  if (answer_poll(request)) return;
  if (request.until <= now_) return give_up(request);
  next_sweep_ = std::min(next_sweep_, request.until);
  pollers_[request.type].push_back(std::move(request));
}

void Shard::handle(StreamRequest& request) {
  auto& streams = streams_[request.stream->type];
  if (std::find(streams.begin(), streams.end(), request.stream) == streams.end()) {
    streams.push_back(request.stream);
  }
  to_serve_.insert(request.stream->type);
}

void Shard::handle(ReturnJobRequest& request) {
  if (jobs_.answer(request.job, request.fence) == JobQueue::Answer::late) return;
  jobs_.offer_again(request.job);
  to_serve_.merge(jobs_.types_with_offers());
}

void Shard::handle(LeaseRequest& request) {
  if (jobs_.extend(request.job, now_ + request.lease)) return request.reply(Done{});
  const bool known = jobs_.instance_of(request.job).has_value();
  if (!known) {
    const auto owner = around_.index.owner_of(request.job);
    if (!owner) return request.reply(owner.error());
    if (!*owner) {
      return request.reply(
          fail(Whose::caller, Code::not_found,
               fmt::format("there is no job with key {} (any more)", number(request.job))));
    }
  }
  request.reply(fail(Whose::caller, Code::invalid_state,
                     fmt::format("job {} is not with a worker now, so it has no time-out to change",
                                 number(request.job))));
}

// Not at every round: there may be ten thousand that wait. Those whose callers went away leave with
// the next sweep.
void Shard::expire_waiters() {
  if (pollers_.empty() || now_ < next_sweep_) return;
  constexpr Millis pause{100}, longest{5'000};
  next_sweep_ = now_ + longest;
  for (auto place = pollers_.begin(); place != pollers_.end();) {
    std::erase_if(place->second, [&](ActivateRequest& one) {
      if (one.race && one.race->won) return true;
      if (one.until <= now_) {
        give_up(one);
        return true;
      }
      next_sweep_ = std::min(next_sweep_, std::max(one.until, now_ + pause));
      return false;
    });
    place = place->second.empty() ? pollers_.erase(place) : std::next(place);
  }
}

}  // namespace pawl::runtime
