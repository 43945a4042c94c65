// SPDX-License-Identifier: Apache-2.0
// Running loops as clients of the REST API see them, against a real node.
#include "server/rest/api_testing.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::string_view model = R"(<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:pawl="http://pawl.dev/bpmn/1.0"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
  <process id="looping" isExecutable="true">
    <startEvent id="start"/>
    <sequenceFlow id="f1" sourceRef="start" targetRef="work"/>
    <serviceTask id="work">
      <extensionElements><zeebe:taskDefinition type="work"/></extensionElements>
      <multiInstanceLoopCharacteristics pawl:concurrency="2" pawl:onError="tolerate:5">
        <extensionElements>
          <zeebe:loopCharacteristics inputCollection="=[1,2,3,4,5]"/>
        </extensionElements>
      </multiInstanceLoopCharacteristics>
    </serviceTask>
  </process>
</definitions>)";

class LoopApi : public Api {
 protected:
  void start_loop() {
    ASSERT_EQ(deploy("looping.bpmn", model).status, 200);
    instance_ = start("looping");
    const Value found = get("POST", "/v2/element-instances/search",
                            "{\"filter\":{\"processInstanceKey\":\"" + instance_ +
                                "\",\"type\":\"MULTI_INSTANCE_BODY\"}}");
    ASSERT_EQ(found.find("items")->as_list().size(), 1u);
    body_ = text(found.find("items")->as_list().front(), "elementInstanceKey");
  }
  std::string progress() { return to_json(get("GET", "/v2/pawl/loops/" + body_, "")); }
  std::string told(std::string_view counts) {
    return "{\"key\":\"" + body_ + "\",\"instance\":\"" + instance_ + "\",\"element\":\"work\"," +
           std::string(counts) + "}";
  }

  std::string instance_;
  std::string body_;
};

TEST_F(LoopApi, tells_how_far_a_loop_has_come) {  // M18
  start_loop();
  EXPECT_EQ(progress(), told(R"("done":0,"active":2,"failed":0,"cancelled":0,"total":5)"));
  ASSERT_EQ(send("POST", "/v2/jobs/" + take_key("work") + "/completion").status, 204);
  ASSERT_EQ(send("POST", "/v2/jobs/" + take_key("work") + "/error", R"({"errorCode":"x"})").status,
            204);
  EXPECT_EQ(progress(), told(R"("done":1,"active":2,"failed":1,"cancelled":0,"total":5)"));
  ASSERT_EQ(send("POST", "/v2/pawl/loops/" + body_ + "/iterations", R"({"items":[6,7]})").status,
            204);
  EXPECT_EQ(progress(), told(R"("done":1,"active":2,"failed":1,"cancelled":0,"total":7)"));
}

TEST_F(LoopApi, knows_only_loops_that_run) {  // M14, M18
  start_loop();
  EXPECT_EQ(send("GET", "/v2/pawl/loops/" + instance_).status, 404);
  EXPECT_EQ(send("POST", "/v2/pawl/loops/" + body_ + "/completion").status, 204);
  EXPECT_EQ(send("GET", "/v2/pawl/loops/" + body_).status, 404);
  EXPECT_EQ(send("GET", "/v2/pawl/loops/77").status, 404);
}

}  // namespace
}  // namespace pawl::server::rest
