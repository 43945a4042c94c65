// SPDX-License-Identifier: Apache-2.0
#include "engine/new_job.hpp"

#include <fmt/format.h>

#include <limits>

namespace pawl::engine {

namespace {

Result<std::int32_t> small_integer(Step& step, const model::Expression& expression, Slot slot,
                                   std::string_view what) {
  PAWL_TRY(given, step.integer(expression, slot, what));
  using Small = std::numeric_limits<std::int32_t>;
  if (given >= Small::min() && given <= Small::max()) return static_cast<std::int32_t>(given);
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("{} \"{}\" gave {}; it must be from {} to {}", what, expression.text,
                          given, Small::min(), Small::max()));
}

}  // namespace

Result<NewJob> evaluate_job(Step& step, Slot slot, const model::JobDefinition& definition) {
  NewJob job{.type = definition.type_name};
  if (definition.type_name.empty()) {
    PAWL_TRY(type, step.text(definition.type, slot, "job type"));
    job.type = Name(type);
  }
  if (!definition.retries.empty()) {
    PAWL_TRY(retries, small_integer(step, definition.retries, slot, "job retries"));
    job.retries = retries;
  }
  if (!definition.priority.empty()) {
    PAWL_TRY(priority, small_integer(step, definition.priority, slot, "job priority"));
    job.priority = priority;
  }
  return job;
}

void create_job(Step& step, Slot slot, const NewJob& job) {
  step.emit(JobCreated{.key = step.new_key(),
                       .element = step.state().at(slot).key,
                       .type = job.type,
                       .retries = job.retries,
                       .priority = job.priority,
                       .details = job.details,
                       .kind = job.kind});
}

}  // namespace pawl::engine
