// SPDX-License-Identifier: Apache-2.0
#include "server/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "runtime/local.hpp"
#include "server/backups.hpp"
#include "server/checks.hpp"
#include "server/log.hpp"

namespace pawl::server {

using namespace runtime;  // NOLINT: requests only

namespace {

constexpr std::int64_t longest_lease_ms = 365ll * 24 * 3'600'000;

template <class T>
Status status_of_result(const Result<T>& result) {
  return result ? Status::ok : status_of(result.error().code);
}

Instant now() { return SystemClock().now(); }

// --- waiting ------------------------------------------------------------------------------------

class WaitingPoll final : public Waiting {
 public:
  WaitingPoll(std::shared_ptr<ActivateRequest::Race> race, Metrics& metrics)
      : race_(std::move(race)), metrics_(metrics) {
    ++metrics_.waiting_polls;
  }
  void cancel() override {
    if (!race_->won.exchange(true)) done();
  }
  void done() {
    if (!counted_.exchange(true)) --metrics_.waiting_polls;
  }

 private:
  std::shared_ptr<ActivateRequest::Race> race_;
  Metrics& metrics_;
  std::atomic<bool> counted_{false};
};

// The runtime keeps it until the instance ends, which may take months; the reply, with the
// connection that it holds, only until somebody has been told or does not wait any more.
class WaitingResult final : public Waiting {
 public:
  explicit WaitingResult(Reply<FinishedInstance> reply) : reply_(std::move(reply)) {}
  void cancel() override { take(); }
  void tell(Result<FinishedInstance> finished) {
    if (const auto reply = take()) reply(std::move(finished));
  }

 private:
  Reply<FinishedInstance> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(reply_, nullptr);
  }

  std::mutex mutex_;
  Reply<FinishedInstance> reply_;
};

}  // namespace

template <class T>
Reply<T> Operations::counted(Operation operation, Reply<T> reply) {
  return [&metrics = metrics_, operation, since = Metrics::Clock::now(),
          reply = std::move(reply)](Result<T> result) {
    metrics.count(operation, status_of_result(result), since);
    reply(std::move(result));
  };
}

void Operations::command(Operation operation, Key target, engine::Command what, Reply<Done> reply) {
  node_.ask(CommandRequest{
      .target = target, .command = std::move(what), .reply = counted(operation, std::move(reply))});
}

// --- processes ----------------------------------------------------------------------------------

void Operations::deploy(std::vector<File> files, const Caller& caller, Reply<Deployment> reply) {
  reply = counted(Operation::deploy, std::move(reply));
  DeployRequest request;
  if (files.empty()) {
    return reply(fail(Whose::caller, Code::invalid_argument,
                      "a deployment needs at least one resource, but there is none"));
  }
  for (File& file : files) {
    auto known = check_resource_name(file.name);
    if (!known) return reply(known.error());
    auto read = read_resource(file.name, std::move(file.content));
    if (!read) return reply(read.error());
    request.resources.push_back(std::move(*read));
  }
  request.reply = [caller, reply](Result<Deployment> made) {
    if (made) {
      for (const DefinitionPtr& one : made->processes) {
        log::audit(caller.name, "deploy",
                   {{"process", one->id}, {"version", one->version}, {"key", number(one->key)}});
      }
    }
    reply(std::move(made));
  };
  node_.ask(std::move(request));
}

// --- instances ----------------------------------------------------------------------------------

template <class Order>
Result<DefinitionPtr> Operations::definition_of(const Order& order) const {
  if (order.definition != Key::none) return node_.definitions().find(order.definition);
  if (order.process.empty()) {
    return fail(Whose::caller, Code::invalid_argument,
                "say which process is meant: by its id or by the key of its definition");
  }
  return node_.definitions().version(order.process, std::max(order.version, 0));
}

Result<StartRequest> Operations::start_request(StartOrder& order) const {
  PAWL_CHECK(check_variables(order.variables));
  PAWL_CHECK(check_start_options(order));
  PAWL_TRY(definition, definition_of(order));
  PAWL_CHECK(check_none_start(*definition));
  return StartRequest{.definition = definition,
                      .variables = std::move(order.variables),
                      .business_id = order.business_id.value_or(""),
                      .on_duplicate = order.if_exists.value_or(policy_.business_ids)};
}

