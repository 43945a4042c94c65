// SPDX-License-Identifier: Apache-2.0
// Messages, signals, deployments, incidents: what is touched seldom enough to be loaded first.
#include <fmt/format.h>

#include <algorithm>

#include "store/sqlite/window.hpp"

namespace pawl::store::sqlite {
namespace {

// nullptr: there is no such message (any more).
MessageChange* find_message(Window& window, Key key) {
  if (MessageChange* found = window.messages.find(key)) return found->open ? found : nullptr;
  auto now = window.stored.message(key);
  if (!now) return nullptr;
  MessageChange change;
  change.key = key;
  change.stored = change.open = true;
  change.now = std::move(*now);
  return &window.messages.add(std::move(change));
}

// A message that is not kept lives until nobody is left who was offered it.
void drop_if_unwanted(MessageChange& message) {
  const bool kept = message.now.expires > message.now.published;
  if (!kept && message.now.offers.empty()) message.open = false;
}

void withdraw_offer(MessageChange& message, Key subscription) {
  std::erase(message.now.offers, subscription);
  drop_if_unwanted(message);
}

template <class T>
void insert_sorted(std::vector<T>& all, const T& one) {
  const auto at = std::lower_bound(all.begin(), all.end(), one);
  if (at == all.end() || *at != one) all.insert(at, one);
}

// --- one function per notice
void on_notice(Window& window, const Committed&, const ResourceDeployed& notice) {
  window.resources.push_back(&notice);
}
void on_notice(Window& window, const Committed&, const ProcessDeployed& notice) {
  window.processes.push_back(&notice);
}
void on_notice(Window& window, const Committed& committed, const MessagePublished& notice) {
  MessageChange change;
  change.key = notice.key;
  change.open = true;
  change.made = &notice;
  change.now.published = committed.record->at;
  change.now.expires = notice.expires;
  for (const Key one : notice.offered) insert_sorted(change.now.offers, one);
  drop_if_unwanted(change);
  window.messages.add(std::move(change));
}
void on_notice(Window& window, const Committed&, const MessageOffered& notice) {
  if (MessageChange* message = find_message(window, notice.message)) {
    insert_sorted(message->now.offers, notice.subscription);
  }
}
void on_notice(Window& window, const Committed&, const MessageRefused& notice) {
  if (MessageChange* message = find_message(window, notice.message)) {
    withdraw_offer(*message, notice.subscription);
  }
}
void on_notice(Window& window, const Committed&, const MessageExpired& notice) {
  if (MessageChange* message = find_message(window, notice.key)) message->open = false;
}
void on_notice(Window& window, const Committed& committed, const SignalBroadcast& notice) {
  SignalChange change;
  change.key = notice.key;
  change.open = true;
  change.made = &notice;
  change.position = committed.position;
  window.signals.add(change);
}
void on_notice(Window& window, const Committed&, const SignalDelivered& notice) {
  if (SignalChange* found = window.signals.find(notice.key)) {
    found->open = false;
    return;
  }
  SignalChange change;
  change.key = notice.key;
  change.stored = true;
  window.signals.add(change);
}

void open_incident(Window& window, InstanceChange& instance, IncidentRow row) {
  IncidentChange change;
  change.key = row.key;
  change.instance = window.instances.place(instance);
  change.epoch = instance.epoch;
  change.open = true;
  change.row = std::move(row);
  window.incidents.add(std::move(change));
}

void on_notice(Window& window, const Committed&, const WorkSetAside& notice) {
  open_incident(window, touched_instance(window, notice.instance),
                {.key = notice.key,
                 .instance = notice.instance,
                 .type = std::string(work_set_aside),
                 .message = fmt::format("{}: {}", notice.work, notice.reason),
                 .at = notice.at,
                 .subject = notice.subject});
}

void close_incident(Window& window, Key key) {
  if (IncidentChange* found = window.incidents.find(key)) {
    found->open = false;
    return;
  }
  IncidentChange change;
  change.key = key;
  change.stored = true;
  window.incidents.add(std::move(change));
}

void on_notice(Window& window, const Committed&, const WorkResumed& notice) {
  close_incident(window, notice.key);
}

bool is_open_job(Window& window, Key job) {
  const JobChange* change = window.jobs.find(job);
  return change ? change->open : job != Key::none;
}

// Of a listener of the process.
Key root_job(Window& window, Key instance) {
  const ElementChange* change = window.elements.find(instance);
  const bool here = change && change->job != Key::none;
  const Key job = here ? change->job : window.stored.root_job(instance);
  return is_open_job(window, job) ? job : Key::none;
}

// The id of the element in its diagram, and its job if it has one.
Stored::Element element_facts(Window& window, InstanceChange& instance, Key key) {
  if (key == instance.key) {
    const Stored::Instance& facts = facts_of(window, instance);
    const ElementIndex root = instance.root != ElementIndex::none ? instance.root : facts.root;
    return {.id = window.stored.element_id(facts.definition, root), .job = root_job(window, key)};
  }
  const ElementChange* change = window.elements.find(key);
  Stored::Element facts;
  if (change && change->made) {
    const Key definition = facts_of(window, instance).definition;
    facts.id = window.stored.element_id(definition, change->made->element);
  } else {
    facts = window.stored.element(key);
  }
  if (change && change->job != Key::none) facts.job = change->job;
  if (!is_open_job(window, facts.job)) facts.job = Key::none;
  return facts;
}

}  // namespace

void fold_notices(Window& window, const Committed& committed) {
  for (const Notice& notice : committed.record->notices) {
    std::visit([&](const auto& one) { on_notice(window, committed, one); }, notice);
  }
}

void take_mail(Window& window, InstanceChange& instance, const engine::MailReceived& event) {
  MessageChange* message = find_message(window, event.mail);  // else it is a signal
  if (!message) return;
  insert_sorted(message->now.takers, facts_of(window, instance).process);
  withdraw_offer(*message, event.subscription);
}

void raise_incident(Window& window, InstanceChange& instance, const engine::IncidentRaised& event,
                    Instant at) {
  Stored::Element element = element_facts(window, instance, event.element);
  open_incident(window, instance,
                {.key = event.key,
                 .instance = instance.key,
                 .element = event.element,
                 .element_id = std::move(element.id),
                 .type = std::string(engine::name_of(event.kind)),
                 .message = event.message,
                 .at = at,
                 .job = element.job});
}

void resolve_incident(Window& window, Key key) {
  const IncidentChange* change = window.incidents.find(key);
  const Key job = change ? change->row.job : window.stored.job_of_incident(key);
  close_incident(window, key);
  if (!is_open_job(window, job)) return;
  // A job that waited for an operator is offered again.
  changed_job(window, job).availability = JobAvailability::activatable;
  close_row(window.timers, job);
}

}  // namespace pawl::store::sqlite
