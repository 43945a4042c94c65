// SPDX-License-Identifier: Apache-2.0
// What clients and workers do, over a real connection.
#include <fmt/format.h>

#include <future>

#include "server/grpc/stage_for_test.hpp"

namespace pawl::server::grpc {

class Calls : public GatewayTest {};

TEST_F(Calls, tell_who_is_there) {
  const auto topology = ask<proto::TopologyResponse>("Topology", proto::TopologyRequest());
  EXPECT_EQ(topology.gatewayversion(), "8.9.0");
  ASSERT_EQ(topology.brokers_size(), 1);
  ASSERT_EQ(topology.brokers(0).partitions_size(), 1);
  EXPECT_EQ(topology.brokers(0).partitions(0).partitionid(), 1);
  const Answer health = call("/grpc.health.v1.Health/Check", "", *client_);
  EXPECT_EQ(health.status, 0);
  ASSERT_EQ(health.messages.size(), 1u);
  EXPECT_EQ(health.messages[0], "\x08\x01");
}

TEST_F(Calls, give_the_same_version_for_the_same_content) {
  const std::int64_t key = deploy(one_job);
  EXPECT_EQ(deploy(one_job), key);
  EXPECT_NE(deploy(one_job + "<!-- changed -->"), key);
}

TEST_F(Calls, bring_a_job_to_a_worker_and_its_result_to_the_caller) {
  deploy(one_job);
  proto::CreateProcessInstanceWithResultRequest request;
  request.mutable_request()->set_bpmnprocessid("one-job");
  request.mutable_request()->set_version(-1);
  request.mutable_request()->set_variables(R"({"amount":9007199254740993})");
  request.add_fetchvariables("receipt");
  request.add_fetchvariables("amount");
  request.add_fetchvariables("unknown");
  Answer result;
  client_->call(
      "CreateProcessInstanceWithResult", request.SerializeAsString(),
      [&](std::string_view message) { result.messages.emplace_back(message); },
      [&](int status, std::string_view text) {
        result = {status, std::string(text), result.messages};
      });
  const auto jobs = activate("work");
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].customheaders(), R"({"colour":"blue"})");
  EXPECT_EQ(jobs[0].variables(), R"({"amount":9007199254740993})");
  EXPECT_EQ(jobs[0].worker(), "tester");
  EXPECT_EQ(jobs[0].elementid(), "task");
  EXPECT_EQ(jobs[0].retries(), 3);
  EXPECT_EQ(jobs[0].tenantid(), "<default>");
  EXPECT_EQ(jobs[0].listenereventtype(), proto::ActivatedJob::UNSPECIFIED);
  proto::CompleteJobRequest complete;
  complete.set_jobkey(jobs[0].key());
  complete.set_variables(R"({"receipt":"R-1"})");
  EXPECT_EQ(call("CompleteJob", complete).status, 0);
  for (int i = 0; i < 500 && result.status < 0; ++i) client_->turn(10);
  ASSERT_EQ(result.status, 0) << result.text;
  proto::CreateProcessInstanceWithResultResponse response;
  response.ParseFromString(result.messages[0]);
  EXPECT_EQ(response.variables(), R"({"receipt":"R-1","amount":9007199254740993})");
  EXPECT_EQ(
      call("CompleteJob", complete).text,
      fmt::format("Command 'COMPLETE' rejected with code 'NOT_FOUND': there is no job with key "
                  "{} (any more)",
                  jobs[0].key()));
}

TEST_F(Calls, Z82_say_of_the_job_of_a_listener_what_it_is_for) {
  std::string model = one_job;
  const std::string task = "<zeebe:taskDefinition type=\"work\" />";
  model.insert(model.find(task) + task.size(),
               "<zeebe:executionListeners>"
               "<zeebe:executionListener eventType='start' type='first'/>"
               "<zeebe:executionListener eventType='end' type='last'/>"
               "</zeebe:executionListeners>");
  deploy(model);
  start("one-job");
  struct Row {
    const char* type;
    int kind;
    int event;
  };
  using Job = proto::ActivatedJob;
  const Row rows[] = {{"first", Job::EXECUTION_LISTENER, Job::START},
                      {"work", Job::BPMN_ELEMENT, Job::UNSPECIFIED},
                      {"last", Job::EXECUTION_LISTENER, Job::END}};
  for (const Row& row : rows) {
    const auto jobs = activate(row.type);
    ASSERT_EQ(jobs.size(), 1u) << row.type;
    EXPECT_EQ(jobs[0].kind(), row.kind) << row.type;
    EXPECT_EQ(jobs[0].listenereventtype(), row.event) << row.type;
    EXPECT_EQ(jobs[0].customheaders(), R"({"colour":"blue"})");
    proto::CompleteJobRequest complete;
    complete.set_jobkey(jobs[0].key());
    EXPECT_EQ(call("CompleteJob", complete).status, 0);
  }
}

