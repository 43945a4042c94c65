// SPDX-License-Identifier: Apache-2.0
// Multi-instance activities in Zeebe's dialect, by the lines of the list of its behaviours.
#include <gtest/gtest.h>

#include "engine/drawings_for_test.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

Play& complete_all(Play& play, std::string_view element) {
  while (play.job_of(element) != Key::none && !play.waiting().empty()) play.complete(element);
  return play;
}

TEST(MultiInstance, activates_the_body_then_one_instance_per_item_under_it) {  // Z1, Z2, M1, M3
  Play play("start  ->  job work   each items as item\n work  ->  end", abc);
  EXPECT_EQ(
      play.told("activated"),
      "activated drawn, activated start, activated work#body, activated work, activated work, "
      "activated work");
  EXPECT_EQ(play.waiting(), "work work work");
  const Instance& state = play.driver().instance();
  const ElementInstance* owner = state.find_job_owner(play.job_of("work"));
  EXPECT_TRUE(state.parent_of(*owner)->is_body);
}

TEST(MultiInstance, sequential_starts_the_next_only_after_the_previous) {  // Z3, M8
  Play play("start  ->  job work   each items as item   sequential\n work  ->  end", abc);
  EXPECT_EQ(play.waiting(), "work");
  play.complete("work");
  EXPECT_EQ(play.waiting(), "work");
  play.complete("work").complete("work");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.told("activated completed"),
            "activated drawn, activated start, completed start, activated work#body, "
            "activated work, completed work, activated work, completed work, activated work, "
            "completed work, completed work#body, activated end, completed end, completed drawn");
}

