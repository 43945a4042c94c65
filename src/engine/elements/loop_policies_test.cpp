// SPDX-License-Identifier: Apache-2.0
// Loops beyond Zeebe: counting, the other dialects, policies for joining and failing, bounds, the
// standard loop, and what can be said to a running loop. Numbers like C90 are lines of the list of
// Camunda 7's behaviours.
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "engine/loop_counters.hpp"
#include "testkit/play.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

void finish(Play& play, std::string_view element, std::string_view result = "{}") {
  while (play.waiting().starts_with(element)) play.complete(element, result);
}

// --- how often, over what ------------------------------------------------------------------------

TEST(LoopCount, cardinality_counts_from_0_outside_of_zeebe) {  // C90, C91, M2, M4
  for (const char* how : {"", "sequential"}) {
    Play play(std::string("dialect camunda7\nstart  ->  job work   times js n   ") + how,
              R"({"n":3})");
    finish(play, "work");
    EXPECT_EQ(play.told("created"),
              "created n=3 in drawn, created loopCounter=0 in work, created loopCounter=1 in work, "
              "created loopCounter=2 in work");
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(LoopCount, collections_of_camunda_have_a_local_element_variable) {  // C92, C93
  Play play("dialect camunda7\nstart  ->  job work   each js order.lines as line",
            R"({"order":{"lines":[7,8]}})");
  EXPECT_EQ(play.count("created line=7 in work"), 1);
  EXPECT_EQ(play.count("created line=8 in work"), 1);
}

TEST(LoopCount, zero_or_empty_passes_at_once_with_the_body_in_the_history) {  // C94, C114, M5
  for (const char* over : {"times 0", "each []"}) {
    Play play(std::string("dialect plain\nstart  ->  job work   ") + over +
              "   collect r in results\n work  ->  end");
    EXPECT_EQ(play.path(), "start work#body end") << over;
    EXPECT_EQ(play.variables(), R"({"results":[]})");
  }
}

TEST(LoopCount,
     a_wrong_value_is_an_incident_that_names_it_and_can_be_mended) {  // M2, M5, M16, C110
  struct Row {
    const char* attributes;
    const char* wrong;
    const char* part;
    const char* right;
  };
  const Row rows[] = {
      {"times n", R"({"n":null})", "gave null (null)", R"({"n":2})"},
      {"times n", R"({"n":"two"})", "gave \"two\" (string)", R"({"n":2})"},
      {"times n", R"({"n":-1})", "gave -1 (number)", R"({"n":2})"},
      {"times n", R"({"n":1.5})", "gave 1.5 (number)", R"({"n":2})"},
      {"times n", R"({"n":1000001})", "at most 1000000", R"({"n":2})"},
      {"each n", R"({"n":{"a":1}})", "(context)", R"({"n":[1,2]})"},
      {"times n   min 2", R"({"n":1})",
       "must give 2 to 1000000 iterations (pawl:min, pawl:max), but gave 1 (number)", R"({"n":2})"},
      {"each n   max 2", R"({"n":[1,2,3]})",
       "must give 0 to 2 iterations (pawl:min, pawl:max), but gave [1,2,3] (list of 3)",
       R"({"n":[1,2]})"},
  };
  for (const Row& row : rows) {
    Play play(std::string("start  ->  job work   ") + row.attributes, row.wrong);
    const std::string incident = play.incident();
    EXPECT_NE(incident.find("\"work\""), std::string::npos) << incident;
    EXPECT_NE(incident.find("\"n\""), std::string::npos) << incident;
    EXPECT_NE(incident.find(row.part), std::string::npos) << incident;
    EXPECT_EQ(play.count("activated work"), 0) << "nothing half-done";
    play.set("", row.right).resolve("work");
    EXPECT_EQ(play.waiting(), "work work") << row.attributes;
  }
}

TEST(LoopCount, the_limit_of_iterations_can_be_set) {  // M16
  const std::pair<const char*, const char*> rows[] = {
      {"times n", "must give at most 3 (the limit of iterations), but gave 4 (number)"},
      {"each items",
       "must give a list of at most 3 (the limit of iterations), but gave [1,2,3,4] "
       "(list of 4)"},
  };
  for (const auto& [over, told] : rows) {
    Play play(std::string("start  ->  job first\n first  ->  job work   ") + over,
              R"({"n":4,"items":[1,2,3,4]})");
    play.driver().allowance.iterations = 3;
    play.complete("first");
    EXPECT_NE(play.incident().find(told), std::string::npos) << play.incident();
    EXPECT_EQ(play.count("activated work"), 0) << "nothing half-done";
    play.driver().allowance.iterations = 4;
    play.resolve("work");
    EXPECT_EQ(play.waiting(), "work work work work");
    const std::string refused = play.rejection(AddIterations{play.key_of("work"), 1, {}});
    EXPECT_NE(refused, "") << over;
  }
}

// --- completion condition with the counters of Camunda 7 -----------------------------------------

TEST(LoopCondition, counters_of_camunda) {  // C95, C96, C99, M9
  struct Row {
    const char* attributes;
    int needed;
  };
  const Row rows[] = {
      {"times 10   sequential   until js nrOfCompletedInstances == 5", 5},
      {"times 5   until js nrOfCompletedInstances / nrOfInstances >= 0.5", 3},
      {"times 5   sequential   until js nrOfInstances == 5", 1},  // the planned total
      {"times 5   until js nrOfActiveInstances == 1", 4},
  };
  for (const Row& row : rows) {
    Play play(std::string("dialect camunda7\nstart  ->  job work   ") + row.attributes);
    int completed = 0;
    while (play.state() == "waiting") {
      play.complete("work");
      ++completed;
    }
    EXPECT_EQ(completed, row.needed) << row.attributes;
  }
}

TEST(LoopCondition, automatic_iterations_stop_when_it_holds) {  // C97
  const Play play(
      "dialect camunda7\nstart  ->  task t   times 8   until js nrOfCompletedInstances == 2");
  EXPECT_EQ(play.count("completed t"), 2) << play.trace();
  EXPECT_EQ(play.state(), "completed");
}

TEST(LoopCondition, counters_are_visible_inside_the_loop) {  // C99
  const Play play(R"(
    dialect camunda7
    start  ->  script s   times 3   js _context.seen = nrOfInstances + 10 * nrOfCompletedInstances
    s      ->  end
  )");
  EXPECT_EQ(play.variables(), R"({"seen":23})");
}

TEST(LoopCondition, remaining_sub_processes_are_cancelled_with_all_inside) {  // C98
  Play play(R"(
    dialect camunda7
    start  ->  sub box   times 3   until js nrOfCompletedInstances == 1 {
      start  ->  job work
    }
    box    ->  end
  )");
  play.complete("work");
  EXPECT_EQ(play.count("terminated work"), 2);
  EXPECT_EQ(play.state(), "completed");
}

// --- two exact results ---------------------------------------------------------------------------

TEST(LoopOutput, a_parallel_script_reviews_every_item) {  // M6
  const Play play(R"(
    dialect plain
    start  ->  script prepare   js _context.items = ["A", "B", "C"]
    prepare  ->  script review   each js items as item   collect result in results   js _context.result = "reviewed-" + _context.item
    review  ->  end
  )");
  EXPECT_EQ(play.variables(),
            R"({"items":["A","B","C"],"results":["reviewed-A","reviewed-B","reviewed-C"]})");
}

TEST(LoopOutput, without_output_nothing_is_left_in_the_parent) {  // M4
  const Play play(R"(
    dialect plain
    start  ->  script s   times 3   js _context.result = "iter-" + _context.loopCounter
    s      ->  end
  )");
  EXPECT_EQ(play.told("created updated"),
            "created loopCounter=0 in s, created result=\"iter-0\" in s, "
            "created loopCounter=1 in s, created result=\"iter-1\" in s, "
            "created loopCounter=2 in s, created result=\"iter-2\" in s");
  EXPECT_EQ(play.variables(), "{}");
}

TEST(LoopOutput, can_be_in_order_of_completion_or_without_holes) {  // M6
  Play ordered(
      "start  ->  job work   each [1,2,3] as i   collect i in out   completion order\n work  ->  "
      "end");
  const std::set<Key> jobs = ordered.driver().open_jobs();
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
    EXPECT_EQ(ordered.rejection(CompleteJob{*job, {}}), "");
  }
  EXPECT_EQ(ordered.variables(), R"({"out":[3,2,1]})");
  Play compact(
      "start  ->  job work   each [1,2,3] as i   collect i in out   compact   until true\n work  "
      "->  end");
  compact.complete("work");
  EXPECT_EQ(compact.variables(), R"({"out":[1]})");
}

TEST(LoopOutput,
     the_values_so_far_are_visible_inside_and_gone_when_interrupted) {  // C113, C115, M6
  Play play(R"(
    start  ->  sub box   each [1,2] as i   sequential   collect r in out {
      start  ->  job work   in seen = out
    }
    box    ~>  end caught   on error E
  )");
  play.complete("work", R"({"r":"x"})");
  EXPECT_EQ(play.variables("work"), R"({"seen":["x",null]})") << play.trace();
  play.throw_error("work", "E");
  EXPECT_EQ(play.variables(), "{}");
}

// --- joining -------------------------------------------------------------------------------------

TEST(LoopJoin, n_of_m_ends_the_rest_and_is_capped_at_m) {  // M10
  Play two("start  ->  job work   times 5   join 2\n work  ->  end");
  two.complete("work").complete("work");
  EXPECT_EQ(two.count("terminated work"), 3);
  EXPECT_EQ(two.count("completed end"), 1);
  Play capped("start  ->  job work   times 2   join 9\n work  ->  end");
  capped.complete("work").complete("work");
  EXPECT_EQ(capped.state(), "completed");
}

TEST(LoopJoin, first_takes_one) {  // M10
  Play play("start  ->  job work   times 3   join 1\n work  ->  end");
  play.complete("work");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed end"), 1);
}

TEST(LoopJoin, none_lets_the_token_go_on_while_the_iterations_run) {  // M10
  Play play(R"(
    start  ->  sub box {
      start  ->  job work   times 2   join none
      work   ->  job next
    }
    box    ->  end
  )");
  EXPECT_EQ(play.waiting(), "next work work") << play.trace();
  play.complete("next");
  EXPECT_TRUE(play.is_active("box")) << "the scope ends only after them";
  play.complete("work").complete("work");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("activated next"), 1) << "exactly one continuation";
}