// One that was there before may run another version than the one that was asked for.
StartedInstance Operations::told_of(const Started& started, const StartRequest& request) const {
  const auto ran = started.existing ? node_.definitions().find(started.definition)
                                    : Result<DefinitionPtr>(request.definition);
  return {started.instance, ran ? *ran : request.definition, request.business_id, started.existing};
}

void Operations::start(StartOrder order, Reply<StartedInstance> reply) {
  reply = counted(Operation::start, std::move(reply));
  auto request = start_request(order);
  if (!request) return reply(request.error());
  request->reply =
      [this,
       asked = StartRequest{.definition = request->definition, .business_id = request->business_id},
       reply = std::move(reply)](Result<Started> started) {
        if (!started) return reply(started.error());
        reply(told_of(*started, asked));
      };
  node_.ask(std::move(*request));
}

WaitingPtr Operations::start_and_wait(StartOrder order, Reply<FinishedInstance> reply) {
  auto waiting =
      std::make_shared<WaitingResult>(counted(Operation::start_and_wait, std::move(reply)));
  reply = [waiting](Result<FinishedInstance> finished) { waiting->tell(std::move(finished)); };
  auto request = start_request(order);
  if (!request) {
    reply(request.error());
    return waiting;
  }
  // Written before the end is told, which another shard may do.
  const auto known = std::make_shared<StartedInstance>();
  request->reply =
      [this, reply, known,
       asked = StartRequest{.definition = request->definition, .business_id = request->business_id},
       share = std::move(order.share)](Result<Started> started) {
        if (!started) return reply(started.error());
        *known = told_of(*started, asked);
      };
  request->ended = [known, reply](Result<Ending> ending) {
    if (!ending) return reply(ending.error());
    if (ending->state != store::InstanceState::completed) {
      return reply(fail(
          Whose::caller, Code::invalid_state,
          fmt::format("instance {} was cancelled before it completed", number(ending->instance))));
    }
    reply(FinishedInstance{*known, ending->variables});
  };
  node_.ask(std::move(*request));
  return waiting;
}

void Operations::cancel(Key instance, const Caller& caller, Reply<Done> reply) {
  log::audit(caller.name, "cancel", {{"instance", number(instance)}});
  command(Operation::cancel, instance, engine::CancelInstance{}, std::move(reply));
}

void Operations::set_variables(Key scope, Value variables, bool local, const Caller& caller,
                               Reply<Done> reply) {
  if (auto right = check_variables(variables); !right) return reply(right.error());
  log::audit(caller.name, "set variables", {{"scope", number(scope)}});
  command(Operation::set_variables, scope,
          engine::SetVariables{.scope = scope, .variables = std::move(variables), .local = local},
          std::move(reply));
}

void Operations::resolve_incident(Key incident, const Caller& caller, Reply<Done> reply) {
  log::audit(caller.name, "resolve incident", {{"incident", number(incident)}});
  reply = counted(Operation::resolve_incident, std::move(reply));
  // An incident of the engine belongs to its instance; one of the runtime is work set aside.
  auto then = [&node = node_, incident, reply](const Result<Done>& done) {
    if (done || done.error().code != Code::not_found) return reply(done);
    node.ask(ResumeRequest{.incident = incident, .reply = reply});
  };
  node_.ask(CommandRequest{
      .target = incident, .command = engine::ResolveIncident{incident}, .reply = std::move(then)});
}

void Operations::migrate(MigrationOrder order, const Caller& caller, Reply<Done> reply) {
  reply = counted(Operation::migrate, std::move(reply));
  const auto target = definition_of(order);
  if (!target) return reply(target.error());
  log::audit(caller.name, "migrate",
             {{"instance", number(order.instance)}, {"definition", number((*target)->key)}});
  node_.ask(MigrateRequest{.instance = order.instance,
                           .target = *target,
                           .moves = std::move(order.moves),
                           .same_ids = order.same_ids,
                           .reply = std::move(reply)});
}

// --- jobs ---------------------------------------------------------------------------------------

