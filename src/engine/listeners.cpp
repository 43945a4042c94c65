// SPDX-License-Identifier: Apache-2.0
#include "engine/listeners.hpp"

#include "engine/failure.hpp"
#include "engine/lifecycle.hpp"
#include "engine/new_job.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {

const std::vector<model::JobDefinition>& listeners_of(const Instance& state,
                                                      const ElementInstance& one) {
  static const std::vector<model::JobDefinition> none;
  const auto& listeners = state.definition_of(one).listeners;
  if (!listeners || one.is_path) return none;
  if (one.life == Life::activating) return one.is_body ? listeners->before_all : listeners->start;
  return one.life == Life::completing && !one.is_body ? listeners->end : none;
}

JobKind listener_kind(const ElementInstance& one) {
  if (one.life == Life::completing) return JobKind::end_listener;
  return one.is_body ? JobKind::before_all_listener : JobKind::start_listener;
}

bool waits_for_listener(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  const auto& listeners = listeners_of(step.state(), one);
  if (one.listened >= listeners.size()) return false;
  if (one.job) return true;  // an operator has resolved what was wrong with it
  remember_mappings(step, slot);
  auto job = evaluate_job(step, slot, listeners[one.listened]);
  if (!job) {
    fail_at(step, slot, {job.error(), IncidentKind::extract_value, {}});
    return true;
  }
  job->kind = listener_kind(one);
  create_job(step, slot, *job);
  return true;
}

void go_on_after_listener(Step& step, Slot slot, const Value& variables) {
  const ElementInstance& one = step.state().at(slot);
  if (one.life == Life::completing) {
    write_last_results(step, slot, variables);
  } else {
    write_results(step, slot, variables, one.parent != Slot::none);
  }
  proceed(step, slot);
}

}  // namespace pawl::engine
