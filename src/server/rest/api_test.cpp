// SPDX-License-Identifier: Apache-2.0
// What clients ask, and what they are told, against a real node.
#include <algorithm>
#include <atomic>

#include "server/rest/api_testing.hpp"

namespace pawl::server::rest {
namespace {

using store::InstanceState;

std::vector<std::string> names_of(const Value& value) {
  std::vector<std::string> out;
  for (const Entry& entry : value.entries()) out.push_back(entry.key);
  return out;
}

// --- cluster ------------------------------------------------------------------------------------

TEST_F(Api, tells_its_topology_as_clients_expect_it) {
  EXPECT_EQ(send("GET", "/v2/topology").body,
            R"({"brokers":[{"nodeId":0,"host":"127.0.0.1","port":26500,"version":"8.9.0",)"
            R"("partitions":[{"partitionId":1,"role":"leader","health":"healthy"}]}],)"
            R"("clusterId":null,"clusterSize":1,"partitionsCount":1,"replicationFactor":1,)"
            R"("gatewayVersion":"8.9.0","lastCompletedChangeId":"-1"})");
}

TEST_F(Api, says_whether_it_is_ready) {
  EXPECT_EQ(send("GET", "/v2/status").status, 204);
  EXPECT_EQ(send("GET", "/health/ready").status, 200);
  trouble_ = "the disk is full";
  EXPECT_EQ(send("GET", "/v2/status").status, 503);
  EXPECT_EQ(send("GET", "/health/ready").status, 503);
  EXPECT_EQ(send("GET", "/health/live").status, 200);
}

TEST_F(Api, has_a_licence) {
  EXPECT_EQ(names_of(get("GET", "/v2/license")),
            (std::vector<std::string>{"validLicense", "licenseType", "isCommercial", "expiresAt"}));
}

// --- deployments --------------------------------------------------------------------------------

TEST_F(Api, deploys_the_files_of_a_form) {
  const Response response = deploy("test.bpmn", test_model);
  ASSERT_EQ(response.status, 200) << response.body;
  const Value answer = *parse_json(response.body);
  EXPECT_EQ(text(answer, "tenantId"), "<default>");
  EXPECT_FALSE(text(answer, "deploymentKey").empty());
  const List& entries = answer.find("deployments")->as_list();
  ASSERT_EQ(entries.size(), 5u);
  const Value& process = *entries[0].find("processDefinition");
  EXPECT_EQ(text(process, "processDefinitionId"), "order");
  EXPECT_EQ(text(process, "resourceName"), "test.bpmn");
  EXPECT_EQ(process.find("processDefinitionVersion")->as_int(), 1);
  for (const char* other : {"decisionDefinition", "decisionRequirements", "form", "resource"}) {
    ASSERT_NE(entries[0].find(other), nullptr) << other;
    EXPECT_TRUE(entries[0].find(other)->is_null());
  }
}

TEST_F(Api, refuses_models_with_the_reason) {
  const Response response = deploy("test.bpmn", "<definitions><oops></definitions>");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.content_type, "application/problem+json");
  EXPECT_EQ(text(*parse_json(response.body), "title"), "INVALID_ARGUMENT");
  EXPECT_TRUE(text(*parse_json(response.body), "detail")
                  .starts_with("Command 'CREATE_DEPLOYMENT' rejected with code "))
      << response.body;
}

TEST_F(Api, says_busy_when_too_much_waits) {
  pool_is_full_ = true;
  const Response response = deploy("test.bpmn", test_model);
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(text(*parse_json(response.body), "title"), "RESOURCE_EXHAUSTED");
}

// --- instances ----------------------------------------------------------------------------------

TEST_F(Api, starts_an_instance_by_id_version_or_key) {
  deploy_all();
  const Value first = get("POST", "/v2/process-instances",
                          R"({"processDefinitionId":"order","tenantId":"<default>"})");
  EXPECT_EQ(names_of(first),
            (std::vector<std::string>{"processDefinitionId", "processDefinitionVersion",
                                      "processDefinitionKey", "processInstanceKey", "tenantId",
                                      "variables", "tags", "businessId"}));
  EXPECT_EQ(*first.find("variables"), Value::context({}));
  const std::string key = text(first, "processDefinitionKey");
  for (const std::string& body :
       {std::string(R"({"processDefinitionId":"order","processDefinitionVersion":1})"),
        std::string(R"({"processDefinitionId":"order","processDefinitionVersion":-1,"x":[1]})"),
        "{\"processDefinitionKey\":\"" + key + "\",\"businessId\":\"b-1\"}",
        "{\"processDefinitionKey\":" + key + ",\"businessId\":null}"}) {
    EXPECT_EQ(text(get("POST", "/v2/process-instances", body), "processDefinitionKey"), key);
  }
}

TEST_F(Api, answers_with_the_result_when_that_is_awaited) {
  deploy_all();
  const Value done = get("POST", "/v2/process-instances",
                         R"({"processDefinitionId":"quick","awaitCompletion":true,
                             "variables":{"a":1,"b":2},"fetchVariables":["b","c"]})");
  EXPECT_EQ(*done.find("variables"), object({{"b", 2}}));
}

