// SPDX-License-Identifier: Apache-2.0
// Execution listeners: when they run, what becomes of their results and failures, on each kind of
// element.
#include "engine/listeners.hpp"

#include <gtest/gtest.h>

#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using Processes = std::vector<Play::Named>;
using namespace std::chrono_literals;

// Completes whatever job is open, the oldest first, until there is none; gives their types.
std::string work_off(Play& play) {
  std::string types;
  while (!play.driver().open_jobs().empty()) {
    const Key job = *play.driver().open_jobs().begin();
    const std::string type = play.driver().home_of(job).find_job_owner(job)->job->type.string();
    types += (types.empty() ? "" : " ") + type;
    EXPECT_EQ(play.rejection(CompleteJob{job, {}}), "") << play.trace();
  }
  return types;
}

std::string types_created(const Play& play) {
  std::string types;
  for (const std::string& line : play.story("job-created")) {
    const std::size_t from = line.find("type=") + 5;
    types += (types.empty() ? "" : " ") + line.substr(from, line.find(' ', from) - from);
  }
  return types;
}

TEST(Listeners, run_one_after_the_other_between_mappings_and_work) {
  Play play(R"(
    start  ->  job a   in x = 1   out y = 2   starting s1   starting s2   ending e1   ending e2
    a  ->  end
  )");
  EXPECT_EQ(work_off(play), "s1 s2 a e1 e2");
  EXPECT_EQ(play.told("created job-created activated job-completed completing completed updated"),
            "activated drawn, activated start, completing start, completed start, "
            "created x=1 in a, job-created a type=s1 retries=3, job-completed a, "
            "job-created a type=s2 retries=3, job-completed a, activated a, "
            "job-created a type=a retries=3, job-completed a, completing a, created y=2 in drawn, "
            "job-created a type=e1 retries=3, job-completed a, job-created a type=e2 retries=3, "
            "job-completed a, completed a, activated end, completing end, completed end, "
            "completing drawn, completed drawn");
}

TEST(Listeners, run_on_every_kind_of_element) {
  struct Row {
    const char* drawing;
    const char* types;
    void (*happens)(Play&) = nullptr;
  };
  const Row rows[] = {
      {"start  ->  task x   starting s   ending e\n x  ->  end", "s e"},
      {"start  ->  manual x   starting s   ending e\n x  ->  end", "s e"},
      {"start  ->  script x   = 1   into n   starting s   ending e\n x  ->  end", "s e"},
      {"start  ->  user x   starting s   ending e\n x  ->  end", "s user-task:x e"},
      {"start  ->  receive x   on message m   starting s   ending e\n x  ->  end", "s e",
       [](Play& play) { play.publish("m"); }},
      {"start  ->  catch x   on signal g   starting s   ending e\n x  ->  end", "s e",
       [](Play& play) { play.signal("g"); }},
      {"start  ->  catch x   after 1h   starting s   ending e\n x  ->  end", "s e",
       [](Play& play) { play.pass(1h); }},
      {"start  ->  throw x   starting s   ending e\n x  ->  end", "s e"},
      {"start  ->  end x   starting s   ending e", "s e"},
      {"start  ->  terminate x   starting s   ending e", "s e"},
      {"start  ->  task a\n a  ->  end\n start   starting s   ending e", "s e"},
      {"start  ->  xor x   starting s   ending e\n x  ->  end", "s e"},
      {"start  ->  or x   starting s   ending e\n x  ->  end   if true", "s e"},
      {"start  ->  and x   starting s   ending e\n x  ->  task a\n x  ->  task b\n"
       "a  ->  and j   starting js   ending je\n b  ->  j\n j  ->  end",
       "s e js je"},
      {"start  ->  sub x   starting s   ending e {\n start  ->  job in\n in  ->  end\n }\n"
       "x  ->  end",
       "s in e"},
      {"start  ->  transaction x   starting s   ending e {\n start  ->  end\n }\n x  ->  end",
       "s e"},
      {"start  ->  events x   starting s\n x  ->  catch a   on message m\n"
       "x  ->  catch b   after 1h\n a  ->  end\n b  ->  end",
       "s", [](Play& play) { play.publish("m"); }},
      {"start  ->  events g\n g  ->  catch x   on message m   starting s   ending e\n"
       "g  ->  receive b   on message n\n x  ->  end\n b  ->  end",
       "s e", [](Play& play) { play.publish("m"); }},
      {"start  ->  receive a   on message n\n a  ->  end\n"
       "handler x   on message m   starting s   ending e {\n start  ->  job in\n in  ->  end\n }",
       "s in e", [](Play& play) { play.publish("m"); }},
      {"start  ->  job a\n a  ->  end\n process   starting s   ending e", "s a e"},
  };
  for (const Row& row : rows) {
    Play play(row.drawing);
    std::string types = work_off(play);
    if (row.happens) {
      row.happens(play);
      const std::string after = work_off(play);
      types += (types.empty() || after.empty() ? "" : " ") + after;
    }
    EXPECT_EQ(play.state(), "completed") << row.drawing << "\n" << play.trace();
    EXPECT_EQ(types, row.types) << row.drawing;
  }
}

