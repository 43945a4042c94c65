// SPDX-License-Identifier: Apache-2.0
#include "cli/run_record.hpp"

#include <fmt/format.h>

#include "server/view/waiting.hpp"

namespace pawl::cli {

using namespace engine;  // NOLINT: events only

// What was called is shown inside the call activity.
void RunRecord::add_element(const model::Process& process, const ElementActivating& event) {
  const auto from = called_from_.find(event.key);
  const bool is_called = event.scope == Key::none && from != called_from_.end();
  const Seen scope = seen(is_called ? from->second : event.scope);
  const bool top = event.scope == Key::none && !is_called;
  seen_[event.key] = {.element = &process.at(event.element),
                      .depth = top ? 0 : scope.depth + 1,
                      .body = event.body,
                      .path = event.path,
                      .hidden = scope.hidden || event.iteration > shown_iterations,
                      .scope = event.scope,
                      .iteration = event.iteration};
}

void RunRecord::add(const model::Process& process, const Event& event) {
  ++events_;
  if (const auto* started = std::get_if<InstanceStarted>(&event)) {
    if (started->caller) {
      called_from_[started->instance] = started->caller->element;
    } else {
      root_ = started->instance;
      variables_.clear();  // of an execution before
    }
  } else if (const auto* activating = std::get_if<ElementActivating>(&event)) {
    add_element(process, *activating);
  } else if (const auto* job = std::get_if<JobCreated>(&event)) {
    seen_[job->key] = seen(job->element);
  } else if (const auto* timer = std::get_if<TimerCreated>(&event)) {
    add_wait(timer->key, timer->element, process.at(timer->target), "timer");
  } else if (const auto* mail = std::get_if<SubscriptionOpened>(&event)) {
    add_wait(mail->key, mail->element, process.at(mail->target),
             server::mail_text(mail->kind, mail->name.text(), mail->correlation));
  } else if (const auto* incident = std::get_if<IncidentRaised>(&event)) {
    seen_[incident->key] = seen(incident->element);
  } else if (const auto* completed = std::get_if<ElementCompleted>(&event)) {
    if (completed->key != root_ && !called_from_.contains(completed->key)) {
      const Seen& done = seen(completed->key);
      path_.emplace_back(done.element, done.body ? "#body" : done.path ? "#path" : "");
    }
  } else if (const auto* created = std::get_if<VariableCreated>(&event)) {
    if (created->scope == root_) variables_.push_back({created->name.string(), created->value});
  } else if (const auto* updated = std::get_if<VariableUpdated>(&event)) {
    if (updated->scope == root_) {
      for (Entry& entry : variables_) {
        if (entry.key == updated->name.text()) entry.value = updated->value;
      }
    }
  }
}

// Under the name of the event that will happen, where the element that waits is.
void RunRecord::add_wait(Key key, Key element, const model::Element& target, std::string what) {
  Seen wait = seen(element);
  wait.element = &target;
  wait.waits_for = std::move(what);
  seen_[key] = std::move(wait);
}

void RunRecord::forget(const Event& event) {
  if (const auto* completed = std::get_if<ElementCompleted>(&event)) {
    const Seen gone = seen(completed->key);
    if (gone.iteration != 0) ++seen_[gone.scope].done;
    seen_.erase(completed->key);
  }
  if (const auto* terminated = std::get_if<ElementTerminated>(&event)) {
    const Seen gone = seen(terminated->key);
    if (gone.iteration != 0) ++seen_[gone.scope].ended;
    seen_.erase(terminated->key);
  }
  if (const auto* job = std::get_if<JobCompleted>(&event)) seen_.erase(job->key);
  if (const auto* job = std::get_if<JobCanceled>(&event)) seen_.erase(job->key);
  if (const auto* timer = std::get_if<TimerTriggered>(&event)) seen_.erase(timer->key);
  if (const auto* timer = std::get_if<TimerCanceled>(&event)) seen_.erase(timer->key);
  if (const auto* mail = std::get_if<SubscriptionClosed>(&event)) seen_.erase(mail->key);
  if (const auto* incident = std::get_if<IncidentResolved>(&event)) seen_.erase(incident->key);
}

const RunRecord::Seen& RunRecord::seen(Key key) const {
  static const Seen nothing{};
  const auto found = seen_.find(key);
  return found == seen_.end() ? nothing : found->second;
}

std::vector<std::string> RunRecord::path() const {
  std::vector<std::string> ids;
  ids.reserve(path_.size());
  for (const auto& [element, part] : path_) ids.push_back(element->id + part);
  return ids;
}

Value RunRecord::variables() const { return Value::context(variables_); }

}  // namespace pawl::cli
