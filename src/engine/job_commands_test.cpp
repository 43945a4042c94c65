// SPDX-License-Identifier: Apache-2.0
// Jobs and incidents: what workers and operators can say, and what is refused.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

constexpr const char* one_job = "start  ->  job work   type charge\n work  ->  end";

TEST(Job, is_created_with_type_and_three_retries) {  // Z407
  EXPECT_EQ(Play(one_job).told("job-created"), "job-created work type=charge retries=3");
}

TEST(Job, type_and_retries_may_be_expressions) {  // Z407
  const Play play("start  ->  job work   type =\"a-\" + kind   retries =n + 1",
                  R"({"kind":"b","n":4})");
  EXPECT_EQ(play.told("job-created"), "job-created work type=a-b retries=5");
}

TEST(Job, tasks_for_people_and_others_are_jobs_too) {
  const Play play(R"(
    dialect plain
    start  ->  and fork
    fork   ->  user ask
    fork   ->  send tell
    fork   ->  rule decide
  )");
  EXPECT_EQ(play.told("job-created"),
            "job-created ask type=user-task:ask retries=3, job-created tell type=tell retries=3, "
            "job-created decide type=decide retries=3");
}

TEST(Job, a_wrong_type_expression_stops_until_it_is_mended) {  // Z429
  for (const char* wrong : {"{}", R"({"kind":5})", R"({"kind":""})"}) {
    Play play("start  ->  job work   type =kind", wrong);
    EXPECT_NE(play.incident().find("EXTRACT_VALUE_ERROR at work"), std::string::npos) << wrong;
    EXPECT_NE(play.incident().find("job type"), std::string::npos) << play.incident();
    play.set("", R"({"kind":"charge"})").resolve("work");
    EXPECT_EQ(play.waiting(), "work");
  }
}

TEST(Job, a_wrong_retries_expression_stops_until_it_is_mended) {  // Z429
  Play play("start  ->  job work   retries =n", R"({"n":"many"})");
  EXPECT_NE(play.incident().find("job retries"), std::string::npos) << play.incident();
  play.set("", R"({"n":2})").resolve("work");
  EXPECT_EQ(play.told("job-created"), "job-created work type=work retries=2");
}

TEST(CompleteJob, completes_the_element_with_the_variables) {  // Z413
  Play play(one_job);
  play.complete("work", R"({"paid":true})");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"paid":true})");
}

TEST(CompleteJob, is_rejected_when_unknown_done_failed_or_with_odd_variables) {  // Z414, Z415
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  job b
    fork   ->  job c
  )");
  const Key a = play.job_of("a");
  const Key b = play.job_of("b");
  EXPECT_NE(play.rejection(CompleteJob{key_from(999), {}}).find("no job with key 999"),
            std::string::npos);
  play.complete("a");
  EXPECT_NE(play.rejection(CompleteJob{a, {}}).find("no job"), std::string::npos);
  play.fail("b", 0);
  EXPECT_NE(play.rejection(CompleteJob{b, {}}).find("has failed"), std::string::npos);
  EXPECT_NE(play.rejection(CompleteJob{play.job_of("c"), Value(5)}).find("object"),
            std::string::npos);
  EXPECT_EQ(play.rejection(CompleteJob{play.job_of("c"), Value()}), "") << "null is no variables";
}

TEST(FailJob, with_retries_left_is_offered_again_at_once) {  // Z416
  Play play(one_job);
  play.fail("work", 2, "try again");
  EXPECT_EQ(play.waiting(), "work");
  EXPECT_EQ(play.incident_count(), 0u);
}

