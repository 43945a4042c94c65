// SPDX-License-Identifier: Apache-2.0
// Call activities on the real runtime, with a simulated disk and clock. What a crash at any moment
// does to them is in crash_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/worlds_for_test.hpp"
#include "testkit/draw.hpp"

namespace pawl::testkit::sim {
namespace {

using namespace runtime;  // NOLINT: what is tested

const std::string calls_three = "start  ->  call c   process p0   times 3\n c  ->  end\n";

void begin(World& world, const std::string& process) {
  world.start(process, "one");
  world.run_quietly();
  ASSERT_TRUE(world.node()->catch_up().has_value());
}

std::vector<store::InstanceRow> instances_of(World& world, const std::string& process) {
  EXPECT_TRUE(world.node()->catch_up().has_value());
  return *world.node()->index().instances({.process = process});
}

Result<Done> command(World& world, Key target, engine::Command what) {
  Result<Done> told = fail(Whose::machine, Code::busy, "no answer");
  world.node()->ask(CommandRequest{.target = target,
                                   .command = std::move(what),
                                   .reply = [&](Result<Done> done) { told = std::move(done); }});
  world.run_quietly();
  return told;
}

TEST(Calls, a_called_instance_is_on_the_shard_of_its_caller_and_knows_it) {  // Z49, Z383
  for (const std::uint32_t shards : {1u, 3u}) {
    World world(setting_of({one_job, calls_three}, shards));
    begin(world, "p1");
    const store::InstanceRow caller = instances_of(world, "p1").at(0);
    ASSERT_EQ(instances_of(world, "p0").size(), 3u);
    std::set<Key> elements;
    for (const store::InstanceRow& child : instances_of(world, "p0")) {
      EXPECT_EQ(child.caller, caller.key);
      EXPECT_EQ(child.root, caller.key);
      EXPECT_EQ(shard_of(child.key), shard_of(caller.key));
      elements.insert(child.caller_element);
    }
    EXPECT_EQ(elements.size(), 3u);
    world.heal();
    EXPECT_EQ(world.check() + world.check_all_ended(), "");
  }
}

TEST(Calls, a_child_is_cancelled_only_with_its_caller) {  // Z51, Z390, Z391
  World world(setting_of({one_job, calls_three}));
  begin(world, "p1");
  const Key caller = instances_of(world, "p1").at(0).key;
  const auto refused =
      command(world, instances_of(world, "p0").at(1).key, engine::CancelInstance{});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text.find(fmt::format("root instance {}", number(caller))),
            std::string::npos)
      << refused.error().text;
  EXPECT_TRUE(command(world, caller, engine::CancelInstance{}).has_value());
  for (const char* process : {"p0", "p1"}) {
    for (const store::InstanceRow& row : instances_of(world, process)) {
      EXPECT_EQ(row.state, store::InstanceState::terminated) << process;
    }
  }
  EXPECT_EQ(world.check() + world.check_all_ended(), "");
}

TEST(Calls, a_caller_that_left_memory_comes_back_for_the_answer) {
  Setting setting = setting_of({one_job, calls});
  setting.resident_bytes = 1;
  World world(setting);
  begin(world, "p1");
  world.pass(Millis(60'000));
  EXPECT_EQ(world.node()->load(0).residents, 0u);
  world.heal();
  EXPECT_EQ(instances_of(world, "p1").at(0).state, store::InstanceState::completed);
  EXPECT_EQ(world.check() + world.check_all_ended(), "");
}

TEST(Calls, a_process_that_is_deployed_later_can_be_called_then) {  // Z397
  World world(setting_of({"start  ->  call c   process late\n c  ->  end\n"}));
  begin(world, "p0");
  const auto incidents = world.node()->index().incidents(Key::none);
  ASSERT_EQ(incidents->size(), 1u);
  EXPECT_EQ(incidents->front().type, "CALLED_ELEMENT_ERROR");
  EXPECT_NE(incidents->front().message.find("no process \"late\" is deployed"), std::string::npos);
  auto process = std::make_shared<model::Process>(*draw(one_job));
  process->id = "late";
  world.node()->ask(DeployRequest{
      .resources =
          {{.name = "late", .content = one_job, .checksum = "late", .processes = {process}}},
      .reply = [](Result<Deployment> done) { ASSERT_TRUE(done); }});
  world.run_quietly();
  const Key incident = incidents->front().key;
  EXPECT_TRUE(command(world, incident, engine::ResolveIncident{incident}).has_value());
  world.heal();
  EXPECT_EQ(instances_of(world, "late").size(), 1u);
  EXPECT_EQ(world.check() + world.check_all_ended(), "");
}

// --- which version
class Shelf {
 public:
  void deploy(const std::string& id, std::int32_t version, const std::string& tag = "") {
    auto process = std::make_shared<model::Process>(*draw(one_job));
    process->id = id;
    process->version_tag = tag;
    const Key key = key_from(next_++);
    all_.add({.key = key,
              .id = id,
              .version = version,
              .deployment = key_from(deployment_),
              .process = process});
    last_ = key;
  }
  void next_deployment() { deployment_ = next_; }
  Key last() const { return last_; }
  std::string find(engine::CallTarget target) const {
    const auto found = all_.find_called(target);
    return found ? fmt::format("{}", found->version) : found.error().text;
  }

 private:
  Definitions all_;
  std::uint64_t next_{1}, deployment_{1};
  Key last_{Key::none};
};

TEST(Calls, the_binding_decides_about_the_version) {  // Z384, C172
  using Binding = engine::CallTarget::Binding;
  Shelf shelf;
  shelf.deploy("child", 1, "old");
  shelf.next_deployment();
  shelf.deploy("child", 2, "stable");
  shelf.deploy("parent", 1);
  const Key caller = shelf.last();
  shelf.next_deployment();
  shelf.deploy("child", 3, "stable");
  shelf.next_deployment();
  shelf.deploy("child", 4);
  const struct {
    engine::CallTarget target;
    const char* expected;
  } rows[] = {
      {{.process = "child"}, "4"},
      {{.process = "child", .binding = Binding::deployment, .caller = caller}, "2"},
      {{.process = "child", .binding = Binding::version, .version = "1"}, "1"},
      {{.process = "child", .binding = Binding::version_tag, .version = "stable"}, "3"},
      {{.process = "child", .binding = Binding::version, .version = "9"},
       "process \"child\" cannot be called: process \"child\" has no version 9; deploy it and "
       "resolve the incident"},
      {{.process = "child", .binding = Binding::version_tag, .version = "new"},
       "process \"child\" cannot be called: no version of process \"child\" has the tag \"new\"; "
       "deploy it and resolve the incident"},
      {{.process = "child", .binding = Binding::version, .version = "x"},
       "process \"child\" cannot be called: \"x\" is not the number of a version; deploy it and "
       "resolve the incident"},
  };
  for (const auto& row : rows) EXPECT_EQ(shelf.find(row.target), row.expected);
}

}  // namespace
}  // namespace pawl::testkit::sim
