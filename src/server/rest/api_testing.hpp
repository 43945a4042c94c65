// SPDX-License-Identifier: Apache-2.0
// For tests of the handlers: a router before a real node in a temporary directory, with a few
// processes deployed; requests go in and responses come out, without HTTP.
#pragma once

#include <gtest/gtest.h>

#include <future>

#include "runtime/local.hpp"
#include "server/rest/router.hpp"
#include "store/conformance/temporary_directory.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {

inline constexpr std::string_view test_model = R"(<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
  <message id="m1" name="paid"><extensionElements><zeebe:subscription correlationKey="=id"/>
    </extensionElements></message>
  <signal id="s1" name="stop"/>
  <error id="e1" errorCode="declined"/>
  <process id="order" isExecutable="true">
    <startEvent id="order_start"/>
    <sequenceFlow id="order_f1" sourceRef="order_start" targetRef="work"/>
    <serviceTask id="work"><extensionElements><zeebe:taskDefinition type="charge"/>
      <zeebe:taskHeaders><zeebe:header key="to" value="bank"/></zeebe:taskHeaders>
    </extensionElements></serviceTask>
    <sequenceFlow id="order_f2" sourceRef="work" targetRef="order_end"/>
    <endEvent id="order_end"/>
    <boundaryEvent id="caught" attachedToRef="work"><errorEventDefinition errorRef="e1"/>
    </boundaryEvent>
    <sequenceFlow id="order_f3" sourceRef="caught" targetRef="bad"/><endEvent id="bad"/>
  </process>
  <process id="ask" isExecutable="true">
    <startEvent id="ask_start"/>
    <sequenceFlow id="ask_f1" sourceRef="ask_start" targetRef="question"/>
    <userTask id="question"><extensionElements><zeebe:userTask/></extensionElements></userTask>
    <sequenceFlow id="ask_f2" sourceRef="question" targetRef="ask_end"/>
    <endEvent id="ask_end"/>
  </process>
  <process id="wait" isExecutable="true">
    <startEvent id="wait_start"/>
    <sequenceFlow id="wait_f1" sourceRef="wait_start" targetRef="wait_catch"/>
    <intermediateCatchEvent id="wait_catch"><messageEventDefinition messageRef="m1"/>
    </intermediateCatchEvent>
    <sequenceFlow id="wait_f2" sourceRef="wait_catch" targetRef="wait_end"/>
    <endEvent id="wait_end"/>
  </process>
  <process id="alarm" isExecutable="true">
    <startEvent id="alarm_start"/>
    <sequenceFlow id="alarm_f1" sourceRef="alarm_start" targetRef="alarm_catch"/>
    <intermediateCatchEvent id="alarm_catch"><signalEventDefinition signalRef="s1"/>
    </intermediateCatchEvent>
    <sequenceFlow id="alarm_f2" sourceRef="alarm_catch" targetRef="alarm_end"/>
    <endEvent id="alarm_end"/>
  </process>
  <process id="quick" isExecutable="true">
    <startEvent id="quick_start"/>
    <sequenceFlow id="quick_f1" sourceRef="quick_start" targetRef="quick_end"/>
    <endEvent id="quick_end"/>
  </process>
</definitions>)";

// The parts of a form with one file.
inline std::string form(std::string_view file_name, std::string_view content) {
  return "--b\r\nContent-Disposition: form-data; name=\"resources\"; filename=\"" +
         std::string(file_name) + "\"\r\n\r\n" + std::string(content) + "\r\n--b--\r\n";
}

class TestClient final : public Client {
 public:
  void on_gone(std::function<void()> call) override { gone = std::move(call); }
  void on_left(std::function<void()> call) override { left = std::move(call); }
  void after(Millis, std::function<void()> call) override { later = std::move(call); }
  std::function<void()> gone;
  std::function<void()> left;
  std::function<void()> later;
};

class Api : public testing::Test {
 protected:
  static constexpr auto patience = std::chrono::seconds(60);

  Api() {
    auto opened = runtime::open_local(directory_.path(), clock_, {.segment_bytes = 1u << 20});
    node_ = std::move(*opened);
    node_->run();
    operations_ = std::make_unique<Operations>(*node_, metrics_);
    router_ = std::make_unique<Router>(context_of());
  }

