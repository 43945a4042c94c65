// SPDX-License-Identifier: Apache-2.0
// Tasks that a worker outside does: service, send, user and business rule task (and a script task
// that names a job type). The token waits until the job is completed; see job_commands.cpp.

#include "engine/behaviour.hpp"
#include "engine/elements/user_task.hpp"

namespace pawl::engine {
namespace {

constexpr std::int64_t default_retries = 3;

struct Wanted {
  Name type{};
  std::int64_t retries{default_retries};
  std::int64_t priority{0};
  Value details{};
};

Result<void> evaluate_job(Step& step, Slot slot, const model::JobDefinition& job, Wanted& wanted) {
  if (job.type_name.empty()) {
    PAWL_TRY(type, step.text(job.type, slot, "job type"));
    wanted.type = Name(type);
  } else {
    wanted.type = job.type_name;
  }
  if (!job.retries.empty()) {
    PAWL_TRY(retries, step.integer(job.retries, slot, "job retries"));
    wanted.retries = retries;
  }
  if (!job.priority.empty()) {
    PAWL_TRY(priority, step.integer(job.priority, slot, "job priority"));
    wanted.priority = priority;
  }
  return {};
}

Result<Wanted> evaluate(Step& step, Slot slot) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  const bool for_people = element.kind == model::ElementKind::user_task;
  Wanted wanted;
  if (!element.job) wanted.type = Name(for_people ? "user-task:" + element.id : element.id);
  if (element.job) PAWL_CHECK(evaluate_job(step, slot, *element.job, wanted));
  if (element.user_task) {
    PAWL_TRY(details, user_task_details(step, slot, *element.user_task));
    wanted.details = details;
  }
  return wanted;
}

Outcome<Next> activate(Step& step, Slot slot, const Waiting& waiting) {
  const auto wanted = evaluate(step, slot);
  if (!wanted) return Failure{wanted.error(), IncidentKind::extract_value, {}};
  const Key key = step.state().at(slot).key;
  activated(step, slot, waiting);
  step.emit(JobCreated{.key = step.new_key(),
                       .element = key,
                       .type = wanted->type,
                       .retries = static_cast<std::int32_t>(wanted->retries),
                       .priority = static_cast<std::int32_t>(wanted->priority),
                       .details = wanted->details});
  return Next::wait;
}

}  // namespace

const Behaviour job_task{
    .activate = activate, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