TEST(Listeners, of_a_boundary_event_run_when_it_has_caught_something) {
  Play play(R"(
    start  ->  job a
    a  ->  end
    a  ~>  end caught   on error E
    a~E   starting s   ending e
  )");
  play.throw_error("a", "E", "", R"({"why":"x"})");
  EXPECT_EQ(play.visible("a~E"), R"({"why":"x"})");
  EXPECT_EQ(work_off(play), "s e");
  EXPECT_EQ(play.path(), "start a~E caught");
}

TEST(Listeners, of_the_start_have_results_that_only_the_element_sees) {
  Play play(R"(
    start  ->  job a   starting s   type =kind
    a  ->  end
  )");
  EXPECT_EQ(play.complete("a", R"({"kind":"heavy"})").waiting(), "a");
  EXPECT_EQ(types_created(play), "s heavy");
  EXPECT_EQ(play.visible("a"), R"({"kind":"heavy"})");
  EXPECT_EQ(play.complete("a").variables(), "{}");
}

TEST(Listeners, may_supply_what_the_element_waits_for) {
  Play play(R"(
    start  ->  receive a   on message m   key order   starting s
    a  ->  end
  )");
  EXPECT_EQ(play.waits(), "");
  play.complete("a", R"({"order":7})");
  EXPECT_EQ(play.waits(), "m:7 at a");
  EXPECT_EQ(play.publish("m:7").state(), "completed");
}

TEST(Listeners, of_the_end_have_results_that_go_where_those_of_a_task_go) {
  struct Row {
    const char* drawing;
    const char* variables;
  };
  const Row rows[] = {
      {"start  ->  job a   ending e\n a  ->  job b\n", R"({"r":1})"},
      // Output mappings are done: they do not keep what comes after them.
      {"start  ->  job a   out y = 2   ending e\n a  ->  job b\n", R"({"y":2,"r":1})"},
      {"start  ->  sub box {\n start  ->  job a   ending e\n a  ->  end\n }\n box  ->  job b\n",
       R"({"r":1})"},
      {"dialect plain\n start  ->  sub box {\n start  ->  job a   ending e\n a  ->  end\n }\n"
       "box  ->  job b\n",
       R"({"r":1})"},
      {"start  ->  job a   in r = 5   ending e\n a  ->  job b\n", R"({"r":1})"},
  };
  for (const Row& row : rows) {
    Play play(row.drawing);
    play.complete("a").complete("a", R"({"r":1})");
    EXPECT_EQ(play.waiting(), "b") << row.drawing << "\n" << play.trace();
    EXPECT_EQ(play.variables(), row.variables) << row.drawing;
  }
}

