// SPDX-License-Identifier: Apache-2.0
// What a durable turn causes outside of its instance: jobs are offered, timers armed, mail looked
// for. All of it can be derived from the store again, so none of it is stored.
#include "runtime/mutation.hpp"
#include "runtime/shard.hpp"

namespace pawl::runtime {

using namespace engine;  // NOLINT: speaks of little else than events

void Shard::reoffer(Resident& resident, Key job, Position at) {
  const ElementInstance* owner = resident.state.find_job_owner(job);
  if (!owner || owner->job->state != JobState::activatable) return;
  const std::string type = owner->job->type.string();
  jobs_.offer(type, {job, resident.state.key, owner->job->priority}, at);
  to_serve_.insert(type);
}

void Shard::project(const store::Record& record, Position at) {
  const Key instance = record.instance;
  const auto no_job = [&](Key job) {
    jobs_.remove(job);
    timers_.remove(job);
  };
  for (const Event& event : record.events) {
    if (const auto* created = std::get_if<JobCreated>(&event)) {
      const std::string type = created->type.string();
      jobs_.offer(type, {created->key, instance, created->priority}, at);
      to_serve_.insert(type);
    } else if (const auto* completed = std::get_if<JobCompleted>(&event)) {
      no_job(completed->key);
    } else if (const auto* canceled = std::get_if<JobCanceled>(&event)) {
      no_job(canceled->key);
    } else if (const auto* thrown = std::get_if<JobErrorThrown>(&event)) {
      no_job(thrown->key);
    } else if (const auto* failed = std::get_if<JobFailed>(&event)) {
      if (failed->retries > 0 && failed->retry_at == Instant{}) {
        jobs_.offer_again(failed->key);
        to_serve_.merge(jobs_.types_with_offers());
      } else {
        jobs_.remove(failed->key);
        if (failed->retries > 0) {
          timers_.add({failed->key, instance, failed->retry_at, store::TimerKind::job_retry}, at);
        }
      }
    } else if (const auto* due = std::get_if<JobRetryDue>(&event)) {
      timers_.remove(due->key);
      if (Resident* resident = residents_.find(instance)) reoffer(*resident, due->key, at);
    } else if (const auto* timer = std::get_if<TimerCreated>(&event)) {
      timers_.add({timer->key, instance, timer->due, store::TimerKind::element}, at);
    } else if (const auto* triggered = std::get_if<TimerTriggered>(&event)) {
      timers_.remove(triggered->key);
    } else if (const auto* stopped = std::get_if<TimerCanceled>(&event)) {
      timers_.remove(stopped->key);
    } else if (const auto* opened = std::get_if<SubscriptionOpened>(&event)) {
      const Resident* resident = residents_.find(instance);
      around_.post(0, SubscriptionChange{{.key = opened->key,
                                          .instance = instance,
                                          .kind = opened->kind,
                                          .name = opened->name.string(),
                                          .correlation = opened->correlation,
                                          .process = resident ? resident->definition->id : "",
                                          .opened = at},
                                         true});
    } else if (const auto* closed = std::get_if<SubscriptionClosed>(&event)) {
      around_.post(0, SubscriptionChange{{.key = closed->key}, false});
    }
  }
}

}  // namespace pawl::runtime
