// SPDX-License-Identifier: Apache-2.0
// Jobs with much data: those who ask for many at once get them in portions.
#include <fmt/format.h>

#include "server/grpc/stage_for_test.hpp"

namespace pawl::server::grpc {

class LargeJobs : public GatewayTest {
 protected:
  static std::string variables_of(std::size_t bytes) {
    return fmt::format(R"({{"text":"{}"}})", std::string(bytes, 'x'));
  }
  std::vector<proto::ActivatedJob> poll(std::int64_t wait_ms) {
    proto::ActivateJobsRequest request;
    request.set_type("work");
    request.set_worker("tester");
    request.set_timeout(600'000);
    request.set_maxjobstoactivate(40);
    request.set_requesttimeout(wait_ms);
    std::vector<proto::ActivatedJob> jobs;
    const Answer answer = call("ActivateJobs", request);
    EXPECT_EQ(answer.status, 0) << answer.text;
    for (const std::string& message : answer.messages) {
      proto::ActivateJobsResponse response;
      response.ParseFromString(message);
      jobs.insert(jobs.end(), response.jobs().begin(), response.jobs().end());
    }
    return jobs;
  }
};

TEST_F(LargeJobs, C3_come_in_portions_of_bytes_and_all_of_them_come) {
  deploy(one_job);
  for (int i = 0; i < 12; ++i) start("one-job", variables_of(1'500'000));
  std::size_t found = 0;
  for (int i = 0; i < 40 && found < 12; ++i) {
    const auto jobs = poll(2'000);
    EXPECT_LE(jobs.size(), 2u);
    EXPECT_GE(jobs.size(), 1u);
    found += jobs.size();
  }
  EXPECT_EQ(found, 12u);
}

TEST_F(LargeJobs, C3_on_a_stream_wait_until_the_client_has_taken_those_before) {
  deploy(one_job);
  const auto lazy = connect();
  proto::StreamActivatedJobsRequest request;
  request.set_type("work");
  request.set_worker("lazy");
  request.set_timeout(600'000);
  lazy->call("StreamActivatedJobs", request.SerializeAsString(), {}, {});
  for (int i = 0; i < 10; ++i) lazy->turn(5);
  for (int i = 0; i < 12; ++i) start("one-job", variables_of(1'500'000));
  std::size_t found = 0;  // by another worker, while the lazy one takes nothing in
  for (int i = 0; i < 40; ++i) {
    const std::size_t some = poll(300).size();
    if (some == 0) break;
    found += some;
  }
  EXPECT_GE(found, 8u);
}

TEST_F(LargeJobs, C3_on_a_stream_that_is_read_all_come) {
  deploy(one_job);
  proto::StreamActivatedJobsRequest request;
  request.set_type("work");
  request.set_worker("streamer");
  request.set_timeout(600'000);
  std::size_t found = 0;
  client_->call("StreamActivatedJobs", request.SerializeAsString(),
                [&](std::string_view) { ++found; }, {});
  for (int i = 0; i < 12; ++i) start("one-job", variables_of(1'500'000));
  for (int i = 0; i < 3'000 && found < 12; ++i) client_->turn(10);
  EXPECT_EQ(found, 12u);
}

TEST_F(LargeJobs, C10_a_result_that_would_be_lost_is_refused) {
  deploy(one_job);
  start("one-job");
  const auto jobs = poll(5'000);
  ASSERT_EQ(jobs.size(), 1u);
  proto::CompleteJobRequest request;
  request.set_jobkey(jobs[0].key());
  request.mutable_result()->set_denied(true);
  const Answer refused = call("CompleteJob", request);
  EXPECT_EQ(refused.status, 12) << refused.text;
  EXPECT_NE(refused.text.find("result.denied"), std::string::npos) << refused.text;
  request.mutable_result()->set_denied(false);
  request.mutable_result()->mutable_corrections()->set_assignee("somebody");
  EXPECT_EQ(call("CompleteJob", request).status, 12);
  request.mutable_result()->clear_corrections();
  request.mutable_result()->set_type("userTask");
  EXPECT_EQ(call("CompleteJob", request).status, 0) << "it says nothing";
}

}  // namespace pawl::server::grpc
