// SPDX-License-Identifier: Apache-2.0
#include "cli/run_jobs.hpp"

#include <fmt/format.h>

#include "cli/filter.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

using namespace engine;  // NOLINT: commands only

constexpr Millis default_worker_time{std::chrono::minutes(5)};

struct Asked {
  const RunPlan& plan;
  const runtime::Driver& driver;
  const ElementInstance& owner;
  Key job;

  std::string type() const { return owner.job->type.string(); }
  Value variables() const { return driver.variables_of(owner.key); }
  engine::Command failed(std::string message) const {
    return FailJob{.job = job, .retries = owner.job->retries - 1, .message = std::move(message)};
  }
};

Result<engine::Command> answer_with(const Asked& asked, const CompleteWith& with) {
  return engine::Command(CompleteJob{asked.job, with.variables});
}

Result<engine::Command> answer_with(const Asked& asked, const CompleteWithResult& with) {
  const feel::ContextNames names(asked.variables());
  auto value = feel::evaluate(with.expression, {.names = &names, .now = asked.driver.now()});
  if (!value) return value.error();
  if (!value->is_context() && !value->is_null()) {
    return fail(Whose::caller, Code::wrong_type,
                fmt::format("--job {}: \"{}\" must give an object with the job's results, but gave "
                            "{} ({})",
                            asked.type(), with.expression.text(), preview(*value),
                            kind_name(value->kind())));
  }
  return engine::Command(CompleteJob{asked.job, storable(*value)});
}

Result<engine::Command> answer_with(const Asked& asked, const ThrowCode& with) {
  return engine::Command(ThrowError{asked.job, with.code, "", {}});
}

Result<engine::Command> answer_with(const Asked& asked, const FailWith& with) {
  return asked.failed(with.message);
}

Result<engine::Command> answer_with(const Asked& asked, const RunCommand& with) {
  auto ran = run_filter(with.command, to_json(asked.variables()),
                        asked.plan.timeout.value_or(default_worker_time));
  if (!ran) return asked.failed(ran.error().text);
  if (ran->exit_code == throws_bpmn_error) {
    const auto code = thrown_code(*ran);
    if (!code) return asked.failed(code.error().text);
    return engine::Command(ThrowError{asked.job, *code, "", {}});
  }
  if (ran->exit_code != 0) {
    return asked.failed(failure_of(*ran));
  }
  auto variables = parse_json_object(ran->output);
  if (!variables) {
    return asked.failed("the worker's output is not a JSON object: " + variables.error().text);
  }
  return engine::Command(CompleteJob{asked.job, *variables});
}

}  // namespace

Result<std::optional<engine::Command>> answer_job(const RunPlan& plan,
                                                  const runtime::Driver& driver, Key job) {
  const ElementInstance* owner = driver.home_of(job).find_job_owner(job);
  if (owner == nullptr) return std::optional<engine::Command>();
  const auto found = plan.answers.find(owner->job->type.text());
  if (found == plan.answers.end()) return std::optional<engine::Command>();
  const Asked asked{plan, driver, *owner, job};
  PAWL_TRY(command,
           std::visit([&](const auto& with) { return answer_with(asked, with); }, found->second));
  return std::optional<engine::Command>(command);
}

}  // namespace pawl::cli