TEST(FailJob, with_back_off_is_not_offered_before_it_is_over) {  // Z417
  Play play(one_job);
  const Key job = play.job_of("work");
  play.fail("work", 2, "later", 10s);
  EXPECT_EQ(play.waiting(), "");
  EXPECT_NE(play.rejection(CompleteJob{job, {}}), "");
  EXPECT_NE(play.rejection(RetryJob{job}), "") << "not due yet";
  play.pass(9'999ms);
  EXPECT_EQ(play.waiting(), "");
  play.pass(1ms);
  EXPECT_EQ(play.waiting(), "work");
  play.complete("work");
  EXPECT_EQ(play.state(), "completed");
}

TEST(FailJob, without_retries_raises_an_incident_with_the_last_message) {  // Z418, Z421
  Play play(one_job);
  play.fail("work", 1, "first").fail("work", 0, "no connection");
  EXPECT_NE(play.incident().find("JOB_NO_RETRIES at work"), std::string::npos);
  EXPECT_NE(play.incident().find("no connection"), std::string::npos);
  EXPECT_EQ(play.waiting(), "");
}

TEST(FailJob, keeps_its_variables_local_to_the_element) {  // Z419
  Play play(one_job);
  play.fail("work", 1, "", Millis{0}, R"({"tried":1})");
  EXPECT_EQ(play.variables("work"), R"({"tried":1})");
  EXPECT_EQ(play.variables(), "{}");
}

TEST(FailJob, is_rejected_when_unknown_done_failed_or_thrown) {  // Z420
  Play play("start  ->  and fork\n fork  ->  job a\n fork  ->  job b\n fork  ->  job c");
  const Key a = play.job_of("a");
  const Key b = play.job_of("b");
  const Key c = play.job_of("c");
  play.complete("a").fail("b", 0).throw_error("c", "E");
  EXPECT_NE(play.rejection(FailJob{.job = key_from(999)}).find("no job"), std::string::npos);
  EXPECT_NE(play.rejection(FailJob{.job = a}).find("no job"), std::string::npos);
  EXPECT_NE(play.rejection(FailJob{.job = b}).find("has failed"), std::string::npos);
  EXPECT_NE(play.rejection(FailJob{.job = c}).find("has thrown"), std::string::npos);
}

TEST(ResolveIncident, of_a_job_without_retries_is_rejected_until_it_has_some) {  // Z422
  Play play(one_job);
  play.fail("work", 0, "broken");
  const Key incident = play.driver().incidents().begin()->first;
  EXPECT_NE(play.rejection(ResolveIncident{incident}).find("retries"), std::string::npos);
  play.retries("work", 1).resolve("work");
  EXPECT_EQ(play.waiting(), "work");
  play.complete("work");
  EXPECT_EQ(play.state(), "completed");
}

TEST(ResolveIncident, a_second_failure_raises_a_new_incident) {  // Z423
  Play play(one_job);
  play.fail("work", 0, "broken");
  const Key first = play.driver().incidents().begin()->first;
  play.retries("work", 1).resolve("work").fail("work", 0, "broken again");
  EXPECT_EQ(play.incident_count(), 1u);
  EXPECT_NE(play.driver().incidents().begin()->first, first);
}

TEST(ResolveIncident, is_rejected_when_unknown) {  // Z430
  Play play(one_job);
  EXPECT_NE(play.rejection(ResolveIncident{key_from(999)}).find("no incident"), std::string::npos);
}

TEST(UpdateRetries, is_rejected_for_zero_negative_or_unknown) {  // Z424
  Play play(one_job);
  const Key job = play.job_of("work");
  EXPECT_NE(play.rejection(UpdateRetries{job, 0}), "");
  EXPECT_NE(play.rejection(UpdateRetries{job, -1}), "");
  EXPECT_NE(play.rejection(UpdateRetries{key_from(999), 1}), "");
}

TEST(CancelInstance, ends_jobs_and_incidents_depth_first) {  // Z404, S7
  Play play(R"(
    start  ->  and fork
    fork   ->  job a
    fork   ->  sub box {
      start  ->  and fork2
      fork2  ->  job b
      fork2  ->  xor stuck
    }
    stuck  ->  end   if missing
  )");
  EXPECT_EQ(play.state(), "incident");
  play.cancel();
  EXPECT_EQ(play.told("terminated job-canceled resolved"),
            "job-canceled a, terminated a, job-canceled b, terminated b, resolved stuck, "
            "terminated stuck, terminated box, terminated drawn");
}

TEST(Camunda7Job, A12_new_retries_resolve_its_incident) {  // C163
  Play play("dialect camunda7\nstart  ->  job a\n a  ->  end");
  play.fail("a", 0, "broken");
  EXPECT_EQ(play.state(), "incident");
  play.retries("a", 2);
  EXPECT_EQ(play.state(), "waiting") << play.trace();
}

TEST(Camunda7Job, A12_that_has_failed_can_still_be_completed) {  // C164
  Play play("dialect camunda7\nstart  ->  job a\n a  ->  end");
  const Key job = play.job_of("a");
  play.fail("a", 0, "broken");
  EXPECT_EQ(play.rejection(CompleteJob{job, object({})}), "");
  EXPECT_EQ(play.state(), "completed") << play.trace();
}

TEST(CancelInstance, is_rejected_when_it_has_already_ended) {  // Z405
  Play done("start  ->  end");
  EXPECT_NE(done.rejection(CancelInstance{}), "");
}

TEST(StartInstance, is_rejected_twice_and_with_odd_variables) {
  Play play(one_job);
  EXPECT_NE(play.rejection(StartInstance{.instance = key_from(5)}).find("already"),
            std::string::npos);
  runtime::Driver driver(play.process());
  const auto odd = driver.start(Value(5));
  ASSERT_FALSE(odd.has_value());
  EXPECT_NE(odd.error().text.find("object"), std::string::npos);
  EXPECT_TRUE(driver.journal().empty());
}

}  // namespace
}  // namespace pawl::engine
