// SPDX-License-Identifier: Apache-2.0
// What begins in an ad-hoc sub-process when it is entered, and when it completes. What others start
// in it is in ad_hoc_commands_test.cpp.
#include <gtest/gtest.h>

#include "engine/scope_names.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

constexpr const char* named = R"(
  start  ->  adhoc box   begins ids {
    job a
    a  ->  job b
    job c
    c  ~>  job late   after 1h
  }
  box    ->  end
)";

TEST(AdHoc, activates_exactly_the_named_elements) {  // Z446
  Play play(named, R"({"ids": ["a", "c"]})");
  EXPECT_EQ(play.waiting(), "a c");
  play.complete("a");
  EXPECT_EQ(play.waiting(), "c b");  // what follows comes by its flow
}

TEST(AdHoc, each_named_element_runs_in_an_inner_scope_of_its_own) {  // Z446
  Play play(named, R"({"ids": ["a", "c"]})");
  EXPECT_EQ(play.told("activating activated"),
            "activating drawn, activated drawn, activating start, activated start, "
            "activating box, activated box, "
            "activating box#path, activated box#path, activating a, activated a, "
            "activating box#path, activated box#path, activating c, activated c");
  const Instance& state = play.driver().instance();
  const ElementInstance* path_of_a = state.parent_of(*state.find(play.key_of("a")));
  const ElementInstance* path_of_c = state.parent_of(*state.find(play.key_of("c")));
  EXPECT_NE(path_of_a, path_of_c);
  for (const ElementInstance* path : {path_of_a, path_of_c}) {
    EXPECT_TRUE(path->is_path);
    EXPECT_EQ(state.parent_of(*path)->key, play.key_of("box"));
  }
}

TEST(AdHoc, with_an_empty_list_or_no_expression_it_waits) {  // Z447
  const std::pair<const char*, const char*> rows[] = {
      {named, R"({"ids": []})"},
      {"start  ->  adhoc box {\n job a\n }\n box  ->  end", "{}"},
  };
  for (const auto& [drawing, variables] : rows) {
    Play play(drawing, variables);
    EXPECT_EQ(play.state(), "waiting");
    EXPECT_TRUE(play.is_active("box"));
    EXPECT_EQ(play.waiting(), "");
    play.cancel();
    EXPECT_EQ(play.state(), "terminated");
  }
}

TEST(AdHoc, completes_when_the_last_path_has_ended) {  // Z448
  Play play(named, R"({"ids": ["a", "c"]})");
  play.complete("c").complete("a");
  EXPECT_TRUE(play.is_active("box"));
  play.complete("b");
  EXPECT_EQ(play.path(), "start c box#path a b box#path box end");
  EXPECT_EQ(play.state(), "completed");
}

TEST(AdHoc, completes_with_tasks_that_need_nobody) {  // Z448
  Play play(R"(
    start  ->  adhoc box   begins ["a", "b"] {
      task a
      script b   = 1   into done
    }
    box    ->  end
  )");
  EXPECT_EQ(play.path(), "start a b box#path box#path box end");
}

TEST(AdHoc, a_true_condition_cancels_the_rest_or_waits_for_it) {  // Z449
  for (const bool cancels : {true, false}) {
    const std::string rest = cancels ? "" : "   waits for the rest";
    Play play("start  ->  adhoc box   begins [\"a\", \"c\"]   ends when enough" + rest + " {\n" +
                  "job a\n job c\n }\n box  ->  end",
              R"({"enough": false})");
    play.complete("a", R"({"enough": true})");
    EXPECT_EQ(play.state(), cancels ? "completed" : "waiting");
    EXPECT_EQ(play.count("terminated c"), cancels ? 1 : 0);
    if (!cancels) play.complete("c", R"({"enough": false})");  // it has been decided
    EXPECT_EQ(play.state(), "completed") << play.trace();
  }
}

TEST(AdHoc, with_a_false_condition_it_stays_active_with_nothing_inside) {  // Z450
  Play play(R"(
    start  ->  adhoc box   begins ["a"]   ends when enough {
      job a
    }
    box    ->  end
  )",
            R"({"enough": false})");
  play.complete("a");
  EXPECT_EQ(play.state(), "waiting");
  EXPECT_TRUE(play.is_active("box"));
  EXPECT_EQ(play.rejection(CompleteAdHoc{play.key_of("box")}), "");
  EXPECT_EQ(play.state(), "completed");
}

