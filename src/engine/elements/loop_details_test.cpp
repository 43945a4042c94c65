// SPDX-License-Identifier: Apache-2.0
// Details of loops that are easily lost: what is gone, what is seen when, and which kind of loop
// each promise holds for.
#include <gtest/gtest.h>

#include "engine/drawings_for_test.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;
using testkit::Play;

TEST(MultiInstance, an_iteration_is_gone_from_the_state_when_it_ends) {  // M4
  Play play("start  ->  job work   each items as item", abc);
  const Instance& state = play.driver().instance();
  const Key one = state.find_job_owner(play.job_of("work"))->key;
  play.complete("work");
  EXPECT_EQ(state.find(one), nullptr);
  EXPECT_EQ(state.find(play.key_of("work"))->active_children, 2u);
}

TEST(MultiInstance, the_collection_is_read_in_the_scope_around) {  // M5
  Play play("start  ->  job work   each x   in x = [1,2,3]", R"({"x":[1]})");
  EXPECT_EQ(play.waiting(), "work");
}

TEST(LoopCount, wrong_options_are_incidents_that_can_be_mended) {  // M2, M10, M11, M13
  for (const std::string option :
       {"join k", "at once k", "failures tolerate k", "min k", "max k"}) {
    for (const char* wrong : {R"({"k":-1})", R"({"k":1.5})", R"({"k":"x"})", "{}"}) {
      Play play("start  ->  job work   times 2   " + option, wrong);
      EXPECT_NE(play.incident().find("\"k\" must give"), std::string::npos)
          << option << play.incident();
      EXPECT_EQ(play.count("activated work"), 0);
      play.set("", R"({"k":2})").resolve("work");
      EXPECT_EQ(play.waiting(), "work work") << option;
    }
  }
}

TEST(LoopCount, a_missing_collection_is_named_also_outside_of_zeebe) {  // C110
  for (const char* each : {"each js items", "each items"}) {
    Play play(std::string("dialect camunda7\nstart  ->  job w   ") + each);
    EXPECT_NE(play.incident().find("items"), std::string::npos) << play.incident();
    play.set("", R"({"items":[1]})").resolve("w");
    EXPECT_EQ(play.waiting(), "w");
  }
}

TEST(LoopIncident, is_at_the_iteration_whose_condition_is_wrong) {  // Z71
  Play play("start  ->  job work   each items as item   until enough", abc);
  play.complete("work");
  const Key at = play.driver().incidents().begin()->second.element;
  EXPECT_EQ(play.driver().instance().find(at)->iteration, 1u);
}

TEST(LoopIncident, of_each_inner_sub_process_is_resolved_on_its_own) {  // Z70
  Play play(R"(
    start  ->  sub box   each ["a","b"] as item   in x = assert(y, y != null) {
      start  ->  job work
    }
  )");
  EXPECT_EQ(play.incident_count(), 2u);
  play.set("", R"({"y":1})");
  while (play.incident_count() != 0) {
    EXPECT_EQ(play.rejection(ResolveIncident{play.driver().incidents().begin()->first}), "");
  }
  EXPECT_EQ(play.waiting(), "work work");
  EXPECT_EQ(play.count("created loopCounter=2 in box"), 1);
  EXPECT_EQ(play.count("created item=\"b\" in box"), 1);
}

TEST(LoopCondition, of_a_parallel_loop_sees_the_item_of_the_one_that_completes) {  // Z10, Z11
  Play play("start  ->  job work   each items as item   until item = \"b\"", abc);
  EXPECT_EQ(play.complete("work").state(), "waiting");
  EXPECT_EQ(play.complete("work").state(), "completed");
  EXPECT_EQ(play.count("terminated work"), 1);
}

TEST(LoopCondition, true_together_with_the_last_one_completes_a_sequential_body_once) {  // Z9
  Play play("start  ->  job work   each items   sequential   until done\n work  ->  end",
            R"({"items":[1,2],"done":false})");
  play.complete("work").set("", R"({"done":true})").complete("work");
  EXPECT_EQ(play.count("completed work#body"), 1);
  EXPECT_EQ(play.state(), "completed");
}

TEST(LoopCondition, counters_of_zeebe_are_there_in_other_dialects) {  // M9
  Play play(
      "dialect camunda7\nstart  ->  job work   times 5   until js "
      "numberOfCompletedInstances == 2 && numberOfActiveInstances == 3");
  EXPECT_EQ(play.complete("work").state(), "waiting");
  EXPECT_EQ(play.complete("work").state(), "completed");
}

TEST(LoopCounters, are_seen_inside_of_the_loop) {  // C99
  Play play(R"(
    dialect camunda7
    start  ->  sub box   times 3   sequential {
      start  ->  job work   in all = nrOfInstances   in now = nrOfActiveInstances
    }
  )");
  EXPECT_EQ(play.variables("work"), R"({"all":3,"now":1})") << "the planned total";
}