TEST(LoopJoin, leaving_the_scope_cancels_what_was_left_behind) {  // M10
  Play play(R"(
    start  ->  sub box {
      start  ->  job work   times 2   join none
      work   ->  job next
    }
    box    ~>  end caught   on error E
  )");
  play.throw_error("next", "E");
  EXPECT_EQ(play.count("terminated work"), 2);
  EXPECT_EQ(play.state(), "completed");
}

TEST(LoopJoin, a_failure_never_satisfies_it) {  // M10, M11
  Play play("start  ->  job work   times 2   join 2   failures tolerate 2\n work  ->  end");
  play.complete("work").throw_error("work", "E");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_NE(play.incident().find("only 1 of 2"), std::string::npos) << play.incident();
}

// --- failing -------------------------------------------------------------------------------------

TEST(LoopFailure, in_zeebe_stops_one_iteration_and_the_others_go_on) {  // M11
  Play play("start  ->  job work   times 3\n work  ->  end");
  play.fail("work", 0, "broken");
  EXPECT_EQ(play.waiting(), "work work");
  EXPECT_EQ(play.incident_count(), 1u);
  play.complete("work").complete("work");
  EXPECT_EQ(play.state(), "incident");
}

TEST(LoopFailure, elsewhere_fails_the_host_and_its_boundary_event_catches) {  // M11, C104, C139
  Play play(R"(
    dialect plain
    start  ->  job work   times 3
    work   ->  end normal
    work   ~>  end caught   on error
  )");
  play.fail("work", 0, "broken");
  EXPECT_EQ(play.count("terminated work"), 3);
  EXPECT_EQ(play.count("completed caught"), 1);
  EXPECT_EQ(play.state(), "completed");
}

