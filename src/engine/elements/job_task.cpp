// SPDX-License-Identifier: Apache-2.0
// Tasks that a worker outside does: service, send, user and business rule task (and a script task
// that names a job type). The token waits until the job is completed; see job_commands.cpp.

#include "engine/behaviour.hpp"
#include "engine/elements/user_task.hpp"
#include "engine/new_job.hpp"

namespace pawl::engine {
namespace {

Result<NewJob> evaluate(Step& step, Slot slot) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  const bool for_people = element.kind == model::ElementKind::user_task;
  NewJob job;
  if (!element.job) job.type = Name(for_people ? "user-task:" + element.id : element.id);
  if (element.job) {
    PAWL_TRY(defined, evaluate_job(step, slot, *element.job));
    job = std::move(defined);
  }
  if (element.user_task) {
    PAWL_TRY(details, user_task_details(step, slot, *element.user_task));
    job.details = details;
  }
  return job;
}

Outcome<Next> activate_job(Step& step, Slot slot, const Waiting& waiting) {
  const auto job = evaluate(step, slot);
  if (!job) return Failure{job.error(), IncidentKind::extract_value, {}};
  activated(step, slot, waiting);
  create_job(step, slot, *job);
  return Next::wait;
}

}  // namespace

const Behaviour job_task{
    .activate = activate_job, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
