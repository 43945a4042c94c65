// SPDX-License-Identifier: Apache-2.0
// A script holds up neither its shard nor the end of the node.
#include <gtest/gtest.h>

#include <chrono>
#include <latch>

#include "runtime/local.hpp"
#include "runtime/worlds_for_test.hpp"
#include "store/conformance/temporary_directory.hpp"

namespace pawl::testkit::sim {
namespace {

using namespace runtime;  // NOLINT: what is tested

TEST(Scripts, C15_turns_of_processes_with_scripts_are_taken_beside_from_the_first_one_on) {
  Setting setting = setting_of({one_job, "start  ->  script s   js 1 + 1\n s  ->  end"});
  setting.scripts_beside = true;
  World world(setting);
  bool told[2] = {false, false};
  for (const int i : {0, 1}) {
    world.node()->ask(
        StartRequest{.definition = *world.node()->definitions().latest("p" + std::to_string(i)),
                     .reply = [&told, i](Result<Started> done) { told[i] = done.has_value(); }});
  }
  world.node()->step_shard(0);
  world.node()->step_committer();
  world.node()->step_shard(0);
  EXPECT_TRUE(told[0]);
  EXPECT_FALSE(told[1]);
  EXPECT_TRUE(world.node()->step_lanes());
  world.run_quietly();
  EXPECT_TRUE(told[1]);
  EXPECT_EQ(world.check(), "");
}

constexpr const char* endless = R"(<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
  <process id="endless" isExecutable="true">
    <startEvent id="start"/><sequenceFlow id="f1" sourceRef="start" targetRef="s"/>
    <scriptTask id="s" scriptFormat="javascript"><script>while (true) {}</script></scriptTask>
    <sequenceFlow id="f2" sourceRef="s" targetRef="end"/><endEvent id="end"/>
  </process>
</definitions>)";

TEST(Scripts, C15_the_end_of_the_node_does_not_wait_for_those_that_have_not_begun) {
  constexpr int instances = 40;  // of 400 ms each
  const SystemClock clock;
  const store::TemporaryDirectory directory;
  auto opened = open_local(directory.path(), clock, {.node = {.scripts_beside = true}});
  ASSERT_TRUE(opened) << opened.error().text;
  Node& node = **opened;
  node.run();
  std::latch deployed(1);
  DeployRequest request{.reply = [&](const Result<Deployment>&) { deployed.count_down(); }};
  request.resources.push_back(*read_resource("endless.bpmn", endless));
  node.ask(std::move(request));
  deployed.wait();
  std::atomic<int> done{0}, refused{0};
  for (int i = 0; i < instances; ++i) {
    node.ask(
        StartRequest{.definition = *node.definitions().latest("endless"),
                     .reply = [&](const Result<Started>& made) { ++(made ? done : refused); }});
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto start = std::chrono::steady_clock::now();
  node.close();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(done + refused, instances) << "everybody is told";
  EXPECT_GE(refused.load(), instances / 2);
}

}  // namespace
}  // namespace pawl::testkit::sim