TEST(LoopFailure, uncaught_ends_the_iterations_and_resolving_starts_the_loop_again) {  // M11, C105
  Play play("dialect plain\nstart  ->  job work   times 3   sequential\n work  ->  end");
  play.complete("work").fail("work", 0, "broken");
  EXPECT_EQ(play.waiting(), "") << "no further iteration";
  EXPECT_NE(play.incident().find("broken"), std::string::npos);
  play.resolve("work");
  EXPECT_EQ(play.count("loop work#body total=3"), 2);
  finish(play, "work");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed end"), 1);
}

TEST(LoopFailure, can_be_tolerated_a_number_of_times) {  // M11
  Play play(
      "start  ->  job work   times 3   failures tolerate 1   collect r in out\n work  ->  end");
  play.fail("work", 0, "broken");
  EXPECT_EQ(play.waiting(), "work work");
  EXPECT_EQ(play.incident_count(), 0u);
  Play twice("start  ->  job work   times 3   failures tolerate 1\n work  ->  end");
  twice.fail("work", 0, "one").fail("work", 0, "two");
  EXPECT_EQ(twice.state(), "incident");
  EXPECT_EQ(twice.waiting(), "");
  play.complete("work", R"({"r":1})").complete("work", R"({"r":2})");
  EXPECT_EQ(play.variables(), R"({"out":[null,1,2]})");
}