TEST(MultiInstance, makes_one_job_per_item_and_completes_the_body_once) {  // Z4, Z5, Z8
  for (const char* how : {"", "sequential"}) {
    Play play(std::string("start  ->  job work   each items   ") + how + "\n work  ->  end", abc);
    complete_all(play, "work");
    EXPECT_EQ(play.story("job-created").size(), 3u);
    EXPECT_EQ(play.count("completed work#body"), 1);
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(MultiInstance, a_true_completion_condition_ends_it_after_the_first) {  // Z6, Z7, M9
  Play parallel("start  ->  job work   each items   until true\n work  ->  end", abc);
  parallel.complete("work");
  EXPECT_EQ(parallel.count("terminated work"), 2);
  EXPECT_EQ(parallel.state(), "completed");
  Play sequential("start  ->  job work   each items   sequential   until true\n work  ->  end",
                  abc);
  sequential.complete("work");
  EXPECT_EQ(sequential.count("activated work"), 1);
  EXPECT_EQ(sequential.state(), "completed");
}

TEST(MultiInstance, condition_true_at_the_last_one_completes_exactly_once) {  // Z9, M10
  Play play("start  ->  job work   each items   until done\n work  ->  end",
            R"({"items":[1,2],"done":false})");
  play.complete("work").set("", R"({"done":true})").complete("work");
  EXPECT_EQ(play.count("completed work#body"), 1);
  EXPECT_EQ(play.count("completed end"), 1);
}

TEST(MultiInstance, the_condition_sees_the_item_of_the_completing_instance) {  // Z10
  Play play("start  ->  job work   each items as item   sequential   until item = \"b\"", abc);
  play.complete("work");
  EXPECT_EQ(play.state(), "waiting");
  play.complete("work");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("activated work"), 2);
}

struct CounterCase {
  const char* what;
  const char* attributes;
  int needed;  // completions until the loop ends
};

TEST(MultiInstance, counters_in_the_completion_condition) {
  const CounterCase rows[] = {
      {"completed = 2 (Z11)", "until numberOfCompletedInstances = 2", 2},
      {"completed = 2, sequential (Z11)", "sequential   until numberOfCompletedInstances = 2", 2},
      {"all are created at once (Z12)", "until numberOfInstances = 3", 1},
      {"created so far (Z13)", "sequential   until numberOfInstances = 2", 2},
      {"active excludes the completing (Z14)", "until numberOfActiveInstances = 1", 2},
      {"none active in between (Z15)", "sequential   until numberOfActiveInstances = 0", 1},
      {"none terminated yet", "until numberOfTerminatedInstances = 0", 1},
  };
  for (const CounterCase& row : rows) {
    Play play(std::string("start  ->  job work   each items   ") + row.attributes, abc);
    int completed = 0;
    while (play.state() == "waiting") {
      play.complete("work");
      ++completed;
    }
    EXPECT_EQ(completed, row.needed) << row.what << play.trace();
  }
}

TEST(MultiInstance, the_item_is_local_and_never_leaves) {  // Z16, Z17, Z23, Z24, M4
  Play play("start  ->  job work   each items as item\n work  ->  job after", abc);
  EXPECT_EQ(play.variables("work"), "{}") << "the body itself";
  const Instance& state = play.driver().instance();
  const ElementInstance* one = state.find_job_owner(play.job_of("work"));
  EXPECT_EQ(one->variables.find("item")->value, Value("a"));
  EXPECT_EQ(one->variables.find("loopCounter")->value, Value(1));
  complete_all(play, "work");
  EXPECT_EQ(play.variables(), R"({"items":["a","b","c"]})");
}

TEST(MultiInstance, without_item_name_no_item_variable_is_made) {  // Z18
  Play play("start  ->  job work   each items", abc);
  EXPECT_EQ(play.story("created"),
            (std::vector<std::string>{
                R"(created items=["a","b","c"] in drawn)", "created loopCounter=1 in work",
                "created loopCounter=2 in work", "created loopCounter=3 in work"}));
}

TEST(MultiInstance, iterates_nested_lists_and_items_of_every_type) {  // Z19, Z20, M5
  const Play play("start  ->  job work   each order.lines as line",
                  R"({"order":{"lines":["x",true,1.5,{"a":1},null]}})");
  EXPECT_EQ(play.told("created"),
            R"(created order={"lines":["x",true,1.5,{"a":1},null]} in drawn, )"
            R"(created line="x" in work, created loopCounter=1 in work, )"
            R"(created line=true in work, created loopCounter=2 in work, )"
            R"(created line=1.5 in work, created loopCounter=3 in work, )"
            R"(created line={"a":1} in work, created loopCounter=4 in work, )"
            R"(created line=null in work, created loopCounter=5 in work)");
}

TEST(MultiInstance, an_empty_collection_completes_at_once_with_an_empty_output) {  // Z21, Z22, M5
  const Play play("start  ->  job work   each items   collect r in results\n work  ->  end",
                  R"({"items":[]})");
  EXPECT_EQ(play.path(), "start work#body end");
  EXPECT_EQ(play.variables(), R"({"items":[],"results":[]})");
}

TEST(MultiInstance,
     collects_results_by_item_whatever_the_order_of_completion) {  // Z27, Z28, M6, M7
  Play play("start  ->  job work   each items as item   collect r in results\n work  ->  job after",
            abc);
  const std::set<Key> jobs = play.driver().open_jobs();
  std::vector<Key> order(jobs.begin(), jobs.end());
  const auto send = [&](Key job, const char* value) {
    EXPECT_EQ(play.rejection(CompleteJob{job, object({{"r", value}})}), "");
  };
  send(order[2], "third");
  EXPECT_EQ(play.driver().variables_of(play.driver().instance().key).find("results"), nullptr)
      << "nothing leaves before the body completes";
  send(order[0], "first");
  send(order[1], "second");
  EXPECT_EQ(play.variables(), R"({"items":["a","b","c"],"results":["first","second","third"]})");
  EXPECT_EQ(play.waiting(), "after");
}

TEST(MultiInstance, shows_the_output_so_far_to_what_is_inside) {  // Z25, Z26
  Play play(R"(
    start  ->  sub box   each items as item   sequential   collect r in results {
      start  ->  job work   in seen = results
    }
  )",
            abc);
  for (const char* seen : {"[null,null,null]", "[1,null,null]", "[1,1,null]"}) {
    EXPECT_EQ(play.variables("work"), R"({"seen":)" + std::string(seen) + "}");
    play.complete("work", R"({"r":1})");
  }
}