WaitingPtr Operations::activate(JobQuestion question, Reply<std::vector<ActivatedJob>> reply) {
  auto race = std::make_shared<ActivateRequest::Race>();
  auto waiting = std::make_shared<WaitingPoll>(race, metrics_);
  reply = [waiting, &metrics = metrics_,
           reply = counted(Operation::activate_jobs, std::move(reply))](
              Result<std::vector<ActivatedJob>> jobs) {
    waiting->done();
    if (jobs) metrics.jobs_activated += jobs->size();
    reply(std::move(jobs));
  };
  if (auto right = check_question(question); !right) {
    reply(right.error());
    return waiting;
  }
  const std::int64_t wait =
      question.wait_ms == 0 ? default_wait_ms : std::min(question.wait_ms, longest_wait_ms);
  node_.ask(ActivateRequest{.type = std::move(question.type),
                            .most = static_cast<std::size_t>(question.most),
                            .lease = Millis(std::min(question.lease_ms, longest_lease_ms)),
                            .until = wait < 0 ? Instant() : now() + Millis(wait),
                            .reply = std::move(reply),
                            .race = std::move(race)});
  return waiting;
}

Result<std::shared_ptr<JobStream>> Operations::open_stream(
    const JobQuestion& question, std::function<void(std::vector<ActivatedJob>)> push) {
  PAWL_CHECK(check_question(question));
  auto stream = std::make_shared<JobStream>();
  stream->type = question.type;
  stream->lease = Millis(std::min(question.lease_ms, longest_lease_ms));
  stream->credit = question.most;
  stream->push = [&metrics = metrics_, push = std::move(push)](std::vector<ActivatedJob> jobs) {
    metrics.jobs_activated += jobs.size();
    push(std::move(jobs));
  };
  metrics_.count(Operation::stream_jobs, Status::ok, Metrics::Clock::now());
  return stream;
}

void Operations::go_on(const std::shared_ptr<JobStream>& stream) {
  node_.ask(StreamRequest{stream});
}

void Operations::give_back(const std::vector<ActivatedJob>& jobs) {
  metrics_.jobs_given_back += jobs.size();
  for (const ActivatedJob& job : jobs) node_.ask(ReturnJobRequest{job.key, job.fence});
}

void Operations::fail_too_large(const std::vector<ActivatedJob>& jobs, std::size_t most) {
  for (const ActivatedJob& job : jobs) {
    const std::string text = fmt::format(
        "the job with its variables is larger than a message may be ({} bytes); ask for "
        "fewer variables, or make them smaller",
        most);
    fail_job({.job = job.key, .message = text}, [](const Result<Done>&) {});
  }
}

void Operations::complete_job(Key job, Value variables, Reply<Done> reply) {
  if (auto right = check_variables(variables); !right) return reply(right.error());
  command(Operation::complete_job, job,
          engine::CompleteJob{.job = job, .variables = std::move(variables)}, std::move(reply));
}

void Operations::fail_job(engine::FailJob order, Reply<Done> reply) {
  if (auto right = check_variables(order.variables); !right) return reply(right.error());
  const Key job = order.job;
  order.retries = std::max(order.retries, 0);
  order.backoff = std::clamp(order.backoff, Millis(0), Millis(longest_lease_ms));
  command(Operation::fail_job, job, std::move(order), std::move(reply));
}

void Operations::throw_error(engine::ThrowError order, Reply<Done> reply) {
  if (auto right = check_variables(order.variables); !right) return reply(right.error());
  const Key job = order.job;
  command(Operation::throw_error, job, std::move(order), std::move(reply));
}

void Operations::update_retries(Key job, std::int32_t retries, const Caller& caller,
                                Reply<Done> reply) {
  if (retries < 1) {
    return reply(fail(Whose::caller, Code::invalid_argument,
                      fmt::format("retries must be 1 or more, but are {}", retries)));
  }
  log::audit(caller.name, "update retries", {{"job", number(job)}, {"retries", retries}});
  command(Operation::update_retries, job, engine::UpdateRetries{job, retries}, std::move(reply));
}

