// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "engine/apply.hpp"

namespace pawl::runtime {

using namespace engine;  // NOLINT: a driver speaks of little else

Driver::Driver(model::ProcessPtr process, Instant now)
    : process_(std::move(process)), instance_(process_), now_(now) {}

Result<void> Driver::start(Value variables) {
  const Key key = key_from(next_key_++);
  return send(StartInstance{.instance = key, .variables = std::move(variables)});
}

Result<void> Driver::start_next() {
  PAWL_ASSERT(instance_.ended == Ended::continued);
  const StartInstance next{.instance = instance_.key,
                           .variables = instance_.next_variables,
                           .execution = instance_.execution + 1,
                           .id = instance_.id,
                           .business_id = instance_.business_id};
  instance_ = Instance(process_);
  return send(next);
}

// A turn that breaks one of our own rules leaves the state half-changed: nothing more is done with
// this instance.
Result<Turn> Driver::guarded_turn(const Command& command, const World& world) {
  const auto refusal = [](const std::string& what) {
    return fail(Whose::operators, Code::broken_invariant,
                "this is a mistake in Pawl itself, please report it: " + what);
  };
  if (!broken_.empty()) return refusal(broken_);
  try {
    return take_turn(instance_, command, world);
  } catch (const BrokenInvariant& broken) {
    broken_ = broken.what();
    return refusal(broken_);
  }
}

Result<void> Driver::send(const Command& command) {
  const Command* next = &command;
  const Command go_on = Continue{};
  for (std::size_t turns = 0; turns < limits::turns_per_command; ++turns) {
    const World world{
        .now = now_, .next_key = next_key_, .seed = ++turns_, .max_steps = steps_per_turn};
    PAWL_TRY(turn, guarded_turn(*next, world));
    next_key_ = turn.next_key;
    const bool more = turn.more;
    record(std::move(turn.events));
    if (!more) return {};
    next = &go_on;
  }
  return fail(Whose::operators, Code::budget_exceeded,
              fmt::format("process \"{}\" took {} steps without waiting for anything; does it run "
                          "in a circle?",
                          process_->id, limits::turns_per_command * steps_per_turn));
}

void Driver::take_over(Instant at, Events events) {
  now_ = std::max(now_, at);
  for (const Event& event : events) {
    if (std::holds_alternative<InstanceStarted>(event)) instance_ = Instance(process_);
    apply(instance_, event);
  }
  record(std::move(events));
}

void Driver::move_time(Instant when) {
  now_ = std::max(now_, when);
  while (!due_.empty() && due_.begin()->first <= when) due_.erase(due_.begin());
}

void Driver::record(Events events) {
  for (const Event& event : events) project(event);
  if (after_turn) after_turn(instance_, events);
  if (!keeps_journal) return;
  for (Event& event : events) journal_.push_back({now_, std::move(event)});
}

void Driver::project(const Event& event) {
  if (const auto* created = std::get_if<JobCreated>(&event)) {
    open_jobs_.insert(created->key);
  } else if (const auto* completed = std::get_if<JobCompleted>(&event)) {
    open_jobs_.erase(completed->key);
  } else if (const auto* canceled = std::get_if<JobCanceled>(&event)) {
    open_jobs_.erase(canceled->key);
    std::erase_if(due_, [&](const auto& due) { return due.second == canceled->key; });
  } else if (const auto* thrown = std::get_if<JobErrorThrown>(&event)) {
    open_jobs_.erase(thrown->key);
  } else if (const auto* failed = std::get_if<JobFailed>(&event)) {
    if (failed->retries == 0 || failed->retry_at != Instant{}) open_jobs_.erase(failed->key);
    if (failed->retry_at != Instant{}) due_.emplace(failed->retry_at, failed->key);
  } else if (const auto* due = std::get_if<JobRetryDue>(&event)) {
    open_jobs_.insert(due->key);
    std::erase_if(due_, [&](const auto& one) { return one.second == due->key; });
  } else if (const auto* raised = std::get_if<IncidentRaised>(&event)) {
    incidents_[raised->key] = {raised->element, raised->kind, static_cast<Code>(raised->code),
                               raised->message};
  } else if (const auto* resolved = std::get_if<IncidentResolved>(&event)) {
    forget_incident(resolved->key);
  } else {
    project_wait(event);
  }
}

void Driver::project_wait(const Event& event) {
  if (const auto* created = std::get_if<TimerCreated>(&event)) {
    timers_.emplace(created->key, created->due);
    due_.emplace(created->due, created->key);
  } else if (const auto* triggered = std::get_if<TimerTriggered>(&event)) {
    forget_timer(triggered->key);
  } else if (const auto* canceled = std::get_if<TimerCanceled>(&event)) {
    forget_timer(canceled->key);
  } else if (const auto* opened = std::get_if<SubscriptionOpened>(&event)) {
    subscriptions_[opened->key] = {opened->element, opened->kind, opened->name,
                                   opened->correlation};
  } else if (const auto* closed = std::get_if<SubscriptionClosed>(&event)) {
    subscriptions_.erase(closed->key);
  }
}

void Driver::forget_timer(Key timer) {
  const auto found = timers_.find(timer);
  due_.erase({found->second, timer});
  timers_.erase(found);
}

// A job whose incident is resolved is offered again.
void Driver::forget_incident(Key incident) {
  const auto found = incidents_.find(incident);
  if (found == incidents_.end()) return;
  const ElementInstance* one = instance_.find(found->second.element);
  if (one && one->job && one->job->state == JobState::activatable) {
    open_jobs_.insert(one->job->key);
  }
  incidents_.erase(found);
}

std::optional<Instant> Driver::next_due() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

Result<void> Driver::advance_to(Instant when) {
  while (!due_.empty() && due_.begin()->first <= when) {
    const auto [at, key] = *due_.begin();
    due_.erase(due_.begin());
    now_ = std::max(now_, at);
    const auto done = timers_.contains(key) ? send(TriggerTimer{key}) : send(RetryJob{key});
    // A job that ended meanwhile refuses the retry, which is right.
    if (!done && done.error().whose != Whose::caller) return done;
  }
  now_ = std::max(now_, when);
  return {};
}

std::vector<Key> Driver::waiting_for(MailKind kind, std::string_view name,
                                     std::string_view correlation) const {
  std::vector<Key> found;
  for (const auto& [key, one] : subscriptions_) {
    if (one.kind == kind && one.name.text() == name && one.correlation == correlation) {
      found.push_back(key);
    }
  }
  return found;
}

Result<bool> Driver::publish(std::string_view name, std::string_view correlation, Value variables) {
  const auto waiting = waiting_for(MailKind::message, name, correlation);
  if (waiting.empty()) return false;
  PAWL_CHECK(send(DeliverMail{waiting.front(), key_from(next_key_++), std::move(variables)}));
  return true;
}

Result<std::size_t> Driver::broadcast(std::string_view name, Value variables) {
  std::size_t reached = 0;
  const Key mail = key_from(next_key_++);
  for (const Key subscription : waiting_for(MailKind::signal, name, "")) {
    // What it has done to one may have ended another.
    if (!subscriptions_.contains(subscription)) continue;
    PAWL_CHECK(send(DeliverMail{subscription, mail, variables}));
    ++reached;
  }
  return reached;
}

Value Driver::variables_of(Key element_instance) const {
  std::vector<Entry> merged;
  const ElementInstance* one = instance_.find(element_instance);
  for (; one != nullptr; one = instance_.parent_of(*one)) {
    for (const Variable& variable : one->variables.all()) {
      const bool hidden = std::any_of(merged.begin(), merged.end(), [&](const Entry& entry) {
        return entry.key == variable.name.text();
      });
      if (!hidden) merged.push_back({variable.name.string(), variable.value});
    }
  }
  return Value::context(std::move(merged));
}

}  // namespace pawl::runtime