TEST(MultiInstance, ended_before_its_iterations_begin_has_none) {  // Z48
  Instance state(testkit::draw("start  ->  job work   times 3"));
  World world{.next_key = 2, .max_steps = 1};
  auto turn = take_turn(state, StartInstance{.instance = key_from(1)}, world);
  ASSERT_TRUE(turn.has_value());
  ASSERT_TRUE(turn->more);  // the body is there, and its iterations are still to come
  EXPECT_TRUE(state.at(state.root_scope().first_child).is_body);
  world = {.next_key = turn->next_key};
  turn = take_turn(state, CancelInstance{}, world);
  ASSERT_TRUE(turn.has_value());
  EXPECT_EQ(state.ended, Ended::terminated);
  for (const Event& event : turn->events) {
    EXPECT_FALSE(std::holds_alternative<ElementActivating>(event));
  }
}

TEST(MultiInstance, what_can_be_collected) {  // Z29, Z30, Z31, Z32, Z39
  struct Row {
    const char* what;
    const char* attributes;
    const char* result;
    const char* collected;
  };
  const Row rows[] = {
      {"a path (Z29)", "collect r.x in results", R"({"r":{"x":5}})", "[5,5,5]"},
      {"an expression (Z30)", "collect loopCounter * 10 in results", "{}", "[10,20,30]"},
      {"the item itself (Z31)", "collect item in results", "{}", R"(["a","b","c"])"},
      {"the counter (Z32)", "collect loopCounter in results", "{}", "[1,2,3]"},
      {"a mapped counter (Z39)", "collect n in results   out n = loopCounter", "{}", "[1,2,3]"},
      {"not set (M6)", "collect r in results", "{}", "[null,null,null]"},
  };
  for (const Row& row : rows) {
    Play play(std::string("start  ->  job work   each items as item   ") + row.attributes +
                  "\n work  ->  job after",
              abc);
    while (play.waiting() != "after") play.complete("work", row.result);
    EXPECT_EQ(play.variables(),
              std::string(R"({"items":["a","b","c"],"results":)") + row.collected + "}")
        << row.what;
  }
}

TEST(MultiInstance, mappings_run_per_iteration) {  // Z34, Z35, Z36
  Play play(
      "start  ->  job work   each items as item   in mine = item + \"!\"   collect r in results   "
      "out r = mine   out last = item\n work  ->  job after",
      abc);
  while (play.waiting() != "after") play.complete("work");
  EXPECT_EQ(play.variables(), R"({"items":["a","b","c"],"last":"c","results":["a!","b!","c!"]})");
}

TEST(MultiInstance, without_output_results_overwrite_each_other_at_the_root) {  // Z33, Z37
  Play play("start  ->  job work   each items\n work  ->  job after", abc);
  play.complete("work", R"({"x":1})").complete("work", R"({"x":2})").complete("work", R"({"x":3})");
  EXPECT_EQ(play.variables(), R"({"items":["a","b","c"],"x":3})");
}

TEST(MultiInstance, terminated_iterations_leave_null_in_the_output) {  // Z38
  Play play("start  ->  job work   each items   collect r in results   until true\n work  ->  end",
            abc);
  play.complete("work", R"({"r":1})");
  EXPECT_EQ(play.variables(), R"({"items":["a","b","c"],"results":[1,null,null]})");
}

TEST(MultiInstance, nested_loops_have_their_own_counters) {  // Z40, M1
  Play play(R"(
    start  ->  sub outer   each [1,2] as o   sequential {
      start  ->  job inner   each ["x","y"] as i   sequential
    }
    outer  ->  end
  )");
  std::string seen;
  while (play.state() == "waiting") {
    const auto* one = play.driver().instance().find_job_owner(play.job_of("inner"));
    seen += to_json(one->variables.find("loopCounter")->value);
    play.complete("inner");
  }
  EXPECT_EQ(seen, "1212");
}