void Operations::update_lease(Key job, std::int64_t lease_ms, const Caller& caller,
                              Reply<Done> reply) {
  if (lease_ms < 0) {
    return reply(fail(Whose::caller, Code::invalid_argument,
                      fmt::format("the time-out must not be negative, but is {} ms", lease_ms)));
  }
  log::audit(caller.name, "update time-out", {{"job", number(job)}, {"ms", lease_ms}});
  node_.ask(LeaseRequest{.job = job,
                         .lease = Millis(std::min(lease_ms, longest_lease_ms)),
                         .reply = counted(Operation::update_lease, std::move(reply))});
}

// --- mail ---------------------------------------------------------------------------------------

void Operations::publish(MessageOrder order, Reply<Published> reply) {
  reply = counted(Operation::publish, std::move(reply));
  if (auto right = check_message(order); !right) return reply(right.error());
  node_.ask(
      PublishRequest{.name = std::move(order.name),
                     .correlation = std::move(order.correlation),
                     .id = std::move(order.id),
                     .time_to_live = Millis(std::min(order.time_to_live_ms, longest_lease_ms)),
                     .variables = std::move(order.variables),
                     .reply = std::move(reply)});
}

void Operations::correlate(MessageOrder order, Reply<Correlated> reply) {
  reply = counted(Operation::correlate, std::move(reply));
  if (auto right = check_message(order); !right) return reply(right.error());
  node_.ask(PublishRequest{.name = std::move(order.name),
                           .correlation = std::move(order.correlation),
                           .variables = std::move(order.variables),
                           .reply =
                               [reply](Result<Published> published) {
                                 if (!published) reply(published.error());
                               },
                           .taken = reply});
}

void Operations::broadcast(std::string signal, Value variables, Reply<Published> reply) {
  reply = counted(Operation::broadcast, std::move(reply));
  if (signal.empty()) {
    return reply(fail(Whose::caller, Code::invalid_argument, "a signal needs a name"));
  }
  if (auto right = check_variables(variables); !right) return reply(right.error());
  node_.ask(SignalRequest{
      .name = std::move(signal), .variables = std::move(variables), .reply = std::move(reply)});
}

// --- loops --------------------------------------------------------------------------------------

void Operations::add_iterations(Key body, std::uint32_t count, Value items, const Caller& caller,
                                Reply<Done> reply) {
  log::audit(caller.name, "add iterations", {{"body", number(body)}});
  command(Operation::add_iterations, body,
          engine::AddIterations{.body = body, .count = count, .items = std::move(items)},
          std::move(reply));
}

void Operations::remove_iteration(Key iteration, bool completed, const Caller& caller,
                                  Reply<Done> reply) {
  log::audit(caller.name, "remove iteration", {{"iteration", number(iteration)}});
  command(Operation::remove_iteration, iteration,
          engine::RemoveIteration{.iteration = iteration, .completed = completed},
          std::move(reply));
}

void Operations::end_loop(Key body, bool cancel, const Caller& caller, Reply<Done> reply) {
  log::audit(caller.name, cancel ? "cancel loop" : "complete loop", {{"body", number(body)}});
  command(Operation::end_loop, body, engine::EndLoop{.body = body, .cancel = cancel},
          std::move(reply));
}

// --- ad-hoc sub-processes -----------------------------------------------------------------------

void Operations::activate_activities(engine::ActivateActivities order, const Caller& caller,
                                     Reply<Done> reply) {
  for (const auto& activity : order.activities) {
    if (auto right = check_variables(activity.variables); !right) return reply(right.error());
  }
  log::audit(caller.name, "activate activities", {{"ad-hoc", number(order.ad_hoc)}});
  const Key key = order.ad_hoc;
  command(Operation::activate_activities, key, std::move(order), std::move(reply));
}

void Operations::complete_ad_hoc(Key ad_hoc, const Caller& caller, Reply<Done> reply) {
  log::audit(caller.name, "complete ad-hoc sub-process", {{"ad-hoc", number(ad_hoc)}});
  command(Operation::complete_ad_hoc, ad_hoc, engine::CompleteAdHoc{ad_hoc}, std::move(reply));
}

Result<Operations::Backup> Operations::backup(const std::string& name, const Caller& caller) {
  PAWL_TRY(path, backup_path(policy_.backups, name));
  log::audit(caller.name, "backup", {{"directory", path}});
  PAWL_TRY(last, backup_local(node_, path));
  return Backup{path, last};
}

}  // namespace pawl::server
