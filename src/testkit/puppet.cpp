// SPDX-License-Identifier: Apache-2.0
#include "testkit/puppet.hpp"

namespace pawl::testkit {
namespace {

using namespace engine;  // NOLINT: it makes events and little else

std::string word(Dice& dice, const char* prefix, unsigned count) {
  return prefix + std::to_string(dice.below(count));
}

// All elements that a puppet has go round by some places.
InstanceMigrated random_migration(Dice& dice) {
  InstanceMigrated event{.definition = key_from(1 + dice.below(3)),
                         .process = word(dice, "process", 3),
                         .version = static_cast<int>(1 + dice.below(4))};
  const std::uint32_t by = dice.below(5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    event.moves.push_back(
        {static_cast<ElementIndex>(1 + i), static_cast<ElementIndex>(1 + (i + by) % 5)});
  }
  return event;
}

}  // namespace

Events Puppet::turn(World world) {
  events_.clear();
  if (!running_) {
    start(world);
  } else {
    for (unsigned i = 1 + world.dice.below(4); i > 0 && running_; --i) act(world);
  }
  more_ = world.dice.chance(15);
  return std::move(events_);
}

void Puppet::start(World& world) {
  if (key_ == Key::none) {
    key_ = fresh(world);
    if (world.dice.chance(25)) caller_ = fresh(world);
  }
  ++execution_;
  running_ = true;
  continues_ = false;
  emit(InstanceStarted{.instance = key_,
                       .definition = key_from(1 + world.dice.below(3)),
                       .process = word(world.dice, "process", 3),
                       .version = 1,
                       .at = world.now,
                       .execution = execution_,
                       .id = world.dice.chance(50) ? word(world.dice, "id", 9) : "",
                       .business_id = world.dice.chance(30) ? word(world.dice, "case", 9) : ""});
  if (caller_ != Key::none) {
    std::get<InstanceStarted>(events_.front()).caller =
        Caller{.instance = caller_, .element = caller_, .root = caller_, .depth = 1};
  }
  emit(ElementActivating{.key = key_, .element = ElementIndex{0}});
  emit(VariableCreated{.scope = key_, .name = "v0", .value = static_cast<int>(execution_)});
}

std::map<Key, Puppet::Element>::iterator Puppet::any_element(World& world) {
  auto at = elements_.begin();
  std::advance(at, world.dice.below(elements_.size()));
  return at;
}

void Puppet::act(World& world) {
  const unsigned what = world.dice.below(20);
  if (what < 4 || elements_.empty()) {
    const Key key = fresh(world);
    elements_[key];
    emit(ElementActivating{.key = key,
                           .scope = key_,
                           .element = static_cast<ElementIndex>(1 + world.dice.below(5)),
                           .iteration = world.dice.below(3)});
    return emit(ElementActivated{key});
  }
  if (what < 10) return serve_job(world, any_element(world)->second);
  if (what < 12) return repair(world, any_element(world)->second);
  if (what < 14) return change_variable(world);
  if (what < 16) return wait(world);
  if (what < 17) return stop_waiting(world);
  if (what < 19) return finish(world, any_element(world)->first);
  if (world.dice.chance(30)) return end(world);
  if (world.dice.chance(50)) return emit(random_migration(world.dice));
  const Key any = key_from(1 + world.dice.below(world.next_key));
  emit(CallEnded{.element = any_element(world)->first, .child = any});
}

// Gives the element a job, or does with its job what a worker or the runtime might.
void Puppet::serve_job(World& world, Element& element) {
  if (!element.job) {
    if (element.incident != Key::none) return;
    element.job = Job{fresh(world)};
    Key owner = Key::none;
    for (const auto& [key, one] : elements_) owner = &one == &element ? key : owner;
    return emit(JobCreated{.key = element.job->key,
                           .element = owner,
                           .type = word(world.dice, "type", 3),
                           .retries = 3,
                           .priority = static_cast<int>(world.dice.below(3))});
  }
  Job& job = *element.job;
  if (job.state == JobState::backing_off) {
    job.state = JobState::activatable;
    return emit(JobRetryDue{job.key});
  }
  if (world.dice.chance(10)) return emit(JobRetriesUpdated{job.key, 4});
  if (job.state != JobState::activatable) return;
  const unsigned what = world.dice.below(5);
  if (what == 0) {
    emit(JobCompleted{job.key});
    element.job.reset();
  } else if (what == 1) {
    job.state = JobState::threw;
    emit(JobErrorThrown{.key = job.key, .code = "E"});
  } else if (what == 2) {
    job.state = JobState::stuck;
    emit(JobFailed{.key = job.key, .retries = 0});
  } else if (what == 3) {
    job.state = JobState::backing_off;
    emit(JobFailed{
        .key = job.key, .retries = 2, .retry_at = world.now + Millis(1 + world.dice.below(50))});
  } else {
    emit(JobFailed{.key = job.key, .retries = 1});
  }
}

void Puppet::repair(World& world, Element& element) {
  if (element.incident != Key::none) {
    emit(IncidentResolved{element.incident});
    element.incident = Key::none;
    if (element.job) element.job->state = JobState::activatable;
    return;
  }
  Key owner = Key::none;
  for (const auto& [key, one] : elements_) owner = &one == &element ? key : owner;
  element.incident = fresh(world);
  emit(IncidentRaised{.key = element.incident,
                      .element = owner,
                      .kind = static_cast<IncidentKind>(world.dice.below(6)),
                      .message = word(world.dice, "trouble ", 9)});
}

void Puppet::change_variable(World& world) {
  const Key scope = world.dice.chance(70) ? key_ : any_element(world)->first;
  const Name name = word(world.dice, "v", 4);
  const Value value = static_cast<int>(world.dice.below(99));
  if (world.dice.chance(50)) return emit(VariableUpdated{scope, name, value});
  emit(VariableCreated{.key = fresh(world), .scope = scope, .name = name, .value = value});
}

void Puppet::wait(World& world) {
  const Key key = fresh(world);
  const Key element = any_element(world)->first;
  if (world.dice.chance(50)) {
    timers_.insert(key);
    const Instant due = world.now + Millis(world.dice.below(100));
    return emit(TimerCreated{.key = key, .element = element, .due = due});
  }
  subscriptions_.insert(key);
  emit(SubscriptionOpened{.key = key,
                          .element = element,
                          .kind = static_cast<MailKind>(world.dice.below(2)),
                          .name = word(world.dice, "mail", 3),
                          .correlation = word(world.dice, "c", 3)});
}

void Puppet::stop_waiting(World& world) {
  if (!timers_.empty() && world.dice.chance(50)) {
    const Key key = any_of(world.dice, timers_);
    timers_.erase(key);
    return world.dice.chance(50) ? emit(TimerTriggered{key}) : emit(TimerCanceled{key});
  }
  if (subscriptions_.empty()) return;
  const Key key = any_of(world.dice, subscriptions_);
  if (!world.mail.empty()) {
    emit(MailReceived{.subscription = key, .mail = any_of(world.dice, world.mail)});
  }
  if (world.dice.chance(50)) return;  // it does not interrupt
  subscriptions_.erase(key);
  emit(SubscriptionClosed{key});
}

// Ends an element, as a termination or after its job was done.
void Puppet::finish(World& world, Key key) {
  Element& element = elements_[key];
  const bool completes = world.dice.chance(50);
  emit(completes ? Event(ElementCompleting{key}) : Event(ElementTerminating{key}));
  const bool silent = !completes && element.job && element.job->state == JobState::threw;
  if (element.job && !silent) emit(JobCanceled{element.job->key});
  if (element.incident != Key::none) emit(IncidentResolved{element.incident});
  emit(completes ? Event(ElementCompleted{key}) : Event(ElementTerminated{key}));
  elements_.erase(key);
}

void Puppet::end(World& world) {
  if (!continues_ && world.dice.chance(50)) {
    continues_ = true;
    emit(InstanceContinued{});
    if (world.dice.chance(50)) return;  // it winds down in a later turn
  }
  while (!elements_.empty() && world.dice.chance(80)) finish(world, elements_.begin()->first);
  elements_.clear();  // an index must not rely on every event
  timers_.clear();
  subscriptions_.clear();
  running_ = false;
  ended_ = !continues_;
  emit(world.dice.chance(50) ? Event(ElementCompleted{key_}) : Event(ElementTerminated{key_}));
}

}  // namespace pawl::testkit
