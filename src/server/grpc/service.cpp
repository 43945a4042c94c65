// SPDX-License-Identifier: Apache-2.0
#include "server/grpc/service.hpp"

#include <fmt/format.h>

#include <map>

#include "server/grpc/answers.hpp"

namespace pawl::server::grpc {
namespace {

// What the protocol has and this version of Pawl has not.
struct Missing {
  std::string_view method;
  std::string_view what;
};

constexpr Missing missing[] = {
    {"EvaluateDecision", "decisions (DMN) are not there yet"},
    {"EvaluateConditional", "conditional start events are not there yet"},
    {"ModifyProcessInstance", "modifying a running instance is not there yet"},
    {"DeleteResource", "deleting a deployed process is not there yet"},
    {"AssignProcessInstanceBusinessId", "a business id is given when an instance is started"},
    {"UpdateJobPriority", "the priority of a job is set by its model"},
};

constexpr std::string_view gateway = "/gateway_protocol.Gateway/";

const std::map<std::string_view, Handler>& handlers() {
  static const std::map<std::string_view, Handler> table{
      {"/gateway_protocol.Gateway/Topology", topology},
      {"/gateway_protocol.Gateway/DeployResource", deploy_resource},
      {"/gateway_protocol.Gateway/DeployProcess", deploy_process},
      {"/gateway_protocol.Gateway/CreateProcessInstance", create_process_instance},
      {"/gateway_protocol.Gateway/CreateProcessInstanceWithResult",
       create_process_instance_with_result},
      {"/gateway_protocol.Gateway/CancelProcessInstance", cancel_process_instance},
      {"/gateway_protocol.Gateway/MigrateProcessInstance", migrate_process_instance},
      {"/gateway_protocol.Gateway/SetVariables", set_variables},
      {"/gateway_protocol.Gateway/ResolveIncident", resolve_incident},
      {"/gateway_protocol.Gateway/ActivateJobs", activate_jobs},
      {"/gateway_protocol.Gateway/StreamActivatedJobs", stream_activated_jobs},
      {"/gateway_protocol.Gateway/CompleteJob", complete_job},
      {"/gateway_protocol.Gateway/FailJob", fail_job},
      {"/gateway_protocol.Gateway/ThrowError", throw_error},
      {"/gateway_protocol.Gateway/UpdateJobRetries", update_job_retries},
      {"/gateway_protocol.Gateway/UpdateJobTimeout", update_job_timeout},
      {"/gateway_protocol.Gateway/PublishMessage", publish_message},
      {"/gateway_protocol.Gateway/BroadcastSignal", broadcast_signal},
      {"/grpc.health.v1.Health/Check", check_health},
      {"/grpc.health.v1.Health/Watch", watch_health},
  };
  return table;
}

}  // namespace

void handle(Service& service, const CallPtr& call) {
  const auto found = handlers().find(call->method());
  if (found != handlers().end()) return found->second(service, call);
  const std::string_view method = call->method();
  for (const Missing& one : missing) {
    if (method.starts_with(gateway) && method.substr(gateway.size()) == one.method) {
      return call->fail({Status::unimplemented, fmt::format("{}: {}", one.method, one.what)});
    }
  }
  call->fail({Status::unimplemented, fmt::format("there is no call {}", method)});
}

}  // namespace pawl::server::grpc