TEST(LoopFailure, can_take_its_place_in_the_output) {  // M11
  Play play("start  ->  job work   times 2   failures collect   collect r in out\n work  ->  end");
  play.throw_error("work", "sold-out", "none left").complete("work", R"({"r":1})");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_NE(play.variables().find(R"({"error":{"code":"sold-out")"), std::string::npos)
      << play.variables();
  EXPECT_NE(play.variables().find("},1]"), std::string::npos) << play.variables();
}

TEST(LoopFailure, of_an_inner_loop_counts_for_the_outer_one) {  // M11
  Play play(R"(
    dialect plain
    start  ->  sub outer   times 2   failures tolerate 1 {
      start  ->  job work   times 2
    }
    outer  ->  end
  )");
  play.fail("work", 0, "broken");
  EXPECT_EQ(play.waiting(), "work work") << "only the first outer iteration has ended";
  finish(play, "work");
  EXPECT_EQ(play.state(), "completed") << play.trace();
}

// --- at once, more, enough -----------------------------------------------------------------------

TEST(LoopConcurrency, at_most_so_many_are_active) {  // M13
  Play play("start  ->  job work   times 5   at once 2\n work  ->  end");
  EXPECT_EQ(play.waiting(), "work work");
  play.complete("work");
  EXPECT_EQ(play.waiting(), "work work");
  play.complete("work").complete("work").complete("work");
  EXPECT_EQ(play.waiting(), "work");
  play.complete("work");
  EXPECT_EQ(play.state(), "completed");
}

