// SPDX-License-Identifier: Apache-2.0
// Migration of durable instances: what a restart, an eviction, a new index and a check of the files
// make of it. Crashes at every step are in crash_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "runtime/local.hpp"
#include "store/conformance/temporary_directory.hpp"

namespace pawl::runtime {
namespace {

using store::InstanceState;

// A process with one task, an event that it waits for meanwhile, and another task after it.
std::string two_task_model(const std::string& process, const std::string& task,
                           const std::string& after) {
  return fmt::format(R"(<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
  <message id="m" name="paid"><extensionElements><zeebe:subscription correlationKey="=1"/>
  </extensionElements></message>
  <process id="{0}" isExecutable="true"><startEvent id="start"/>
    <sequenceFlow id="f1" sourceRef="start" targetRef="{1}"/>
    <serviceTask id="{1}"><extensionElements><zeebe:taskDefinition type="{1}"/></extensionElements>
    </serviceTask>
    <boundaryEvent id="paid" attachedToRef="{1}" cancelActivity="false">
      <messageEventDefinition messageRef="m"/></boundaryEvent>
    <sequenceFlow id="f2" sourceRef="{1}" targetRef="{2}"/>
    <serviceTask id="{2}"><extensionElements><zeebe:taskDefinition type="{2}"/></extensionElements>
    </serviceTask>
  </process></definitions>)",
                     process, task, after);
}

class Migration : public testing::Test {
 protected:
  void open(std::size_t resident_bytes = 64u << 20) {
    node_.reset();
    auto node = open_local(directory_.path(), clock_,
                           {.node = {.resident_bytes = resident_bytes}, .segment_bytes = 1u << 20});
    ASSERT_TRUE(node) << node.error().text;
    node_ = std::move(*node);
    node_->run();
  }
  template <class Answer, class Ask>
  Result<Answer> ask(Ask request) {
    std::promise<Result<Answer>> done;
    request.reply = [&](Result<Answer> answer) { done.set_value(std::move(answer)); };
    node_->ask(std::move(request));
    return done.get_future().get();
  }
  void deploy(const std::string& content) {
    DeployRequest request;
    request.resources.push_back(*read_resource("m.bpmn", content));
    ASSERT_TRUE(ask<Deployment>(std::move(request)));
  }
  Key start(const std::string& process, const std::string& business_id = "") {
    const auto started = ask<Started>(StartRequest{
        .definition = *node_->definitions().latest(process), .business_id = business_id});
    return started ? started->instance : Key::none;
  }
  Result<Done> migrate(Key instance, const std::string& process,
                       std::vector<MigrateRequest::Move> moves = {}) {
    return ask<Done>(MigrateRequest{.instance = instance,
                                    .target = *node_->definitions().latest(process),
                                    .moves = std::move(moves),
                                    .same_ids = true});
  }
  Key job_of(const std::string& type) {
    EXPECT_TRUE(node_->catch_up());
    const auto jobs = node_->index().jobs({.type = type});
    return jobs->empty() ? Key::none : jobs->front().key;
  }
  bool complete(const std::string& type) {
    const Key job = job_of(type);
    return ask<Done>(CommandRequest{.target = job, .command = engine::CompleteJob{job, {}}})
        .has_value();
  }
  store::InstanceRow row(Key instance) {
    EXPECT_TRUE(node_->catch_up());
    return (*node_->index().past_of(instance))->row;
  }
  std::string elements(Key instance) {
    EXPECT_TRUE(node_->catch_up());
    std::string text;
    const auto rows = node_->index().elements(instance);
    for (const store::ElementRow& one : *rows) text += one.element_id + " ";
    return text;
  }
  std::vector<std::string> problems() {
    node_.reset();
    const auto verdict = verify_local(directory_.path(), [](std::uint64_t, std::uint64_t) {});
    return verdict ? verdict->problems : std::vector<std::string>{verdict.error().text};
  }