TEST(LoopOutput, in_a_parallel_loop_is_seen_by_index_while_it_runs) {  // Z26, C113
  Play play(R"(
    start  ->  sub box   each items as item   collect r in results {
      start  ->  job work
      work   ->  job look   in seen = results
    }
  )",
            abc);
  const std::set<Key> jobs = play.driver().open_jobs();
  EXPECT_EQ(play.rejection(CompleteJob{*jobs.rbegin(), object({{"r", 3}})}), "");
  play.complete("look");
  play.complete("work", R"({"r":1})");
  EXPECT_EQ(play.variables("look"), R"({"seen":[null,null,3]})");
  play.complete("look").complete("work");
  EXPECT_EQ(play.variables("look"), R"({"seen":[1,null,3]})");
}

TEST(LoopOutput, of_the_item_is_what_a_job_has_changed) {  // Z31
  Play play("start  ->  job work   each items as item   collect item in out   sequential", abc);
  for (int i = 0; i < 3; ++i) play.complete("work", R"({"item":"z"})");
  EXPECT_EQ(play.variables(), R"({"items":["a","b","c"],"out":["z","z","z"]})");
}

TEST(LoopInputs, may_read_the_counter_and_outputs_leave_once_per_iteration) {  // Z35, Z36
  Play play(
      "start  ->  job work   each items as item   in twice = loopCounter * 2   out last = twice",
      abc);
  play.complete("work").complete("work").complete("work");
  EXPECT_EQ(play.variables(), R"({"items":["a","b","c"],"last":6})");
  EXPECT_EQ(play.count("created last=2 in drawn"), 1) << play.trace();
  EXPECT_EQ(play.count("updated last=4 in drawn"), 1);
  EXPECT_EQ(play.count("updated last=6 in drawn"), 1);
}

TEST(StandardLoop, counts_from_0_outside_of_zeebe_and_understands_javascript) {  // M20
  const Play play(
      "dialect plain\nstart  ->  script s   = n + 1   into n   "
      "repeat first while js loopCounter < 3\n s  ->  end",
      R"({"n":0})");
  EXPECT_EQ(play.variables(), R"({"n":3})");
  EXPECT_EQ(play.count("created loopCounter=0 in s"), 1);
}

TEST(BoundaryEvent, a_timer_or_a_condition_ends_loops_of_every_kind) {  // C98, C100
  const Play::Named works{"child", "dialect camunda7\nstart  ->  job w\n w  ->  end"};
  for (const std::string how : {"", "   sequential"}) {
    struct Row {
      std::string start, inside;
      int jobs;
    };
    const Row rows[] = {
        {"sub x", " {\n start  ->  job w\n }\n", 1},
        {"call x   process child", "\n", 1},
        {"sub x", " {\n start  ->  sub y   times 2" + how + " {\n start  ->  job w\n }\n }\n", 2}};
    for (const Row& row : rows) {
      const std::string head = "dialect camunda7\nstart  ->  " + row.start + "   times 3" + how;
      Play late({{"parent", head + row.inside + "x  ->  end normal\n x  ~>  end late   after 1h"},
                 works});
      late.complete("w").pass(1h);
      EXPECT_EQ(late.count("completed late"), 1) << row.start << how;
      EXPECT_EQ(late.count("completed normal"), 0);
      EXPECT_EQ(late.waiting(), "");
      EXPECT_EQ(late.called("child"), nullptr);
      Play enough({{"parent", head + "   until js nrOfCompletedInstances == 1" + row.inside +
                                  "x  ->  end normal"},
                   works});
      for (int i = 0; i < row.jobs; ++i) enough.complete("w");
      EXPECT_EQ(enough.state(), "completed") << row.start << how;
      EXPECT_EQ(enough.count("completed x"), 1);
      EXPECT_EQ(enough.count("terminated x"), how.empty() ? 2 : 0);
      EXPECT_EQ(enough.called("child"), nullptr);
    }
  }
}

TEST(MultiInstanceCallActivity, may_call_its_own_process) {  // M14
  Play play(std::vector<Play::Named>{{"parent", R"(
    start  ->  xor x
    x      ->  call c   if n > 0   process parent   times 2   in n = n - 1
    x      ->  end leaf   otherwise
    c      ->  end
  )"}},
            R"({"n":2})");
  EXPECT_EQ(play.state(), "completed") << play.trace();
  const std::string told = play.told_by_all("completed");
  int leaves = 0;
  for (std::size_t at = 0; (at = told.find("completed leaf", at)) != std::string::npos; ++at) {
    ++leaves;
  }
  EXPECT_EQ(leaves, 4);
}

TEST(MultiInstanceCallActivity, collects_in_the_order_of_the_items) {  // Z52
  Play play({{"parent",
              "start  ->  call c   process child   each items as item   out r = x   collect r in "
              "all"},
             {"child", "start  ->  job w\n w  ->  end"}},
            R"({"items":[1,2,3]})");
  const std::set<Key> jobs = play.driver().open_jobs();
  char value = 'c';
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job, --value) {
    EXPECT_EQ(play.rejection(CompleteJob{*job, object({{"x", std::string(1, value)}})}), "");
  }
  EXPECT_EQ(play.variables(), R"({"items":[1,2,3],"all":["a","b","c"]})") << play.trace();
}

}  // namespace
}  // namespace pawl::engine
