// SPDX-License-Identifier: Apache-2.0
// Crash at every step, exhaustively: each story is played once to count the operations of the disk,
// then once for every operation with the machine stopping in the middle of it. Whatever survives,
// the story must come to the same end, with every promise kept (G11, M17).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/worlds_for_test.hpp"

namespace pawl::testkit::sim {
namespace {

struct Story {
  const char* name;
  std::vector<std::string> drawings;
  std::function<void(World&)> play;
};

// A client that does not give up: as long as it was not told, it asks again.
void start_surely(World& world, const std::string& process = "p0", const std::string& id = "one") {
  for (int tries = 0; tries < 5; ++tries) {
    world.start(process, id);
    world.run_quietly();
    const Told told = world.asked().back().told;
    if (told == Told::yes || told == Told::no) return;  // no: it is there already
  }
}

void publish(World& world, const std::string& key, Millis ttl) {
  world.publish("m", key, ttl);
  world.run_quietly();
}

// Everybody to another process, but those who are there already.
void migrate(World& world, const std::string& process,
             const std::vector<runtime::MigrateRequest::Move>& moves) {
  for (int tries = 0; tries < 5; ++tries) {
    ASSERT_TRUE(world.node()->catch_up().has_value());
    for (const Key one : world.active_instances()) world.migrate(one, process, moves);
    world.run_quietly();
  }
}

void change_loops(World& world, int times) {
  for (int i = 0; i < times; ++i) {
    ASSERT_TRUE(world.node()->catch_up().has_value());
    for (const Key one : world.active_instances()) world.change_loop(one);
    world.run_quietly();
  }
}

void work(World& world, int times) {
  for (int i = 0; i < times; ++i) {
    ASSERT_TRUE(world.node()->catch_up().has_value());
    world.work();
    world.run_quietly();
  }
}

const std::string five_executions =
    "start  ->  script s   = if n = null then 1 else n + 1   into n\n"
    "s  ->  job a   type work\n a  ->  xor x\n"
    "x  ->  continue again   if n < 5\n x  ->  end done   otherwise\n";
const std::string waits_in_each =
    "start  ->  script s   = if n = null then 1 else n + 1   into n\n"
    "s  ->  receive w   on message m   key 1\n w  ->  xor x\n"
    "x  ->  continue again   if n < 3\n x  ->  end done   otherwise\n";
const std::string waits_late =
    "start  ->  job a   type work\n a  ->  receive w   on message m   key 1\n w  ->  end done\n";
const std::string race =
    "start  ->  events g\n g  ->  catch mail   on message m   key 1\n"
    "g  ->  catch time   after PT10S\n mail  ->  end by_mail\n time  ->  end by_time\n";
const std::string parallel_loop =
    "start  ->  script s   = for i in 1..40 return i   into items\n"
    "s  ->  job each1   type work   each items as item   collect item in out\n each1  ->  end\n";
const std::string long_script_loop =
    "start  ->  script s   = for i in 1..400 return i   into items\n"
    "s  ->  script each1   = item * 2   into r   each items as item   collect r in out\n"
    "each1  ->  end\n";
const std::string interrupted_loop =
    "start  ->  script s   = for i in 1..300 return i   into items\n"
    "s  ->  job each1   type work   each items as item\n each1  ->  end\n"
    "each1  ~>  end stopped   on message m   key 1\n";
const std::string sequential_loop =
    "start  ->  job each1   type work   times 4   sequential\n each1  ->  end\n";

const std::string ad_hoc_in_order =
    "start  ->  adhoc box   begins [\"a\", \"b\", \"a\"]   one by one   gathers n in out {\n"
    "job a   type work\n a  ->  script s   = 1   into n\n job b   type work\n }\n box  ->  end\n";
const std::string ad_hoc_cancelling =
    "start  ->  adhoc box   begins for i in 1..12 return \"a\"   ends when true {\n"
    "job a   type work\n }\n box  ->  end\n";

const std::string throws_error = "start  ->  job a   type work\n a  ->  error(E)\n";
const std::string catches_error =
    "start  ->  call c   process p0\n c  ->  end\n c  ~>  job b   on error E   type work\n"
    "b  ->  end caught\n";
const std::string calls_many =
    "start  ->  call c   process p0   times 6\n c  ->  end\n"
    "c  ~>  end stopped   on message m   key 1\n";
const std::string calls_in_turn =
    "start  ->  call c   process p0   times 3   sequential\n c  ->  end\n";

const std::string escalates =
    "start  ->  throw up   escalates E\n up  ->  job a   type work\n"
    "a  ->  throw more   escalates F\n more  ->  end last   escalates E\n";
const std::string hears =
    "start  ->  call c   process p0   times 3\n c  ->  end\n"
    "c  ~>  job n   on escalation   beside   type work\n n  ->  end noted\n";
const std::string gives_up =
    "start  ->  call c   process p0\n c  ->  end\n"
    "c  ~>  job n   on escalation F   type work\n n  ->  end noted\n";
const std::string undoes =
    "dialect plain\nstart  ->  sub box   times 20 {\n"
    "start  ->  script s   = loopCounter   into mine\n s  ->  end\n"
    "s  =>  job undo   type work\n}\n box  ->  throw t   undoes\n t  ->  end\n";
const std::string cancels =
    "dialect plain\nstart  ->  transaction box {\n start  ->  and fork\n"
    "fork  ->  script a   = 1   times 5\n fork  ->  job b   type work\n b  ->  end no   cancels\n"
    "fork  ->  sub c {\n start  ->  receive w   on message m   key 1\n }\n"
    "a  =>  job undo   type work\n}\n box  ->  end\n box  ~>  end gone   on cancel\n";
// Every kind of listener has a job, also the process itself, which is in no table of elements.
const std::string listens =
    "process   starting work   ending work\n"
    "start  ->  task a   each [1, 2] as i   before all work   starting work   ending work\n"
    "a  ->  end\n";
const std::string waits_and_works =
    "start  ->  and f\n f  ->  job a   type work\n f  ->  catch w   on message m   key 1\n"
    "a  ->  and j\n w  ->  j\n j  ->  end\n a  ~>  end late   after PT100S   beside\n";
const std::string waits_and_works_better =
    "start  ->  and f\n f  ->  job b   type work\n f  ->  catch v   on message m   key 1\n"
    "b  ->  and j\n v  ->  j\n j  ->  job last   type work\n last  ->  end\n"
    "b  ~>  end soon   after PT10S   beside\n";
const std::string loop_then_nothing = "start  ->  job a   type work   times 20\n a  ->  end\n";
const std::string loop_then_job =
    "start  ->  job a   type work   times 2\n a  ->  job last   type work\n last  ->  end\n";

const std::string joined_loop =
    "start  ->  job each1   type work   times 30   at once 5   join 3\n each1  ->  end\n";
const std::string repeated =
    "start  ->  job a   type work   repeat while loopCounter < 4\n a  ->  end\n";
const std::string tolerant_of_calls =
    "start  ->  call c   process p0   times 3   failures collect   collect r in out\n"
    "c  ->  end\n";
const std::string breaks =
    "start  ->  xor x\n x  ->  end   if missing > 1\n";  // a technical failure

const Story stories[] = {
    {"M17_a_loop_that_needs_only_some",
     {joined_loop},
     [](World& world) {
       start_surely(world);
       work(world, 8);
     }},
    {"M14_a_loop_that_operators_change",
     {loop_then_nothing},
     [](World& world) {
       start_surely(world);
       work(world, 2);
       change_loops(world, 8);
       work(world, 8);
     }},
    {"M17_a_standard_loop",
     {repeated},
     [](World& world) {
       start_surely(world);
       work(world, 8);
     }},
    {"M11_called_processes_that_fail_are_collected",
     {breaks, tolerant_of_calls},
     [](World& world) { start_surely(world, "p1"); }},
    {"Z469_an_instance_that_is_migrated_to_another_process",
     {waits_and_works, waits_and_works_better},
     [](World& world) {
       start_surely(world);
       migrate(world, "p1", {{"a", "b"}, {"w", "v"}});
       publish(world, "1", Millis(60'000));
       work(world, 4);
     }},
    {"Z469_a_token_that_waits_at_a_join_is_migrated",
     {waits_and_works, waits_and_works_better},
     [](World& world) {
       start_surely(world);
       publish(world, "1", Millis(60'000));
       migrate(world, "p1", {{"a", "b"}, {"w", "v"}});
       world.pass(Millis(20'000));
       work(world, 4);
     }},
    {"Z81_a_loop_that_is_migrated_and_continues",
     {loop_then_nothing, loop_then_job},
     [](World& world) {
       start_surely(world);
       work(world, 3);
       migrate(world, "p1", {});
       work(world, 12);
     }},
    {"G11_continue_as_new_over_many_executions",
     {five_executions},
     [](World& world) {
       start_surely(world);
       work(world, 20);
     }},
    {"G11_an_event_goes_to_the_newest_execution",
     {waits_in_each},
     [](World& world) {
       start_surely(world);
       for (int i = 0; i < 3; ++i) publish(world, "1", Millis(60'000));
     }},
    {"G11_an_early_event_without_time_to_live_is_dropped_and_a_later_one_taken",
     {waits_late},
     [](World& world) {
       start_surely(world);
       publish(world, "1", Millis(0));
       work(world, 4);
       publish(world, "1", Millis(0));
     }},
    {"G11_an_early_event_with_time_to_live_is_kept",
     {waits_late},
     [](World& world) {
       start_surely(world);
       publish(world, "1", Millis(600'000));
       work(world, 4);
     }},
    {"G11_an_event_after_the_end_is_ignored",
     {waits_late},
     [](World& world) {
       start_surely(world);
       work(world, 4);
       publish(world, "1", Millis(1'000));
       publish(world, "1", Millis(0));
     }},
    {"G11_an_event_before_the_timer",
     {race},
     [](World& world) {
       start_surely(world);
       publish(world, "1", Millis(0));
       world.pass(Millis(20'000));
     }},
    {"G11_a_timer_before_the_event",
     {race},
     [](World& world) {
       start_surely(world);
       world.pass(Millis(20'000));
       publish(world, "1", Millis(0));
     }},
    {"M17_a_parallel_loop_of_jobs",
     {parallel_loop},
     [](World& world) {
       start_surely(world);
       work(world, 12);
     }},
    {"Z82_listeners_around_a_process_and_a_loop",
     {listens},
     [](World& world) {
       start_surely(world);
       work(world, 20);
     }},
    {"M17_a_loop_over_several_turns",
     {long_script_loop},
     [](World& world) { start_surely(world); }},
    {"M17_a_loop_that_is_interrupted",
     {interrupted_loop},
     [](World& world) {
       start_surely(world);
       work(world, 2);
       publish(world, "1", Millis(0));
     }},
    {"M17_a_loop_that_is_cancelled",
     {interrupted_loop},
     [](World& world) {
       start_surely(world);
       for (const Key one : world.active_instances()) world.cancel(one);
       world.run_quietly();
     }},
    {"M17_an_ad_hoc_sub_process_in_order",
     {ad_hoc_in_order},
     [](World& world) {
       start_surely(world);
       work(world, 8);
     }},
    {"M17_an_ad_hoc_sub_process_that_cancels_the_rest",
     {ad_hoc_cancelling},
     [](World& world) {
       start_surely(world);
       work(world, 4);
     }},
    {"G11_a_call_activity",
     {one_job, calls},
     [](World& world) {
       start_surely(world, "p1");
       work(world, 4);
     }},
    {"G11_a_call_of_a_process_that_calls",
     {one_job, calls, "start  ->  call d   process p1\n d  ->  end\n"},
     [](World& world) {
       start_surely(world, "p2");
       work(world, 4);
     }},
    {"G11_an_error_that_the_caller_catches",
     {throws_error, catches_error},
     [](World& world) {
       start_surely(world, "p1");
       work(world, 8);
     }},
    {"G11_a_caller_that_is_cancelled",
     {one_job, calls, "start  ->  call d   process p1\n d  ->  end\n"},
     [](World& world) {
       start_surely(world, "p2");
       for (const Key one : world.active_instances()) world.cancel(one);
       world.run_quietly();
     }},
    {"M17_a_loop_of_calls",
     {one_job, calls_many},
     [](World& world) {
       start_surely(world, "p1");
       work(world, 14);
     }},
    {"M17_a_loop_of_calls_one_after_the_other",
     {one_job, calls_in_turn},
     [](World& world) {
       start_surely(world, "p1");
       work(world, 10);
     }},
    {"M17_a_loop_of_calls_that_is_interrupted",
     {one_job, calls_many},
     [](World& world) {
       start_surely(world, "p1");
       work(world, 2);
       publish(world, "1", Millis(0));
     }},
    {"G11_escalations_of_children_that_go_on",
     {escalates, hears},
     [](World& world) {
       start_surely(world, "p1");
       work(world, 16);
     }},
    {"G11_an_escalation_that_ends_the_child",
     {escalates, gives_up},
     [](World& world) {
       start_surely(world, "p1");
       work(world, 8);
     }},
    {"M17_what_iterations_did_is_undone",
     {undoes},
     [](World& world) {
       start_surely(world);
       work(world, 24);
     }},
    {"G11_a_transaction_that_is_cancelled",
     {cancels},
     [](World& world) {
       start_surely(world);
       work(world, 10);
     }},
    {"M17_a_sequential_loop",
     {sequential_loop},
     [](World& world) {
       start_surely(world);
       work(world, 10);
     }},
};

class Crash : public testing::TestWithParam<Story> {};

TEST_P(Crash, at_every_step_loses_nothing_and_doubles_nothing) {
  const Story& story = GetParam();
  Setting setting{.seed = 1, .segment_bytes = 16u << 10, .drawings = story.drawings};
  std::uint64_t first = 0, last = 0;
  {
    World world(setting);
    first = world.disk().operations();
    story.play(world);
    world.heal();
    last = world.disk().operations();
    ASSERT_EQ(world.check() + world.check_all_ended(), "");
  }
  ASSERT_GT(last, first);
  std::size_t crashes = 0;
  for (std::uint64_t at = first + 1; at <= last; ++at) {
    setting.seed = at;
    setting.resident_bytes = at % 2 == 0 ? 1 : 64u << 20;
    setting.faults.crash_at_io = at;
    World world(setting);
    story.play(world);
    world.heal();
    ASSERT_EQ(world.check() + world.check_all_ended(), "") << "crash at operation " << at;
    crashes += world.crashes();
  }
  EXPECT_GE(crashes, 2u);
}

INSTANTIATE_TEST_SUITE_P(Each, Crash, testing::ValuesIn(stories),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace pawl::testkit::sim
