// SPDX-License-Identifier: Apache-2.0
// Calls about instances: start, start and wait, cancel, migrate, variables, incidents.
#include "server/grpc/answers.hpp"

namespace pawl::server::grpc {
namespace {

constexpr Millis default_wait{10'000};
constexpr Millis longest_wait{600'000};

Result<StartOrder> order_of(const proto::CreateProcessInstanceRequest& request) {
  PAWL_CHECK(check_tenant(request.tenantid()));
  PAWL_TRY(variables, variables_of(request.variables()));
  StartOrder order{.definition = key_of(request.processdefinitionkey()),
                   .process = request.bpmnprocessid(),
                   .version = request.version(),
                   .variables = std::move(variables),
                   .tags = strings_of(request.tags())};
  if (request.has_businessid()) order.business_id = request.businessid();
  for (const auto& one : request.startinstructions()) order.start_at.push_back(one.elementid());
  for (const auto& one : request.runtimeinstructions()) {
    order.end_after.push_back(one.terminate().afterelementid());
  }
  return order;
}

template <class Response>
void fill_started(const StartedInstance& started, Response& response) {
  response.set_processdefinitionkey(number_of(started.definition->key));
  response.set_bpmnprocessid(started.definition->id);
  response.set_version(started.definition->version);
  response.set_processinstancekey(number_of(started.instance));
  response.set_tenantid(std::string(default_tenant));
  if (!started.business_id.empty()) response.set_businessid(started.business_id);
}

}  // namespace

void create_process_instance(Service& service, const CallPtr& call) {
  proto::CreateProcessInstanceRequest request;
  if (!read(call, request)) return;
  auto order = order_of(request);
  if (!right(call, order, "CREATE")) return;
  using Response = proto::CreateProcessInstanceResponse;
  service.operations.start(
      std::move(*order),
      answer_with<Response, StartedInstance>(
          call, "CREATE", [](const StartedInstance& started, Response& response) {
            fill_started(started, response);
          }));
}

void create_process_instance_with_result(Service& service, const CallPtr& call) {
  proto::CreateProcessInstanceWithResultRequest request;
  if (!read(call, request)) return;
  auto order = order_of(request.request());
  if (!right(call, order, "CREATE")) return;
  order->share = call->share();
  using Response = proto::CreateProcessInstanceWithResultResponse;
  auto reply = answer_with<Response, FinishedInstance>(
      call, "CREATE_WITH_AWAITING_RESULT",
      [names = strings_of(request.fetchvariables())](const FinishedInstance& finished,
                                                     Response& response) {
        fill_started(finished.started, response);
        response.set_variables(to_json(only(finished.variables, names)));
      });
  const WaitingPtr waiting = service.operations.start_and_wait(std::move(*order), std::move(reply));
  const Millis asked{request.requesttimeout()};
  const Millis wait = asked <= Millis(0) ? default_wait : std::min(asked, longest_wait);
  call->on_gone = [waiting] { waiting->cancel(); };
  call->after(wait, [weak = std::weak_ptr<Call>(call), waiting] {
    waiting->cancel();
    if (const CallPtr late = weak.lock()) {
      late->on_gone = {};
      late->fail({Status::deadline_exceeded, "the instance has not completed in time; it runs on"});
    }
  });
}

void cancel_process_instance(Service& service, const CallPtr& call) {
  proto::CancelProcessInstanceRequest request;
  if (!read(call, request)) return;
  service.operations.cancel(key_of(request.processinstancekey()), caller_of(call),
                            answer_done<proto::CancelProcessInstanceResponse>(call, "CANCEL"));
}

void migrate_process_instance(Service& service, const CallPtr& call) {
  proto::MigrateProcessInstanceRequest request;
  if (!read(call, request)) return;
  const auto& plan = request.migrationplan();
  MigrationOrder order{.instance = key_of(request.processinstancekey()),
                       .definition = key_of(plan.targetprocessdefinitionkey())};
  for (const auto& one : plan.mappinginstructions()) {
    order.moves.push_back({one.sourceelementid(), one.targetelementid()});
  }
  service.operations.migrate(std::move(order), caller_of(call),
                             answer_done<proto::MigrateProcessInstanceResponse>(call, "MIGRATE"));
}

void set_variables(Service& service, const CallPtr& call) {
  proto::SetVariablesRequest request;
  if (!read(call, request)) return;
  auto variables = variables_of(request.variables());
  if (!right(call, variables, "UPDATE")) return;
  using Response = proto::SetVariablesResponse;
  const std::int64_t key = request.elementinstancekey();
  service.operations.set_variables(
      key_of(key), std::move(*variables), request.local(), caller_of(call),
      answer_with<Response, Done>(
          call, "UPDATE", [key](const Done&, Response& response) { response.set_key(key); }));
}

void resolve_incident(Service& service, const CallPtr& call) {
  proto::ResolveIncidentRequest request;
  if (!read(call, request)) return;
  service.operations.resolve_incident(key_of(request.incidentkey()), caller_of(call),
                                      answer_done<proto::ResolveIncidentResponse>(call, "RESOLVE"));
}

}  // namespace pawl::server::grpc
