// SPDX-License-Identifier: Apache-2.0
// Whatever is wrong with a request: the answer is a whole problem with a reason, and nothing was
// written to the journal.
#include "server/rest/api_testing.hpp"

namespace pawl::server::rest {
namespace {

struct Row {
  int status;
  std::string_view title;
  std::string_view says;  // part of the detail
  std::string method;
  std::string path;
  std::string body{};
  std::string type{"application/json"};
};

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

constexpr std::string_view start_path = "/v2/process-instances";
constexpr std::string_view activation = "/v2/jobs/activation";

std::vector<Row> bad_paths() {
  const auto missing = [](std::string method, std::string path) {
    return Row{404, "Not Found", "there is no", std::move(method), std::move(path)};
  };
  const auto method = [](std::string name, std::string path) {
    return Row{405, "Method Not Allowed", "is not possible here", std::move(name), std::move(path)};
  };
  return {
      missing("GET", "/"),
      missing("GET", "/v2"),
      missing("GET", "/v2/"),
      missing("GET", "/v1/topology"),
      missing("GET", "/v2/topology/"),
      missing("GET", "/v2//topology"),
      missing("GET", "/V2/topology"),
      missing("GET", "/v2/nothing"),
      missing("POST", "/v2/jobs/1/2/completion"),
      missing("POST", "/v2/jobs//completion"),
      missing("GET", "/v2/../etc/passwd"),
      missing("GET", "/" + std::string(5'000, 'x')),
      missing("GET", std::string(5'000, '/')),
      missing("GET", "/\xff\xfe\xed\xa0\x80"),
      method("POST", "/v2/topology"),
      method("DELETE", "/v2/topology"),
      method("GET", "/v2/jobs/activation"),
      method("PATCH", "/v2/jobs/activation"),
      method("PUT", "/v2/process-instances"),
      method("FETCH", "/v2/license"),
      method("get", "/v2/license"),
      method("GET", "/v2/deployments"),
      method("POST", "/metrics"),
  };
}

std::vector<Row> bad_media() {
  const std::string path = "/v2/signals/broadcast";
  const std::string body = R"({"signalName":"s"})";
  const auto row = [&](std::string says, std::string where, std::string type) {
    return Row{415,
               "Unsupported Media Type",
               says.empty() ? "expected a body of type" : "",
               "POST",
               std::move(where),
               body,
               std::move(type)};
  };
  return {
      row("", path, "text/plain"),
      row("", path, "application/xml"),
      row("", path, "application/jsonx"),
      row("", path, "application/x-www-form-urlencoded"),
      row("", path, "multipart/form-data; boundary=b"),
      row("", "/v2/deployments", "application/json"),
      row("", "/v2/deployments", "application/octet-stream"),
      row("", "/v2/deployments", ""),
  };
}

std::vector<Row> bad_json() {
  const auto row = [](std::string body, std::string_view says) {
    return Row{400, "Bad Request", says, "POST", "/v2/signals/broadcast", std::move(body)};
  };
  return {
      row("{", "JSON, line 1"),
      row("}", "JSON, line 1"),
      row("nope", "JSON, line 1"),
      row("{\"signalName\":\"s\"", "JSON"),
      row("{\"signalName\":\"s\"} x", "JSON"),
      row("{\"signalName\":\"s\",}", "JSON"),
      row("{'signalName':'s'}", "JSON"),
      row("{\"signalName\":\"\xff\"}", "UTF-8"),
      row(std::string("{\"signalName\":\"a\0b\"}", 20), "JSON"),
      row("[]", "must be a JSON object"),
      row("\"text\"", "must be a JSON object"),
      row("17", "must be a JSON object"),
      row("null", "must be a JSON object"),
      row("{\"signalName\":\"s\",\"variables\":{\"a\":" + nested(1'000) + "}}", ""),
      row(nested(100'000), ""),
      row(std::string(100'000, '['), ""),
      row(std::string(100'000, '{'), ""),
  };
}

Row invalid_row(std::string_view method, std::string_view path, std::string body,
                std::string_view says) {
  return {400, "INVALID_ARGUMENT", says, std::string(method), std::string(path), std::move(body)};
}

std::vector<Row> bad_start_fields() {
  const auto row = invalid_row;
  return {
      row("POST", start_path, "", "say which process"),
      row("POST", start_path, "{}", "say which process"),
      row("POST", "/v2/process-instances/1/migration", "{}", "targetProcessDefinitionKey"),
      row("POST", "/v2/process-instances/1/migration", R"({"targetProcessDefinitionKey":"1"})",
          "mappingInstructions"),
      row("POST", "/v2/process-instances/1/migration",
          R"({"targetProcessDefinitionKey":"1","mappingInstructions":[{"sourceElementId":"a"}]})",
          "targetElementId"),
      row("POST", "/v2/pawl/process-instances/1/migration", "{}", "processDefinitionId"),
      row("POST", start_path, R"({"processDefinitionId":7})", "processDefinitionId: expected"),
      row("POST", start_path, R"({"processDefinitionId":{"a":1}})", "processDefinitionId"),
      row("POST", start_path, R"({"processDefinitionKey":"abc"})", "processDefinitionKey"),
      row("POST", start_path, R"({"processDefinitionKey":""})", "processDefinitionKey"),
      row("POST", start_path, R"({"processDefinitionKey":1.5})", "processDefinitionKey"),
      row("POST", start_path, R"({"processDefinitionKey":true})", "processDefinitionKey"),
      row("POST", start_path, R"({"processDefinitionKey":"12345678901234567890123456"})",
          "processDefinitionKey"),
      row("POST", start_path, R"({"processDefinitionKey":"1","processDefinitionId":"order"})",
          "not both"),
      row("POST", start_path, R"({"processDefinitionId":"order","processDefinitionVersion":"1"})",
          "processDefinitionVersion"),
      row("POST", start_path, R"({"processDefinitionId":"order","processDefinitionVersion":-2})",
          "processDefinitionVersion"),
      row("POST", start_path, R"({"processDefinitionId":"order","variables":[1]})",
          "variables: expected an object"),
      row("POST", start_path, R"({"processDefinitionId":"order","variables":"{}"})", "variables"),
      row("POST", start_path, R"({"processDefinitionId":"order","awaitCompletion":"yes"})",
          "awaitCompletion: expected true or false"),
      row("POST", start_path, R"({"processDefinitionId":"order","requestTimeout":-1})",
          "requestTimeout"),
      row("POST", start_path, R"({"processDefinitionId":"order","requestTimeout":1e30})",
          "requestTimeout"),
      row("POST", start_path, R"({"processDefinitionId":"order","fetchVariables":"a"})",
          "fetchVariables"),
      row("POST", start_path, R"({"processDefinitionId":"order","fetchVariables":[1]})",
          "fetchVariables"),
      row("POST", start_path, R"({"processDefinitionId":"order","tenantId":"other"})", "tenant"),
      row("POST", start_path, R"({"processDefinitionId":"order","tenantId":1})", "tenantId"),
      row("POST", start_path, R"({"processDefinitionId":"order","businessId":""})", "business id"),
      row("POST", start_path, R"({"processDefinitionId":"order","businessId":5})", "businessId"),
      row("POST", start_path, R"({"processDefinitionId":"order","tags":["1x"]})", "the tag '1x'"),
      row("POST", start_path, R"({"processDefinitionId":"order","startInstructions":{}})",
          "startInstructions"),
      row("POST", start_path, R"({"processDefinitionId":"order","startInstructions":[{}]})",
          "startInstructions[0].elementId"),
  };
}

std::vector<Row> bad_job_fields(const std::string& job, const std::string& instance) {
  const std::string complete = "/v2/jobs/" + job + "/completion";
  const std::string failure = "/v2/jobs/" + job + "/failure";
  const std::string error = "/v2/jobs/" + job + "/error";
  const std::string patch = "/v2/jobs/" + job;
  const std::string variables = "/v2/element-instances/" + instance + "/variables";
  const auto row = invalid_row;
  return {
      row("POST", activation, "", "type: expected"),
      row("POST", activation, R"({"type":"","timeout":1,"maxJobsToActivate":1})", "type"),
      row("POST", activation, R"({"type":"  ","timeout":1,"maxJobsToActivate":1})", "type"),
      row("POST", activation, R"({"type":1,"timeout":1,"maxJobsToActivate":1})", "type"),
      row("POST", activation, R"({"type":"a","maxJobsToActivate":1})", "timeout"),
      row("POST", activation, R"({"type":"a","timeout":0,"maxJobsToActivate":1})", "timeout"),
      row("POST", activation, R"({"type":"a","timeout":"1","maxJobsToActivate":1})", "timeout"),
      row("POST", activation, R"({"type":"a","timeout":1})", "maxJobsToActivate"),
      row("POST", activation, R"({"type":"a","timeout":1,"maxJobsToActivate":0})",
          "maxJobsToActivate"),
      row("POST", activation, R"({"type":"a","timeout":1,"maxJobsToActivate":1,"worker":[]})",
          "worker"),
      row("POST", activation,
          R"({"type":"a","timeout":1,"maxJobsToActivate":1,"tenantIds":["<default>","x"]})",
          "tenant"),
      row("POST", activation,
          R"({"type":"a","timeout":1,"maxJobsToActivate":1,"fetchVariable":{}})", "fetchVariable"),
      row("POST", complete, R"({"variables":[]})", "variables"),
      row("POST", complete, R"({"variables":1})", "variables"),
      row("POST", complete, R"({"result":1})", "result"),
      row("POST", failure, R"({"retries":"1"})", "retries"),
      row("POST", failure, R"({"retries":3000000000})", "retries"),
      row("POST", failure, R"({"errorMessage":1})", "errorMessage"),
      row("POST", failure, R"({"retryBackOff":-1})", "retryBackOff"),
      row("POST", failure, R"({"variables":true})", "variables"),
      row("POST", error, "{}", "errorCode"),
      row("POST", error, R"({"errorCode":" "})", "errorCode"),
      row("POST", error, R"({"errorCode":500})", "errorCode"),
      row("PATCH", patch, "", "changeset"),
      row("PATCH", patch, R"({"changeset":{}})", "changeset"),
      row("PATCH", patch, R"({"changeset":[1]})", "changeset"),
      row("PATCH", patch, R"({"changeset":{"retries":0}})", "changeset.retries"),
      row("PATCH", patch, R"({"changeset":{"timeout":-1}})", "changeset.timeout"),
      row("PUT", variables, "{}", "variables: expected an object"),
      row("PUT", variables, R"({"variables":"x"})", "variables"),
      row("PUT", variables, R"({"variables":{},"local":1})", "local"),
  };
}

std::vector<Row> bad_other_fields() {
  const auto row = invalid_row;
  return {
      row("POST", "/v2/messages/publication", "{}", "name"),
      row("POST", "/v2/messages/publication", R"({"name":""})", "name"),
      row("POST", "/v2/messages/publication", R"({"name":"a","timeToLive":-1})", "timeToLive"),
      row("POST", "/v2/messages/publication", R"({"name":"a","correlationKey":1})",
          "correlationKey"),
      row("POST", "/v2/messages/publication", R"({"name":"a","variables":[]})", "variables"),
      row("POST", "/v2/pawl/loops/1/iterations", "{}", "it or items"),
      row("POST", "/v2/pawl/loops/1/iterations", R"({"count":1,"items":[1]})", "not both"),
      row("POST", "/v2/pawl/loops/1/iterations", R"({"count":0})", "count"),
      row("POST", "/v2/pawl/loops/1/iterations", R"({"count":"two"})", "count"),
      row("POST", "/v2/pawl/loops/1/iterations", R"({"items":{}})", "a list"),
      row("POST", "/v2/pawl/iterations/1/removal", R"({"completed":"yes"})", "completed"),
      row("POST", "/v2/pawl/iterations/x/removal", "{}", "elementInstanceKey"),
      row("POST", "/v2/pawl/loops/x/completion", "", "elementInstanceKey"),
      row("GET", "/v2/pawl/loops/x", "", "key"),
      row("POST", "/v2/messages/correlation", "{}", "name"),
      row("POST", "/v2/messages/correlation", R"({"name":"a","correlationKey":1})",
          "correlationKey"),
      row("POST", "/v2/messages/correlation", R"({"name":"a","variables":[]})", "variables"),
      row("POST", "/v2/signals/broadcast", "{}", "signalName"),
      row("POST", "/v2/signals/broadcast", R"({"signalName":"a","tenantId":"b"})", "tenant"),
      row("POST", "/v2/expression/evaluation", "{}", "expression"),
      row("POST", "/v2/expression/evaluation", R"({"expression":"=1 +"})", "EVALUATE"),
      row("POST", "/v2/expression/evaluation",
          R"j({"expression":"=count(for i in 1..100000000 return i)"})j", "EVALUATE"),
      row("POST", "/v2/jobs/abc/completion", "", "jobKey: expected a key"),
      row("POST", "/v2/jobs/1e3/completion", "", "jobKey"),
      row("POST", "/v2/jobs/%31%32x/completion", "", "'12x'"),
      row("POST", "/v2/jobs/%ff/completion", "", "jobKey"),
      row("POST", "/v2/jobs/+1/completion", "", "jobKey"),
      row("POST", "/v2/jobs/" + std::string(26, '1') + "/completion", "", "jobKey"),
      row("POST", "/v2/process-instances/x/cancellation", "", "processInstanceKey"),
      row("POST", "/v2/incidents/-/resolution", "", "incidentKey"),
      row("PUT", "/v2/element-instances/0x1/variables", R"({"variables":{}})",
          "elementInstanceKey"),
      row("POST", "/v2/user-tasks/me/completion", "", "userTaskKey"),
  };
}

std::vector<Row> unknown_things() {
  const auto row = [](std::string path, std::string body = "") {
    return Row{404, "NOT_FOUND", "", "POST", std::move(path), std::move(body)};
  };
  return {
      row("/v2/jobs/1/completion"),
      row("/v2/jobs/0/completion"),
      row("/v2/jobs/-5/completion"),
      row("/v2/jobs/9223372036854775807/completion"),
      row("/v2/jobs/9999999999999999999999999/completion"),
      row("/v2/jobs/77/failure"),
      row("/v2/jobs/77/error", R"({"errorCode":"x"})"),
      row("/v2/process-instances/77/cancellation"),
      row("/v2/incidents/77/resolution"),
      row("/v2/user-tasks/77/completion"),
      row("/v2/messages/correlation", R"({"name":"unheard","correlationKey":"k"})"),
      row("/v2/pawl/loops/77/iterations", R"({"count":1})"),
      row("/v2/process-instances/77/migration",
          R"({"targetProcessDefinitionKey":"78","mappingInstructions":[]})"),
      row("/v2/pawl/process-instances/77/migration", R"({"processDefinitionId":"order"})"),
      row("/v2/pawl/process-instances/77/migration", R"({"processDefinitionId":"nobody"})"),
      row("/v2/pawl/loops/77/completion"),
      row("/v2/pawl/iterations/77/removal", "{}"),
      row(std::string(start_path), R"({"processDefinitionId":"nobody"})"),
      row(std::string(start_path),
          R"({"processDefinitionId":"order","processDefinitionVersion":9})"),
      row(std::string(start_path), R"({"processDefinitionKey":"77"})"),
  };
}

std::vector<Row> not_supported(const std::string& job) {
  const auto row = [](std::string_view method, std::string path, std::string body = "{}") {
    return Row{501,
               "NOT_IMPLEMENTED",
               "is not supported",
               std::string(method),
               std::move(path),
               std::move(body)};
  };
  return {
      row("POST", "/v2/process-instances/1/modification"),
      row("POST", "/v2/user-tasks/1/assignment"),
      row("DELETE", "/v2/user-tasks/1/assignee", ""),
      row("PATCH", "/v2/user-tasks/1"),
      row("PUT", "/v2/clock"),
      row("POST", "/v2/clock/reset", ""),
      row("POST", "/v2/decision-definitions/evaluation"),
      row("POST", "/v2/resources/1/deletion"),
      row("POST", std::string(start_path), R"({"processDefinitionId":"order","tags":["a"]})"),
      row("POST", "/v2/jobs/" + job + "/completion", R"({"result":{"denied":true}})"),
      row("POST", "/v2/jobs/" + job + "/completion",
          R"({"result":{"activateElements":[{"elementId":"a"}]}})"),
  };
}

std::vector<Row> bad_forms() {
  const auto row = [](std::string body, std::string_view says,
                      std::string type = "multipart/form-data; boundary=b") {
    return Row{
        400, "INVALID_ARGUMENT", says, "POST", "/v2/deployments", std::move(body), std::move(type)};
  };
  const std::string good = form("a.bpmn", test_model);
  const std::string part = "--b\r\nContent-Disposition: form-data; name=\"resources\"";
  return {
      row("", "boundary is nowhere"),
      row("x", "boundary is nowhere"),
      row(good, "needs a boundary", "multipart/form-data"),
      row(good, "needs a boundary", "multipart/form-data; boundary="),
      row(good, "needs a boundary", "multipart/form-data; boundary=" + std::string(71, 'b')),
      row(good, "boundary is nowhere", "multipart/form-data; boundary=c"),
      row("--b--\r\n", "at least one file"),
      row(good.substr(0, good.size() - 8), "was the body cut"),
      row(part + "\r\n\r\nx\r\n--b--", "needs a filename"),
      row("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", "no name"),
      row("--b\r\n\r\nx\r\n--b--", "no name"),
      row(form("a.txt", "x"), "ends with .bpmn"),
      row(form("a.dmn", "x"), ".dmn files are not supported"),
      row(form("", test_model), "needs a filename"),
      row(form("a.bpmn", ""), "CREATE_DEPLOYMENT"),
      row(form("a.bpmn", "\xff\xfe\x00"), "CREATE_DEPLOYMENT"),
      row("--b\r\nContent-Disposition: form-data; name=\"tenantId\"\r\n\r\nother\r\n" + good,
          "tenant"),
  };
}

class BadRequests : public Api {
 protected:
  void expect_refused(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      auto asked = request(row.method, row.path, row.body);
      asked->headers = {{"content-type", row.type}};
      const store::Position before = last();
      const Response response = send(asked);
      const std::string what = row.method + ' ' + row.path.substr(0, 100) + ' ' +
                               row.body.substr(0, 200) + "\n-> " + response.body.substr(0, 500);
      EXPECT_EQ(response.status, row.status) << what;
      EXPECT_EQ(last(), before) << what;
      expect_problem(row, response, what);
    }
  }

  void expect_problem(const Row& row, const Response& response, const std::string& what) {
    EXPECT_EQ(response.content_type, "application/problem+json") << what;
    const auto problem = parse_json(response.body);
    ASSERT_TRUE(problem) << what;
    EXPECT_EQ(text(*problem, "type"), "about:blank") << what;
    EXPECT_EQ(text(*problem, "title"), row.title) << what;
    EXPECT_EQ(*problem->find("status"), Value(row.status)) << what;
    EXPECT_NE(text(*problem, "detail"), "") << what;
    EXPECT_NE(text(*problem, "detail").find(row.says), std::string::npos) << what;
    EXPECT_TRUE(text(*problem, "instance").starts_with('/')) << what;
  }
};

TEST_F(BadRequests, are_refused_with_a_problem_and_change_nothing) {
  deploy_all();
  const std::string instance = start("order");
  const std::string job = take_key("charge");
  expect_refused(bad_paths());
  expect_refused(bad_media());
  expect_refused(bad_json());
  expect_refused(bad_start_fields());
  expect_refused(bad_job_fields(job, instance));
  expect_refused(bad_other_fields());
  expect_refused(unknown_things());
  expect_refused(not_supported(job));
  expect_refused(bad_forms());
  EXPECT_EQ(send("POST", "/v2/jobs/" + job + "/completion").status, 204);  // it is as it was
}

TEST_F(BadRequests, with_a_wrong_method_are_told_the_right_ones) {
  const Response response = send("DELETE", "/v2/topology");
  ASSERT_EQ(response.headers.size(), 1u);
  EXPECT_EQ(response.headers[0].name, "allow");
  EXPECT_EQ(response.headers[0].value, "GET");
}

TEST_F(BadRequests, with_a_coded_body_are_not_misread) {
  auto asked = request("POST", "/v2/signals/broadcast", R"({"signalName":"s"})");
  asked->headers.push_back({"Content-Encoding", "gzip"});
  EXPECT_EQ(send(asked).status, 415);
}

}  // namespace
}  // namespace pawl::server::rest
