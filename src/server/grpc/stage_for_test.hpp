// SPDX-License-Identifier: Apache-2.0
// A running server with a client, for the tests of gRPC.
#pragma once

#include <gtest/gtest.h>

#include <gateway.pb.h>
#include "server/server.hpp"
#include "store/conformance/temporary_directory.hpp"
#include "testkit/grpc_client.hpp"

namespace pawl::server::grpc {

namespace proto = gateway_protocol;

inline const std::string one_job = R"(
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="t">
  <bpmn:process id="one-job" isExecutable="true">
    <bpmn:startEvent id="start" /><bpmn:sequenceFlow id="f" sourceRef="start" targetRef="task" />
    <bpmn:serviceTask id="task"><bpmn:extensionElements><zeebe:taskDefinition type="work" />
      <zeebe:taskHeaders><zeebe:header key="colour" value="blue" /></zeebe:taskHeaders>
    </bpmn:extensionElements></bpmn:serviceTask>
    <bpmn:sequenceFlow id="g" sourceRef="task" targetRef="end" /><bpmn:endEvent id="end" />
  </bpmn:process>
</bpmn:definitions>)";

struct Answer {
  int status{-1};
  std::string text{};
  std::vector<std::string> messages{};
};

class GatewayTest : public testing::Test {
 protected:
  void SetUp() override { open({}); }

  void open(ServerOptions options) {
    client_.reset();
    server_.reset();
    options.data = directory_.path() + "/data";
    options.grpc = {"127.0.0.1", 0};
    options.http = {"127.0.0.1", 0};
    auto opened = Server::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().text;
    server_ = std::move(*opened);
    client_ = connect();
  }

  std::unique_ptr<testkit::GrpcClient> connect() {
    return std::make_unique<testkit::GrpcClient>(server_->grpc_address().port);
  }

  // The bytes as they are.
  Answer call(std::string_view method, std::string_view request, testkit::GrpcClient& client) {
    Answer answer;
    bool done = false;
    client.call(
        method, request, [&](std::string_view message) { answer.messages.emplace_back(message); },
        [&](int status, std::string_view text) {
          answer.status = status;
          answer.text = text;
          done = true;
        });
    for (int i = 0; i < 3'000 && !done; ++i) client.turn(10);
    EXPECT_TRUE(done) << method << " was not answered";
    return answer;
  }
  template <class Request>
  Answer call(std::string_view method, const Request& request) {
    return call(method, request.SerializeAsString(), *client_);
  }
  // Expects OK.
  template <class Response, class Request>
  Response ask(std::string_view method, const Request& request) {
    const Answer answer = call(method, request);
    EXPECT_EQ(answer.status, 0) << method << ": " << answer.text;
    Response response;
    if (answer.messages.size() == 1) response.ParseFromString(answer.messages[0]);
    return response;
  }

  std::int64_t deploy(const std::string& model) {
    proto::DeployResourceRequest request;
    auto& resource = *request.add_resources();
    resource.set_name("model.bpmn");
    resource.set_content(model);
    const auto response = ask<proto::DeployResourceResponse>("DeployResource", request);
    return response.deployments_size() == 0
               ? 0
               : response.deployments(0).process().processdefinitionkey();
  }
  std::int64_t start(const std::string& process, const std::string& variables = "") {
    proto::CreateProcessInstanceRequest request;
    request.set_bpmnprocessid(process);
    request.set_version(-1);
    request.set_variables(variables);
    return ask<proto::CreateProcessInstanceResponse>("CreateProcessInstance", request)
        .processinstancekey();
  }
  std::vector<proto::ActivatedJob> activate(const std::string& type, std::int64_t wait_ms = 5'000,
                                            std::int64_t lease_ms = 60'000) {
    proto::ActivateJobsRequest request;
    request.set_type(type);
    request.set_worker("tester");
    request.set_timeout(lease_ms);
    request.set_maxjobstoactivate(10);
    request.set_requesttimeout(wait_ms);
    std::vector<proto::ActivatedJob> jobs;
    for (const std::string& message : call("ActivateJobs", request).messages) {
      proto::ActivateJobsResponse response;
      response.ParseFromString(message);
      jobs.insert(jobs.end(), response.jobs().begin(), response.jobs().end());
    }
    return jobs;
  }
  store::Position position() const { return server_->node().journal().last(); }

  store::TemporaryDirectory directory_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<testkit::GrpcClient> client_;
};

}  // namespace pawl::server::grpc
