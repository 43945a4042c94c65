// SPDX-License-Identifier: Apache-2.0
// Calls about jobs: polls that wait, streams, and what a worker says about a job.
#include "model/headers.hpp"
#include "server/grpc/answers.hpp"

namespace pawl::server::grpc {
namespace {

constexpr std::int64_t stream_credit = 256;  // jobs on their way to one stream
constexpr auto stream_bytes = static_cast<std::int64_t>(limits::job_answer_bytes);  // of them
constexpr std::size_t message_overhead = 64;  // of a job inside a message

std::string headers_json(const ActivatedJob& job) {
  std::string json = "{";
  for (const auto& [name, value] : model::headers_of(job.definition->process->at(job.element))) {
    if (json.size() > 1) json += ',';
    append_json_string(json, name);
    json += ':';
    append_json_string(json, value);
  }
  return json + '}';
}

proto::ActivatedJob::ListenerEventType listener_event_of(engine::JobKind kind) {
  switch (kind) {
    case engine::JobKind::task:
      return proto::ActivatedJob::UNSPECIFIED;
    case engine::JobKind::start_listener:
      return proto::ActivatedJob::START;
    case engine::JobKind::end_listener:
      return proto::ActivatedJob::END;
    case engine::JobKind::before_all_listener:
      return proto::ActivatedJob::BEFORE_ALL;
  }
  return proto::ActivatedJob::UNSPECIFIED;
}

void fill_job(const ActivatedJob& job, const std::string& worker,
              const std::vector<std::string>& names, proto::ActivatedJob& out) {
  out.set_key(number_of(job.key));
  out.set_type(job.type);
  out.set_processinstancekey(number_of(job.instance));
  out.set_bpmnprocessid(job.definition->id);
  out.set_processdefinitionversion(job.definition->version);
  out.set_processdefinitionkey(number_of(job.definition->key));
  out.set_elementid(job.definition->process->at(job.element).id);
  out.set_elementinstancekey(number_of(job.element_instance));
  out.set_customheaders(headers_json(job));
  out.set_worker(worker);
  out.set_retries(job.retries);
  out.set_deadline(job.deadline.time_since_epoch().count());
  out.set_variables(to_json(only(job.variables, names)));
  out.set_tenantid(std::string(default_tenant));
  out.set_kind(job.kind == engine::JobKind::task ? proto::ActivatedJob::BPMN_ELEMENT
                                                 : proto::ActivatedJob::EXECUTION_LISTENER);
  out.set_listenereventtype(listener_event_of(job.kind));
  out.set_priority(job.priority);
}

template <class Request>
Result<void> check_tenant_ids(const Request& request) {
  if (request.tenantfilter() == proto::ASSIGNED) return {};
  for (const std::string& tenant : request.tenantids()) PAWL_CHECK(check_tenant(tenant));
  return {};
}

// As many messages as the size of one demands; a job that is too large alone is given back, so that
// it does not keep the others.
void send_jobs(Service& service, const CallPtr& call, const std::string& worker,
               const std::vector<std::string>& names, const std::vector<ActivatedJob>& jobs) {
  proto::ActivateJobsResponse response;
  std::size_t bytes = 0;
  std::vector<ActivatedJob> too_large;
  for (const ActivatedJob& job : jobs) {
    proto::ActivatedJob one;
    fill_job(job, worker, names, one);
    const std::size_t size = one.ByteSizeLong() + message_overhead;
    if (size > service.message_bytes) {
      too_large.push_back(job);
      continue;
    }
    if (bytes + size > service.message_bytes) {
      call->send(response.SerializeAsString());
      response.Clear();
      bytes = 0;
    }
    bytes += size;
    *response.add_jobs() = std::move(one);
  }
  if (response.jobs_size() > 0) call->send(response.SerializeAsString());
  if (!too_large.empty()) service.operations.fail_too_large(too_large, service.message_bytes);
}

}  // namespace

void activate_jobs(Service& service, const CallPtr& call) {
  proto::ActivateJobsRequest request;
  if (!read(call, request) || !right(call, check_tenant_ids(request))) return;
  if (service.operations.metrics().waiting_polls >= static_cast<std::int64_t>(service.most_polls)) {
    return call->fail({Status::resource_exhausted, "too many polls wait already; try later"});
  }
  JobQuestion question{.type = request.type(),
                       .worker = request.worker(),
                       .lease_ms = request.timeout(),
                       .most = request.maxjobstoactivate(),
                       .wait_ms = request.requesttimeout()};
  auto reply = [&service, call, share = call->share(), worker = request.worker(),
                names =
                    strings_of(request.fetchvariable())](Result<std::vector<ActivatedJob>> jobs) {
    call->loop().post([&service, call, worker, names, jobs = std::move(jobs)] {
      if (call->gone()) {
        if (jobs) service.operations.give_back(*jobs);
        return;
      }
      if (!right(call, jobs)) return;
      call->on_gone = {};
      if (!jobs->empty()) {
        call->on_gone = [&service, given = *jobs] { service.operations.give_back(given); };
        send_jobs(service, call, worker, names, *jobs);
      }
      call->finish();
    });
  };
  const WaitingPtr waiting = service.operations.activate(std::move(question), std::move(reply));
  call->on_gone = [waiting] { waiting->cancel(); };
}

// --- streams ------------------------------------------------------------------------------------

namespace {

struct Leaving {
  ActivatedJob job{};
  std::size_t bytes{0};  // of its message
};

// The jobs that are on their way to one client. Credit comes back when they have left.
struct OpenStream {
  Service& service;
  std::string worker{};
  std::vector<std::string> names{};
  std::shared_ptr<runtime::JobStream> jobs{};
  std::vector<Leaving> leaving{};  // not all of them taken by the connection yet
  std::int64_t owed{0};            // credit to give back,
  std::int64_t owed_bytes{0};      // and this, too

