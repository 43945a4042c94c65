// SPDX-License-Identifier: Apache-2.0
#include "store/memory/memory_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "store/moved.hpp"
#include "store/no_table.hpp"

namespace pawl::store {
namespace {

using namespace engine;  // NOLINT: one function per event

struct MemoryTurn {
  MemoryState& state;
  const Committed& committed;
  const ElementNames& names;

  Key key() const { return committed.record->instance; }
  MemoryState::Instance& instance() const { return state.instances[key()]; }
  std::string element_id(ElementIndex element) const {
    return names ? names(instance().row.definition, element) : std::string();
  }
};

template <class Row>
void erase_of(std::map<Key, Row>& rows, Key instance) {
  std::erase_if(rows, [&](const auto& row) { return row.second.instance == instance; });
}

// Nothing that is open outlives its execution.
void close_all(const MemoryTurn& turn) {
  erase_of(turn.state.jobs, turn.key());
  std::erase_if(turn.state.job_kinds,
                [&](const auto& one) { return !turn.state.jobs.contains(one.first); });
  erase_of(turn.state.timers, turn.key());
  erase_of(turn.state.subscriptions, turn.key());
  erase_of(turn.state.incidents, turn.key());
  MemoryState::Instance& instance = turn.instance();
  instance.elements.clear();
  instance.parts.clear();
  instance.snapshot.clear();
  instance.snapshot_at = Position::none;
  instance.running = false;
}

JobRow* job_of(const MemoryTurn& turn, Key element) {
  for (auto& [key, job] : turn.state.jobs) {
    if (job.element == element) return &job;
  }
  return nullptr;
}

void end_job(const MemoryTurn& turn, Key job) {
  turn.state.jobs.erase(job);
  turn.state.job_kinds.erase(job);
  turn.state.timers.erase(job);  // of its back-off
}

template <class Change>
void change_job(const MemoryTurn& turn, Key key, Change change) {
  const auto found = turn.state.jobs.find(key);
  if (found != turn.state.jobs.end()) change(found->second);
}

template <ChangesNoTable Ignored>
void on(const MemoryTurn&, const Ignored&) {}

// --- the instance
void on(const MemoryTurn& turn, const InstanceStarted& event) {
  MemoryState::Instance& instance = turn.instance();
  const Instant started = event.execution > 1 ? instance.row.started : event.at;
  if (event.execution > 1) {
    close_all(turn);
    instance.variables.clear();
  }
  instance.row = {.key = turn.key(),
                  .process = event.process.string(),
                  .version = event.version,
                  .definition = event.definition,
                  .execution = event.execution,
                  .id = event.id,
                  .business_id = event.business_id,
                  .started = started,
                  .shard = turn.committed.record->shard};
  if (event.caller) {
    instance.row.caller = event.caller->instance;
    instance.row.caller_element = event.caller->element;
    instance.row.root = event.caller->root;
  }
  instance.continues = false;
  instance.since = turn.committed.position;
}
void on(const MemoryTurn& turn, const InstanceContinued&) { turn.instance().continues = true; }

void end_in_memory(const MemoryTurn& turn, InstanceState outcome) {
  close_all(turn);
  MemoryState::Instance& instance = turn.instance();
  if (instance.continues) return;
  instance.row.state = outcome;
  instance.row.ended = turn.committed.record->at;
}

// What is open keeps its key and has another place.
void on(const MemoryTurn& turn, const InstanceMigrated& event) {
  MemoryState::Instance& instance = turn.instance();
  instance.row.definition = event.definition;
  instance.row.process = event.process.string();
  instance.row.version = event.version;
  for (auto& [key, element] : instance.elements) {
    element.element = moved(event, element.element);
    element.element_id = turn.element_id(element.element);
  }
  for (auto& [key, incident] : turn.state.incidents) {
    const auto element = instance.elements.find(incident.element);
    if (incident.instance != turn.key() || element == instance.elements.end()) continue;
    incident.element_id = element->second.element_id;
  }
  for (auto& [key, subscription] : turn.state.subscriptions) {
    if (subscription.instance == turn.key()) subscription.process = instance.row.process;
  }
}

// --- elements
void on(const MemoryTurn& turn, const ElementActivating& event) {
  MemoryState::Instance& instance = turn.instance();
  if (event.key == turn.key()) instance.running = true;
  instance.elements[event.key] = {.key = event.key,
                                  .instance = turn.key(),
                                  .scope = event.scope,
                                  .element = event.element,
                                  .element_id = turn.element_id(event.element),
                                  .iteration = event.iteration,
                                  .body = event.body};
  instance.parts[event.key] = part_of(event);
}
void on(const MemoryTurn& turn, const ElementCompleted& event) {
  if (event.key == turn.key()) return end_in_memory(turn, InstanceState::completed);
  turn.instance().elements.erase(event.key);
  turn.instance().parts.erase(event.key);
}
void on(const MemoryTurn& turn, const ElementTerminating& event) {
  // A job that threw an error ends without an event of its own.
  if (const JobRow* job = job_of(turn, event.key)) end_job(turn, job->key);
}
void on(const MemoryTurn& turn, const ElementTerminated& event) {
  if (event.key == turn.key()) return end_in_memory(turn, InstanceState::terminated);
  turn.instance().elements.erase(event.key);
  turn.instance().parts.erase(event.key);
}

// --- variables
void on(const MemoryTurn& turn, const VariableCreated& event) {
  if (event.scope == turn.key()) turn.instance().variables[event.name.string()] = event.value;
}
void on(const MemoryTurn& turn, const VariableUpdated& event) {
  if (event.scope == turn.key()) turn.instance().variables[event.name.string()] = event.value;
}

// --- jobs
void on(const MemoryTurn& turn, const JobCreated& event) {
  turn.state.jobs[event.key] = {.key = event.key,
                                .instance = turn.key(),
                                .element = event.element,
                                .type = event.type.string(),
                                .retries = event.retries,
                                .priority = event.priority};
  turn.state.job_kinds[event.key] = event.kind;
}
void on(const MemoryTurn& turn, const JobCompleted& event) { end_job(turn, event.key); }
void on(const MemoryTurn& turn, const JobCanceled& event) { end_job(turn, event.key); }
void on(const MemoryTurn& turn, const JobFailed& event) {
  const bool waits = event.retries > 0 && event.retry_at != Instant{};
  change_job(turn, event.key, [&](JobRow& job) {
    job.retries = event.retries;
    job.availability = JobAvailability::activatable;
    if (waits) job.availability = JobAvailability::backing_off;
    if (event.retries <= 0) job.availability = JobAvailability::out_of_retries;
  });
  if (waits) {
    turn.state.timers[event.key] = {event.key, turn.key(), event.retry_at, TimerKind::job_retry};
  }
}
void on(const MemoryTurn& turn, const JobRetryDue& event) {
  change_job(turn, event.key, [](JobRow& job) { job.availability = JobAvailability::activatable; });
  turn.state.timers.erase(event.key);
}
void on(const MemoryTurn& turn, const JobErrorThrown& event) {
  change_job(turn, event.key,
             [](JobRow& job) { job.availability = JobAvailability::out_of_retries; });
}
void on(const MemoryTurn& turn, const JobRetriesUpdated& event) {
  change_job(turn, event.key, [&](JobRow& job) { job.retries = event.retries; });
}

// --- timers and subscriptions
void on(const MemoryTurn& turn, const TimerCreated& event) {
  turn.state.timers[event.key] = {event.key, turn.key(), event.due, TimerKind::element};
}
void on(const MemoryTurn& turn, const TimerTriggered& event) { turn.state.timers.erase(event.key); }
void on(const MemoryTurn& turn, const TimerCanceled& event) { turn.state.timers.erase(event.key); }
void on(const MemoryTurn& turn, const SubscriptionOpened& event) {
  turn.state.subscriptions[event.key] = {.key = event.key,
                                         .instance = turn.key(),
                                         .kind = event.kind,
                                         .name = event.name.string(),
                                         .correlation = event.correlation,
                                         .process = turn.instance().row.process,
                                         .opened = turn.committed.position};
}
void on(const MemoryTurn& turn, const SubscriptionClosed& event) {
  turn.state.subscriptions.erase(event.key);
}

// --- messages: one that is not kept lives until nobody is left who was offered it
void let_die(MemoryState& state, Key key) {
  const MemoryState::Message& message = state.messages[key];
  const bool kept = message.row.message.expires > message.published;
  if (!kept && message.row.message.offered.empty()) state.messages.erase(key);
}

void end_offer(MemoryState& state, Key message, Key subscription) {
  if (!state.messages.contains(message)) return;
  std::erase(state.messages[message].row.message.offered, subscription);
  let_die(state, message);
}

template <class T>
void insert_once(std::vector<T>& all, T one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(std::move(one));
  std::sort(all.begin(), all.end());
}

void on(const MemoryTurn& turn, const MailReceived& event) {
  const auto found = turn.state.messages.find(event.mail);
  if (found == turn.state.messages.end()) return;  // a signal
  insert_once(found->second.row.taken_by, turn.instance().row.process);
  end_offer(turn.state, event.mail, event.subscription);
}

// --- calls
void on(const MemoryTurn& turn, const CallerAnswered&) { turn.instance().row.owes_answer = true; }
void on(const MemoryTurn& turn, const CallEnded& event) {
  const auto child = turn.state.instances.find(event.child);
  if (child != turn.state.instances.end()) child->second.row.owes_answer = false;
}

// --- incidents
void on(const MemoryTurn& turn, const IncidentRaised& event) {
  const JobRow* job = job_of(turn, event.element);
  const auto element = turn.instance().elements.find(event.element);
  const bool known = element != turn.instance().elements.end();
  turn.state.incidents[event.key] = {.key = event.key,
                                     .instance = turn.key(),
                                     .element = event.element,
                                     .element_id = known ? element->second.element_id : "",
                                     .type = std::string(name_of(event.kind)),
                                     .message = event.message,
                                     .at = turn.committed.record->at,
                                     .job = job ? job->key : Key::none};
}
void on(const MemoryTurn& turn, const IncidentResolved& event) {
  const auto found = turn.state.incidents.find(event.key);
  if (found == turn.state.incidents.end()) return;
  const Key job = found->second.job;
  turn.state.incidents.erase(found);
  if (!turn.state.jobs.contains(job)) return;
  turn.state.jobs[job].availability = JobAvailability::activatable;
  turn.state.timers.erase(job);
}

// --- what happens beside the instances
void on(const MemoryTurn& turn, const ResourceDeployed& notice) {
  turn.state.resources[notice.key] = notice;
}
void on(const MemoryTurn& turn, const ProcessDeployed& notice) {
  turn.state.processes[notice.key] = notice;
}
void on(const MemoryTurn& turn, const MessagePublished& notice) {
  MemoryState::Message message{.row = {.message = notice}, .published = turn.committed.record->at};
  std::vector<Key>& offered = message.row.message.offered;
  std::sort(offered.begin(), offered.end());
  offered.erase(std::unique(offered.begin(), offered.end()), offered.end());
  turn.state.messages[notice.key] = std::move(message);
  let_die(turn.state, notice.key);
}
void on(const MemoryTurn& turn, const MessageOffered& notice) {
  const auto found = turn.state.messages.find(notice.message);
  if (found == turn.state.messages.end()) return;
  insert_once(found->second.row.message.offered, notice.subscription);
}
void on(const MemoryTurn& turn, const MessageRefused& notice) {
  end_offer(turn.state, notice.message, notice.subscription);
}
void on(const MemoryTurn& turn, const MessageExpired& notice) {
  turn.state.messages.erase(notice.key);
}
void on(const MemoryTurn& turn, const SignalBroadcast& notice) {
  turn.state.signals[notice.key] = {notice, turn.committed.position};
}
void on(const MemoryTurn& turn, const SignalDelivered& notice) {
  turn.state.signals.erase(notice.key);
}
void on(const MemoryTurn& turn, const WorkSetAside& notice) {
  turn.state.incidents[notice.key] = {.key = notice.key,
                                      .instance = notice.instance,
                                      .type = std::string(work_set_aside),
                                      .message = fmt::format("{}: {}", notice.work, notice.reason),
                                      .at = notice.at,
                                      .subject = notice.subject};
}
void on(const MemoryTurn& turn, const WorkResumed& notice) {
  turn.state.incidents.erase(notice.key);
}

void take_events(const MemoryTurn& turn) {
  const Record& record = *turn.committed.record;
  for (const Event& event : record.events) {
    std::visit([&](const auto& one) { on(turn, one); }, event);
  }
  MemoryState::Instance& instance = turn.instance();
  const bool over = instance.row.state != InstanceState::active;
  // Between two executions the start of the next is still to be done.
  instance.row.busy = !over && (record.more || !instance.running);
  instance.history.push_back({turn.committed.position, turn.committed.bytes});
}

}  // namespace

void take(MemoryState& state, const Committed& committed, const ElementNames& names) {
  const Record& record = *committed.record;
  std::uint64_t& next_key = state.next_keys[record.shard];
  next_key = std::max(next_key, record.next_key);
  const MemoryTurn turn{state, committed, names};
  if (record.instance != Key::none) take_events(turn);
  for (const Notice& notice : record.notices) {
    std::visit([&](const auto& one) { on(turn, one); }, notice);
  }
  state.applied = committed.position;
}

}  // namespace pawl::store
