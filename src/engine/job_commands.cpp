// SPDX-License-Identifier: Apache-2.0
// What workers and operators say about a job.
//
//   state         complete   fail            throw error        new retries
//   activatable   ends       by retries      caught | uncaught  stays
//   failed        rejected   rejected        rejected           stays
//   error_thrown  rejected   rejected        rejected           stays
//
// fail with retries left: activatable again, at once or after the back-off (failed until then);
// with none left: failed, with an incident. In Camunda 7 models a failed job may still be
// completed, and new retries resolve its incident.
#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "engine/failure.hpp"
#include "engine/gate.hpp"
#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"
#include "engine/listeners.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {
namespace {

constexpr std::string_view completed = "completed";

Error job_is_gone(Key job) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("there is no job with key {} (any more)", number(job)));
}

Result<Slot> owner_of_job(const Step& step, Key job) {
  if (!step.state().find_job_owner(job)) return job_is_gone(job);
  return step.state().slot_of.find(job);
}

Result<Slot> owner_of_activatable(const Step& step, Key key, std::string_view verb) {
  PAWL_TRY(slot, owner_of_job(step, key));
  if (step.state().at(slot).life == Life::terminating || is_ending(step.state(), slot)) {
    return job_is_gone(key);  // as good as: it is cancelled in a later step
  }
  const Job& job = *step.state().at(slot).job;
  const bool in_time = job.state == JobState::failed && verb == completed &&
                       step.dialect() == model::Dialect::camunda7;
  if (job.state != JobState::activatable && !in_time) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("job {} cannot be {}: it {}", number(key), verb,
                            job.state == JobState::failed ? "has failed and waits"
                                                          : "has thrown an error"));
  }
  return slot;
}

Result<Value> variables_for(const Step& step, Slot slot, Key job, const Value& variables) {
  return admit_variables(step, slot, variables, fmt::format("job {}", number(job)));
}

void resolve_incident(Step& step, Slot slot) {
  const auto& incident = step.state().at(slot).incident;
  if (incident) step.emit(IncidentResolved{incident->key});
}

}  // namespace

Result<void> handle(Step& step, const CompleteJob& command) {
  PAWL_TRY(slot, owner_of_activatable(step, command.job, completed));
  PAWL_TRY(variables, variables_for(step, slot, command.job, command.variables));
  const bool listener = step.state().at(slot).job->kind != JobKind::task;
  const bool mapped = !step.state().definition_of(step.state().at(slot)).outputs.empty();
  resolve_incident(step, slot);
  step.emit(JobCompleted{command.job});
  if (listener) {
    go_on_after_listener(step, slot, variables);
    return {};
  }
  write_results(step, slot, variables, mapped);
  complete(step, slot);
  return {};
}

Result<void> handle(Step& step, const FailJob& command) {
  PAWL_TRY(slot, owner_of_activatable(step, command.job, "failed"));
  PAWL_TRY(variables, variables_for(step, slot, command.job, command.variables));
  const std::string message = cut_text(command.message, limits::message_bytes);
  const std::int32_t retries = std::max(command.retries, 0);
  const bool waits = retries > 0 && command.backoff > Millis{0};
  step.emit(JobFailed{.key = command.job,
                      .retries = retries,
                      .retry_at = waits ? step.now() + command.backoff : Instant{},
                      .message = message});
  write_results(step, slot, variables, true);
  if (retries > 0) return {};
  const std::string why = message.empty() ? "no message was given" : message;
  fail_at(step, slot,
          {fail(Whose::operators, Code::no_retries_left,
                fmt::format("job \"{}\" has failed and has no retries left: {}",
                            step.state().at(slot).job->type.text(), why)),
           IncidentKind::no_retries,
           {}});
  return {};
}

Result<void> handle(Step& step, const ThrowError& command) {
  PAWL_TRY(slot, owner_of_activatable(step, command.job, "made to throw"));
  PAWL_TRY(variables, variables_for(step, slot, command.job, command.variables));
  PAWL_CHECK(expect_short(command.code, "error code", Whose::caller));
  const std::string message = cut_text(command.message, limits::message_bytes);
  step.emit(JobErrorThrown{command.job, command.code, message});
  throw_error(step, slot, {command.code, message, variables});
  return {};
}

Result<void> handle(Step& step, const UpdateRetries& command) {
  PAWL_TRY(slot, owner_of_job(step, command.job));
  if (command.retries <= 0) {
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("job {}: retries must be at least 1, not {}", number(command.job),
                            command.retries));
  }
  step.emit(JobRetriesUpdated{command.job, command.retries});
  const ElementInstance& owner = step.state().at(slot);
  const bool waited = owner.incident && owner.job->state == JobState::failed &&
                      step.dialect() == model::Dialect::camunda7;
  if (waited) resolve_incident(step, slot);
  return {};
}

Result<void> handle(Step& step, const RetryJob& command) {
  PAWL_TRY(slot, owner_of_job(step, command.job));
  const Job& job = *step.state().at(slot).job;
  const bool due =
      job.state == JobState::failed && job.retry_at != Instant{} && job.retry_at <= step.now();
  if (!due) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("job {} does not wait for a retry that is due", number(command.job)));
  }
  step.emit(JobRetryDue{command.job});
  return {};
}

}  // namespace pawl::engine
