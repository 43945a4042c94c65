// SPDX-License-Identifier: Apache-2.0
// Calls about the cluster, deployments, messages and signals, and the health of the server.
#include "server/grpc/answers.hpp"

namespace pawl::server::grpc {

// --- cluster ------------------------------------------------------------------------------------

void topology(Service& service, const CallPtr& call) {
  proto::TopologyResponse response;
  response.set_clustersize(1);
  response.set_replicationfactor(1);
  response.set_partitionscount(static_cast<std::int32_t>(service.operations.node().shards()));
  response.set_gatewayversion(std::string(protocol_version));
  proto::BrokerInfo& broker = *response.add_brokers();
  broker.set_host(service.host);
  broker.set_port(service.port);
  broker.set_version(std::string(protocol_version));
  for (std::uint32_t shard = 0; shard < service.operations.node().shards(); ++shard) {
    broker.add_partitions()->set_partitionid(static_cast<std::int32_t>(shard + 1));
  }
  call->reply(response.SerializeAsString());
}

// --- deployments --------------------------------------------------------------------------------

namespace {

void fill_definition(const runtime::Definition& definition, proto::ProcessMetadata& out) {
  out.set_bpmnprocessid(definition.id);
  out.set_version(definition.version);
  out.set_processdefinitionkey(number_of(definition.key));
  out.set_resourcename(definition.resource_name);
  out.set_tenantid(std::string(default_tenant));
}

// Reading a large model takes its time: not on the loop. Nobody begins for a client that has left.
template <class Response>
void deploy_and_answer(Service& service, const CallPtr& call, std::vector<File> files,
                       void (*tell)(const runtime::Deployment&, Response&)) {
  auto reply = answer_with<Response, runtime::Deployment>(call, "CREATE_DEPLOYMENT", tell);
  const auto patience = std::make_shared<store::Patience>();
  call->on_left = [patience] { patience->give_up(); };
  auto work = [&service, caller = caller_of(call), reply, patience,
               files = std::make_shared<std::vector<File>>(std::move(files))] {
    if (const auto waits = patience->check(); !waits) return reply(waits.error());
    service.operations.deploy(std::move(*files), caller, reply);
  };
  if (service.pools.run(Work::deployment, std::move(work), patience)) return;
  call->fail({Status::resource_exhausted, "too much is being deployed; try later"});
}

std::int64_t deployment_key(const runtime::Deployment& made) {
  return made.processes.empty() ? 0 : number_of(made.processes.front()->resource);
}

}  // namespace

void deploy_resource(Service& service, const CallPtr& call) {
  proto::DeployResourceRequest request;
  if (!read(call, request)) return;
  if (!right(call, check_tenant(request.tenantid()), "CREATE_DEPLOYMENT")) return;
  std::vector<File> files;
  for (auto& resource : *request.mutable_resources()) {
    files.push_back({std::move(*resource.mutable_name()), std::move(*resource.mutable_content())});
  }
  using Response = proto::DeployResourceResponse;
  deploy_and_answer<Response>(
      service, call, std::move(files), [](const runtime::Deployment& made, Response& response) {
        response.set_key(deployment_key(made));
        response.set_tenantid(std::string(default_tenant));
        for (const DefinitionPtr& one : made.processes) {
          fill_definition(*one, *response.add_deployments()->mutable_process());
        }
      });
}

void deploy_process(Service& service, const CallPtr& call) {
  proto::DeployProcessRequest request;
  if (!read(call, request)) return;
  std::vector<File> files;
  for (auto& process : *request.mutable_processes()) {
    files.push_back({std::move(*process.mutable_name()), std::move(*process.mutable_definition())});
  }
  using Response = proto::DeployProcessResponse;
  deploy_and_answer<Response>(service, call, std::move(files),
                              [](const runtime::Deployment& made, Response& response) {
                                response.set_key(deployment_key(made));
                                for (const DefinitionPtr& one : made.processes) {
                                  fill_definition(*one, *response.add_processes());
                                }
                              });
}

// --- mail ---------------------------------------------------------------------------------------

void publish_message(Service& service, const CallPtr& call) {
  proto::PublishMessageRequest request;
  if (!read(call, request) || !right(call, check_tenant(request.tenantid()), "PUBLISH")) return;
  auto variables = variables_of(request.variables());
  if (!right(call, variables, "PUBLISH")) return;
  using Response = proto::PublishMessageResponse;
  service.operations.publish(
      {.name = request.name(),
       .correlation = request.correlationkey(),
       .id = request.messageid(),
       .time_to_live_ms = request.timetolive(),
       .variables = std::move(*variables)},
      answer_with<Response, runtime::Published>(
          call, "PUBLISH", [](const runtime::Published& published, Response& response) {
            response.set_key(number_of(published.key));
            response.set_tenantid(std::string(default_tenant));
          }));
}

void broadcast_signal(Service& service, const CallPtr& call) {
  proto::BroadcastSignalRequest request;
  if (!read(call, request) || !right(call, check_tenant(request.tenantid()), "BROADCAST")) return;
  auto variables = variables_of(request.variables());
  if (!right(call, variables, "BROADCAST")) return;
  using Response = proto::BroadcastSignalResponse;
  service.operations.broadcast(
      request.signalname(), std::move(*variables),
      answer_with<Response, runtime::Published>(
          call, "BROADCAST", [](const runtime::Published& published, Response& response) {
            response.set_key(number_of(published.key));
            response.set_tenantid(std::string(default_tenant));
          }));
}

// --- health (grpc.health.v1) --------------------------------------------------------------------

namespace {

// HealthCheckRequest has one text, field 1: the name of the service.
bool is_known_service(std::string_view message) {
  if (message.empty()) return true;
  if (message.size() < 2 || message[0] != '\x0a') return false;
  return message.substr(2).empty() || message.substr(2) == "gateway_protocol.Gateway";
}

// HealthCheckResponse: status = 1, 2 or 3
constexpr std::string_view serving{"\x08\x01", 2};
constexpr std::string_view not_serving{"\x08\x02", 2};
constexpr std::string_view unknown_service{"\x08\x03", 2};

std::string_view health_of(bool well) { return well ? serving : not_serving; }

}  // namespace

void check_health(Service& service, const CallPtr& call) {
  if (is_known_service(call->message())) return call->reply(health_of(service.health.is_well()));
  call->fail({Status::not_found, "there is no such service"});
}

// It waits until the client or the server leaves, and hears of each change.
void watch_health(Service& service, const CallPtr& call) {
  if (!is_known_service(call->message())) {
    call->on_gone = [] {};
    return call->send(unknown_service);
  }
  const std::uint64_t watch =
      service.health.watch([weak = std::weak_ptr<Call>(call), &loop = call->loop()](bool well) {
        loop.post([weak, well] {
          const CallPtr to = weak.lock();
          if (to && !to->gone()) to->send(health_of(well));
        });
      });
  call->on_gone = [&service, watch] { service.health.unwatch(watch); };
  call->send(health_of(service.health.is_well()));
}

}  // namespace pawl::server::grpc
