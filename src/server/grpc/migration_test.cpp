// SPDX-License-Identifier: Apache-2.0
// MigrateProcessInstance over a real connection.
#include "server/grpc/stage_for_test.hpp"

namespace pawl::server::grpc {

class MigrationCalls : public GatewayTest {
 protected:
  static std::string renamed(std::string model) {
    for (std::size_t at = 0; (at = model.find("\"task\"", at)) != std::string::npos; at += 5) {
      model.replace(at, 6, "\"duty\"");
    }
    return model;
  }
  static proto::MigrateProcessInstanceRequest plan(std::int64_t instance, std::int64_t definition,
                                                   const std::string& from, const std::string& to) {
    proto::MigrateProcessInstanceRequest request;
    request.set_processinstancekey(instance);
    request.mutable_migrationplan()->set_targetprocessdefinitionkey(definition);
    auto& move = *request.mutable_migrationplan()->add_mappinginstructions();
    move.set_sourceelementid(from);
    move.set_targetelementid(to);
    return request;
  }
};

TEST_F(MigrationCalls, Z469_let_a_job_go_on_in_the_other_version) {
  deploy(one_job);
  const std::int64_t instance = start("one-job");
  const auto before = activate("work", 5'000, 100);
  ASSERT_EQ(before.size(), 1u);
  const std::int64_t target = deploy(renamed(one_job));
  const Answer done = call("MigrateProcessInstance", plan(instance, target, "task", "duty"));
  ASSERT_EQ(done.status, 0) << done.text;
  const auto after = activate("work", 5'000);  // after its time is over
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].key(), before[0].key());
  EXPECT_EQ(after[0].elementid(), "duty");
  EXPECT_EQ(after[0].elementinstancekey(), before[0].elementinstancekey());
  EXPECT_EQ(after[0].processdefinitionkey(), target);
  EXPECT_EQ(after[0].processdefinitionversion(), 2);
}

TEST_F(MigrationCalls, Z468_refuse_with_the_status_that_clients_expect) {
  const std::int64_t first = deploy(one_job);
  const std::int64_t instance = start("one-job");
  const std::int64_t target = deploy(renamed(one_job));
  auto bare = plan(instance, target, "task", "duty");
  bare.mutable_migrationplan()->clear_mappinginstructions();
  auto twice = plan(instance, target, "task", "duty");
  *twice.mutable_migrationplan()->add_mappinginstructions() =
      twice.migrationplan().mappinginstructions(0);
  constexpr int invalid = 3, not_found = 5, precondition = 9;
  const std::pair<proto::MigrateProcessInstanceRequest, int> rows[] = {
      {bare, precondition},
      {plan(instance, target, "task", "end"), precondition},
      {plan(instance, target, "task", "task"), invalid},
      {plan(instance, target, "duty", "duty"), invalid},
      {twice, invalid},
      {plan(instance, 12345, "task", "duty"), not_found},
      {plan(12345, target, "task", "duty"), not_found},
      {proto::MigrateProcessInstanceRequest(), invalid},
  };
  for (const auto& [request, status] : rows) {
    const Answer answer = call("MigrateProcessInstance", request);
    EXPECT_EQ(answer.status, status) << request.ShortDebugString() << "\n" << answer.text;
  }
  EXPECT_EQ(activate("work")[0].processdefinitionkey(), first);
}

}  // namespace pawl::server::grpc