TEST_F(Api, gives_up_waiting_for_the_result_but_the_instance_runs_on) {
  deploy_all();
  auto future = begin(request("POST", "/v2/process-instances",
                              R"({"processDefinitionId":"order","awaitCompletion":true,
                                  "requestTimeout":1000})"));
  const std::string job = take_key("charge");  // it was started
  ASSERT_TRUE(client_->later);
  client_->later();
  const Response response = finish(std::move(future));
  EXPECT_EQ(response.status, 504);
  EXPECT_EQ(text(*parse_json(response.body), "title"), "DEADLINE_EXCEEDED");
  EXPECT_EQ(send("POST", "/v2/jobs/" + job + "/completion").status, 204);
}

// An instance may run for months: what waits for its end must not hold what belongs to a client.
TEST_F(Api, forgets_the_client_that_does_not_wait_any_more_while_the_instance_runs) {
  deploy_all();
  for (const bool leaves : {false, true}) {
    auto asked = request("POST", "/v2/process-instances",
                         R"({"processDefinitionId":"order","awaitCompletion":true})");
    const auto client = std::make_shared<TestClient>();
    asked->client = client;
    const std::weak_ptr<Request> whole = asked;
    auto connection = std::make_shared<int>();
    const std::weak_ptr<int> held = connection;
    router_->handle(asked, [connection](const Response&) {});
    asked.reset();
    connection.reset();
    take_key("charge");  // it was started
    EXPECT_TRUE(whole.expired()) << "the wait needs no more than the path";
    EXPECT_FALSE(held.expired());
    leaves ? client->gone() : client->later();
    *client = {};  // as the end of an exchange does
    EXPECT_TRUE(held.expired()) << (leaves ? "the client left" : "the time was over");
  }
}

TEST_F(Api, cancels_an_instance_once) {
  deploy_all();
  const std::string instance = start("order");
  const std::string path = "/v2/process-instances/" + instance + "/cancellation";
  EXPECT_EQ(send("POST", path, R"({"operationReference":1})").status, 204);
  EXPECT_EQ(state_of(instance), InstanceState::terminated);
  EXPECT_EQ(send("POST", path).status, 404);
}

TEST_F(Api, sets_variables_of_an_instance) {
  deploy_all();
  const std::string instance = start("order", R"({"a":1})");
  const std::string path = "/v2/element-instances/" + instance + "/variables";
  EXPECT_EQ(send("PUT", path, R"({"variables":{"a":2,"big":9007199254740993}})").status, 204);
  const Value job = take_job("charge");
  EXPECT_EQ(*job.find("variables"), object({{"a", 2}, {"big", std::int64_t{9007199254740993}}}));
  EXPECT_EQ(send("PUT", "/v2/element-instances/" + text(job, "elementInstanceKey") + "/variables",
                 R"({"variables":{"b":1},"local":true})")
                .status,
            204);
}

TEST_F(Api, resolves_an_incident_after_it_was_repaired) {
  deploy_all();
  const std::string instance = start("order");
  const std::string job = take_key("charge");
  EXPECT_EQ(send("POST", "/v2/jobs/" + job + "/failure", R"({"errorMessage":"no"})").status, 204);
  ASSERT_TRUE(node_->catch_up());
  const auto incidents = node_->index().incidents(Key::none);
  ASSERT_EQ(incidents->size(), 1u);
  const std::string key = std::to_string(number(incidents->front().key));
  EXPECT_EQ(send("PATCH", "/v2/jobs/" + job, R"({"changeset":{"retries":2}})").status, 204);
  EXPECT_EQ(send("POST", "/v2/incidents/" + key + "/resolution").status, 204);
  EXPECT_EQ(send("POST", "/v2/incidents/" + key + "/resolution").status, 404);
  EXPECT_EQ(send("POST", "/v2/jobs/" + take_key("charge") + "/completion").status, 204);
  EXPECT_EQ(state_of(instance), InstanceState::completed);
}

