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
  instance_ = Instance(instance_.process);
  return send(next);
}

Result<Called> Library::find_called(const CallTarget& target) const {
  const auto found = processes_.find(target.process);
  const auto refuse = [&](std::string why) {
    return fail(Whose::operators, Code::call_failed,
                fmt::format("process \"{}\" cannot be called: {}", target.process, why));
  };
  if (found == processes_.end()) {
    return refuse("it is not in the files of this run; give the file that has it, too");
  }
  const bool other_tag = target.binding == CallTarget::Binding::version_tag &&
                         found->second->version_tag != target.version;
  if (other_tag) return refuse(fmt::format("it has not the version tag \"{}\"", target.version));
  if (target.binding == CallTarget::Binding::version && target.version != "1") {
    return refuse("a run knows only version 1 of each process");
  }
  return Called{.version = 1, .process = found->second};
}

// A turn that breaks one of our own rules leaves the state half-changed: nothing more is done with
// this instance.
Result<Turn> Driver::guarded_turn(Instance& instance, const Command& command, const World& world) {
  const auto refusal = [](const std::string& what) {
    return fail(Whose::operators, Code::broken_invariant,
                "this is a mistake in Pawl itself, please report it: " + what);
  };
  if (!broken_.empty()) return refusal(broken_);
  try {
    return take_turn(instance, command, world);
  } catch (const BrokenInvariant& broken) {
    broken_ = broken.what();
    return refusal(broken_);
  }
}

// --- instances that were called -----------------------------------------------------------------

std::vector<const Instance*> Driver::instances() const {
  std::vector<const Instance*> all{&instance_};
  for (const auto& [key, child] : children_) all.push_back(&child);
  return all;
}

const Instance& Driver::home_of(Key key) const {
  for (const auto& [instance, child] : children_) {
    if (child.slot_of.find(key) != Slot::none) return child;
  }
  return instance_;
}

Instance* Driver::find_instance(Key key) {
  if (key == instance_.key) return &instance_;
  const auto found = children_.find(key);
  return found == children_.end() ? nullptr : &found->second;
}

void Driver::begin_child(ChildStart child) {
  ++called_;
  children_.emplace(child.start.instance, Instance(child.process));
  errands_.push_back({child.start.instance, std::move(child.start)});
}

// What was called and has ended is no longer needed, or begins its next execution.
void Driver::settle_child(Key key) {
  const auto found = children_.find(key);
  if (found == children_.end() || found->second.ended == Ended::no) return;
  Instance& child = found->second;
  if (child.ended != Ended::continued) {
    children_.erase(found);
    return;
  }
  StartInstance next{.instance = child.key,
                     .variables = child.next_variables,
                     .execution = child.execution + 1,
                     .business_id = child.business_id};
  next.caller = *child.caller;
  child = Instance(child.process);
  errands_.push_back({key, std::move(next)});
}

void Driver::note_errands(const Instance& instance, const Events& events) {
  for (const Event& event : events) {
    if (const auto* cancel = std::get_if<CallCancelRequested>(&event)) {
      errands_.push_back({cancel->child, CancelInstance{.by_caller = true}});
      ++called_;
    } else if (const auto* answer = std::get_if<CallerAnswered>(&event)) {
      errands_.push_back(
          {answer->caller, AnswerCall{answer->element, instance.key, answer->outcome, answer->code,
                                      answer->message, answer->variables, answer->number}});
    }
  }
}

// --- turns --------------------------------------------------------------------------------------

Result<void> Driver::take_turn_of(Instance& instance, const Command& command) {
  const World world{.now = now_,
                    .next_key = next_key_,
                    .seed = ++turns_,
                    .max_steps = steps_per_turn,
                    .allowance = allowance,
                    .callables = &library};
  PAWL_TRY(turn, guarded_turn(instance, command, world));
  next_key_ = turn.next_key;
  const Key key = instance.key;
  if (turn.more) errands_.push_front({key, Continue{}});
  note_errands(instance, turn.events);
  for (ChildStart& child : turn.calls) begin_child(std::move(child));
  record(instance, std::move(turn.events));
  settle_child(key);
  return {};
}

// An answer that nobody waits for, and the end of what has ended, are nothing to do.
Result<void> Driver::run_errand(const Errand& errand) {
  Instance* instance = find_instance(errand.instance);
  if (!instance) return {};
  const auto done = take_turn_of(*instance, errand.command);
  return done || done.error().whose == Whose::caller ? Result<void>() : done;
}