  void push(const CallPtr& call, std::vector<ActivatedJob> pushed) {
    if (call->gone()) return service.operations.give_back(pushed);
    std::vector<ActivatedJob> too_large;
    for (ActivatedJob& job : pushed) {
      proto::ActivatedJob one;
      fill_job(job, worker, names, one);
      if (one.ByteSizeLong() + message_overhead > service.message_bytes) {
        owe(job);
        too_large.push_back(std::move(job));
        continue;
      }
      const std::size_t before = call->unsent();
      call->send(one.SerializeAsString());
      leaving.push_back({std::move(job), call->unsent() - before});
    }
    if (!too_large.empty()) service.operations.fail_too_large(too_large, service.message_bytes);
    if (leaving.empty()) give_credit();  // nothing is sent, so nothing will have drained
  }

  void owe(const ActivatedJob& job) {
    ++owed;
    owed_bytes += static_cast<std::int64_t>(runtime::job_bytes(job));
  }

  void drained() {
    for (const Leaving& one : leaving) owe(one.job);
    leaving.clear();
    const bool has_credit = jobs->credit > 0 && jobs->bytes > stream_bytes / 4;
    if (owed < stream_credit / 4 && has_credit) return;
    give_credit();
  }

  void give_credit() {
    if (owed == 0) return;
    jobs->bytes += std::exchange(owed_bytes, 0);
    jobs->credit += std::exchange(owed, 0);
    service.operations.go_on(jobs);
  }

