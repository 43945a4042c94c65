// SPDX-License-Identifier: Apache-2.0
// What a durable turn causes outside of its instance: jobs are offered, timers armed, mail looked
// for. All of it can be derived from the store again, so none of it is stored.
#include "runtime/mutation.hpp"
#include "runtime/shard.hpp"

namespace pawl::runtime {

using namespace engine;  // NOLINT: speaks of little else than events

// If its instance is away, when it is back.
void Shard::offer_again(Key instance, Key job) {
  Resident* resident = residents_.find(instance);
  if (!resident) return;
  const auto offer = [this, job, at = durable_](Resident& here) { reoffer(here, job, at); };
  resident->away ? resident->when_back.push_back(offer) : offer(*resident);
}

void Shard::reoffer(Resident& resident, Key job, Position at) {
  const ElementInstance* owner = resident.state.find_job_owner(job);
  if (!owner || owner->job->state != JobState::activatable) return;
  const std::string type = owner->job->type.string();
  jobs_.offer(type, {job, resident.state.key, owner->job->priority}, at);
  to_serve_.insert(type);
}

void Shard::job_failed(const JobFailed& event, Key instance, Position at) {
  if (event.retries > 0 && event.retry_at == Instant{}) {
    jobs_.offer_again(event.key);
    to_serve_.merge(jobs_.types_with_offers());
    return;
  }
  jobs_.remove(event.key);
  if (event.retries <= 0) return;
  timers_.add({event.key, instance, event.retry_at, store::TimerKind::job_retry}, at);
}

void Shard::project(const store::Record& record, Position at) {
  const Key instance = record.instance;
  const auto on = [&]<class E>(const E& event) {
    if constexpr (std::same_as<E, JobCreated>) {
      const std::string type = event.type.string();
      jobs_.offer(type, {event.key, instance, event.priority}, at);
      to_serve_.insert(type);
    } else if constexpr (std::same_as<E, JobCompleted> || std::same_as<E, JobCanceled> ||
                         std::same_as<E, JobErrorThrown>) {
      jobs_.remove(event.key);
      timers_.remove(event.key);
    } else if constexpr (std::same_as<E, JobFailed>) {
      job_failed(event, instance, at);
    } else if constexpr (std::same_as<E, JobRetryDue>) {
      timers_.remove(event.key);
      offer_again(instance, event.key);
    } else if constexpr (std::same_as<E, TimerCreated>) {
      timers_.add({event.key, instance, event.due, store::TimerKind::element}, at);
    } else if constexpr (std::same_as<E, TimerTriggered> || std::same_as<E, TimerCanceled>) {
      timers_.remove(event.key);
    } else if constexpr (std::same_as<E, SubscriptionOpened>) {
      const Resident* resident = residents_.find(instance);
      around_.post(0, SubscriptionChange{{.key = event.key,
                                          .instance = instance,
                                          .kind = event.kind,
                                          .name = event.name.string(),
                                          .correlation = event.correlation,
                                          .process = resident ? resident->definition->id : "",
                                          .opened = at},
                                         true});
    } else if constexpr (std::same_as<E, SubscriptionClosed>) {
      around_.post(0, SubscriptionChange{{.key = event.key}, false});
    } else if constexpr (std::same_as<E, InstanceMigrated>) {
      move_subscriptions(instance);
    } else if constexpr (std::same_as<E, CallCancelRequested>) {
      add_cancel(instance, event.element, event.child);
    } else if constexpr (std::same_as<E, CallerAnswered>) {
      add_answer(instance, event);
    }
  };
  for (const Event& event : record.events) std::visit(on, event);
}

}  // namespace pawl::runtime