TEST(AdHoc, the_condition_sees_the_variables_of_the_path) {  // Z449
  Play play(R"(
    start  ->  adhoc box   ends when last {
      job a
    }
    box    ->  end
  )",
            R"({"last": false})");
  const auto start = [&](bool last) {
    EXPECT_EQ(
        play.rejection(ActivateActivities{play.key_of("box"), {{"a", object({{"last", last}})}}}),
        "");
    play.complete("a");
  };
  start(false);
  EXPECT_EQ(play.state(), "waiting");
  start(true);
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"last":false})");
}

TEST(AdHoc, the_condition_sees_the_result_of_the_path) {  // Z449, Z451
  Play play(R"(
    start  ->  adhoc box   begins ["a","b"]   ends when count(all) = 2   gathers n in all {
      job a
      job b
    }
    box    ->  end
  )");
  play.complete("a", R"({"n":1})");
  EXPECT_EQ(play.waiting(), "b");
  play.complete("b", R"({"n":2})");
  EXPECT_EQ(play.state(), "completed") << play.trace();
  EXPECT_NE(play.variables().find(R"("all":[1,2])"), std::string::npos) << play.variables();
}

TEST(AdHoc, a_condition_that_is_no_boolean_stops_the_path) {  // Z449
  Play play(R"(
    start  ->  adhoc box   begins ["a"]   ends when enough {
      job a
    }
    box    ->  end
  )");
  play.complete("a");
  EXPECT_EQ(play.incident(),
            "EXTRACT_VALUE_ERROR at box: completion condition \"enough\" must give true or false, "
            "but gave "
            "null (null)\n  note   variable \"enough\" not found");
  play.set("", R"({"enough": true})");
  const Key incident = play.driver().incidents().begin()->first;
  EXPECT_EQ(play.rejection(ResolveIncident{incident}), "");
  EXPECT_EQ(play.state(), "completed") << play.trace();
}

constexpr const char* gathering = R"(
  start  ->  adhoc box   begins ["a", "b", "a"]   gathers result in results {
    job a
    job b
  }
  box    ->  end
)";

TEST(AdHoc, gathers_results_in_the_order_of_completion) {  // Z451
  Play play(gathering);
  EXPECT_EQ(play.visible("b"), R"({"result":null,"results":[]})");
  play.complete("b", R"({"result": "B"})").complete("a", R"({"result": 1})");
  const Instance& state = play.driver().instance();
  const auto seen = visible_value(state, state.slot_of.find(play.key_of("a")), "results");
  EXPECT_EQ(to_json(*seen), R"(["B",1])");
  EXPECT_EQ(play.variables(), "{}");  // it leaves when the sub-process completes
  play.complete("a");
  EXPECT_EQ(play.variables(), R"({"results":["B",1,null]})");
}

TEST(AdHoc, a_list_that_somebody_sets_counts_and_anything_else_is_an_incident) {  // Z451
  Play play(gathering);
  play.complete("b", R"({"result": "B"})");
  play.set("box", R"({"results": "none"})", true);
  play.complete("a", R"({"result": 1})");
  EXPECT_EQ(play.incident(),
            "EXTRACT_VALUE_ERROR at box: output collection \"results\" must be a list, but was "
            "replaced by string; set it to a list again");
  play.set("box", R"({"results": ["set"]})", true);
  const Key incident = play.driver().incidents().begin()->first;
  EXPECT_EQ(play.rejection(ResolveIncident{incident}), "");
  play.complete("a", R"({"result": 2})");
  EXPECT_EQ(play.variables(), R"({"results":["set",1,2]})");
}