TEST_F(Calls, that_wait_for_a_result_end_in_time_while_the_instance_runs_on) {
  deploy(one_job);
  proto::CreateProcessInstanceWithResultRequest request;
  request.mutable_request()->set_bpmnprocessid("one-job");
  request.set_requesttimeout(50);
  EXPECT_EQ(call("CreateProcessInstanceWithResult", request).status, 4);
  EXPECT_EQ(activate("work").size(), 1u);
}

TEST_F(Calls, that_poll_for_nothing_end_empty_and_well) {
  const Answer at_once = [&] {
    proto::ActivateJobsRequest request;
    request.set_type("work");
    request.set_worker("w");
    request.set_timeout(1'000);
    request.set_maxjobstoactivate(1);
    request.set_requesttimeout(-1);
    return call("ActivateJobs", request);
  }();
  EXPECT_EQ(at_once.status, 0);
  EXPECT_TRUE(at_once.messages.empty());
  EXPECT_TRUE(activate("work", 50).empty());
}

TEST_F(Calls, offer_a_job_again_when_its_time_is_over_and_longer_if_the_worker_asks) {
  deploy(one_job);
  start("one-job");
  const auto first = activate("work", 5'000, 100);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(activate("work", 5'000).size(), 1u);  // after 100 ms
  proto::UpdateJobTimeoutRequest longer;
  longer.set_jobkey(first[0].key());
  longer.set_timeout(1);
  EXPECT_EQ(call("UpdateJobTimeout", longer).status, 0);
  EXPECT_EQ(activate("work", 5'000).size(), 1u);
}

// The connection is cut while the poll waits: the job goes to the next who asks, at once.
TEST_F(Calls, of_a_client_that_went_away_take_no_jobs) {
  deploy(one_job);
  {
    const auto leaving = connect();
    proto::ActivateJobsRequest request;
    request.set_type("work");
    request.set_worker("gone");
    request.set_timeout(600'000);
    request.set_maxjobstoactivate(10);
    request.set_requesttimeout(60'000);
    leaving->call("ActivateJobs", request.SerializeAsString(), {}, {});
    proto::StreamActivatedJobsRequest stream;
    stream.set_type("work");
    stream.set_worker("gone");
    stream.set_timeout(600'000);
    leaving->call("StreamActivatedJobs", stream.SerializeAsString(), {}, {});
    for (int i = 0; i < 20; ++i) leaving->turn(5);
  }
  for (int i = 0; i < 5; ++i) start("one-job");
  std::size_t found = 0;
  for (int i = 0; i < 10 && found < 5; ++i) found += activate("work", 2'000).size();
  EXPECT_EQ(found, 5u);
}

TEST_F(Calls, on_a_stream_bring_jobs_as_they_come) {
  deploy(one_job);
  proto::StreamActivatedJobsRequest request;
  request.set_type("work");
  request.set_worker("streamer");
  request.set_timeout(60'000);
  std::vector<proto::ActivatedJob> jobs;
  client_->call("StreamActivatedJobs", request.SerializeAsString(),
                [&](std::string_view message) {
                  jobs.emplace_back().ParseFromArray(message.data(),
                                                     static_cast<int>(message.size()));
                },
                {});
  for (int i = 0; i < 1'000; ++i) {
    proto::CreateProcessInstanceRequest one;
    one.set_bpmnprocessid("one-job");
    client_->call("CreateProcessInstance", one.SerializeAsString(), {}, {});
  }
  for (int i = 0; i < 1'000 && jobs.size() < 1'000; ++i) client_->turn(10);
  EXPECT_EQ(jobs.size(), 1'000u);
}

// The client takes nothing in: only as many jobs as there is credit are on their way to it.
TEST_F(Calls, on_a_stream_that_is_not_read_leave_the_jobs_to_others) {
  deploy(one_job);
  const auto lazy = connect();
  proto::StreamActivatedJobsRequest request;
  request.set_type("work");
  request.set_worker("lazy");
  request.set_timeout(600'000);
  lazy->call("StreamActivatedJobs", request.SerializeAsString(), {}, {});
  for (int i = 0; i < 10; ++i) lazy->turn(5);
  const std::string large = fmt::format(R"({{"text":"{}"}})", std::string(100'000, 'x'));
  for (int i = 0; i < 400; ++i) start("one-job", large);
  std::size_t found = 0;
  for (int i = 0; i < 40; ++i) {
    const std::size_t some = activate("work", 200).size();
    if (some == 0) break;
    found += some;
  }
  EXPECT_GE(found, 100u);
}

TEST_F(Calls, refuse_a_message_id_while_the_first_is_kept) {
  proto::PublishMessageRequest request;
  request.set_name("paid");
  request.set_correlationkey("o-1");
  request.set_messageid("m-1");
  request.set_timetolive(60'000);
  EXPECT_EQ(call("PublishMessage", request).status, 0);
  const Answer again = call("PublishMessage", request);
  EXPECT_EQ(again.status, 6) << again.text;
}

TEST_F(Calls, with_a_deadline_end_when_it_has_passed) {
  client_->more_headers = {{"grpc-timeout", "50m"}};
  proto::ActivateJobsRequest request;
  request.set_type("work");
  request.set_worker("w");
  request.set_timeout(1'000);
  request.set_maxjobstoactivate(1);
  request.set_requesttimeout(60'000);
  EXPECT_EQ(call("ActivateJobs", request).status, 4);
}

TEST_F(Calls, need_a_secret_if_the_server_has_some) {
  ServerOptions options;
  options.auth = *Auth::parse("token geheim\nuser ada lovelace\n");
  open(std::move(options));
  EXPECT_EQ(call("Topology", proto::TopologyRequest()).status, 16);
  const struct {
    const char* header;
    int status;
  } rows[] = {{"", 16},
              {"Bearer wrong", 16},
              {"geheim", 16},
              {"Bearer geheim", 0},
              {"bearer geheim", 0},
              {"Basic YWRhOmxvdmVsYWNl", 0},
              {"Basic YWRhOmxvdmVsYWNm", 16}};
  for (const auto& row : rows) {
    client_->more_headers = {{"authorization", row.header}};
    EXPECT_EQ(call("Topology", proto::TopologyRequest()).status, row.status) << row.header;
  }
}

TEST_F(Calls, are_answered_after_a_restart_as_if_nothing_had_been) {
  deploy(one_job);
  start("one-job");
  open({});
  EXPECT_EQ(activate("work").size(), 1u);
}

TEST_F(Calls, that_break_the_rules_of_http2_cost_only_their_own_connection) {
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  for (const std::string& bytes :
       {std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10), std::string(20'000, '\0'),
        preface, std::string("\0\0\x05\x01\x04\0\0\0\x01\x80\x80\x80\x80\x80", 14)}) {
    const auto rude = connect();
    rude->turn(10);
    rude->send_raw(bytes);
    for (int i = 0; i < 200 && !rude->closed(); ++i) rude->turn(10);
    EXPECT_TRUE(rude->closed());
  }
  EXPECT_EQ(call("Topology", proto::TopologyRequest()).status, 0);
}

TEST_F(Calls, with_large_headers_are_refused) {
  client_->more_headers = {{"x-large", std::string(20'000, 'x')}};
  EXPECT_EQ(call("Topology", proto::TopologyRequest()).status, 8);
}

// Holds the shard while calls come in; its queue has room for 20,000.
class HeldShard {
 public:
  explicit HeldShard(runtime::Node& node) {
    node.ask(runtime::LeaseRequest{.job = key_from(1), .reply = [this](const auto&) {
                                     held_.set_value();
                                     go_on_.get_future().wait();
                                     over_.set_value();
                                   }});
    held_.get_future().wait();
  }
  void go_on() {
    go_on_.set_value();
    over_.get_future().wait();
  }

 private:
  std::promise<void> held_, go_on_, over_;
};

TEST_F(Calls, beyond_what_can_wait_are_refused_and_leave_nothing) {
  deploy(one_job);
  HeldShard shard(server_->node());
  proto::CreateProcessInstanceRequest request;
  request.set_version(-1);
  request.set_bpmnprocessid("one-job");
  int open = 0, right = 0, busy = 0;
  const auto start = [&](testkit::GrpcClient& client) {
    ++open;
    client.call("CreateProcessInstance", request.SerializeAsString(), {},
                [&](int status, std::string_view text) {
                  --open;
                  ++(status == 0 ? right : busy);
                  if (status == 0) return;
                  EXPECT_EQ(status, 8) << text;
                  EXPECT_NE(text.find("try again"), std::string_view::npos) << text;
                });
  };
  std::vector<std::unique_ptr<testkit::GrpcClient>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(connect());
    for (int j = 0; j < 9'000; ++j) start(*clients.back());
  }
  const auto turn_while = [&](const auto& lasts) {
    while (lasts()) {
      for (const auto& client : clients) client->turn(1);
    }
  };
  turn_while([&] { return busy < 7'000; });
  shard.go_on();
  turn_while([&] { return open > 0; });
  EXPECT_EQ(busy, 7'000);
  EXPECT_EQ(right, 20'000);
  ASSERT_TRUE(server_->node().catch_up());
  const auto found = server_->node().index().instances({});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), static_cast<std::size_t>(right));
}

TEST(Exposure, beyond_this_machine_needs_a_secret_or_a_word) {
  const store::TemporaryDirectory directory;
  ServerOptions options;
  options.data = directory.path() + "/data";
  options.grpc = {"0.0.0.0", 0};
  options.http = {"127.0.0.1", 0};
  const auto opened = Server::open(options);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().text.find("--insecure"), std::string::npos) << opened.error().text;
}

}  // namespace pawl::server::grpc
