// SPDX-License-Identifier: Apache-2.0
// Gating and the durable runtime, requirement by requirement (G1–G10), on the real runtime with a
// simulated disk and clock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/worlds_for_test.hpp"
#include "store/codec.hpp"

namespace pawl::testkit::sim {
namespace {

using namespace runtime;  // NOLINT: what is tested

Result<Started> start_now(World& world, const std::string& id,
                          OnDuplicate policy = OnDuplicate::start_anew) {
  Result<Started> told = fail(Whose::machine, Code::busy, "no answer");
  world.node()->ask(StartRequest{.definition = *world.node()->definitions().latest("p0"),
                                 .id = id,
                                 .on_duplicate = policy,
                                 .reply = [&](Result<Started> done) { told = std::move(done); }});
  world.run_quietly();
  return told;
}

std::vector<ActivatedJob> take_jobs(World& world, std::size_t most, Millis lease = Millis(10'000)) {
  std::vector<ActivatedJob> taken;
  world.node()->ask(ActivateRequest{.type = "work",
                                    .most = most,
                                    .lease = lease,
                                    .reply = [&](Result<std::vector<ActivatedJob>> jobs) {
                                      if (jobs) taken = std::move(*jobs);
                                    }});
  world.run_quietly();
  return taken;
}

Result<Done> complete(World& world, const ActivatedJob& job) {
  Result<Done> told = fail(Whose::machine, Code::busy, "no answer");
  world.node()->ask(CommandRequest{.target = job.key,
                                   .command = engine::CompleteJob{job.key, {}},
                                   .reply = [&](Result<Done> done) { told = std::move(done); },
                                   .fence = job.fence});
  world.run_quietly();
  return told;
}

std::size_t active(World& world) {
  EXPECT_TRUE(world.node()->catch_up().has_value());
  return world.active_instances().size();
}

TEST(Runtime, G1_one_instance_runs_once_at_a_time_on_any_number_of_shards) {
  for (const std::uint32_t shards : {1u, 2u, 5u}) {
    World world(setting_of({one_job}, shards));
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(start_now(world, fmt::format("i{}", i)).has_value());
    EXPECT_EQ(active(world), 10u);
    world.heal();
    EXPECT_EQ(world.check() + world.check_all_ended(), "");
  }
}

TEST(Runtime, G2_a_second_start_is_refused_or_gives_the_running_one) {
  World world(setting_of({one_job}, 3));
  const auto first = start_now(world, "order-7");
  ASSERT_TRUE(first.has_value());
  const auto refused = start_now(world, "order-7");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::already_exists);
  const auto same = start_now(world, "order-7", OnDuplicate::give_existing);
  ASSERT_TRUE(same.has_value());
  EXPECT_TRUE(same->existing);
  EXPECT_EQ(same->instance, first->instance);
  EXPECT_EQ(active(world), 1u);
}

TEST(Runtime, G2_the_name_is_free_again_after_the_end_and_taken_after_a_crash) {
  World world(setting_of({one_job}));
  ASSERT_TRUE(start_now(world, "x").has_value());
  world.crash();
  EXPECT_FALSE(start_now(world, "x").has_value());
  world.heal();
  EXPECT_TRUE(start_now(world, "x").has_value());
}

TEST(Runtime, G3_an_instance_that_left_memory_is_brought_back_for_its_command) {
  Setting setting = setting_of({one_job});
  setting.resident_bytes = 1;
  World world(setting);
  ASSERT_TRUE(start_now(world, "a").has_value());
  world.run_quietly();
  EXPECT_EQ(world.node()->load(0).residents, 0u);
  const auto jobs = take_jobs(world, 1);
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_TRUE(complete(world, jobs[0]).has_value());
  EXPECT_EQ(world.check() + world.check_all_ended(), "");
}

TEST(Runtime, G3_what_nobody_uses_leaves_memory_after_a_while_if_there_is_much_of_it) {
  const std::pair<std::size_t, std::size_t> rows[] = {
      {5'000, 0},     // more than an eighth of this is in memory
      {500'000, 1}};  // so little that it does not matter
  for (const auto& [ceiling, left] : rows) {
    Setting setting = setting_of({one_job});
    setting.resident_bytes = ceiling;
    World world(setting);
    ASSERT_TRUE(start_now(world, "a").has_value());
    world.pass(Millis(9'000));
    world.run_quietly();
    EXPECT_EQ(world.node()->load(0).residents, 1u);
    world.pass(Millis(2'000));
    world.run_quietly();
    EXPECT_EQ(world.node()->load(0).residents, left) << ceiling;
    const auto jobs = take_jobs(world, 1);
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_TRUE(complete(world, jobs[0]).has_value());
    EXPECT_EQ(world.check() + world.check_all_ended(), "");
  }
}

TEST(Runtime, G4_G8_a_failed_commit_leaves_nothing_and_the_next_command_works) {
  World world(setting_of({one_job}));
  bool broken = true;
  world.disk().on_operation([&](const store::Operation& operation) {
    return broken && operation.kind == store::Io::sync ? store::Fault::error : store::Fault::none;
  });
  EXPECT_FALSE(start_now(world, "a").has_value());
  EXPECT_EQ(active(world), 0u);
  EXPECT_EQ(world.node()->load(0).residents, 0u);
  broken = false;
  world.pass(Millis(10'000));
  EXPECT_TRUE(start_now(world, "a").has_value());
  EXPECT_EQ(active(world), 1u);
}

TEST(Runtime, G5_continue_as_new_keeps_the_instance_and_drops_late_answers) {
  World world(setting_of({one_job}));
  const Key key = start_now(world, "a")->instance;
  const auto old = take_jobs(world, 1);
  world.continue_as_new(key);
  world.run_quietly();
  const auto late = complete(world, old[0]);
  ASSERT_FALSE(late.has_value());
  ASSERT_TRUE(world.node()->catch_up().has_value());
  const auto rows = world.node()->index().instances({.id = "a"});
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(rows->front().key, key);
  EXPECT_EQ(rows->front().execution, 2u);
  EXPECT_TRUE(complete(world, take_jobs(world, 1)[0]).has_value());
  EXPECT_EQ(world.check() + world.check_all_ended(), "");
}

TEST(Runtime, G6_messages_are_kept_for_their_time_dropped_without_and_served_in_order) {
  const std::string two =
      "start  ->  receive v   on message m   key 1\n v  ->  receive w   on message m   key 1\n"
      "w  ->  end\n";
  World world(setting_of({two}));
  world.publish("m", "1", Millis(0));  // nobody waits
  world.run_quietly();
  EXPECT_FALSE(world.asked().back().kept);
  world.publish("m", "1", Millis(10'000));
  world.run_quietly();
  EXPECT_TRUE(world.asked().back().kept);
  ASSERT_TRUE(start_now(world, "a").has_value());
  EXPECT_EQ(active(world), 1u);  // the kept one was taken by the first wait only
  world.pass(Millis(20'000));
  world.publish("m", "1", Millis(0));
  world.run_quietly();
  EXPECT_EQ(active(world), 0u);
  world.publish("m", "1", Millis(0));  // after the end
  world.run_quietly();
  EXPECT_FALSE(world.asked().back().kept);
  EXPECT_EQ(world.check() + world.check_all_ended(), "");
}

TEST(Runtime, G7_after_a_crash_jobs_are_offered_again_and_overdue_timers_fire_once) {
  const std::string both =
      "start  ->  and f\n f  ->  job a   type work\n f  ->  catch t   after PT5S\n"
      "a  ->  and j\n t  ->  j\n j  ->  end\n";
  World world(setting_of({both}));
  ASSERT_TRUE(start_now(world, "a").has_value());
  ASSERT_EQ(take_jobs(world, 9).size(), 1u);
  EXPECT_EQ(take_jobs(world, 9).size(), 0u);  // it is leased
  world.crash();
  world.pass(Millis(60'000));
  const auto again = take_jobs(world, 9);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_TRUE(complete(world, again[0]).has_value());
  EXPECT_EQ(world.check() + world.check_all_ended(), "");
}

TEST(Runtime, G9_a_lease_that_ran_out_makes_the_old_answer_late) {
  World world(setting_of({one_job}));
  ASSERT_TRUE(start_now(world, "a").has_value());
  const auto first = take_jobs(world, 1, Millis(1'000));
  world.pass(Millis(2'000));
  const auto second = take_jobs(world, 1, Millis(1'000));
  ASSERT_EQ(second.size(), 1u);
  EXPECT_GT(second[0].fence, first[0].fence);
  const auto late = complete(world, first[0]);
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().code, Code::late_answer);
  EXPECT_TRUE(complete(world, second[0]).has_value());
}

TEST(Runtime, G9_a_full_shard_says_busy_and_forgets_nothing_that_it_took) {
  World world(setting_of({one_job}));
  const auto definition = *world.node()->definitions().latest("p0");
  std::size_t yes = 0, busy = 0;
  for (std::size_t i = 0; i < limits::requests_per_shard + 100; ++i) {
    world.node()->ask(StartRequest{.definition = definition, .reply = [&](Result<Started> done) {
                                     yes += done.has_value();
                                     busy += !done && done.error().code == Code::busy;
                                   }});
  }
  EXPECT_EQ(busy, 100u);
  world.run_quietly();
  EXPECT_EQ(yes, limits::requests_per_shard);
}

TEST(Runtime, G10_the_same_story_on_sqlite_and_in_memory_leaves_the_same_journal) {
  std::uint64_t prints[2];
  for (const bool sqlite : {false, true}) {
    Setting setting = setting_of({one_job}, 2);
    setting.sqlite = sqlite;
    World world(setting);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(start_now(world, fmt::format("i{}", i)).has_value());
    world.crash();
    world.heal();
    EXPECT_EQ(world.check() + world.check_all_ended(), "");
    prints[sqlite] = world.fingerprint();
  }
  EXPECT_EQ(prints[0], prints[1]);
}

TEST(Runtime, a_full_disk_refuses_commands_and_work_goes_on_when_there_is_space) {
  World world(setting_of({one_job}));
  ASSERT_TRUE(start_now(world, "before").has_value());
  bool full = true;
  world.disk().on_operation([&](const store::Operation& operation) {
    const bool grows = operation.kind == store::Io::write || operation.kind == store::Io::allocate;
    return full && grows ? store::Fault::disk_full : store::Fault::none;
  });
  const auto refused = start_now(world, "while");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::disk_full);
  full = false;
  world.pass(Millis(20'000));
  EXPECT_TRUE(start_now(world, "after").has_value());
  EXPECT_EQ(active(world), 2u);
  world.heal();
  EXPECT_EQ(world.check() + world.check_all_ended(), "");
}

TEST(Runtime, the_same_content_is_not_a_new_version) {
  World world(setting_of({one_job}));
  const auto deploy = [&](const std::string& checksum) {
    Deployment made;
    ReadResource file{.name = "p0", .content = one_job, .checksum = checksum};
    file.processes = {(*world.node()->definitions().latest("p0"))->process};
    world.node()->ask(DeployRequest{.resources = {file}, .reply = [&](Result<Deployment> done) {
                                      if (done) made = *done;
                                    }});
    world.run_quietly();
    return made.processes.at(0)->version;
  };
  EXPECT_EQ(deploy(one_job), 1);
  EXPECT_EQ(deploy("other"), 2);
  EXPECT_EQ(deploy("other"), 2);
  EXPECT_EQ(deploy(one_job), 3);  // not the newest: it becomes a version again
}

}  // namespace
}  // namespace pawl::testkit::sim
