// SPDX-License-Identifier: Apache-2.0
#include "engine/new_job.hpp"

namespace pawl::engine {

Result<NewJob> evaluate_job(Step& step, Slot slot, const model::JobDefinition& definition) {
  NewJob job{.type = definition.type_name};
  if (definition.type_name.empty()) {
    PAWL_TRY(type, step.text(definition.type, slot, "job type"));
    job.type = Name(type);
  }
  if (!definition.retries.empty()) {
    PAWL_TRY(retries, step.integer(definition.retries, slot, "job retries"));
    job.retries = retries;
  }
  if (!definition.priority.empty()) {
    PAWL_TRY(priority, step.integer(definition.priority, slot, "job priority"));
    job.priority = priority;
  }
  return job;
}

void create_job(Step& step, Slot slot, const NewJob& job) {
  step.emit(JobCreated{.key = step.new_key(),
                       .element = step.state().at(slot).key,
                       .type = job.type,
                       .retries = static_cast<std::int32_t>(job.retries),
                       .priority = static_cast<std::int32_t>(job.priority),
                       .details = job.details,
                       .kind = job.kind});
}

}  // namespace pawl::engine
