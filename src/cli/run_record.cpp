// SPDX-License-Identifier: Apache-2.0
#include "cli/run_record.hpp"

#include <fmt/format.h>

#include "server/view/waiting.hpp"

namespace pawl::cli {

using namespace engine;  // NOLINT: events only

void RunRecord::add(const Event& event) {
  ++events_;
  if (const auto* started = std::get_if<InstanceStarted>(&event)) {
    root_ = started->instance;
    variables_.clear();  // of an execution before
  } else if (const auto* activating = std::get_if<ElementActivating>(&event)) {
    const Seen scope = seen(activating->scope);
    const int depth = activating->scope == Key::none ? 0 : scope.depth + 1;
    const bool hidden = scope.hidden || activating->iteration > shown_iterations;
    seen_[activating->key] = {&process_->at(activating->element),
                              depth,
                              activating->body,
                              hidden,
                              activating->scope,
                              activating->iteration};
  } else if (const auto* job = std::get_if<JobCreated>(&event)) {
    seen_[job->key] = seen(job->element);
  } else if (const auto* timer = std::get_if<TimerCreated>(&event)) {
    add_wait(timer->key, timer->element, timer->target, "timer");
  } else if (const auto* mail = std::get_if<SubscriptionOpened>(&event)) {
    add_wait(mail->key, mail->element, mail->target,
             server::mail_text(mail->kind, mail->name.text(), mail->correlation));
  } else if (const auto* incident = std::get_if<IncidentRaised>(&event)) {
    seen_[incident->key] = seen(incident->element);
  } else if (const auto* completed = std::get_if<ElementCompleted>(&event)) {
    if (completed->key != root_)
      path_.emplace_back(seen(completed->key).element, seen(completed->key).body);
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
void RunRecord::add_wait(Key key, Key element, ElementIndex target, std::string what) {
  Seen wait = seen(element);
  wait.element = &process_->at(target);
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
  for (const auto& [element, body] : path_) ids.push_back(element->id + (body ? "#body" : ""));
  return ids;
}

Value RunRecord::variables() const { return Value::context(variables_); }

}  // namespace pawl::cli