// --- jobs ---------------------------------------------------------------------------------------

TEST_F(Api, gives_a_job_with_all_its_fields) {
  deploy_all();
  const std::string instance = start("order", R"({"a":1,"b":2})");
  const Value taken = get("POST", "/v2/jobs/activation",
                          R"({"type":"charge","timeout":60000,"maxJobsToActivate":5,"worker":"w",
                              "fetchVariable":["b"],"tenantIds":["<default>"]})");
  const Value& job = taken.find("jobs")->as_list().at(0);
  EXPECT_EQ(names_of(job),
            (std::vector<std::string>{
                "jobKey", "type", "processDefinitionId", "processDefinitionVersion",
                "processDefinitionKey", "processInstanceKey", "rootProcessInstanceKey", "elementId",
                "elementInstanceKey", "customHeaders", "variables", "worker", "retries", "deadline",
                "tenantId", "kind", "listenerEventType", "tags", "userTask"}));
  EXPECT_EQ(text(job, "processInstanceKey"), instance);
  EXPECT_EQ(text(job, "elementId"), "work");
  EXPECT_EQ(text(job, "worker"), "w");
  EXPECT_EQ(*job.find("customHeaders"), object({{"to", "bank"}}));
  EXPECT_EQ(*job.find("variables"), object({{"b", 2}}));
  EXPECT_EQ(*job.find("retries"), Value(3));
  EXPECT_GT(job.find("deadline")->as_int(), clock_.now().time_since_epoch().count());
}

TEST_F(Api, answers_a_poll_without_jobs_with_an_empty_list) {
  EXPECT_EQ(send("POST", "/v2/jobs/activation",
                 R"({"type":"charge","timeout":1,"maxJobsToActivate":1,"requestTimeout":-1})")
                .body,
            R"({"jobs":[]})");
}

TEST_F(Api, answers_a_waiting_poll_when_a_job_comes) {
  deploy_all();
  auto future = begin(request("POST", "/v2/jobs/activation",
                              R"({"type":"charge","timeout":60000,"maxJobsToActivate":1})"));
  EXPECT_EQ(future.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  start("order");
  EXPECT_NE(finish(std::move(future)).body.find("jobKey"), std::string::npos);
}

TEST_F(Api, a_poll_whose_client_has_gone_takes_no_job) {
  deploy_all();
  std::atomic<bool> answered = false;
  router_->handle(request("POST", "/v2/jobs/activation",
                          R"({"type":"charge","timeout":600000,"maxJobsToActivate":1})"),
                  [&](const Response&) { answered = true; });
  ASSERT_TRUE(client_->gone);
  client_->gone();
  start("order");
  EXPECT_FALSE(take_key("charge").empty());
  EXPECT_FALSE(answered);
}

TEST_F(Api, jobs_of_a_response_that_was_lost_are_offered_again) {
  deploy_all();
  start("order");
  const Response response = send("POST", "/v2/jobs/activation",
                                 R"({"type":"charge","timeout":600000,"maxJobsToActivate":1})");
  ASSERT_TRUE(response.lost) << response.body;
  response.lost();
  EXPECT_FALSE(take_key("charge").empty());
  EXPECT_EQ(metrics_.jobs_given_back, 1u);
}

TEST_F(Api, jobs_that_do_not_fit_into_the_answer_are_offered_again) {
  deploy_all();
  const std::string large(1'500'000, 'x');
  for (int i = 0; i < 4; ++i) start("order", "{\"text\":\"" + large + "\"}");
  const Value taken = get("POST", "/v2/jobs/activation",
                          R"({"type":"charge","timeout":600000,"maxJobsToActivate":10})");
  const std::size_t first = taken.find("jobs")->as_list().size();
  EXPECT_GE(first, 1u);
  EXPECT_LE(first, 2u);
  for (std::size_t i = first; i < 4; ++i) EXPECT_FALSE(take_key("charge").empty());
}

TEST_F(Api, completes_a_job_with_variables_or_without_a_body) {
  deploy_all();
  for (const char* body : {"", "{}", R"({"variables":{"x":1}})", R"({"variables":null})",
                           R"({"result":{"type":"userTask","denied":false,"corrections":{}}})"}) {
    const std::string instance = start("order");
    const std::string path = "/v2/jobs/" + take_key("charge") + "/completion";
    const Response response = send("POST", path, body);
    EXPECT_EQ(response.status, 204) << body << response.body;
    EXPECT_EQ(response.body, "");
    EXPECT_EQ(state_of(instance), InstanceState::completed);
    EXPECT_EQ(send("POST", path, body).status, 404);
  }
}

TEST_F(Api, fails_a_job_and_offers_it_again) {
  deploy_all();
  start("order");
  const std::string job = take_key("charge");
  EXPECT_EQ(send("POST", "/v2/jobs/" + job + "/failure",
                 R"({"retries":1,"errorMessage":"no","retryBackOff":0,"variables":{"why":"x"}})")
                .status,
            204);
  const Value again = take_job("charge");
  EXPECT_EQ(text(again, "jobKey"), job);
  EXPECT_EQ(*again.find("retries"), Value(1));
}

TEST_F(Api, throws_a_bpmn_error) {
  deploy_all();
  const std::string instance = start("order");
  EXPECT_EQ(send("POST", "/v2/jobs/" + take_key("charge") + "/error",
                 R"({"errorCode":"declined","errorMessage":"no money"})")
                .status,
            204);
  EXPECT_EQ(state_of(instance), InstanceState::completed);
}

TEST_F(Api, changes_retries_and_time_out_of_a_job) {
  deploy_all();
  start("order");
  const std::string job = take_key("charge");
  for (const char* body : {R"({"changeset":{"retries":7}})", R"({"changeset":{"timeout":1000}})",
                           R"({"changeset":{"retries":7,"timeout":0},"operationReference":5})"}) {
    EXPECT_EQ(send("PATCH", "/v2/jobs/" + job, body).status, 204) << body;
  }
  EXPECT_EQ(*take_job("charge").find("retries"), Value(7));  // the lease is over
}

// --- messages, signals, expressions, user tasks -------------------------------------------------

TEST_F(Api, publishes_a_message_to_who_waits) {
  deploy_all();
  const std::string instance = start("wait", R"({"id":"o-1"})");
  const Value told = get("POST", "/v2/messages/publication",
                         R"({"name":"paid","correlationKey":"o-1","timeToLive":60000,
                             "messageId":"m-1","variables":{"sum":5}})");
  EXPECT_FALSE(text(told, "messageKey").empty());
  EXPECT_EQ(text(told, "tenantId"), "<default>");
  const auto until = std::chrono::steady_clock::now() + patience;
  while (state_of(instance) == InstanceState::active && std::chrono::steady_clock::now() < until) {
  }
  EXPECT_EQ(state_of(instance), InstanceState::completed);
}

