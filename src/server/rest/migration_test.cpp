// SPDX-License-Identifier: Apache-2.0
// Migration over REST: by a plan, as clients send it, and by ids, as `pawl migrate` does.
#include <algorithm>

#include "server/rest/api_testing.hpp"

namespace pawl::server::rest {
namespace {

// The next version of "order": its task has another name and is followed by another one.
std::string next_version(std::string_view task) {
  const std::string id(task);
  return R"(<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
  <process id="order" isExecutable="true"><startEvent id="order_start"/>
    <sequenceFlow id="order_f1" sourceRef="order_start" targetRef=")" +
         id + R"("/><serviceTask id=")" + id +
         R"("><extensionElements><zeebe:taskDefinition type="other"/></extensionElements>
    </serviceTask><sequenceFlow id="order_f2" sourceRef=")" +
         id + R"(" targetRef="more"/><serviceTask id="more"><extensionElements>
      <zeebe:taskDefinition type="more"/></extensionElements></serviceTask>
  </process></definitions>)";
}

class Migration : public Api {
 protected:
  std::string deploy_next(std::string_view task) {
    const Response response = deploy("next.bpmn", next_version(task));
    EXPECT_EQ(response.status, 200) << response.body;
    const Value answer = *parse_json(response.body);
    const Value& made = answer.find("deployments")->as_list().front();
    return text(*made.find("processDefinition"), "processDefinitionKey");
  }
  Response migrate(const std::string& instance, const std::string& definition,
                   const std::string& from, const std::string& to) {
    return send("POST", "/v2/process-instances/" + instance + "/migration",
                R"({"targetProcessDefinitionKey":")" + definition +
                    R"(","mappingInstructions":[{"sourceElementId":")" + from +
                    R"(","targetElementId":")" + to + R"("}],"operationReference":1})");
  }
  std::string detail(const Response& response) {
    return text(*parse_json(response.body), "detail");
  }
};

TEST_F(Migration, Z469_by_a_plan_keeps_the_job_and_goes_on_in_the_other_version) {
  deploy_all();
  const std::string instance = start("order");
  const std::string job = take_key("charge");
  const std::string definition = deploy_next("pay");
  ASSERT_EQ(migrate(instance, definition, "work", "pay").status, 204);
  const Value row = get("GET", "/v2/process-instances/" + instance);
  EXPECT_EQ(text(row, "processDefinitionKey"), definition);
  EXPECT_EQ(row.find("processDefinitionVersion")->as_int(), 2);
  const Value found =
      get("POST", "/v2/element-instances/search",
          R"({"filter":{"processInstanceKey":")" + instance + R"(","state":"ACTIVE"}})");
  ASSERT_EQ(found.find("items")->as_list().size(), 1u);
  EXPECT_EQ(text(found.find("items")->as_list()[0], "elementId"), "pay");
  EXPECT_EQ(text(found.find("items")->as_list()[0], "processDefinitionKey"), definition);
  const Value jobs = get("POST", "/v2/jobs/search", R"({"filter":{"jobKey":")" + job + R"("}})");
  ASSERT_EQ(jobs.find("items")->as_list().size(), 1u);
  EXPECT_EQ(text(jobs.find("items")->as_list()[0], "elementId"), "pay");
  EXPECT_EQ(send("POST", "/v2/jobs/" + job + "/completion").status, 204);
  EXPECT_EQ(text(take_job("more"), "processDefinitionKey"), definition);
}

TEST_F(Migration, Z468_by_a_plan_maps_nothing_by_itself) {
  deploy_all();
  const std::string instance = start("order");
  const std::string definition = deploy_next("work");
  const auto before = last();
  const Response bare =
      send("POST", "/v2/process-instances/" + instance + "/migration",
           R"({"targetProcessDefinitionKey":")" + definition + R"(","mappingInstructions":[]})");
  EXPECT_EQ(bare.status, 409);
  EXPECT_NE(detail(bare).find("active element \"work\" is not mapped"), std::string::npos)
      << bare.body;
  const Response unknown = migrate(instance, definition, "work", "nothing");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_NE(detail(unknown).find("has no element \"nothing\""), std::string::npos) << unknown.body;
  EXPECT_EQ(migrate(instance, definition, "nothing", "work").status, 400);
  EXPECT_EQ(migrate(instance, "77", "work", "work").status, 404);
  EXPECT_EQ(migrate("77", definition, "work", "work").status, 404);
  EXPECT_EQ(last(), before);
}

TEST_F(Migration, by_ids_needs_only_those_that_differ) {
  deploy_all();
  const std::string same = start("order");
  const std::string other = start("order");
  deploy_next("work");
  const auto path = [](const std::string& instance) {
    return "/v2/pawl/process-instances/" + instance + "/migration";
  };
  EXPECT_EQ(send("POST", path(same), R"({"processDefinitionId":"order"})").status, 204);
  deploy_next("pay");
  EXPECT_EQ(send("POST", path(other), R"({"processDefinitionId":"order"})").status, 409);
  EXPECT_EQ(send("POST", path(other),
                 R"({"processDefinitionId":"order","processDefinitionVersion":3,
                     "mappingInstructions":[{"sourceElementId":"work","targetElementId":"pay"}]})")
                .status,
            204);
  EXPECT_EQ(get("GET", "/v2/process-instances/" + same).find("processDefinitionVersion")->as_int(),
            2);
  EXPECT_EQ(get("GET", "/v2/process-instances/" + other).find("processDefinitionVersion")->as_int(),
            3);
}

}  // namespace
}  // namespace pawl::server::rest
