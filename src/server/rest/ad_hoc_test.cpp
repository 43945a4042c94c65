// SPDX-License-Identifier: Apache-2.0
// Ad-hoc sub-processes as clients of the REST API see them, against a real node.
#include "server/rest/api_testing.hpp"

namespace pawl::server::rest {
namespace {

using store::InstanceState;

constexpr std::string_view ad_hoc_model = R"(<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
  <process id="case" isExecutable="true">
    <startEvent id="start"/>
    <sequenceFlow id="f1" sourceRef="start" targetRef="box"/>
    <adHocSubProcess id="box">
      <serviceTask id="a"><extensionElements><zeebe:taskDefinition type="a"/>
      </extensionElements></serviceTask>
      <sequenceFlow id="f2" sourceRef="a" targetRef="b"/>
      <task id="b"/>
    </adHocSubProcess>
  </process>
</definitions>)";

class AdHocApi : public Api {
 protected:
  // The element instances of a type, oldest first.
  std::vector<std::string> of_type(std::string_view type) {
    const Value found =
        get("POST", "/v2/element-instances/search",
            "{\"filter\":{\"processInstanceKey\":\"" + instance_ + "\",\"type\":\"" +
                std::string(type) + "\"},\"sort\":[{\"field\":\"elementInstanceKey\"}]}");
    std::vector<std::string> keys;
    for (const Value& item : found.find("items")->as_list()) {
      EXPECT_EQ(text(item, "elementId"), "box");
      keys.push_back(text(item, "elementInstanceKey"));
    }
    return keys;
  }
  void start_case() {
    ASSERT_EQ(deploy("case.bpmn", ad_hoc_model).status, 200);
    instance_ = start("case");
    const auto found = of_type("AD_HOC_SUB_PROCESS");
    ASSERT_EQ(found.size(), 1u);
    ad_hoc_ = found.front();
  }
  Response activate(std::string_view key, std::string_view body) {
    return send("POST",
                "/v2/element-instances/ad-hoc-activities/" + std::string(key) + "/activation",
                body);
  }
  Response complete() { return send("POST", "/v2/pawl/ad-hoc/" + ad_hoc_ + "/completion"); }

  std::string instance_;
  std::string ad_hoc_;
};

TEST_F(AdHocApi, starts_elements_with_variables_of_their_own) {  // Z452
  start_case();
  EXPECT_EQ(activate(ad_hoc_, R"({"elements":[{"elementId":"a","variables":{"x":1}},)"
                              R"({"elementId":"a"}]})")
                .status,
            204);
  EXPECT_EQ(of_type("AD_HOC_SUB_PROCESS_INNER_INSTANCE").size(), 2u);
  EXPECT_EQ(of_type("AD_HOC_SUB_PROCESS").size(), 1u);
  EXPECT_EQ(to_json(*take_job("a").find("variables")), R"({"x":1})");
  EXPECT_EQ(activate(ad_hoc_, R"({"elements":[{"elementId":"a"}],"cancelRemainingInstances":true})")
                .status,
            204);
  const std::string job = take_key("a");
  EXPECT_EQ(send("POST", "/v2/jobs/" + job + "/completion", "{}").status, 204);
  EXPECT_EQ(state_of(instance_), InstanceState::completed);
  EXPECT_EQ(of_type("AD_HOC_SUB_PROCESS_INNER_INSTANCE").size(), 3u);  // ended ones, too
}

TEST_F(AdHocApi, refuses_with_a_reason_and_changes_nothing) {  // Z452
  start_case();
  struct Row {
    std::string key;
    const char* body;
    int status;
    const char* reason;
  };
  const Row rows[] = {
      {ad_hoc_, R"({"elements":[{"elementId":"x"}]})", 404, "there is no element \\\"x\\\""},
      {ad_hoc_, R"({"elements":[{"elementId":"b"}]})", 400, "is not where a path"},
      {ad_hoc_, R"({"elements":[]})", 400, "elements"},
      {ad_hoc_, "{}", 400, "elements"},
      {ad_hoc_, R"({"elements":[{"variables":{}}]})", 400, "elementId"},
      {ad_hoc_, R"({"elements":[{"elementId":"a","variables":[]}]})", 400, "variables"},
      {instance_, R"({"elements":[{"elementId":"a"}]})", 404, "there is no ad-hoc sub-process"},
      {"1", R"({"elements":[{"elementId":"a"}]})", 404, ""},
  };
  const auto before = last();
  for (const Row& row : rows) {
    const Response response = activate(row.key, row.body);
    EXPECT_EQ(response.status, row.status) << row.body << response.body;
    EXPECT_NE(response.body.find(row.reason), std::string::npos) << response.body;
  }
  EXPECT_EQ(last(), before);
}

TEST_F(AdHocApi, completes_one_in_which_nothing_runs) {  // C175
  start_case();
  EXPECT_EQ(activate(ad_hoc_, R"({"elements":[{"elementId":"a"}]})").status, 204);
  EXPECT_EQ(complete().status, 409);
  EXPECT_EQ(state_of(instance_), InstanceState::active);
  start_case();
  EXPECT_EQ(complete().status, 204);
  EXPECT_EQ(state_of(instance_), InstanceState::completed);
}

}  // namespace
}  // namespace pawl::server::rest
