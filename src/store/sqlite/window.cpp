// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/window.hpp"

#include "store/no_table.hpp"

namespace pawl::store::sqlite {

InstanceChange& touched_instance(Window& window, Key key) {
  if (InstanceChange* found = window.instances.find(key)) return *found;
  return window.instances.add({.key = key});
}

const Stored::Instance& facts_of(Window& window, InstanceChange& instance) {
  if (instance.stored) return *instance.stored;
  if (instance.started) {
    instance.stored = Stored::Instance{.process = instance.started->process.string(),
                                       .definition = instance.started->definition,
                                       .root = instance.root};
  } else {
    instance.stored = window.stored.instance(instance.key);
  }
  return *instance.stored;
}

namespace {

using namespace engine;  // NOLINT: one function per event

struct WindowTurn {
  InstanceChange& instance;
  std::uint32_t place;  // of the instance
  const Committed& committed;
};

// A row that begins in this turn.
RowChange opened(const WindowTurn& turn, Key key) {
  return {.key = key, .instance = turn.place, .epoch = turn.instance.epoch, .open = true};
}

template <class Change>
void close(Changes<Change>& rows, Key key) {
  if (Change* found = rows.find(key)) {
    found->open = false;
  } else {
    Change gone;
    gone.key = key;
    gone.stored = true;
    rows.add(std::move(gone));
  }
}

template <ChangesNoTable Ignored>
void on_event(Window&, WindowTurn&, const Ignored&) {}

// --- the instance
void on_event(Window& window, WindowTurn& turn, const InstanceStarted& event) {
  InstanceChange& instance = turn.instance;
  if (event.caller && event.execution <= 1) {
    window.calls.add({.key = instance.key, .made = &*event.caller});
  }
  if (event.execution > 1) instance.restart = ++instance.epoch;
  instance.is_new |= event.execution <= 1;
  if (event.execution <= 1) {
    instance.began = event.at;
    instance.first = turn.committed.position;
  }
  instance.started = &event;
  instance.since = turn.committed.position;
  instance.has_ended = instance.continues = false;
  instance.root = ElementIndex::none;
  instance.stored.reset();
  instance.migrations.clear();
}
void on_event(Window&, WindowTurn& turn, const InstanceContinued&) {
  turn.instance.continues = true;
}

void end_instance_change(WindowTurn& turn, InstanceState outcome) {
  InstanceChange& instance = turn.instance;
  instance.has_ended = true;
  instance.outcome = outcome;
  instance.ended = turn.committed.record->at;
  instance.root = ElementIndex::none;
  ++instance.epoch;
}

// What is open keeps its key and has another place.
void on_event(Window& window, WindowTurn& turn, const InstanceMigrated& event) {
  InstanceChange& instance = turn.instance;
  instance.stored = Stored::Instance{.process = event.process.string(),
                                     .definition = event.definition,
                                     .root = facts_of(window, instance).root};
  instance.migrations.push_back(&event);
}

// --- elements
void on_event(Window& window, WindowTurn& turn, const ElementActivating& event) {
  if (event.key == turn.instance.key) {
    turn.instance.root = event.element;
    return;
  }
  window.elements.add({opened(turn, event.key), &event, Key::none,
                       static_cast<std::uint32_t>(turn.instance.migrations.size())});
}
void on_event(Window& window, WindowTurn& turn, const ElementCompleted& event) {
  if (event.key == turn.instance.key) return end_instance_change(turn, InstanceState::completed);
  close(window.elements, event.key);
}
void on_event(Window& window, WindowTurn& turn, const ElementTerminated& event) {
  if (event.key == turn.instance.key) return end_instance_change(turn, InstanceState::terminated);
  close(window.elements, event.key);
}
// A job that threw an error ends without an event of its own; the others are canceled right after.
void on_event(Window& window, WindowTurn& turn, const ElementTerminating& event) {
  if (event.key == turn.instance.key) return;
  const ElementChange* element = window.elements.find(event.key);
  const Key job = element ? element->job : window.stored.element(event.key).job;
  if (job != Key::none) close_job(window, job);
}

// --- variables: only those of the root scope are kept
void put_variable(Window& window, const WindowTurn& turn, const Name& name, const Value& value) {
  const auto place = static_cast<std::uint32_t>(window.variables.size());
  const auto [at, fresh] = window.variable_at.try_emplace({turn.place, &name}, place);
  const VariableChange change{turn.place, turn.instance.epoch, &name, &value};
  if (fresh) {
    window.variables.push_back(change);
  } else {
    window.variables[at->second] = change;
  }
}
void on_event(Window& window, WindowTurn& turn, const VariableCreated& event) {
  if (event.scope == turn.instance.key) put_variable(window, turn, event.name, event.value);
}
void on_event(Window& window, WindowTurn& turn, const VariableUpdated& event) {
  if (event.scope == turn.instance.key) put_variable(window, turn, event.name, event.value);
}

// --- jobs
void on_event(Window& window, WindowTurn& turn, const JobCreated& event) {
  window.jobs.add({opened(turn, event.key), &event});
  ElementChange* element = window.elements.find(event.element);
  if (!element) element = &window.elements.add({opened(turn, event.element)});
  element->job = event.key;
  element->stored |= element->made == nullptr;
}
void on_event(Window& window, WindowTurn&, const JobCompleted& event) {
  close(window.jobs, event.key);
}
void on_event(Window& window, WindowTurn&, const JobCanceled& event) {
  close_job(window, event.key);
}
void on_event(Window& window, WindowTurn& turn, const JobFailed& event) {
  JobChange& job = changed_job(window, event.key);
  job.retries = event.retries;
  const bool waits = event.retries > 0 && event.retry_at != Instant{};
  job.availability = waits               ? JobAvailability::backing_off
                     : event.retries > 0 ? JobAvailability::activatable
                                         : JobAvailability::out_of_retries;
  if (!waits) return;
  close(window.timers, event.key);  // one of an earlier failure may be stored
  TimerChange& timer = *window.timers.find(event.key);
  const bool stored = timer.stored;
  timer = {opened(turn, event.key), event.retry_at, TimerKind::job_retry};
  timer.stored = stored;
}
void on_event(Window& window, WindowTurn&, const JobRetryDue& event) {
  changed_job(window, event.key).availability = JobAvailability::activatable;
  close(window.timers, event.key);
}
void on_event(Window& window, WindowTurn&, const JobErrorThrown& event) {
  changed_job(window, event.key).availability = JobAvailability::out_of_retries;
}
void on_event(Window& window, WindowTurn&, const JobRetriesUpdated& event) {
  changed_job(window, event.key).retries = event.retries;
}

// --- what waits for the world
void on_event(Window& window, WindowTurn& turn, const TimerCreated& event) {
  window.timers.add({opened(turn, event.key), event.due, TimerKind::element});
}
void on_event(Window& window, WindowTurn&, const TimerTriggered& event) {
  close(window.timers, event.key);
}
void on_event(Window& window, WindowTurn&, const TimerCanceled& event) {
  close(window.timers, event.key);
}
void on_event(Window& window, WindowTurn& turn, const SubscriptionOpened& event) {
  window.subscriptions.add({opened(turn, event.key), &event, turn.committed.position});
}
void on_event(Window& window, WindowTurn&, const SubscriptionClosed& event) {
  close(window.subscriptions, event.key);
}
void on_event(Window& window, WindowTurn& turn, const MailReceived& event) {
  take_mail(window, turn.instance, event);
}

// --- calls
CallChange& changed_call(Window& window, Key child) {
  if (CallChange* found = window.calls.find(child)) return *found;
  return window.calls.add({.key = child});
}
void on_event(Window& window, WindowTurn& turn, const CallerAnswered&) {
  changed_call(window, turn.instance.key).owes = true;
}
void on_event(Window& window, WindowTurn&, const CallEnded& event) {
  changed_call(window, event.child).owes = false;
}

// --- incidents
void on_event(Window& window, WindowTurn& turn, const IncidentRaised& event) {
  raise_incident(window, turn.instance, event, turn.committed.record->at);
}
void on_event(Window& window, WindowTurn&, const IncidentResolved& event) {
  resolve_incident(window, event.key);
}

void remember_record(Window& window, InstanceChange& instance, std::uint32_t at) {
  if (instance.last_record == nowhere) {
    instance.first_record = at;
  } else {
    window.next_record[instance.last_record] = at;
  }
  instance.last_record = at;
}

void fold_turn(Window& window, std::uint32_t at) {
  const Committed& committed = window.records[at];
  const Record& record = *committed.record;
  InstanceChange& instance = touched_instance(window, record.instance);
  WindowTurn turn{instance, window.instances.place(instance), committed};
  for (const Event& event : record.events) {
    std::visit([&](const auto& one) { on_event(window, turn, one); }, event);
  }
  instance.more = record.more;
  instance.shard = record.shard;
  remember_record(window, instance, at);
}

}  // namespace

void close_row(Changes<TimerChange>& timers, Key key) { close(timers, key); }

void close_job(Window& window, Key job) {
  close(window.jobs, job);
  const bool began_here = window.jobs.find(job)->made != nullptr;
  if (began_here && !window.timers.find(job)) return;
  close(window.timers, job);  // of its back-off
}

JobChange& changed_job(Window& window, Key job) {
  if (JobChange* found = window.jobs.find(job)) return *found;
  JobChange change;
  change.key = job;
  change.stored = change.open = true;
  return window.jobs.add(change);
}

void fold_records(Window& window, std::span<const Committed> records) {
  window.records = records;
  window.next_record.assign(records.size(), nowhere);
  window.variable_at.reserve(records.size());
  window.instances.reserve(records.size());
  for (std::uint32_t at = 0; at < records.size(); ++at) {
    const Record& record = *records[at].record;
    std::uint64_t& next_key = window.next_keys[record.shard];
    next_key = std::max(next_key, record.next_key);
    if (record.instance != Key::none) fold_turn(window, at);
    fold_notices(window, records[at]);
  }
}

}  // namespace pawl::store::sqlite