  SystemClock clock_{};
  store::TemporaryDirectory directory_{};
  std::unique_ptr<Node> node_;
};

TEST_F(Migration, Z469_survives_a_restart_a_new_index_and_a_check) {
  open();
  deploy(two_task_model("order", "pay", "ship"));
  const Key instance = start("order");
  const Key job = job_of("pay");
  deploy(two_task_model("order", "collect", "send"));
  ASSERT_TRUE(migrate(instance, "order", {{"pay", "collect"}}));
  EXPECT_EQ(row(instance).version, 2);
  EXPECT_EQ(elements(instance), "order collect ");
  EXPECT_EQ(job_of("pay"), job) << "the job stays as it was";
  open();
  EXPECT_EQ(elements(instance), "order collect ");
  EXPECT_EQ(problems(), std::vector<std::string>());
  ASSERT_TRUE(reindex_local(directory_.path(), [](std::uint64_t, std::uint64_t) {}));
  EXPECT_EQ(problems(), std::vector<std::string>());
  open();
  EXPECT_EQ(row(instance).version, 2);
  EXPECT_TRUE(complete("pay"));
  EXPECT_EQ(elements(instance), "order send ");
  EXPECT_TRUE(complete("send"));
  EXPECT_EQ(row(instance).state, InstanceState::completed);
  EXPECT_EQ(problems(), std::vector<std::string>());
}

// With no room in memory each command brings the instance back, from snapshots of both versions.
TEST_F(Migration, Z469_is_there_when_the_instance_comes_back_into_memory) {
  open(1);
  deploy(two_task_model("order", "pay", "ship"));
  const Key instance = start("order");
  const auto grow = [&](const std::string& name) {
    const Value large = object({{name, std::string(100'000, 'x')}});
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(ask<Done>(
          CommandRequest{.target = instance,
                         .command = engine::SetVariables{.scope = instance, .variables = large}}));
      EXPECT_TRUE(node_->catch_up());
    }
  };
  grow("a");
  deploy(two_task_model("order", "collect", "send"));
  ASSERT_TRUE(migrate(instance, "order", {{"pay", "collect"}}));
  EXPECT_TRUE(node_->catch_up());
  grow("b");
  deploy(two_task_model("order", "gather", "post"));
  ASSERT_TRUE(migrate(instance, "order", {{"collect", "gather"}}));
  grow("c");
  EXPECT_TRUE(complete("pay"));
  EXPECT_EQ(elements(instance), "order post ");
  EXPECT_TRUE(complete("post"));
  EXPECT_EQ(row(instance).state, InstanceState::completed);
  EXPECT_EQ(problems(), std::vector<std::string>());
}

TEST_F(Migration, Z468_that_is_refused_leaves_nothing_in_the_journal) {
  open();
  deploy(two_task_model("order", "pay", "ship"));
  const Key instance = start("order");
  deploy(two_task_model("other", "collect", "send"));
  const Position before = node_->journal().last();
  const auto refused = migrate(instance, "other");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("\"pay\" is not mapped"), std::string::npos);
  EXPECT_EQ(migrate(key_from(77), "other").error().code, Code::not_found);
  EXPECT_EQ(node_->journal().last(), before);
  EXPECT_EQ(row(instance).process, "order");
}

TEST_F(Migration, Z469_takes_the_business_id_to_the_other_process) {
  open();
  deploy(two_task_model("order", "pay", "ship"));
  deploy(two_task_model("other", "pay", "ship"));
  const Key instance = start("order", "A-1");
  const Key there = start("other", "A-1");
  EXPECT_EQ(start("order", "A-1"), Key::none) << "one active instance has it";
  EXPECT_EQ(migrate(instance, "other").error().code, Code::already_exists);
  ASSERT_TRUE(ask<Done>(CommandRequest{.target = there, .command = engine::CancelInstance{}}));
  ASSERT_TRUE(migrate(instance, "other"));
  EXPECT_EQ(start("other", "A-1"), Key::none);
  EXPECT_NE(start("order", "A-1"), Key::none) << "nobody has it there any more";
  open();
  EXPECT_EQ(start("other", "A-1"), Key::none);
}

// A message goes once to each process: a subscription that moved takes the place of its new one.
TEST_F(Migration, Z469_takes_its_subscriptions_to_the_other_process) {
  open();
  deploy(two_task_model("order", "pay", "ship"));
  deploy(two_task_model("other", "pay", "ship"));
  const Key first = start("order");
  const Key second = start("other");
  ASSERT_TRUE(migrate(second, "order"));
  ASSERT_TRUE(ask<Published>(PublishRequest{.name = "paid", .correlation = "1"}));
  const auto taken = [&](Key instance) {
    EXPECT_TRUE(node_->catch_up());
    const auto history = node_->index().history(instance);
    return history->size();
  };
  // The older one of the process has it, and only that one.
  for (int i = 0; i < 1'000 && taken(first) < 2; ++i) std::this_thread::yield();
  EXPECT_EQ(taken(first), 2u);
  EXPECT_EQ(problems(), std::vector<std::string>());
  open();
  EXPECT_EQ(taken(second), 2u) << "its start and its migration";
}

}  // namespace
}  // namespace pawl::runtime