TEST(Listeners, of_a_gateway_may_decide_which_flow_it_takes) {
  Play play(R"(
    start  ->  xor x   ending e
    x  ->  end many   if n > 1
    x  ->  end few    otherwise
  )",
            R"({"n":0})");
  EXPECT_EQ(play.complete("x", R"({"n":2})").path(), "start x many");
}

TEST(Listeners, of_the_process_see_its_beginning_and_its_end) {
  Play play(Processes{
      {"p", "process   starting s   ending e\n start  ->  call c   process k\n c  ->  end"},
      {"k", "process   starting ks   ending ke\n start  ->  job j\n j  ->  end"}});
  EXPECT_EQ(play.waiting(), "p");
  play.complete("p", R"({"a":1})");
  EXPECT_EQ(play.variables(), R"({"a":1})");
  EXPECT_EQ(play.waiting(), "k");
  play.complete("k", R"({"b":2})").complete("j").complete("k", R"({"c":3})");
  EXPECT_EQ(play.waiting(), "p");
  EXPECT_EQ(play.complete("p", R"({"d":4})").state(), "completed");
  EXPECT_EQ(play.variables(), R"({"a":1,"b":2,"c":3,"d":4})");
}

TEST(Listeners, without_retries_left_are_an_incident_and_offered_again_when_it_is_resolved) {
  for (const char* when : {"starting", "ending"}) {
    Play play(std::string("start  ->  task a   ") + when + " l\n a  ->  end");
    play.fail("a", 0, "no luck");
    EXPECT_EQ(play.incident(),
              "JOB_NO_RETRIES at a: job \"l\" has failed and has no retries left: no luck");
    const Key incident = play.driver().incidents().begin()->first;
    EXPECT_NE(play.rejection(ResolveIncident{incident}).find("no retries left"), std::string::npos);
    play.retries("a", 1).resolve("a");
    EXPECT_EQ(play.waiting(), "a") << play.trace();
    EXPECT_EQ(play.complete("a").state(), "completed");
    EXPECT_EQ(types_created(play), "l");
  }
}

TEST(Listeners, are_tried_again_as_long_as_there_are_retries) {
  Play play("start  ->  task a   starting s\n a  ->  end");
  play.fail("a", 2, "later", 10s, R"({"tried":1})");
  EXPECT_EQ(play.waiting(), "");
  EXPECT_EQ(play.pass(10s).waiting(), "a");
  EXPECT_EQ(play.visible("a"), R"({"tried":1})");
  EXPECT_EQ(play.complete("a").state(), "completed");
}

TEST(Listeners, whose_type_cannot_be_evaluated_are_an_incident_that_repeats_no_mapping) {
  Play play(
      "start  ->  task a   in n = n + 1   out m = n   starting =kind   ending =kind\n a -> end",
      R"({"n":1})");
  EXPECT_EQ(play.incident().substr(0, 24), "EXTRACT_VALUE_ERROR at a") << play.trace();
  play.set("a", R"({"n":10})", true);
  play.set("", R"({"kind":"k"})").resolve("a");
  EXPECT_EQ(work_off(play), "k k");
  EXPECT_EQ(play.variables(), R"({"n":1,"kind":"k","m":10})");
}

TEST(Listeners, that_throw_are_caught_as_if_the_element_did) {
  struct Row {
    const char* drawing;
    int done;  // jobs that are completed first
    const char* path;
  };
  const Row rows[] = {
      {"start  ->  job a   starting s\n a  ->  end\n a  ~>  end caught   on error E", 0,
       "start a~E caught"},
      {"start  ->  job a   ending e\n a  ->  end\n a  ~>  end caught   on error E", 1,
       "start a~E caught"},
      {"start  ->  sub box {\n start  ->  xor a   starting s\n a  ->  end\n }\n box  ->  end\n"
       "box  ~>  end caught   on error E",
       0, "start box.start box~E caught"},
      {"start  ->  job a   before all b   times 2\n a  ->  end\n a  ~>  end caught   on error E", 0,
       "start a~E caught"},
      {"start  ->  job a   starting s   times 1\n a  ->  end\n a  ~>  end caught   on error E", 0,
       "start a~E caught"},
  };
  for (const Row& row : rows) {
    Play play(row.drawing);
    for (int i = 0; i < row.done; ++i) play.complete("a");
    play.throw_error("a", "E");
    EXPECT_EQ(play.path(), row.path) << row.drawing << "\n" << play.trace();
    EXPECT_EQ(play.waiting(), "");
  }
}

