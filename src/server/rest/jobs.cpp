// SPDX-License-Identifier: Apache-2.0
// Routes for workers: they ask for jobs, and say what became of them.
#include <fmt/format.h>

#include "model/headers.hpp"
#include "server/job_kind.hpp"
#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {
namespace {

using Jobs = std::vector<ActivatedJob>;

// --- activation ---------------------------------------------------------------------------------

struct Asked {
  std::string worker{};
  std::vector<std::string> names{};
  std::size_t most_bytes{0};
};

Value headers_value(const ActivatedJob& job) {
  std::vector<Entry> out;
  const model::Element& element = job.definition->process->at(job.element);
  for (const auto& [name, text] : model::headers_of(element)) out.push_back({name, text});
  return Value::context(std::move(out));
}

Value job_value(const ActivatedJob& job, const Asked& asked) {
  return object({{"jobKey", text_of(job.key)},
                 {"type", job.type},
                 {"processDefinitionId", job.definition->id},
                 {"processDefinitionVersion", job.definition->version},
                 {"processDefinitionKey", text_of(job.definition->key)},
                 {"processInstanceKey", text_of(job.instance)},
                 {"rootProcessInstanceKey", text_of(job.root)},
                 {"elementId", job.definition->process->at(job.element).id},
                 {"elementInstanceKey", text_of(job.element_instance)},
                 {"customHeaders", headers_value(job)},
                 {"variables", only(job.variables, asked.names)},
                 {"worker", asked.worker},
                 {"retries", job.retries},
                 {"deadline", job.deadline.time_since_epoch().count()},
                 {"tenantId", default_tenant},
                 {"kind", kind_word(job.kind)},
                 {"listenerEventType", listener_word(job.kind)},
                 {"tags", List()},
                 {"userTask", Value()}});
}

// As many as fit into one answer, at least one; the others are offered again at once.
Response tell_jobs(Operations& operations, Jobs jobs, const Asked& asked) {
  std::string body = R"({"jobs":[)";
  std::size_t told = 0;
  for (; told < jobs.size(); ++told) {
    const std::string job = to_json(job_value(jobs[told], asked));
    if (told > 0 && body.size() + job.size() + 3 > asked.most_bytes) break;
    if (told > 0) body += ',';
    body += job;
  }
  body += "]}";
  const auto rest = jobs.begin() + static_cast<std::ptrdiff_t>(told);
  if (rest != jobs.end()) operations.give_back(Jobs(rest, jobs.end()));
  jobs.erase(rest, jobs.end());
  Response response{.content_type = "application/json", .body = std::move(body)};
  if (!jobs.empty()) {
    response.lost = [&operations, jobs = std::move(jobs)] { operations.give_back(jobs); };
  }
  return response;
}

Result<JobQuestion> question_of(const Fields& fields) {
  JobQuestion question;
  PAWL_CHECK(check_tenants(fields));
  PAWL_TRY(type, fields.text("type"));
  PAWL_TRY(worker, fields.text_or("worker", ""));
  PAWL_TRY(lease, fields.number("timeout", {.least = 1}));
  PAWL_TRY(most, fields.number("maxJobsToActivate", {.least = 1}));
  PAWL_TRY(wait, fields.number_or("requestTimeout", 0, {.least = INT64_MIN}));
  question.type = std::move(type);
  question.worker = std::move(worker);
  question.lease_ms = lease;
  question.most = most;
  question.wait_ms = wait;
  return question;
}

Result<void> answer_activation(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(question, question_of(fields));
  PAWL_TRY(names, fields.texts("fetchVariable"));
  if (context.operations.metrics().waiting_polls >= static_cast<std::int64_t>(context.most_polls)) {
    return fail(Whose::machine, Code::busy, "too many polls wait already; try again in a moment");
  }
  // A poll may wait for long: it keeps what it needs, not its whole request.
  auto kept = std::make_shared<Request>();
  kept->path = request->path;
  const Asked asked{question.worker, std::move(names), context.answer_bytes};
  const WaitingPtr waiting = context.operations.activate(
      std::move(question),
      replying<Jobs>({kept, answer}, "", [&operations = context.operations, asked](Jobs& jobs) {
        return tell_jobs(operations, std::move(jobs), asked);
      }));
  if (request->client) request->client->on_gone([waiting] { waiting->cancel(); });
  return {};
}

// --- what became of it --------------------------------------------------------------------------

// Corrections, denials and ad-hoc elements would be lost in silence.
Result<void> check_result(const Fields& fields) {
  PAWL_TRY(value, fields.object_or("result"));
  if (value.is_null()) return {};
  for (const Entry& entry : value.entries()) {
    const bool says_nothing =
        entry.key == "type" || entry.value.is_null() || entry.value == Value(false) ||
        (entry.value.is_list() && entry.value.as_list().empty()) ||
        (entry.value.is_context() &&
         std::all_of(entry.value.entries().begin(), entry.value.entries().end(),
                     [](const Entry& inner) { return inner.value.is_null(); }));
    if (says_nothing) continue;
    return not_supported_result(entry.key);
  }
  return {};
}

Result<void> answer_completion(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(job, path_key(*request, "jobKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(variables, fields.object_or("variables"));
  PAWL_CHECK(check_result(fields));
  context.operations.complete_job(job, variables, replying_done({request, answer}, "COMPLETE"));
  return {};
}

Result<void> answer_failure(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(job, path_key(*request, "jobKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(retries, fields.number_or("retries", 0, {.least = INT32_MIN, .most = INT32_MAX}));
  PAWL_TRY(message, fields.text_or("errorMessage", ""));
  PAWL_TRY(pause, fields.number_or("retryBackOff", 0, {}));
  PAWL_TRY(variables, fields.object_or("variables"));
  context.operations.fail_job({.job = job,
                               .retries = static_cast<std::int32_t>(retries),
                               .backoff = Millis(pause),
                               .message = message,
                               .variables = variables},
                              replying_done({request, answer}, "FAIL"));
  return {};
}

Result<void> answer_error(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(job, path_key(*request, "jobKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(code, fields.text("errorCode"));
  PAWL_TRY(message, fields.text_or("errorMessage", ""));
  PAWL_TRY(variables, fields.object_or("variables"));
  context.operations.throw_error(
      {.job = job, .code = code, .message = message, .variables = variables},
      replying_done({request, answer}, "THROW_ERROR"));
  return {};
}

Result<void> update(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(job, path_key(*request, "jobKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(changes, fields.object("changeset"));
  const Fields changeset(changes, "changeset.");
  const bool both = changeset.has("retries") && changeset.has("timeout");
  if (!changeset.has("retries") && !changeset.has("timeout")) {
    return fields.wrong("changeset", "retries, timeout or both in it");
  }
  PAWL_TRY(retries, changeset.number_or("retries", 1, {.least = 1, .most = INT32_MAX}));
  PAWL_TRY(lease, changeset.number_or("timeout", 0, {}));
  const Answering to{request, answer};
  auto& operations = context.operations;
  const auto change_lease = [&operations, job, lease, to] {
    operations.update_lease(job, lease, {to.request->caller}, replying_done(to, "UPDATE_TIMEOUT"));
  };
  if (!changeset.has("retries")) {
    change_lease();
    return {};
  }
  auto then = [to, both, change_lease](Result<Done> done) {
    if (!done) return to.refuse(done.error(), "UPDATE_RETRIES");
    both ? change_lease() : to.answer(no_content());
  };
  operations.update_retries(job, static_cast<std::int32_t>(retries), {request->caller}, then);
  return {};
}

}  // namespace

void add_jobs(Routes& routes) {
  const FieldText variables{"variables", "object", "results, for the process"};
  routes.push_back(
      {.method = "POST",
       .path = "/v2/jobs/activation",
       .group = "Job",
       .summary = "Takes jobs of one type, or waits for some",
       .handle = answer_activation,
       .takes = Takes::json,
       .fields = {{"type", "string", "of the jobs", true},
                  {"worker", "string", "a name for the log"},
                  {"timeout", "integer", "ms until a job is given to others", true},
                  {"maxJobsToActivate", "integer", "at most so many", true},
                  {"fetchVariable", "[string]", "only these variables"},
                  {"requestTimeout", "integer", "ms to wait; 0: 10 seconds; below: not at all"},
                  {"tenantIds", "[string]", "only <default>"}},
       .answer = "jobs; none if none came in time"});
  routes.push_back({.method = "POST",
                    .path = "/v2/jobs/{jobKey}/completion",
                    .group = "Job",
                    .summary = "The job is done",
                    .handle = answer_completion,
                    .takes = Takes::json,
                    .fields = {variables},
                    .status = 204,
                    .answer = "completed"});
  routes.push_back({.method = "POST",
                    .path = "/v2/jobs/{jobKey}/failure",
                    .group = "Job",
                    .summary = "The job could not be done",
                    .handle = answer_failure,
                    .takes = Takes::json,
                    .fields = {{"retries", "integer", "left; 0, the default: an incident"},
                               {"errorMessage", "string", "why"},
                               {"retryBackOff", "integer", "ms until the next try"},
                               variables},
                    .status = 204,
                    .answer = "noted"});
  routes.push_back({.method = "POST",
                    .path = "/v2/jobs/{jobKey}/error",
                    .group = "Job",
                    .summary = "Throws a BPMN error",
                    .handle = answer_error,
                    .takes = Takes::json,
                    .fields = {{"errorCode", "string", "that the process catches", true},
                               {"errorMessage", "string", "why"},
                               variables},
                    .status = 204,
                    .answer = "thrown"});
  routes.push_back({.method = "PATCH",
                    .path = "/v2/jobs/{jobKey}",
                    .group = "Job",
                    .summary = "Changes the retries or the time-out of a job",
                    .handle = update,
                    .takes = Takes::json,
                    .fields = {{"changeset", "object", "retries from 1 on, timeout in ms", true}},
                    .status = 204,
                    .answer = "changed"});
}

}  // namespace pawl::server::rest
