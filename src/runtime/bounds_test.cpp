// SPDX-License-Identifier: Apache-2.0
// One instance cannot hurt the others: what it cannot store fails alone, what it does by itself
// leaves room for them, and slow turns are taken beside the shard.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/worlds_for_test.hpp"

namespace pawl::testkit::sim {
namespace {

using namespace runtime;  // NOLINT: what is tested

struct Answer {
  std::optional<Result<Started>> told{};
};

std::shared_ptr<Answer> ask_start(World& world, const std::string& process, StartRequest request) {
  auto answer = std::make_shared<Answer>();
  request.definition = *world.node()->definitions().latest(process);
  request.reply = [answer](Result<Started> done) { answer->told = std::move(done); };
  world.node()->ask(std::move(request));
  return answer;
}

Result<Started> start_of(World& world, const std::string& process, StartRequest request = {}) {
  const auto answer = ask_start(world, process, std::move(request));
  world.run_quietly();
  if (answer->told) return *answer->told;
  return fail(Whose::machine, Code::busy, "no answer");
}

std::vector<store::IncidentRow> incidents(World& world) {
  EXPECT_TRUE(world.node()->catch_up().has_value());
  return *world.node()->index().incidents(Key::none);
}

// Doubles with every line: a terabyte, made of a few nodes.
const std::string monster = [] {
  std::string mappings;
  for (int i = 0; i < 40; ++i) mappings += "   out x.a = x   out x.b = x";
  return mappings;
}();

Setting without_gate(std::vector<std::string> drawings) {
  Setting setting = setting_of(std::move(drawings));
  setting.allowance.value = setting.allowance.instance = SIZE_MAX / 4;
  return setting;
}

std::vector<ActivatedJob> take(World& world, const std::string& type) {
  std::vector<ActivatedJob> taken;
  world.node()->ask(ActivateRequest{
      .type = type, .reply = [&taken](Result<std::vector<ActivatedJob>> jobs) { taken = *jobs; }});
  world.run_quietly();
  return taken;
}

TEST(Bounds, A19_a_turn_that_cannot_be_stored_fails_alone_and_not_its_batch) {
  World world(
      without_gate({one_job, "start  ->  job a   type monster" + monster + "\n a  ->  end"}));
  ASSERT_TRUE(start_of(world, "p1", {.variables = object({{"x", object({{"s", "0123456789"}})}})})
                  .has_value());
  const auto jobs = take(world, "monster");
  ASSERT_EQ(jobs.size(), 1u);
  const auto before = ask_start(world, "p0", {.id = "before"});
  std::optional<Result<Done>> bad;
  world.node()->ask(CommandRequest{.target = jobs[0].key,
                                   .command = engine::CompleteJob{jobs[0].key},
                                   .reply = [&bad](Result<Done> done) { bad = std::move(done); }});
  const auto after = ask_start(world, "p0", {.id = "after"});
  world.run_quietly();
  ASSERT_TRUE(before->told && before->told->has_value());
  ASSERT_TRUE(after->told && after->told->has_value());
  ASSERT_TRUE(bad && !bad->has_value());
  EXPECT_EQ(bad->error().code, Code::too_large);
  EXPECT_EQ(take(world, "monster").size(), 1u) << "nothing has changed: the job is offered again";
  EXPECT_EQ(world.check(), "");
}

TEST(Bounds, work_that_nobody_waits_for_and_that_cannot_be_stored_is_set_aside) {
  World world(without_gate({one_job, "start  ->  catch c   after 1m" + monster + "\n c  ->  end"}));
  ASSERT_TRUE(start_of(world, "p1", {.variables = object({{"x", object({{"s", "0123456789"}})}})})
                  .has_value());
  world.pass(Millis(60'000));
  ASSERT_EQ(incidents(world).size(), 1u);
  EXPECT_NE(incidents(world)[0].message.find("cannot be stored"), std::string::npos)
      << incidents(world)[0].message;
  EXPECT_TRUE(start_of(world, "p0").has_value());
  EXPECT_EQ(world.check(), "");
}

const std::string circle = "start  ->  xor again\n again  ->  task t\n t  ->  again";

// Rounds of the node until a start is answered.
std::size_t rounds_of_a_start(World& world) {
  const auto answer = ask_start(world, "p0", {});
  std::size_t rounds = 0;
  for (; !answer->told && rounds < 1'000; ++rounds) {
    world.node()->step_shard(0);
    world.node()->step_lanes();
    world.node()->step_committer();
    if (rounds % 3 == 0) world.node()->step_indexer();
  }
  return rounds;
}

TEST(Bounds, A16_a_start_beside_instances_that_go_on_and_on_is_answered_at_once) {
  World world(setting_of({one_job, circle}));
  for (int i = 0; i < 20; ++i) ask_start(world, "p1", {});
  for (int i = 0; i < 100; ++i) {
    world.node()->step_shard(0);
    world.node()->step_committer();
  }
  for (int i = 0; i < 10; ++i) EXPECT_LE(rounds_of_a_start(world), 3u);
}

TEST(Bounds, A5_a_circle_is_stopped_with_an_incident_and_can_be_cancelled) {
  Setting setting = setting_of({one_job, circle});
  setting.allowance.steps = 20'000;
  World world(setting);
  const auto started = start_of(world, "p1");
  ASSERT_TRUE(started.has_value());
  ASSERT_EQ(incidents(world).size(), 1u);
  EXPECT_NE(incidents(world)[0].message.find("without waiting"), std::string::npos);
  world.crash();
  world.run_quietly();
  EXPECT_EQ(incidents(world).size(), 1u) << "it does not run on after a restart";
  world.cancel(started->instance);
  world.run_quietly();
  EXPECT_TRUE(incidents(world).empty());
  EXPECT_TRUE(world.active_instances().empty());
  EXPECT_EQ(world.check(), "");
}

// --- beside the shard
// -----------------------------------------------------------------------------

TEST(Bounds, A4_a_slow_turn_does_not_keep_the_shard_and_its_instance_waits_for_it) {
  Setting setting =
      setting_of({one_job, "start  ->  job a   type slow\n a  ->  job b   type slow"});
  setting.slow_turn = 0;
  World world(setting);
  const auto one = start_of(world, "p1");  // from now on p1 is known to be slow
  ASSERT_TRUE(one.has_value());
  const auto two = ask_start(world, "p1", {});
  world.node()->step_shard(0);
  world.node()->step_committer();
  world.node()->step_shard(0);
  EXPECT_FALSE(two->told) << "it is taken beside";
  ASSERT_TRUE(world.node()->step_lanes());
  for (int i = 0; i < 3; ++i) {
    world.node()->step_shard(0);
    world.node()->step_committer();
  }
  EXPECT_TRUE(two->told && two->told->has_value());
  EXPECT_EQ(world.check(), "");
}

TEST(Bounds, a_commit_that_fails_while_a_turn_is_away_loses_nothing) {
  Setting setting = setting_of({one_job});
  setting.slow_turn = 0;
  World world(setting);
  const auto started = start_of(world, "p0");
  ASSERT_TRUE(started.has_value());
  std::vector<Result<Done>> told;
  const auto set = [&](int value) {
    world.node()->ask(
        CommandRequest{.target = started->instance,
                       .command = engine::SetVariables{started->instance, object({{"v", value}})},
                       .reply = [&told](Result<Done> done) { told.push_back(std::move(done)); }});
  };
  bool broken = true;
  world.disk().on_operation([&](const store::Operation& operation) {
    return broken && operation.kind == store::Io::sync ? store::Fault::error : store::Fault::none;
  });
  set(1);
  world.node()->step_shard(0);
  world.node()->step_lanes();
  world.node()->step_shard(0);  // drafted
  set(2);
  world.node()->step_shard(0);     // away
  world.node()->step_committer();  // fails
  world.node()->step_shard(0);     // is told
  ASSERT_EQ(told.size(), 1u);
  EXPECT_FALSE(told[0].has_value());
  broken = false;
  world.run_quietly();
  ASSERT_EQ(told.size(), 2u) << "tried again on what is durable";
  EXPECT_TRUE(told[1].has_value());
  EXPECT_EQ(world.check(), "");
}

// --- names: a start that is safe to repeat
// ---------------------------------------------------------

StartRequest named(const std::string& business_id, OnDuplicate policy) {
  return {.business_id = business_id, .on_duplicate = policy};
}

void end(World& world, Key instance) {
  world.cancel(instance);
  world.run_quietly();
}

TEST(Names, E2_what_a_repeated_start_does_is_the_callers_choice) {
  for (const bool indexed : {false, true}) {
    World world(setting_of({one_job}));
    const auto first = start_of(world, "p0", named("A-17", OnDuplicate::start_anew));
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(start_of(world, "p0", named("A-17", OnDuplicate::start_anew)).error().code,
              Code::already_exists);
    EXPECT_EQ(start_of(world, "p0", named("A-17", OnDuplicate::refuse)).error().code,
              Code::already_exists);
    EXPECT_EQ(start_of(world, "p0", named("A-17", OnDuplicate::give_existing))->instance,
              first->instance);
    end(world, first->instance);
    if (indexed) world.crash();  // then only the index knows of it
    const auto given = start_of(world, "p0", named("A-17", OnDuplicate::give_existing));
    ASSERT_TRUE(given.has_value());
    EXPECT_TRUE(given->existing);
    EXPECT_EQ(given->instance, first->instance) << "also when it has ended";
    EXPECT_EQ(start_of(world, "p0", named("A-17", OnDuplicate::refuse)).error().code,
              Code::already_exists);
    const auto next = start_of(world, "p0", named("A-17", OnDuplicate::start_anew));
    ASSERT_TRUE(next.has_value());
    EXPECT_NE(next->instance, first->instance);
    EXPECT_EQ(start_of(world, "p0", named("A-17", OnDuplicate::give_existing))->instance,
              next->instance)
        << "the newest";
    EXPECT_EQ(world.check(), "");
  }
}

TEST(Names, E2_who_waits_for_the_result_of_an_ended_instance_gets_it) {
  World world(setting_of({one_job}));
  const auto first = start_of(world, "p0", named("A-17", OnDuplicate::start_anew));
  end(world, first->instance);
  std::optional<Result<Ending>> ending;
  StartRequest again = named("A-17", OnDuplicate::give_existing);
  again.ended = [&ending](Result<Ending> done) { ending = std::move(done); };
  ASSERT_TRUE(start_of(world, "p0", std::move(again)).has_value());
  ASSERT_TRUE(ending && ending->has_value());
  EXPECT_EQ((*ending)->instance, first->instance);
}

// Of a call activity that gives its business key on.
TEST(Names, B2_a_called_instance_that_ends_does_not_free_the_name_of_its_caller) {
  const std::string caller =
      "start  ->  call c   process p1   business =\"A-17\"\n c  ->  job a   type work";
  World world(setting_of({caller, "start  ->  end"}));
  ASSERT_TRUE(start_of(world, "p1", named("A-17", OnDuplicate::start_anew)).has_value());
  const auto root = start_of(world, "p0", named("A-17", OnDuplicate::start_anew));
  ASSERT_TRUE(root.has_value());
  ASSERT_TRUE(world.node()->catch_up().has_value());
  EXPECT_EQ(start_of(world, "p0", named("A-17", OnDuplicate::start_anew)).error().code,
            Code::already_exists);
}

// The first start is refused by the store when the second has been given its answer.
TEST(Names, E2_a_repeat_of_a_start_that_was_not_stored_is_refused_too) {
  std::string mappings;
  for (int i = 0; i < 40; ++i) mappings += "   in x.a = x   in x.b = x";
  Setting setting = without_gate({"start  ->  job a   type w" + mappings});
  setting.slow_turn = UINT64_MAX;
  World world(setting);
  StartRequest request = named("A-17", OnDuplicate::give_existing);
  request.variables = object({{"x", object({{"s", "0123456789"}})}});
  const auto first = ask_start(world, "p0", request);
  const auto second = ask_start(world, "p0", request);
  world.run_quietly();
  ASSERT_TRUE(first->told && second->told);
  EXPECT_FALSE(first->told->has_value());
  EXPECT_FALSE(second->told->has_value());
  EXPECT_TRUE(world.active_instances().empty());
}

TEST(Names, E2_who_is_given_an_existing_instance_is_told_which_version_it_runs) {
  World world(setting_of({one_job}));
  const auto first = start_of(world, "p0", named("A-17", OnDuplicate::start_anew));
  world.deploy({"p0"}, {one_job + "\n"});
  ASSERT_EQ((*world.node()->definitions().latest("p0"))->version, 2);
  for (const bool ended : {false, true}) {
    if (ended) end(world, first->instance);
    const auto again = start_of(world, "p0", named("A-17", OnDuplicate::give_existing));
    ASSERT_TRUE(again.has_value()) << again.error().text;
    EXPECT_TRUE(again->existing);
    EXPECT_EQ(again->instance, first->instance);
    EXPECT_EQ(again->definition, first->definition) << ended;
    EXPECT_EQ(again->version, 1) << ended;
  }
}

TEST(Bounds, A6_mail_that_nobody_could_take_is_refused_when_it_is_sent) {
  Setting setting = setting_of({"start  ->  catch c   on message m   key 1\n c  ->  end"});
  setting.allowance.value = 1'000;
  World world(setting);
  ASSERT_TRUE(start_of(world, "p0").has_value());
  std::optional<Result<Published>> message, signal;
  const Value large = object({{"big", std::string(5'000, 'x')}});
  world.node()->ask(PublishRequest{.name = "m",
                                   .correlation = "1",
                                   .time_to_live = Millis(60'000),
                                   .variables = large,
                                   .reply = [&](Result<Published> done) { message = done; }});
  world.node()->ask(SignalRequest{
      .name = "s", .variables = large, .reply = [&](Result<Published> done) { signal = done; }});
  world.run_quietly();
  ASSERT_TRUE(message && signal);
  EXPECT_EQ(message->error().code, Code::too_large);
  EXPECT_EQ(signal->error().code, Code::too_large);
}

// The publisher was told yes: it is kept until there is room, also by a restart.
TEST(Bounds, mail_for_an_instance_that_is_too_large_is_set_aside_and_taken_later) {
  Setting setting = setting_of({R"(
    start  ->  and f
    f      ->  catch c   on message m   key 1
    f      ->  catch d   on message n   key 1
    c      ->  and g
    d      ->  g
    g      ->  end
  )"});
  setting.allowance.instance = 5'500;
  World world(setting);
  const auto started = start_of(world, "p0");
  ASSERT_TRUE(started.has_value());
  const auto publish = [&](const std::string& name, const Value& variables) {
    std::optional<Result<Published>> told;
    world.node()->ask(PublishRequest{.name = name,
                                     .correlation = "1",
                                     .variables = variables,
                                     .reply = [&](Result<Published> done) { told = done; }});
    world.run_quietly();
    EXPECT_TRUE(told && told->has_value());
  };
  publish("m", object({{"big", std::string(5'000, 'x')}}));  // stops it
  publish("n", object({{"small", 1}}));
  ASSERT_EQ(incidents(world).size(), 2u);
  world.crash();
  world.run_quietly();
  ASSERT_EQ(incidents(world).size(), 2u) << "it is not set aside again";
  const auto succeeds = [](const Result<Done>& done) { EXPECT_TRUE(done.has_value()); };
  const auto rows = incidents(world);
  const bool first_halts = rows[0].element != Key::none;
  const Key halts = rows[first_halts ? 0 : 1].key, aside = rows[first_halts ? 1 : 0].key;
  world.node()->ask(CommandRequest{
      .target = halts, .command = engine::ResolveIncident{halts}, .reply = succeeds});
  world.run_quietly();
  world.node()->ask(
      CommandRequest{.target = started->instance,
                     .command = engine::SetVariables{started->instance, object({{"big", "less"}})},
                     .reply = succeeds});
  world.run_quietly();
  world.node()->ask(ResumeRequest{.incident = aside, .reply = succeeds});
  world.run_quietly();
  for (const auto& row : incidents(world)) ADD_FAILURE() << row.type << ": " << row.message;
  EXPECT_TRUE(world.active_instances().empty()) << "both messages were taken";
  EXPECT_EQ(world.check(), "");
}

TEST(Bounds, too_many_requests_for_slow_turns_are_refused_and_those_for_others_are_not) {
  Setting setting = setting_of({one_job, "start  ->  job a   type slow"});
  setting.slow_turn = 0;
  World world(setting);
  ASSERT_TRUE(start_of(world, "p1").has_value());  // from now on p1 is known to be slow
  std::vector<std::shared_ptr<Answer>> asked;
  for (std::size_t i = 0; i < limits::turns_waiting + 10; ++i) {
    asked.push_back(ask_start(world, "p1", {}));
  }
  world.node()->step_shard(0);
  const auto refused = std::count_if(asked.begin(), asked.end(), [](const auto& one) {
    return one->told && !one->told->has_value() && one->told->error().code == Code::busy;
  });
  EXPECT_EQ(refused, 10);
  world.run_quietly();
  const auto started = std::count_if(asked.begin(), asked.end(), [](const auto& one) {
    return one->told && one->told->has_value();
  });
  EXPECT_EQ(started, static_cast<std::ptrdiff_t>(limits::turns_waiting));
  EXPECT_TRUE(start_of(world, "p1").has_value()) << "there is room again";
}

// What a lane has not begun when the node closes is not delivered again and again.
TEST(Bounds, a_node_closes_while_mail_waits_for_slow_instances) {
  Setting setting =
      setting_of({"start  ->  catch c   on message m   key k\n c  ->  job b   type w"});
  setting.slow_turn = 0;
  World world(setting);
  for (int i = 0; i < 500; ++i) {
    ask_start(world, "p0", {.variables = object({{"k", std::to_string(i)}})});
  }
  world.run_quietly();
  for (int i = 0; i < 500; ++i) {
    world.node()->ask(PublishRequest{.name = "m",
                                     .correlation = std::to_string(i),
                                     .time_to_live = Millis(60'000),
                                     .reply = [](const Result<Published>&) {}});
  }
  world.node()->step_shard(0);
  world.node()->step_committer();
  world.node()->run();
  world.node()->close();
}

}  // namespace
}  // namespace pawl::testkit::sim