  // The client may be at work on what was sent; the last `unsent` bytes were not.
  void gone(std::size_t unsent) {
    jobs->closed = true;
    --service.operations.metrics().job_streams;
    std::vector<ActivatedJob> kept;
    // One without bytes was not even put: there was no room.
    while (!leaving.empty() && (unsent > 0 || leaving.back().bytes == 0)) {
      unsent -= std::min(unsent, leaving.back().bytes);
      kept.push_back(std::move(leaving.back().job));
      leaving.pop_back();
    }
    service.operations.give_back(kept);
    leaving.clear();
  }
};

}  // namespace

void stream_activated_jobs(Service& service, const CallPtr& call) {
  proto::StreamActivatedJobsRequest request;
  if (!read(call, request) || !right(call, check_tenant_ids(request))) return;
  auto open = std::make_shared<OpenStream>(
      OpenStream{service, request.worker(), strings_of(request.fetchvariable())});
  // The stream outlives the call in the shards; it must not keep what belongs to the call.
  const std::weak_ptr<Call> weak_call = call;
  const std::weak_ptr<OpenStream> weak_open = open;
  auto stream = service.operations.open_stream(
      {.type = request.type(),
       .worker = request.worker(),
       .lease_ms = request.timeout(),
       .most = stream_credit},
      [&service, weak_call, weak_open, &loop = call->loop()](std::vector<ActivatedJob> jobs) {
        loop.post([&service, weak_call, weak_open, jobs = std::move(jobs)]() mutable {
          const CallPtr to = weak_call.lock();
          const auto here = weak_open.lock();
          if (to && here) return here->push(to, std::move(jobs));
          service.operations.give_back(jobs);
        });
      });
  if (!right(call, stream)) return;
  open->jobs = *stream;
  open->jobs->bytes = stream_bytes;
  ++service.operations.metrics().job_streams;
  call->on_gone = [open, &gone = *call] { open->gone(gone.unsent()); };
  call->on_drained = [open] { open->drained(); };
  call->begin();
  service.operations.go_on(*stream);
}

// --- what workers say ---------------------------------------------------------------------------

namespace {

// Corrections, denials and ad-hoc elements would be lost in silence.
Result<void> check_job_result(const proto::CompleteJobRequest& request) {
  const proto::JobResult& result = request.result();
  const std::pair<std::string_view, bool> members[] = {
      {"denied", result.denied()},
      {"deniedReason", !result.deniedreason().empty()},
      {"corrections", result.corrections().ByteSizeLong() > 0},
      {"activateElements", result.activateelements_size() > 0},
      {"isCompletionConditionFulfilled", result.iscompletionconditionfulfilled()},
      {"isCancelRemainingInstances", result.iscancelremaininginstances()}};
  for (const auto& [name, given] : members) {
    if (given) return not_supported_result(name);
  }
  return {};
}

}  // namespace

void complete_job(Service& service, const CallPtr& call) {
  proto::CompleteJobRequest request;
  if (!read(call, request) || !right(call, check_job_result(request))) return;
  auto variables = variables_of(request.variables());
  if (!right(call, variables, "COMPLETE")) return;
  service.operations.complete_job(key_of(request.jobkey()), std::move(*variables),
                                  answer_done<proto::CompleteJobResponse>(call, "COMPLETE"));
}

void fail_job(Service& service, const CallPtr& call) {
  proto::FailJobRequest request;
  if (!read(call, request)) return;
  auto variables = variables_of(request.variables());
  if (!right(call, variables, "FAIL")) return;
  service.operations.fail_job({.job = key_of(request.jobkey()),
                               .retries = request.retries(),
                               .backoff = Millis(request.retrybackoff()),
                               .message = request.errormessage(),
                               .variables = std::move(*variables)},
                              answer_done<proto::FailJobResponse>(call, "FAIL"));
}

void throw_error(Service& service, const CallPtr& call) {
  proto::ThrowErrorRequest request;
  if (!read(call, request)) return;
  auto variables = variables_of(request.variables());
  if (!right(call, variables, "THROW_ERROR")) return;
  service.operations.throw_error({.job = key_of(request.jobkey()),
                                  .code = request.errorcode(),
                                  .message = request.errormessage(),
                                  .variables = std::move(*variables)},
                                 answer_done<proto::ThrowErrorResponse>(call, "THROW_ERROR"));
}

void update_job_retries(Service& service, const CallPtr& call) {
  proto::UpdateJobRetriesRequest request;
  if (!read(call, request)) return;
  service.operations.update_retries(
      key_of(request.jobkey()), request.retries(), caller_of(call),
      answer_done<proto::UpdateJobRetriesResponse>(call, "UPDATE_RETRIES"));
}

void update_job_timeout(Service& service, const CallPtr& call) {
  proto::UpdateJobTimeoutRequest request;
  if (!read(call, request)) return;
  service.operations.update_lease(
      key_of(request.jobkey()), request.timeout(), caller_of(call),
      answer_done<proto::UpdateJobTimeoutResponse>(call, "UPDATE_TIMEOUT"));
}

}  // namespace pawl::server::grpc