namespace {

Key key_of_subject(const Command& command) {
  if (const auto* one = std::get_if<CompleteJob>(&command)) return one->job;
  if (const auto* one = std::get_if<FailJob>(&command)) return one->job;
  if (const auto* one = std::get_if<ThrowError>(&command)) return one->job;
  if (const auto* one = std::get_if<UpdateRetries>(&command)) return one->job;
  if (const auto* one = std::get_if<RetryJob>(&command)) return one->job;
  if (const auto* one = std::get_if<SetVariables>(&command)) return one->scope;
  if (const auto* one = std::get_if<ResolveIncident>(&command)) return one->incident;
  if (const auto* one = std::get_if<AddIterations>(&command)) return one->body;
  if (const auto* one = std::get_if<EndLoop>(&command)) return one->body;
  if (const auto* one = std::get_if<RemoveIteration>(&command)) return one->iteration;
  if (const auto* one = std::get_if<ActivateActivities>(&command)) return one->ad_hoc;
  if (const auto* one = std::get_if<CompleteAdHoc>(&command)) return one->ad_hoc;
  if (const auto* one = std::get_if<TriggerTimer>(&command)) return one->timer;
  if (const auto* one = std::get_if<DeliverMail>(&command)) return one->subscription;
  return Key::none;
}

}  // namespace

Result<void> Driver::send(const Command& command) {
  const Key subject = key_of_subject(command);
  Instance* home = subject == Key::none ? &instance_ : find_instance(home_of(subject).key);
  called_ = 0;
  PAWL_CHECK(take_turn_of(home ? *home : instance_, command));
  // One instance is stopped by the engine; this stops those that call each other for ever.
  constexpr std::size_t per_call = 4, most_calls = 100'000;
  const auto allowed = [&] {
    return allowance.steps + 10'000 + per_call * std::min(called_, most_calls);
  };
  for (std::size_t turns = 1; turns < allowed(); ++turns) {
    if (errands_.empty()) return {};
    const bool cut = std::holds_alternative<Continue>(errands_.front().command);
    if (const auto meanwhile = cut && when_cut ? when_cut() : std::nullopt) {
      PAWL_CHECK(run_errand({home_of(key_of_subject(*meanwhile)).key, *meanwhile}));
    }
    const Errand next = std::move(errands_.front());
    errands_.pop_front();
    PAWL_CHECK(run_errand(next));
  }
  return fail(Whose::operators, Code::budget_exceeded,
              fmt::format("process \"{}\" has called {} instances without waiting for anything; do "
                          "they call each other in a circle?",
                          process_->id, called_));
}

Result<void> Driver::take_over(Instant at, Key key, Events events, const FindProcess& find) {
  now_ = std::max(now_, at);
  const bool is_child = instance_.key != Key::none && key != instance_.key;
  const auto* started = events.empty() ? nullptr : std::get_if<InstanceStarted>(&events.front());
  if (started) {
    PAWL_TRY(process, find(started->definition));
    if (is_child) {
      children_.insert_or_assign(key, Instance(process));
    } else {
      instance_ = Instance(process);
    }
  }
  Instance* instance = is_child ? find_instance(key) : &instance_;
  if (!instance) return {};
  PAWL_CHECK(replay(*instance, events, find));
  record(*instance, std::move(events));
  if (is_child && (instance->ended == Ended::completed || instance->ended == Ended::terminated)) {
    children_.erase(key);
  }
  return {};
}

void Driver::move_time(Instant when) {
  now_ = std::max(now_, when);
  while (!due_.empty() && due_.begin()->first <= when) due_.erase(due_.begin());
}

void Driver::record(const Instance& instance, Events events) {
  for (const Event& event : events) project(instance, event);
  if (after_turn) after_turn(instance, events);
  if (!keeps_journal) return;
  for (Event& event : events) journal_.push_back({now_, std::move(event)});
}

void Driver::project(const Instance& instance, const Event& event) {
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
    forget_incident(instance, resolved->key);
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
void Driver::forget_incident(const Instance& instance, Key incident) {
  const auto found = incidents_.find(incident);
  if (found == incidents_.end()) return;
  const ElementInstance* one = instance.find(found->second.element);
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
  const Instance& home = home_of(element_instance);
  const ElementInstance* one = home.find(element_instance);
  for (; one != nullptr; one = home.parent_of(*one)) {
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