TEST_F(Api, tells_which_instance_took_a_message_and_keeps_it_for_nobody) {
  deploy_all();
  const char* body = R"({"name":"paid","correlationKey":"o-1","variables":{"sum":5}})";
  const Response nobody = send("POST", "/v2/messages/correlation", body);
  EXPECT_EQ(nobody.status, 404);
  EXPECT_EQ(text(*parse_json(nobody.body), "title"), "NOT_FOUND");
  const std::string instance = start("wait", R"({"id":"o-1"})");
  const Value told = get("POST", "/v2/messages/correlation", body);
  EXPECT_EQ(text(told, "processInstanceKey"), instance);
  EXPECT_FALSE(text(told, "messageKey").empty());
  EXPECT_EQ(state_of(instance), InstanceState::completed);  // it was answered after that
  EXPECT_EQ(send("POST", "/v2/messages/correlation", body).status, 404);
}

TEST_F(Api, refuses_a_message_whose_id_still_lives) {
  deploy_all();
  const char* body = R"({"name":"paid","correlationKey":"o","timeToLive":60000,"messageId":"m"})";
  EXPECT_EQ(send("POST", "/v2/messages/publication", body).status, 200);
  const Response again = send("POST", "/v2/messages/publication", body);
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(text(*parse_json(again.body), "title"), "ALREADY_EXISTS");
}

TEST_F(Api, broadcasts_a_signal) {
  deploy_all();
  const std::string instance = start("alarm");
  EXPECT_FALSE(
      text(get("POST", "/v2/signals/broadcast", R"({"signalName":"stop"})"), "signalKey").empty());
  const auto until = std::chrono::steady_clock::now() + patience;
  while (state_of(instance) == InstanceState::active && std::chrono::steady_clock::now() < until) {
  }
  EXPECT_EQ(state_of(instance), InstanceState::completed);
}