TEST(Listeners, that_throw_what_nothing_catches_are_offered_again_after_the_incident) {
  Play play("start  ->  task a   ending e\n a  ->  end\n process   ending last");
  play.throw_error("a", "E");
  EXPECT_EQ(play.incident().substr(0, 26), "UNHANDLED_ERROR_EVENT at a");
  play.resolve("a").complete("a");
  play.throw_error("drawn", "E");
  EXPECT_EQ(play.incident().substr(0, 30), "UNHANDLED_ERROR_EVENT at drawn");
  EXPECT_EQ(play.resolve("drawn").complete("drawn").state(), "completed");
}

TEST(Listeners, of_a_called_process_throw_at_the_call) {
  Play play(Processes{
      {"p", "start  ->  call c   process k\n c  ->  end\n c  ~>  end caught   on error E"},
      {"k", "process   starting s\n start  ->  end"}});
  EXPECT_EQ(play.throw_error("k", "E").path(), "start c~E caught") << play.trace();
}

TEST(Listeners, are_cancelled_with_their_element) {
  struct Row {
    const char* drawing;
    int done;
    void (*happens)(Play&);
    const char* state;
  };
  const auto cancel = [](Play& play) { play.cancel(); };
  const auto late = [](Play& play) { play.pass(1h); };
  const Row rows[] = {
      {"start  ->  job a   starting s\n a  ->  end", 0, cancel, "terminated"},
      {"start  ->  job a   ending e\n a  ->  end", 1, cancel, "terminated"},
      {"start  ->  task a\n a  ->  end\n process   starting s", 0, cancel, "terminated"},
      {"start  ->  task a\n a  ->  end\n process   ending e", 0, cancel, "terminated"},
      {"start  ->  job a   before all b   times 2\n a  ->  end", 0, cancel, "terminated"},
      // What is on its border is waited for until it has left, but not before it has begun.
      {"start  ->  job a   ending e\n a  ->  end\n a  ~>  end   after 1h", 1, late, "completed"},
      {"start  ->  job a   starting s\n a  ->  end\n a  ~>  end   after 1h", 0, late, "waiting"},
      {"start  ->  sub box {\n start  ->  job a   starting s\n a  ->  end\n }\n box  ->  end\n"
       "box  ~>  end late   after 1h",
       0, late, "completed"},
  };
  for (const Row& row : rows) {
    Play play(row.drawing);
    for (int i = 0; i < row.done; ++i) play.complete("a");
    ASSERT_EQ(play.driver().open_jobs().size(), 1u) << row.drawing;
    const Key job = *play.driver().open_jobs().begin();
    row.happens(play);
    EXPECT_EQ(play.state(), row.state) << row.drawing << "\n" << play.trace();
    const bool gone = play.state() != "waiting";
    EXPECT_EQ(play.rejection(CompleteJob{job, {}}) != "", gone) << row.drawing;
  }
}

TEST(Listeners, Z82_start_and_end_run_for_each_iteration_of_a_loop) {  // C102
  for (const char* dialect : {"zeebe", "plain", "camunda7"}) {
    Play play(std::string("dialect ") + dialect +
              "\n start  ->  job a   times 3   sequential   starting s   ending e\n a  ->  end");
    EXPECT_EQ(work_off(play), "s a e s a e s a e") << dialect;
    EXPECT_EQ(play.state(), "completed");
  }
  Play parallel("start  ->  job a   times 2   starting s   ending e\n a  ->  end");
  EXPECT_EQ(parallel.waiting(), "a a");
  EXPECT_EQ(work_off(parallel), "s s a a e e");
}