TEST(MultiInstance, three_deep_runs_the_product_of_the_sizes) {  // C103, M1
  Play play(R"(
    start  ->  sub one   each [1,2] as a   collect inner in all {
      start  ->  sub two   each [1,2,3] as b   collect deepest in inner {
        start  ->  job three   each [1,2] as c   collect r in deepest
      }
    }
    one    ->  end
  )");
  EXPECT_EQ(play.driver().open_jobs().size(), 12u);
  while (play.state() == "waiting") play.complete("three", R"({"r":1})");
  EXPECT_EQ(play.variables(), R"({"all":[[[1,1],[1,1],[1,1]],[[1,1],[1,1],[1,1]]]})");
}

TEST(MultiInstance, cancelling_ends_iterations_before_the_body) {  // Z41, Z42
  Play play("start  ->  job work   each items\n work  ->  end", abc);
  play.complete("work").cancel();
  EXPECT_EQ(play.told("job-canceled terminated"),
            "job-canceled work, terminated work, job-canceled work, terminated work, "
            "terminated work#body, terminated drawn");
}

TEST(MultiInstance, changing_the_list_meanwhile_changes_nothing) {  // Z45, Z46, M5
  Play play("start  ->  job work   each items   sequential\n work  ->  end", abc);
  play.set("", R"({"items":[]})");
  play.complete("work").set("", R"({"items":[1,2,3,4,5]})").complete("work").complete("work");
  EXPECT_EQ(play.state(), "completed");
}

