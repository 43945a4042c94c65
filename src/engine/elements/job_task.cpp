// SPDX-License-Identifier: Apache-2.0
// Tasks that a worker outside does: service, send, user and business rule task (and a script task
// that names a job type). The token waits until the job is completed; see job_commands.cpp.

#include "engine/behaviour.hpp"

namespace pawl::engine {
namespace {

constexpr std::int64_t default_retries = 3;

struct Wanted {
  std::string type{};
  std::int64_t retries{default_retries};
  std::int64_t priority{0};
};

Result<Wanted> evaluate(Step& step, Slot slot) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  Wanted wanted;
  if (!element.job) {
    wanted.type =
        element.kind == model::ElementKind::user_task ? "user-task:" + element.id : element.id;
    return wanted;
  }
  PAWL_TRY(type, step.text(element.job->type, slot, "job type"));
  wanted.type = type;
  if (!element.job->retries.empty()) {
    PAWL_TRY(retries, step.integer(element.job->retries, slot, "job retries"));
    wanted.retries = retries;
  }
  if (!element.job->priority.empty()) {
    PAWL_TRY(priority, step.integer(element.job->priority, slot, "job priority"));
    wanted.priority = priority;
  }
  return wanted;
}

Outcome<Next> activate(Step& step, Slot slot) {
  const auto wanted = evaluate(step, slot);
  if (!wanted) return Failure{wanted.error(), IncidentKind::extract_value, {}};
  const Key key = step.state().at(slot).key;
  step.emit(ElementActivated{key});
  step.emit(JobCreated{.key = step.new_key(),
                       .element = key,
                       .type = Name(wanted->type),
                       .retries = static_cast<std::int32_t>(wanted->retries),
                       .priority = static_cast<std::int32_t>(wanted->priority)});
  return Next::wait;
}

}  // namespace

const Behaviour job_task{
    .activate = activate, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
