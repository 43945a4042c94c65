// SPDX-License-Identifier: Apache-2.0
// Every request that is refused is refused with the right status and a sentence, and leaves nothing
// behind: the journal is as long as before.
#include "server/grpc/stage_for_test.hpp"

namespace pawl::server::grpc {
namespace {

constexpr int invalid = 3, not_found = 5, exhausted = 8, precondition = 9, missing = 12,
              internal = 13;

struct Refused {
  std::string name;
  std::string method;
  std::string request;  // bytes
  int status;
  std::string says;  // a part of the text
};

std::vector<Refused> refused;

template <class Request, class Fill>
void add(const std::string& name, const std::string& method, int status, const std::string& says,
         Fill fill) {
  Request request;
  fill(request);
  refused.push_back({name, method, request.SerializeAsString(), status, says});
}

// --- deployments --------------------------------------------------------------------------------

void add_refused_deployments() {
  using Request = proto::DeployResourceRequest;
  const auto file = [](const std::string& name, const std::string& content) {
    return [=](Request& request) {
      auto& resource = *request.add_resources();
      resource.set_name(name);
      resource.set_content(content);
    };
  };
  const auto deploy = [&](const std::string& what, const std::string& name,
                          const std::string& content, int status, const std::string& says) {
    add<Request>("deploy " + what, "DeployResource", status, says, file(name, content));
  };
  add<Request>("deploy nothing", "DeployResource", invalid, "at least one resource",
               [](Request&) {});
  add<Request>("deploy for a tenant", "DeployResource", invalid, "tenant", [&](Request& request) {
    file("a.bpmn", one_job)(request);
    request.set_tenantid("acme");
  });
  deploy("without a name", "", one_job, invalid, ".bpmn");
  deploy("a text file", "a.txt", "hello", invalid, ".bpmn");
  deploy("a decision", "a.dmn", "<x/>", invalid, ".dmn");
  deploy("a form", "a.form", "{}", invalid, ".form");
  deploy("an empty file", "a.bpmn", "", invalid, "a.bpmn");
  deploy("text that is no XML", "a.bpmn", "hello", invalid, "a.bpmn");
  deploy("half an XML file", "a.bpmn", one_job.substr(0, 300), invalid, "a.bpmn");
  deploy("XML that is no BPMN", "a.bpmn", "<html></html>", invalid, "a.bpmn");
  deploy("bytes that are no UTF-8", "a.bpmn", "<a>\xff\xfe</a>", invalid, "a.bpmn");
  deploy("a file with zeros", "a.bpmn", std::string("<a>\0</a>", 8), invalid, "a.bpmn");
  deploy("an entity bomb", "a.bpmn",
         "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><x>&b;</x>", invalid, "a.bpmn");
  std::string deep;
  for (int i = 0; i < 5'000; ++i) deep += "<a>";
  deploy("XML nested too deep", "a.bpmn", deep, invalid, "a.bpmn");
  const auto replaced = [](std::string from, const std::string& to) {
    std::string model = one_job;
    const std::size_t at = model.find(from);
    if (at == std::string::npos) ADD_FAILURE() << from;
    return model.replace(at, from.size(), to);
  };
  deploy("a process that is not executable", "a.bpmn", replaced("\"true\"", "\"false\""), invalid,
         "executable");
  deploy("a flow to nowhere", "a.bpmn", replaced("targetRef=\"task\"", "targetRef=\"gone\""),
         invalid, "gone");
  deploy("a task without a type", "a.bpmn", replaced(" type=\"work\"", ""), invalid, "task");
  deploy("a wrong expression", "a.bpmn", replaced("type=\"work\"", "type=\"=1 +\""), invalid,
         "task");
  deploy("two elements with one id", "a.bpmn", replaced("id=\"end\"", "id=\"task\""), invalid,
         "task");
  add<Request>("deploy a good and a bad file", "DeployResource", invalid, "b.bpmn",
               [&](Request& request) {
                 file("a.bpmn", one_job + "<!-- new -->")(request);
                 file("b.bpmn", "<x/>")(request);
               });
  using Old = proto::DeployProcessRequest;
  add<Old>("deploy no process, the old way", "DeployProcess", invalid, "at least one", [](Old&) {});
  add<Old>("deploy a bad process, the old way", "DeployProcess", invalid, "a.bpmn",
           [](Old& request) { request.add_processes()->set_name("a.bpmn"); });
}

// --- instances ----------------------------------------------------------------------------------

void add_starts() {
  using Request = proto::CreateProcessInstanceRequest;
  const auto start = [&](const std::string& what, int status, const std::string& says, auto fill) {
    const auto both = [=](Request& request) {
      request.set_bpmnprocessid("one-job");
      request.set_version(-1);
      fill(request);
    };
    add<Request>("start " + what, "CreateProcessInstance", status, says, both);
    using Waiting = proto::CreateProcessInstanceWithResultRequest;
    add<Waiting>("start and wait: " + what, "CreateProcessInstanceWithResult", status, says,
                 [=](Waiting& request) { both(*request.mutable_request()); });
  };
  start("nothing", invalid, "which process", [](Request& r) { r.clear_bpmnprocessid(); });
  start("an unknown process", not_found, "nobody",
        [](Request& r) { r.set_bpmnprocessid("nobody"); });
  start("an unknown version", not_found, "one-job", [](Request& r) { r.set_version(99); });
  start("an unknown key", not_found, "12345",
        [](Request& r) { r.set_processdefinitionkey(12'345); });
  start("a negative key", not_found, "", [](Request& r) { r.set_processdefinitionkey(-5); });
  start("with text that is no JSON", invalid, "variables",
        [](Request& r) { r.set_variables("hello"); });
  start("with a list", invalid, "variables", [](Request& r) { r.set_variables("[1]"); });
  start("with a number", invalid, "variables", [](Request& r) { r.set_variables("1"); });
  start("with half an object", invalid, "variables",
        [](Request& r) { r.set_variables("{\"a\":"); });
  start("with two objects", invalid, "variables", [](Request& r) { r.set_variables("{} {}"); });
  start("with variables nested too deep", invalid, "variables", [](Request& r) {
    r.set_variables("{\"a\":" + std::string(600, '[') + std::string(600, ']') + "}");
  });
  start("for a tenant", invalid, "tenant", [](Request& r) { r.set_tenantid("acme"); });
  start("with eleven tags", invalid, "10 tags", [](Request& r) {
    for (int i = 0; i < 11; ++i) r.add_tags("t" + std::to_string(i));
  });
  start("with a wrong tag", invalid, "tag", [](Request& r) { r.add_tags("1st"); });
  start("with a tag twice", invalid, "twice", [](Request& r) {
    r.add_tags("a");
    r.add_tags("a");
  });
  start("with an empty business id", invalid, "business id",
        [](Request& r) { r.set_businessid(""); });
  start("with a long business id", invalid, "business id",
        [](Request& r) { r.set_businessid(std::string(257, 'x')); });
  start("at an element", missing, "chosen elements",
        [](Request& r) { r.add_startinstructions()->set_elementid("task"); });
  start("to end after an element", missing, "after a chosen element", [](Request& r) {
    r.add_runtimeinstructions()->mutable_terminate()->set_afterelementid("task");
  });
}

// --- keys that nothing has ----------------------------------------------------------------------

template <class Request, class Set>
void add_keys(const std::string& method, Set set) {
  for (const std::int64_t key :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{999'999'999}, std::int64_t{1} << 62}) {
    add<Request>(method + " with key " + std::to_string(key), method, not_found, "key",
                 [&](Request& request) { set(request, key); });
  }
}

void add_unknown_keys() {
  using std::int64_t;
  add_keys<proto::CancelProcessInstanceRequest>(
      "CancelProcessInstance", [](auto& r, int64_t key) { r.set_processinstancekey(key); });
  add_keys<proto::SetVariablesRequest>("SetVariables",
                                       [](auto& r, int64_t key) { r.set_elementinstancekey(key); });
  add_keys<proto::ResolveIncidentRequest>("ResolveIncident",
                                          [](auto& r, int64_t key) { r.set_incidentkey(key); });
  add_keys<proto::CompleteJobRequest>("CompleteJob",
                                      [](auto& r, int64_t key) { r.set_jobkey(key); });
  add_keys<proto::FailJobRequest>("FailJob", [](auto& r, int64_t key) { r.set_jobkey(key); });
  add_keys<proto::ThrowErrorRequest>("ThrowError", [](auto& r, int64_t key) { r.set_jobkey(key); });
  add_keys<proto::UpdateJobRetriesRequest>("UpdateJobRetries", [](auto& r, int64_t key) {
    r.set_jobkey(key);
    r.set_retries(1);
  });
  add_keys<proto::UpdateJobTimeoutRequest>("UpdateJobTimeout", [](auto& r, int64_t key) {
    r.set_jobkey(key);
    r.set_timeout(1'000);
  });
}

// --- jobs, mail ---------------------------------------------------------------------------------

void add_refused_jobs(std::int64_t job) {
  const std::string bad[] = {"hello", "[]", "\"x\"", "{\"a\":}", "{a:1}"};
  for (const std::string& variables : bad) {
    add<proto::CompleteJobRequest>("complete a job with " + variables, "CompleteJob", invalid,
                                   "variables", [&](auto& r) {
                                     r.set_jobkey(job);
                                     r.set_variables(variables);
                                   });
    add<proto::FailJobRequest>("fail a job with " + variables, "FailJob", invalid, "variables",
                               [&](auto& r) {
                                 r.set_jobkey(job);
                                 r.set_variables(variables);
                               });
    add<proto::ThrowErrorRequest>("throw an error with " + variables, "ThrowError", invalid,
                                  "variables", [&](auto& r) {
                                    r.set_jobkey(job);
                                    r.set_variables(variables);
                                  });
    add<proto::PublishMessageRequest>("publish with " + variables, "PublishMessage", invalid,
                                      "variables", [&](auto& r) {
                                        r.set_name("m");
                                        r.set_variables(variables);
                                      });
    add<proto::BroadcastSignalRequest>("broadcast with " + variables, "BroadcastSignal", invalid,
                                       "variables", [&](auto& r) {
                                         r.set_signalname("s");
                                         r.set_variables(variables);
                                       });
  }
  add<proto::UpdateJobRetriesRequest>("no retries", "UpdateJobRetries", invalid, "retries",
                                      [&](auto& r) { r.set_jobkey(job); });
  add<proto::UpdateJobRetriesRequest>("negative retries", "UpdateJobRetries", invalid, "retries",
                                      [&](auto& r) {
                                        r.set_jobkey(job);
                                        r.set_retries(-1);
                                      });
  add<proto::UpdateJobTimeoutRequest>("a negative time-out", "UpdateJobTimeout", invalid,
                                      "negative", [&](auto& r) {
                                        r.set_jobkey(job);
                                        r.set_timeout(-1);
                                      });
  add<proto::UpdateJobTimeoutRequest>("the time-out of a job that nobody has", "UpdateJobTimeout",
                                      precondition, "not with a worker", [&](auto& r) {
                                        r.set_jobkey(job);
                                        r.set_timeout(1'000);
                                      });
  add<proto::PublishMessageRequest>("a message without a name", "PublishMessage", invalid, "name",
                                    [](auto&) {});
  add<proto::PublishMessageRequest>("a message with a negative life", "PublishMessage", invalid,
                                    "timeToLive", [](auto& r) {
                                      r.set_name("m");
                                      r.set_timetolive(-1);
                                    });
  add<proto::PublishMessageRequest>("a message for a tenant", "PublishMessage", invalid, "tenant",
                                    [](auto& r) {
                                      r.set_name("m");
                                      r.set_tenantid("acme");
                                    });
  add<proto::BroadcastSignalRequest>("a signal without a name", "BroadcastSignal", invalid, "name",
                                     [](auto&) {});
  add<proto::BroadcastSignalRequest>("a signal for a tenant", "BroadcastSignal", invalid, "tenant",
                                     [](auto& r) {
                                       r.set_signalname("s");
                                       r.set_tenantid("acme");
                                     });
}

void add_polls() {
  using Request = proto::ActivateJobsRequest;
  const auto poll = [&](const std::string& what, const std::string& says, auto fill) {
    add<Request>("poll " + what, "ActivateJobs", invalid, says, [&](Request& request) {
      request.set_type("work");
      request.set_worker("w");
      request.set_timeout(1'000);
      request.set_maxjobstoactivate(1);
      fill(request);
    });
  };
  poll("without a type", "type", [](Request& r) { r.clear_type(); });
  poll("for a blank type", "type", [](Request& r) { r.set_type("  "); });
  poll("without a time-out", "timeout", [](Request& r) { r.clear_timeout(); });
  poll("with a negative time-out", "timeout", [](Request& r) { r.set_timeout(-1); });
  poll("for no jobs", "maxJobsToActivate", [](Request& r) { r.clear_maxjobstoactivate(); });
  poll("for fewer than no jobs", "maxJobsToActivate",
       [](Request& r) { r.set_maxjobstoactivate(-3); });
  poll("for a tenant", "tenant", [](Request& r) { r.add_tenantids("acme"); });
  using Stream = proto::StreamActivatedJobsRequest;
  add<Stream>("stream without a type", "StreamActivatedJobs", invalid, "type",
              [](Stream& r) { r.set_timeout(1'000); });
  add<Stream>("stream without a time-out", "StreamActivatedJobs", invalid, "timeout",
              [](Stream& r) { r.set_type("work"); });
  add<Stream>("stream for a tenant", "StreamActivatedJobs", invalid, "tenant", [](Stream& r) {
    r.set_type("work");
    r.set_timeout(1'000);
    r.add_tenantids("acme");
  });
}

void add_what_is_missing() {
  for (const char* method :
       {"EvaluateDecision", "EvaluateConditional", "ModifyProcessInstance", "DeleteResource",
        "AssignProcessInstanceBusinessId", "UpdateJobPriority", "Fly"}) {
    refused.push_back({method, method, "", missing, method});
  }
  refused.push_back({"another service", "/other.Service/Call", "", missing, "/other.Service/Call"});
}

void add_wrong_bytes() {
  const std::string garbage = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
  for (const char* method :
       {"DeployResource", "DeployProcess", "CreateProcessInstance",
        "CreateProcessInstanceWithResult", "CancelProcessInstance", "MigrateProcessInstance",
        "SetVariables", "ResolveIncident", "ActivateJobs", "StreamActivatedJobs", "CompleteJob",
        "FailJob", "ThrowError", "UpdateJobRetries", "UpdateJobTimeout", "PublishMessage",
        "BroadcastSignal"}) {
    refused.push_back({std::string("garbage for ") + method, method, garbage, invalid, "bytes"});
  }
}

}  // namespace

class RefusedCalls : public GatewayTest {};

TEST_F(RefusedCalls, are_answered_with_the_right_status_and_leave_nothing_behind) {
  deploy(one_job);
  start("one-job");
  auto jobs = activate("work", 5'000, 1);  // its time is over at once
  ASSERT_EQ(jobs.size(), 1u);
  std::this_thread::sleep_for(Millis(50));
  refused.clear();
  add_refused_deployments();
  add_starts();
  add_unknown_keys();
  add_refused_jobs(jobs[0].key());
  add_polls();
  add_what_is_missing();
  add_wrong_bytes();
  EXPECT_GE(refused.size(), 150u);
  const store::Position before = position();
  for (const Refused& one : refused) {
    const Answer answer = call(one.method, one.request, *client_);
    EXPECT_EQ(answer.status, one.status) << one.name << ": " << answer.text;
    EXPECT_NE(answer.text.find(one.says), std::string::npos) << one.name << ": " << answer.text;
    EXPECT_TRUE(answer.messages.empty()) << one.name;
    EXPECT_EQ(position(), before) << one.name << " left something behind";
  }
}

TEST_F(RefusedCalls, with_wrong_frames_are_refused_too) {
  const struct {
    std::string bytes;
    int status;
  } rows[] = {
      {"", internal},
      {"abc", internal},
      {std::string("\0\0\0\0\5ab", 7), internal},         // shorter than it says
      {std::string("\0\0\0\0\1abc", 8), internal},        // longer
      {std::string("\7\0\0\0\2ab", 7), internal},         // an unknown flag
      {std::string("\1\0\0\0\2ab", 7), missing},          // compressed with nothing
      {std::string("\0\x7f\xff\xff\xff", 5), exhausted},  // two gigabytes announced
  };
  client_->prefixed = true;
  const store::Position before = position();
  for (const auto& row : rows) {
    EXPECT_EQ(call("PublishMessage", row.bytes, *client_).status, row.status)
        << row.bytes.size() << " bytes";
  }
  client_->more_headers = {{"grpc-encoding", "gzip"}};
  EXPECT_EQ(call("PublishMessage", std::string("\1\0\0\0\2ab", 7), *client_).status, internal);
  EXPECT_EQ(position(), before);
}

}  // namespace pawl::server::grpc
