// SPDX-License-Identifier: Apache-2.0
// What those who run the server rely on: bounded answers, keys, business ids, backups, health.
#include <fmt/format.h>

#include <filesystem>

#include "server/rest/api_testing.hpp"

namespace pawl::server::rest {
namespace {

class Operator : public Api {
 protected:
  void use(Policy policy) {
    operations_ = std::make_unique<Operations>(*node_, metrics_, std::move(policy));
    Context context = context_of();
    router_ = std::make_unique<Router>(std::move(context));
  }
  Response start_with(std::string_view more) {
    return send("POST", "/v2/process-instances",
                fmt::format(R"({{"processDefinitionId":"order","businessId":"A-1"{}}})", more));
  }
  static std::string detail(const Response& response) {
    const auto body = parse_json(response.body);
    return body ? text(*body, "detail") : response.body;
  }
};

TEST_F(Operator, C6_says_why_the_server_is_not_ready) {
  trouble_ = "the disk is full";
  const Response ready = send("GET", "/health/ready");
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(ready.body, R"({"status":"DOWN","reason":"the disk is full"})");
  EXPECT_EQ(detail(send("GET", "/v2/status")), "the disk is full");
}

// --- business ids -------------------------------------------------------------------------------

TEST_F(Operator, B2_one_business_id_has_one_active_instance) {
  deploy_all();
  const Response first = start_with("");
  ASSERT_EQ(first.status, 200) << first.body;
  const std::string key = text(*parse_json(first.body), "processInstanceKey");
  const Response second = start_with("");
  EXPECT_EQ(second.status, 409) << second.body;
  EXPECT_NE(detail(second).find(key), std::string::npos) << "names the one that has it";
  const Response given = start_with(R"(,"ifExists":"give")");
  ASSERT_EQ(given.status, 200) << given.body;
  EXPECT_EQ(text(*parse_json(given.body), "processInstanceKey"), key);
  EXPECT_EQ(*parse_json(given.body)->find("existing"), Value(true));
  EXPECT_EQ(start_with(R"(,"ifExists":"share")").status, 200);
  EXPECT_EQ(start_with(R"(,"ifExists":"never")").status, 400);
}

TEST_F(Operator, E2_an_id_is_refused_given_or_used_anew_when_its_instance_has_ended) {
  deploy_all();
  const std::string key = text(*parse_json(start_with("").body), "processInstanceKey");
  EXPECT_EQ(send("POST", "/v2/process-instances/" + key + "/cancellation").status, 204);
  EXPECT_EQ(start_with(R"(,"ifExists":"refuse")").status, 409);
  const Response given = start_with(R"(,"ifExists":"give")");
  EXPECT_EQ(text(*parse_json(given.body), "processInstanceKey"), key) << given.body;
  EXPECT_EQ(start_with(R"(,"ifExists":"anew")").status, 200);
}

TEST_F(Operator, B2_an_operator_may_let_business_ids_be_shared) {
  use({.business_ids = runtime::OnDuplicate::allow});
  deploy_all();
  EXPECT_EQ(start_with("").status, 200);
  EXPECT_EQ(start_with("").status, 200);
  ASSERT_TRUE(node_->catch_up());
  EXPECT_EQ(start_with(R"(,"ifExists":"refuse")").status, 409) << "who says it gets it";
}

TEST_F(Operator, E2_who_waits_for_a_repeated_start_gets_the_end_of_the_first) {
  deploy_all();
  const std::string quick =
      R"({"processDefinitionId":"quick","businessId":"Q-1","ifExists":"give","awaitCompletion":true})";
  const Value first = get("POST", "/v2/process-instances", quick);
  EXPECT_EQ(first.find("existing"), nullptr);
  const Value second = get("POST", "/v2/process-instances", quick);
  EXPECT_EQ(text(second, "processInstanceKey"), text(first, "processInstanceKey"));
  ASSERT_NE(second.find("existing"), nullptr);
}

// --- backups ------------------------------------------------------------------------------------

TEST_F(Operator, C1_backups_are_refused_unless_the_operator_named_a_directory) {
  const Response response = send("POST", "/v2/pawl/backup", R"({"name":"monday"})");
  EXPECT_EQ(response.status, 409);
  EXPECT_NE(detail(response).find("--backups DIR"), std::string::npos) << response.body;
}

TEST_F(Operator, C1_a_backup_has_a_name_and_removes_nothing_foreign) {
  namespace fs = std::filesystem;
  const store::TemporaryDirectory place;
  const fs::path root = fs::canonical(place.path());
  use({.backups = root});
  for (const char* body : {R"({"name":"../x"})", R"({"name":"/x"})", R"({"directory":"/x"})"}) {
    EXPECT_EQ(send("POST", "/v2/pawl/backup", body).status, 400) << body;
  }
  fs::create_directory(root / "tuesday.unfinished");
  EXPECT_EQ(send("POST", "/v2/pawl/backup", R"({"name":"tuesday"})").status, 409);
  EXPECT_TRUE(fs::exists(root / "tuesday.unfinished"));
  fs::create_symlink("/nowhere", root / "link");
  EXPECT_EQ(send("POST", "/v2/pawl/backup", R"({"name":"link"})").status, 409);
  const Value made = get("POST", "/v2/pawl/backup", R"({"name":"monday"})");
  EXPECT_EQ(text(made, "directory"), (root / "monday").string());
  EXPECT_EQ(fs::status(root / "monday").permissions() & fs::perms::others_all, fs::perms::none);
  EXPECT_EQ(send("POST", "/v2/pawl/backup", R"({"name":"monday"})").status, 409);
}

// --- answers ------------------------------------------------------------------------------------

TEST_F(Operator, C11_keys_are_texts_in_every_answer) {
  deploy_all();
  const std::string key = start("order");
  const Value shown = get("GET", "/v2/pawl/instances/" + key);
  EXPECT_EQ(text(shown, "instance"), key);
  for (const Value& element : shown.find("elements")->as_list()) {
    EXPECT_TRUE(element.find("key")->is_string());
    EXPECT_FALSE(element.find("job")->is_number());
  }
  const Value listed = get("GET", "/v2/pawl/instances");
  ASSERT_EQ(listed.find("items")->as_list().size(), 1u);
  EXPECT_EQ(text(listed.find("items")->as_list()[0], "key"), key);
}

TEST_F(Operator, C12_an_answer_is_bounded_and_says_what_it_leaves_out) {
  constexpr std::string_view wide = R"(<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
  <process id="wide" isExecutable="true"><startEvent id="s"/>
    <sequenceFlow id="f" sourceRef="s" targetRef="w"/>
    <serviceTask id="w"><extensionElements><zeebe:taskDefinition type="w"/></extensionElements>
      <multiInstanceLoopCharacteristics><extensionElements>
        <zeebe:loopCharacteristics inputCollection="=for i in 1..3000 return i"/>
      </extensionElements></multiInstanceLoopCharacteristics></serviceTask></process>
</definitions>)";
  ASSERT_EQ(deploy("wide.bpmn", wide).status, 200);
  const std::string key =
      start("wide", fmt::format(R"({{"a":"{}","b":1}})", std::string(1'100'000, 'x')));
  Value shown;
  for (int i = 0; i < 600; ++i) {
    shown = get("GET", "/v2/pawl/instances/" + key);
    if (shown.find("elementsLeftOut")->as_int() == 2'900) break;
    std::this_thread::sleep_for(Millis(100));
  }
  EXPECT_EQ(shown.find("elementsLeftOut")->as_int(), 2'900);
  EXPECT_EQ(shown.find("elements")->as_list().size(), 102u);
  EXPECT_EQ(shown.find("variablesLeftOut")->as_int(), 1);
  EXPECT_NE(shown.find("variables")->find("b"), nullptr);
}

// --- searches -----------------------------------------------------------------------------------

TEST_F(Operator, C8_a_search_ends_when_its_time_is_over) {
  deploy_all();
  start("order", fmt::format(R"({{"t":"{}"}})", std::string(2'000'000, 'a')));
  search_patience_ = Millis(50);
  use({});
  // Much work for every row, whatever the matcher does.
  const std::string pattern = "*" + std::string(400, 'a') + "?" + std::string(400, 'a') + "b";
  const auto since = std::chrono::steady_clock::now();
  const Response response =
      send("POST", "/v2/variables/search",
           fmt::format(R"({{"filter":{{"value":{{"$like":"{}"}}}}}})", pattern));
  EXPECT_EQ(response.status, 504) << response.body;
  EXPECT_NE(detail(response).find("50 ms"), std::string::npos) << response.body;
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(20));
}

TEST_F(Operator, C8_a_pattern_with_plain_parts_costs_no_more_than_its_text) {
  deploy_all();
  start("order", fmt::format(R"({{"t":"{}"}})", std::string(2'000'000, 'a')));
  const Response response =
      send("POST", "/v2/variables/search",
           fmt::format(R"({{"filter":{{"value":{{"$like":"*{}b*"}}}}}})", std::string(900, 'a')));
  EXPECT_EQ(response.status, 200) << response.body;
}

TEST_F(Operator, C7_a_deployment_does_not_begin_for_a_client_that_has_left) {
  const auto before = last();
  before_work_ = [this] { client_->left(); };
  EXPECT_EQ(deploy("test.bpmn", test_model).status, 504);
  EXPECT_EQ(last(), before);
}

TEST_F(Operator, C7_the_body_of_a_request_is_not_kept_while_it_waits) {
  deploy_all();
  const auto asked = request("POST", "/v2/jobs/activation",
                             R"({"type":"none","timeout":1000,"maxJobsToActivate":1})");
  const auto waits = begin(asked);
  EXPECT_EQ(asked->body.capacity(), std::string().capacity());
  client_->gone();
}

TEST_F(Operator, C8_a_search_ends_when_its_client_leaves) {
  deploy_all();
  const auto asked = request("POST", "/v2/variables/search", "{}");
  before_work_ = [this] { client_->gone(); };
  EXPECT_EQ(send(asked).status, 504);
}

}  // namespace
}  // namespace pawl::server::rest