TEST(RunningLoop, takes_more_iterations) {  // M14, C116
  for (const char* how : {"", "sequential"}) {
    Play play(std::string("start  ->  job work   each items as item   collect item in out   ") +
                  how + "\n work  ->  end",
              R"({"items":["a"]})");
    const Key body = play.key_of("work");
    EXPECT_EQ(play.rejection(AddIterations{body, 0, Value::list({"b", "c"})}), "");
    finish(play, "work");
    EXPECT_EQ(play.state(), "completed");
    EXPECT_EQ(play.variables(), R"({"items":["a"],"out":["a","b","c"]})") << how;
  }
  Play counted("start  ->  job work   times 1\n work  ->  end");
  EXPECT_EQ(counted.rejection(AddIterations{counted.key_of("work"), 2, {}}), "");
  EXPECT_EQ(counted.waiting(), "work work work");
}

TEST(RunningLoop, refuses_what_does_not_fit) {  // M14, M16
  Play play("start  ->  job work   times 1\n work  ->  job after");
  const Key body = play.key_of("work");
  EXPECT_NE(play.rejection(AddIterations{body, 0, {}}), "");
  EXPECT_NE(play.rejection(AddIterations{body, limits::iterations, {}}), "");
  EXPECT_NE(play.rejection(AddIterations{body, 0, Value::list({1})}), "");
  EXPECT_NE(play.rejection(AddIterations{key_from(99), 1, {}}), "");
  play.complete("work");
  EXPECT_NE(play.rejection(EndLoop{body}), "");
  EXPECT_NE(play.rejection(EndLoop{play.key_of("after")}), "");
}

TEST(RunningLoop, completes_early_with_what_it_has_or_is_cancelled) {  // M14
  const char* drawing = "start  ->  job work   times 3   collect r in out\n work  ->  end";
  Play early(drawing);
  early.complete("work", R"({"r":1})");
  EXPECT_EQ(early.rejection(EndLoop{early.key_of("work")}), "");
  EXPECT_EQ(early.path(), "start work work#body end");
  EXPECT_EQ(early.variables(), R"({"out":[1,null,null]})");
  Play cancelled(drawing);
  EXPECT_EQ(cancelled.rejection(EndLoop{cancelled.key_of("work"), true}), "");
  EXPECT_EQ(cancelled.path(), "start");
  EXPECT_EQ(cancelled.variables(), "{}");
}

TEST(RunningLoop, tells_its_progress_and_numbers_its_iterations) {  // M15, M18
  Play play("start  ->  job work   times 4   failures tolerate 4\n work  ->  end");
  play.complete("work").throw_error("work", "E");
  const Instance& state = play.driver().instance();
  const ElementInstance& body = *state.find(play.key_of("work"));
  const LoopCounts counts = counts_of(state, body);
  EXPECT_EQ(counts.instances, 4u);
  EXPECT_EQ(counts.active, 2u);
  EXPECT_EQ(counts.completed, 1u);
  EXPECT_EQ(counts.failed, 1u);
  std::string numbers;
  for (Slot child = body.first_child; child != Slot::none; child = state.at(child).next) {
    numbers += std::to_string(state.at(child).iteration) + " ";
  }
  EXPECT_EQ(numbers, "3 4 ");
}

// --- every kind of activity, every kind of loop --------------------------------------------------

TEST(Loop, works_on_every_kind_of_activity) {  // M1
  for (const std::string kind :
       {"job", "send", "user", "rule", "task", "manual", "script", "sub", "transaction"}) {
    const bool is_scope = kind == "sub" || kind == "transaction";
    const std::string body = is_scope ? " {\n start  ->  end\n}" : "";
    for (const char* how : {"", "sequential"}) {
      Play play(std::string("dialect plain\nstart  ->  ") + kind + " x   times 2   " + how + body +
                "\nx  ->  end");
      finish(play, "x");
      EXPECT_EQ(play.count("completed x"), 2) << kind;
      EXPECT_EQ(play.count("completed x#body"), 1) << kind;
      EXPECT_EQ(play.state(), "completed") << kind << play.trace();
    }
  }
}