TEST(Listeners, Z82_before_all_runs_once_on_the_body_and_may_supply_the_collection) {
  Play play(R"(
    start  ->  job a   each items as item   collect item in out   before all b1   before all b2
    a  ->  job z
  )");
  EXPECT_EQ(play.told("job-created loop-started"), "job-created a#body type=b1 retries=3");
  play.complete("a", R"({"items":[1],"tax":5})").complete("a", R"({"items":["x","y"]})");
  EXPECT_EQ(play.waiting(), "a a") << play.trace();
  const Key iteration = play.driver().instance().find_job_owner(play.job_of("a"))->key;
  EXPECT_EQ(to_json(play.driver().variables_of(iteration)),
            R"({"item":"x","loopCounter":1,"items":["x","y"],"tax":5})");
  EXPECT_EQ(work_off(play), "a a z");
  EXPECT_EQ(play.variables(), R"({"out":["x","y"]})");
}

TEST(Listeners, Z82_what_before_all_gives_is_checked_when_it_is_used) {
  Play play("start  ->  job a   each items as item   before all b\n a  ->  end");
  play.complete("a", R"({"items":7})");
  EXPECT_EQ(play.incident().substr(0, 26), "EXTRACT_VALUE_ERROR at a: ");
  play.set("a", R"({"items":[1]})", true).resolve("a");
  EXPECT_EQ(work_off(play), "a");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(types_created(play), "b a");
}

TEST(Listeners, Z82_the_end_of_an_iteration_may_make_its_output) {
  for (const char* dialect : {"zeebe", "plain"}) {
    Play play(std::string("dialect ") + dialect +
              "\n start  ->  task a   times 2   collect r in out   ending e\n a  ->  job z");
    play.complete("a", R"({"r":"first"})").complete("a", R"({"r":"second"})");
    EXPECT_EQ(play.variables(), R"({"out":["first","second"]})") << dialect << play.trace();
  }
}

TEST(Listeners, Z82_a_loop_that_starts_again_does_not_ask_before_all_again) {
  Play play("dialect camunda7\n start  ->  job a   times 1   before all b\n a  ->  end");
  play.complete("a").fail("a", 0, "no");
  EXPECT_EQ(play.state(), "incident");
  play.resolve("a");
  EXPECT_EQ(work_off(play), "a") << play.trace();
  EXPECT_EQ(play.state(), "completed");
}

TEST(Listeners, fail_an_iteration_as_its_work_would) {
  Play play(R"(
    start  ->  task a   times 2   failures tolerate 1   starting s
    a  ->  end
  )");
  play.fail("a", 0, "no");
  EXPECT_EQ(play.count("iteration-failed a"), 1) << play.trace();
  EXPECT_EQ(play.complete("a").state(), "completed");
}

TEST(Listeners, results_of_a_call_are_taken_once) {
  Play play(Processes{{"p", R"(
               dialect camunda7
               start  ->  call c   process k   take n as n   ending e
               c  ->  job z
             )"},
                      {"k", "start  ->  script s   = 1   into n\n s  ->  end"}});
  play.set("", R"({"n":2})").complete("c");
  EXPECT_EQ(play.variables(), R"({"n":2})") << play.trace();
}

TEST(Listeners, leave_a_turn_that_is_cut_after_each_step_the_same) {
  const auto process = testkit::draw(R"(
    process   starting ps   ending pe
    start  ->  and x   ending xe
    x  ->  job a   each [1, 2] as i   before all b   starting s   ending e
    x  ->  sub box   ending be {
      start  ->  task t   starting ts
      t  ->  end
    }
    a  ->  and j   starting js
    box  ->  j
    j  ->  end
  )");
  for (const std::size_t steps : {1u, 2u, 1'000u}) {
    Play play(process, "{}", steps);
    EXPECT_EQ(work_off(play), "ps xe b ts s s be a a e e js pe") << play.trace();
    EXPECT_EQ(play.state(), "completed");
  }
}

}  // namespace
}  // namespace pawl::engine