TEST_F(Api, evaluates_expressions) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"expression":"=a + 1","variables":{"a":2}})",
       R"({"expression":"=a + 1","result":3,"warnings":[]})"},
      {R"({"expression":"[1, \"x\"]"})",
       R"({"expression":"[1, \"x\"]","result":[1,"x"],"warnings":[]})"},
      {R"j({"expression":"=date(\"2024-02-29\")"})j",
       R"j({"expression":"=date(\"2024-02-29\")","result":"2024-02-29","warnings":[]})j"},
  };
  for (const auto& [body, expected] : rows) {
    EXPECT_EQ(send("POST", "/v2/expression/evaluation", body).body, expected);
  }
  const Value nothing = get("POST", "/v2/expression/evaluation", R"({"expression":"=missing"})");
  EXPECT_TRUE(nothing.find("result")->is_null());
  EXPECT_EQ(text(nothing.find("warnings")->as_list().at(0), "type"), "NO_VARIABLE_FOUND");
}

TEST_F(Api, completes_a_user_task_by_either_key) {
  deploy_all();
  for (const bool by_job : {true, false}) {
    const std::string instance = start("ask");
    ASSERT_TRUE(node_->catch_up());
    const auto jobs = node_->index().jobs({.type = "user-task:question"});
    ASSERT_EQ(jobs->size(), 1u);
    const Key key = by_job ? jobs->front().key : jobs->front().element;
    const std::string path = "/v2/user-tasks/" + std::to_string(number(key)) + "/completion";
    EXPECT_EQ(send("POST", path, R"({"variables":{"yes":true},"action":"ok"})").status, 204);
    EXPECT_EQ(state_of(instance), InstanceState::completed);
    EXPECT_EQ(send("POST", path).status, 404);
  }
}

TEST_F(Api, does_not_take_another_job_for_a_user_task) {
  deploy_all();
  start("order");
  EXPECT_EQ(send("POST", "/v2/user-tasks/" + take_key("charge") + "/completion").status, 404);
}

// --- pages --------------------------------------------------------------------------------------

TEST_F(Api, shows_metrics_for_prometheus) {
  deploy_all();
  start("order");
  take_key("charge");
  send("POST", "/v2/jobs/4711/completion");
  const Response page = send("GET", "/metrics");
  EXPECT_EQ(page.content_type, "text/plain; version=0.0.4; charset=utf-8");
  for (const char* line :
       {"pawl_requests_total{operation=\"deploy\",outcome=\"OK\"} 1\n",
        "pawl_requests_total{operation=\"complete_job\",outcome=\"NOT_FOUND\"} 1\n",
        "pawl_request_seconds_count{operation=\"start\"} 1\n", "pawl_jobs_activated_total 1\n",
        "pawl_jobs_in_memory{shard=\"0\"} 1\n", "pawl_instances_resident{shard=\"0\"} 1\n",
        "# TYPE process_resident_memory_bytes gauge\n", "pawl_build_info{api=\"8.9.0\""}) {
    EXPECT_NE(page.body.find(line), std::string::npos) << line << "in\n" << page.body;
  }
  // Every line is a comment or a name with a value.
  std::string_view rest = page.body;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    EXPECT_TRUE(line.starts_with("# ") || line.rfind(' ') != std::string_view::npos) << line;
  }
}

TEST_F(Api, describes_every_route_in_its_openapi_document) {
  const Value document = get("GET", "/v2/openapi.json");
  const Value& paths = *document.find("paths");
  for (const Route& route : router_->routes()) {
    std::string method(route.method);
    std::transform(method.begin(), method.end(), method.begin(), ::tolower);
    const Value* path = paths.find(route.path);
    ASSERT_NE(path, nullptr) << route.path;
    ASSERT_NE(path->find(method), nullptr) << route.method << ' ' << route.path;
    EXPECT_FALSE(route.summary.empty()) << route.path;
    EXPECT_FALSE(route.answer.empty()) << route.path;
  }
  const Value& complete = *paths.find("/v2/jobs/{jobKey}/completion")->find("post");
  EXPECT_EQ(text(complete, "operationId"), "postJobsJobKeyCompletion");
  EXPECT_EQ(text(complete.find("parameters")->as_list().at(0), "name"), "jobKey");
}

TEST_F(Api, no_two_routes_are_the_same) {
  std::set<std::string> seen;
  for (const Route& route : router_->routes()) {
    EXPECT_TRUE(seen.insert(std::string(route.method) + ' ' + std::string(route.path)).second)
        << route.path;
  }
}

}  // namespace
}  // namespace pawl::server::rest