TEST(StandardLoop, repeats_while_its_condition_holds) {  // M20
  struct Row {
    const char* attributes;
    int times;
  };
  const Row rows[] = {
      {"repeat while n < 3", 3},           {"repeat while n < 0", 1},  // tested after
      {"repeat first while n < 0", 0},     {"repeat first while n < 2", 2},
      {"repeat   at most 4", 4},           {"repeat while n < 9   at most 2", 2},
      {"repeat while loopCounter < 5", 5},
  };
  for (const Row& row : rows) {
    for (const char* dialect : {"plain", "zeebe"}) {
      const bool zeebe = std::string(dialect) == "zeebe";
      if (!zeebe && std::string(row.attributes).find("loopCounter") != std::string::npos) continue;
      const Play play(std::string("dialect ") + dialect +
                          "\nstart  ->  script s   = n + 1   into n   " + row.attributes +
                          "\n s  ->  end",
                      R"({"n":0})");
      EXPECT_EQ(play.variables(), R"({"n":)" + std::to_string(row.times) + "}")
          << dialect << " " << row.attributes << play.trace();
      EXPECT_EQ(play.state(), "completed");
    }
  }
}

TEST(StandardLoop, a_wrong_condition_is_an_incident_that_can_be_mended) {  // M20
  Play play("start  ->  task t   repeat first while go   at most 3\n t  ->  end");
  EXPECT_NE(play.incident().find("loop condition \"go\""), std::string::npos) << play.incident();
  play.set("", R"({"go":false})").resolve("t");
  EXPECT_EQ(play.path(), "start t#body end") << play.trace();
}

TEST(StandardLoop, stops_at_the_limit_of_iterations_and_can_be_mended) {  // M16, M20
  for (const std::string how : {"repeat while go", "repeat first while go"}) {
    const std::string drawing =
        "start  ->  job first\n first  ->  script s   = n + 1   into n   " + how + "\n s  ->  end";
    const char* variables = R"({"n":0,"go":true})";
    const auto comes_to_the_limit = [](Play& play) {
      play.driver().allowance.iterations = 3;
      play.complete("first");
      EXPECT_NE(play.incident().find("\"s\" has done 3 iterations, the limit, and wants to go on"),
                std::string::npos)
          << play.incident();
    };
    Play mended(drawing, variables);
    comes_to_the_limit(mended);
    mended.resolve("s");
    EXPECT_EQ(mended.state(), "incident") << "nothing was corrected";
    mended.set("", R"({"go":false})").resolve("s");
    EXPECT_EQ(mended.state(), "completed");
    EXPECT_EQ(mended.variables(), R"({"n":3,"go":false})");

    Play higher(drawing, variables);
    comes_to_the_limit(higher);
    higher.driver().allowance.iterations = 5;
    higher.resolve("s");
    EXPECT_NE(higher.incident().find("done 5 iterations"), std::string::npos) << higher.incident();
    EXPECT_EQ(higher.rejection(EndLoop{higher.key_of("s")}), "");
    EXPECT_EQ(higher.state(), "completed");
    EXPECT_EQ(higher.variables(), R"({"n":5,"go":true})");
  }
  Play bounded("start  ->  job first\n first  ->  task t   repeat   at most 3\n t  ->  end");
  bounded.driver().allowance.iterations = 3;
  bounded.complete("first");
  EXPECT_EQ(bounded.state(), "completed") << "as many as the model wants";
}

TEST(Loop, the_same_whatever_the_number_of_steps_per_turn) {  // M17, in memory
  const char* drawing = R"(
    start  ->  sub box   each [1,2,3] as i   collect r in out   at once 2 {
      start  ->  script s   = i * 2   into r
      s      ->  task t   times 3
    }
    box    ->  end
  )";
  const Play whole(drawing);
  for (const std::size_t steps : {1u, 2u, 7u}) {
    const Play cut(whole.process(), "{}", steps);
    EXPECT_EQ(cut.story(), whole.story()) << steps;
  }
  EXPECT_EQ(whole.variables(), R"({"out":[2,4,6]})");
}

}  // namespace
}  // namespace pawl::engine