  Context context_of() {
    return {
        .operations = *operations_,
        .on_pool =
            [this](Work, const std::function<void()>& work, const store::PatiencePtr& patience) {
              if (pool_is_full_) return false;
              if (before_work_) before_work_();
              const store::Patience none;
              const store::WorkingFor somebody(patience ? *patience : none);
              work();
              return true;
            },
        .trouble = [this] { return trouble_; },
        .search_patience = search_patience_};
  }

  // What it was told may hold the request, which holds it.
  ~Api() override { *client_ = {}; }

  std::shared_ptr<Request> request(std::string_view method, std::string_view target,
                                   std::string_view body = "") {
    auto out = std::make_shared<Request>();
    out->method = method;
    out->path = target.substr(0, target.find('?'));
    if (out->path.size() < target.size()) out->query = target.substr(out->path.size() + 1);
    out->body = body;
    out->caller = "test";
    out->client = client_;
    if (!body.empty()) out->headers = {{"Content-Type", "application/json"}};
    return out;
  }
  std::future<Response> begin(const std::shared_ptr<Request>& asked) {
    auto done = std::make_shared<std::promise<Response>>();
    auto future = done->get_future();
    router_->handle(asked, [done](Response response) { done->set_value(std::move(response)); });
    return future;
  }
  Response finish(std::future<Response> future) {
    if (future.wait_for(patience) == std::future_status::ready) return future.get();
    ADD_FAILURE() << "there was no answer";
    return {.status = 0};
  }
  Response send(const std::shared_ptr<Request>& asked) { return finish(begin(asked)); }
  Response send(std::string_view method, std::string_view target, std::string_view body = "") {
    return send(request(method, target, body));
  }
  // The answer as a value; anything but 200 is a failure of the test.
  Value get(std::string_view method, std::string_view target, std::string_view body = "") {
    const Response response = send(method, target, body);
    EXPECT_EQ(response.status, 200) << method << ' ' << target << '\n' << response.body;
    EXPECT_EQ(response.content_type, "application/json");
    const auto value = parse_json(response.body);
    EXPECT_TRUE(value) << response.body;
    return value ? *value : Value();
  }
  static std::string text(const Value& value, std::string_view name) {
    const Value* member = value.find(name);
    return member && member->is_string() ? std::string(member->as_string()) : "";
  }

  Response deploy(std::string_view file_name, std::string_view content) {
    auto asked = request("POST", "/v2/deployments", form(file_name, content));
    asked->headers = {{"content-type", "multipart/form-data; boundary=b"}};
    return send(asked);
  }
  void deploy_all() { ASSERT_EQ(deploy("test.bpmn", test_model).status, 200); }
  // Gives the key of the instance.
  std::string start(std::string_view process, std::string_view variables = "{}") {
    return text(get("POST", "/v2/process-instances",
                    "{\"processDefinitionId\":\"" + std::string(process) +
                        "\",\"variables\":" + std::string(variables) + "}"),
                "processInstanceKey");
  }
  Value take_job(std::string_view type) {
    const Value taken = get("POST", "/v2/jobs/activation",
                            "{\"type\":\"" + std::string(type) +
                                "\",\"timeout\":60000,\"maxJobsToActivate\":1,\"worker\":\"w\"}");
    const Value* jobs = taken.find("jobs");
    if (jobs && jobs->is_list() && !jobs->as_list().empty()) return jobs->as_list().front();
    ADD_FAILURE() << "no job of type " << type;
    return {};
  }
  std::string take_key(std::string_view type) { return text(take_job(type), "jobKey"); }
  store::InstanceState state_of(const std::string& instance) {
    EXPECT_TRUE(node_->catch_up());
    const auto rows = node_->index().instances({});
    for (const auto& row : *rows) {
      if (std::to_string(number(row.key)) == instance) return row.state;
    }
    ADD_FAILURE() << "no instance " << instance;
    return store::InstanceState::active;
  }
  store::Position last() const { return node_->journal().last(); }

  runtime::SystemClock clock_{};
  store::TemporaryDirectory directory_{};
  Metrics metrics_{};
  std::unique_ptr<runtime::Node> node_;
  std::unique_ptr<Operations> operations_;
  std::string trouble_{};
  bool pool_is_full_{false};
  std::function<void()> before_work_{};
  Millis search_patience_{60'000};  // sanitizers are slow
  std::shared_ptr<TestClient> client_{std::make_shared<TestClient>()};
  std::unique_ptr<Router> router_;
};

}  // namespace pawl::server::rest