TEST(AdHoc, wrong_ids_are_an_incident_until_they_are_right) {  // Z453
  const std::pair<const char*, const char*> rows[] = {
      {"null", "must give a list of element ids, but gave null"},
      {"\"a\"", "must give a list of element ids, but gave \"a\" (string)"},
      {"[\"a\", 1]", "must give a list of element ids, but gave [\"a\",1] (list)"},
      {"[\"a\", null]", "must give a list of element ids"},
      {"[\"x\"]",
       "there is no element \"x\" in ad-hoc sub-process \"box\"; it can start \"a\", \"c\""},
      {"[\"start\"]", "there is no element \"start\" in ad-hoc sub-process \"box\""},
      {"[\"a\", \"b\"]",
       "service task \"b\" is not where a path of ad-hoc sub-process \"box\" starts"},
      {"[\"c~1h\"]", "boundary event \"c~1h\" is not where a path"},
  };
  for (const auto& [ids, expected] : rows) {
    Play play(named, "{\"ids\": " + std::string(ids) + "}");
    EXPECT_TRUE(play.incident().starts_with("EXTRACT_VALUE_ERROR at box: ")) << play.incident();
    EXPECT_NE(play.incident().find(expected), std::string::npos) << play.incident();
    EXPECT_EQ(play.count("activated box"), 0);
    play.set("", R"({"ids": ["a"]})").resolve("box");
    play.complete("a").complete("b");
    EXPECT_EQ(play.state(), "completed");
  }
}

TEST(AdHoc, too_many_ids_are_an_incident) {
  Play play("start  ->  adhoc box   begins for i in 1..1001 return \"a\" {\n job a\n }");
  EXPECT_NE(play.incident().find("gives 1001 elements; the limit is 1000"), std::string::npos);
}

constexpr const char* plain_one_by_one = R"(
  dialect plain
  start  ->  adhoc box   one by one {
    job a
    a  ->  job b
    job c
  }
  box    ->  end
)";

TEST(AdHoc, in_a_plain_model_all_that_nothing_leads_to_begins) {
  Play play("dialect plain\n start  ->  adhoc box {\n job a\n a  ->  job b\n job c\n }");
  EXPECT_EQ(play.waiting(), "a c");
  play.complete("a").complete("c").complete("b");
  EXPECT_EQ(play.state(), "completed");
}

TEST(AdHoc, in_order_means_one_path_after_the_other) {  // C178, and pattern 17
  Play play(plain_one_by_one);
  EXPECT_EQ(play.waiting(), "a");
  play.complete("a");
  EXPECT_EQ(play.waiting(), "b");
  play.complete("b");
  EXPECT_EQ(play.waiting(), "c");
  play.complete("c");
  EXPECT_EQ(play.path(), "start a b box#path c box#path box end");
}

TEST(AdHoc, named_elements_run_in_order_too) {  // Z446, C177
  Play play(R"(
    start  ->  adhoc box   begins ["b", "a", "b"]   one by one   gathers n in all {
      job a
      task b   in x = 1
    }
  )");
  EXPECT_EQ(play.waiting(), "a");
  EXPECT_EQ(play.count("completed b"), 1);
  play.complete("a", R"({"n": 5})");
  EXPECT_EQ(play.variables(), R"({"all":[null,5,null]})");
}

TEST(AdHoc, paths_that_wait_for_their_turn_end_with_the_rest) {  // C179
  for (const char* rest : {"", "   waits for the rest"}) {
    Play play("start  ->  adhoc box   begins [\"a\", \"b\"]   one by one   ends when true" +
              std::string(rest) + " {\n job a\n job b\n }");
    EXPECT_EQ(play.waiting(), "a");
    play.complete("a");
    EXPECT_EQ(play.state(), "completed") << play.trace();
    EXPECT_EQ(play.count("terminated b"), 1);
    EXPECT_EQ(play.count("activated b"), 0);
  }
}

TEST(AdHoc, is_cancelled_from_the_inside_out) {  // S7
  Play play(plain_one_by_one);
  play.cancel();
  EXPECT_EQ(play.told("terminated job-canceled"),
            "job-canceled a, terminated a, terminated box#path, terminated c, "
            "terminated box#path, terminated box, terminated drawn");
}

TEST(AdHoc, tells_the_same_story_however_its_turns_are_cut) {
  const auto process = testkit::draw(R"(
    start  ->  adhoc box   begins ["a", "c", "a"]   ends when n = 2   gathers n in all {
      task a
      a  ->  job b
      job c
    }
    box    ->  end
  )");
  const auto play_through = [](Play& play) {
    play.complete("b", R"({"n": 1})").complete("c", R"({"n": 2})");
    EXPECT_EQ(play.state(), "completed");
    EXPECT_EQ(play.variables(), R"({"all":[1,2]})");
  };
  Play whole(process);
  play_through(whole);
  for (const std::size_t steps : {1, 2, 3}) {
    Play cut(process, "{}", steps);
    play_through(cut);
    EXPECT_EQ(cut.story(), whole.story());
  }
}

}  // namespace
}  // namespace pawl::engine