TEST(MultiInstance, automatic_iterations_all_run_before_the_body_completes) {  // Z47, C106
  for (const char* how : {"", "sequential", "at once 7"}) {
    const Play play(std::string("start  ->  script s   each list   collect x in xs   = loopCounter "
                                "  into x   ") +
                        how + "\n s  ->  end",
                    [] {
                      std::string list = R"({"list":[0)";
                      for (int i = 1; i < 2'000; ++i) list += ",0";
                      return list + "]}";
                    }());
    EXPECT_EQ(play.story("completed").size(), 2'000u + 4) << how;
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(MultiInstance, sub_processes_have_their_own_scope_each) {  // Z57, Z58
  Play play(R"(
    start  ->  sub box   each items as item {
      start  ->  job work
    }
    box    ->  end
  )",
            abc);
  EXPECT_EQ(play.count("activated box.start"), 3);
  play.cancel();
  EXPECT_EQ(play.told("terminated"),
            "terminated work, terminated box, terminated work, terminated box, terminated work, "
            "terminated box, terminated box#body, terminated drawn");
}

TEST(MultiInstance, a_replaced_output_is_an_incident_until_it_is_restored) {  // Z63, Z64, Z73, Z74
  for (const char* wrong : {"[]", "\"text\""}) {
    Play play(R"(
      start  ->  sub box   each [1,2] as item   sequential   collect r in results {
        start  ->  job work
      }
      box    ->  job after
    )");
    play.complete("work", std::string(R"({"r":1,"results":)") + wrong + "}");
    EXPECT_NE(play.incident().find("output collection"), std::string::npos) << play.trace();
    play.set("box", R"({"results":[null,null]})");
    play.driver();
    const Key incident = play.driver().incidents().begin()->first;
    EXPECT_EQ(play.rejection(ResolveIncident{incident}), "");
    play.complete("work", R"({"r":2})");
    EXPECT_EQ(play.variables(), R"({"results":[1,2]})") << play.trace();
  }
}

TEST(MultiInstance, a_wrong_collection_is_an_incident_on_the_body) {  // Z65, Z66, Z67
  for (const char* wrong : {"{}", R"({"items":"text"})", R"({"items":5})"}) {
    Play play("start  ->  job work   each items\n work  ->  end", wrong);
    EXPECT_NE(play.incident().find("EXTRACT_VALUE_ERROR at work"), std::string::npos);
    EXPECT_NE(play.incident().find("\"items\" must give a list"), std::string::npos)
        << play.incident();
    play.set("", abc).resolve("work");
    EXPECT_EQ(play.waiting(), "work work work");
  }
}

TEST(MultiInstance, a_failing_output_element_stops_that_iteration_only) {  // Z68, Z69
  Play play(
      "start  ->  job work   each items   collect assert(r, r != null) in results\n work  ->  end",
      abc);
  play.complete("work");
  EXPECT_EQ(play.incident_count(), 1u);
  play.complete("work", R"({"r":2})").complete("work", R"({"r":3})");
  EXPECT_EQ(play.state(), "incident");
  const Key incident = play.driver().incidents().begin()->first;
  const Key at = play.driver().incidents().begin()->second.element;
  EXPECT_EQ(play.rejection(SetVariables{at, object({{"r", 1}}), true}), "");
  EXPECT_EQ(play.rejection(ResolveIncident{incident}), "");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_NE(play.variables().find("\"results\":[1,2,3]"), std::string::npos) << play.variables();
}

TEST(MultiInstance, an_input_mapping_incident_keeps_item_and_counter) {  // Z70
  Play play(R"(
    start  ->  sub box   each ["a"] as item   in x = assert(y, y != null) {
      start  ->  job work
    }
  )");
  play.set("", R"({"y":1})");
  const Key incident = play.driver().incidents().begin()->first;
  EXPECT_EQ(play.rejection(ResolveIncident{incident}), "");
  EXPECT_EQ(play.waiting(), "work");
  EXPECT_EQ(play.count("created loopCounter=1 in box"), 1);
  EXPECT_EQ(play.count("created item=\"a\" in box"), 1);
}

TEST(MultiInstance, a_completion_condition_of_the_wrong_type_is_an_incident) {  // Z71, Z72
  Play play("start  ->  job work   each items   until enough\n work  ->  end", abc);
  play.complete("work");
  EXPECT_NE(play.incident().find("completion condition \"enough\""), std::string::npos);
  const Key incident = play.driver().incidents().begin()->first;
  play.set("", R"({"enough":true})");
  EXPECT_EQ(play.rejection(ResolveIncident{incident}), "");
  EXPECT_EQ(play.state(), "completed");
}

TEST(MultiInstance, an_error_caught_on_the_body_ends_all_iterations) {  // Z77, M11, M12
  Play play(R"(
    start  ->  sub box   each items as item   collect r in results {
      start  ->  job work
    }
    box    ->  end normal
    box    ~>  end caught   on error E
  )",
            abc);
  play.complete("work").throw_error("work", "E");
  EXPECT_EQ(play.count("terminated box"), 2);
  EXPECT_EQ(play.count("terminated box#body"), 1);
  EXPECT_EQ(play.count("completed caught"), 1);
  EXPECT_EQ(play.variables(), abc) << "an interrupted body propagates nothing";
  EXPECT_EQ(play.state(), "completed");
}

TEST(MultiInstance, an_error_caught_inside_concerns_only_its_iteration) {  // Z76, with a boundary
  Play play(R"(
    start  ->  sub box   each items as item {
      start  ->  job work
      work   ~>  end handled   on error E
    }
    box    ->  end
  )",
            abc);
  play.throw_error("work", "E");
  EXPECT_EQ(play.waiting(), "work work");
  play.complete("work").complete("work");
  EXPECT_EQ(play.state(), "completed");
}

TEST(MultiInstance, a_terminate_end_ends_only_its_iteration) {  // Z80, C148
  Play play(R"(
    start  ->  sub box   each [1,2] as item {
      start  ->  and fork
      fork   ->  job a
      fork   ->  job b
      a      ->  terminate stop
    }
    box    ->  end
  )");
  play.complete("a");
  EXPECT_EQ(play.waiting(), "a b");
  play.complete("a");
  EXPECT_EQ(play.state(), "completed");
}

}  // namespace
}  // namespace pawl::engine
