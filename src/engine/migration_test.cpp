// SPDX-License-Identifier: Apache-2.0
// Migration: what is kept, what is refused. Events on borders and inside are in
// migration_events_test.cpp.
#include <gtest/gtest.h>

#include "engine/apply.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::draw;
using testkit::Play;
using namespace std::chrono_literals;

TEST(Migration, Z469_a_task_keeps_its_job_and_goes_on_in_the_other_process) {
  Play play("start  ->  job pay   in x = 1\n pay  ->  end", R"({"a": 1})");
  const Key element = play.key_of("pay");
  const Key job = play.job_of("pay");
  const auto target =
      draw("start  ->  job collect   out y = x\n collect  ->  job ship\n ship  ->  end");
  ASSERT_EQ(play.migrate(target, "pay=collect"), "") << play.trace();
  EXPECT_EQ(play.key_of("collect"), element);
  EXPECT_EQ(play.job_of("collect"), job);
  EXPECT_EQ(play.variables("collect"), R"({"x":1})");
  EXPECT_EQ(play.told("migrated job-created"),
            "job-created pay type=pay retries=3, migrated to drawn 2");
  play.complete("collect");
  EXPECT_EQ(play.waiting(), "ship") << play.trace();
  EXPECT_EQ(play.variables(), R"({"a":1,"y":1})");
  EXPECT_EQ(play.complete("ship").path(), "start collect ship end");
}

TEST(Migration, Z469_incidents_keep_their_keys_and_are_resolved_by_the_other_process) {
  Play play("start  ->  job pay\n pay  ->  xor route\n route  ->  end   if missing > 1");
  play.complete("pay");
  const Key incident = play.driver().incidents().begin()->first;
  ASSERT_EQ(play.migrate(draw("start  ->  xor way\n way  ->  end done   if a = 1"), "route=way"),
            "");
  EXPECT_EQ(play.driver().incidents().begin()->first, incident);
  EXPECT_EQ(play.set("", R"({"a": 1})").resolve("way").path(), "start pay way done");
}

TEST(Migration, Z469_a_failed_job_keeps_its_incident_and_its_retries) {
  Play play("start  ->  job pay\n pay  ->  end");
  play.fail("pay", 0, "no money");
  ASSERT_EQ(play.migrate(draw("start  ->  job pay\n pay  ->  end other"), "pay"), "");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_EQ(play.retries("pay", 1).resolve("pay").complete("pay").path(), "start pay other");
}

TEST(Migration, Z469_timers_and_messages_of_catch_events_stay_as_they_were_opened) {
  Play timer("start  ->  catch w   after 2h\n w  ->  end");
  timer.pass(1h);
  ASSERT_EQ(timer.migrate(draw("start  ->  catch v   after 9h\n v  ->  end late"), "w=v"), "");
  EXPECT_EQ(timer.waits(), "+3600s at v") << timer.trace();
  EXPECT_EQ(timer.pass(1h).path(), "start v late");

  Play mail("start  ->  catch w   on message paid   key 7\n w  ->  end");
  const Key subscription = mail.subscription_of("w");
  ASSERT_EQ(mail.migrate(draw("start  ->  catch v   on message done\n v  ->  end late"), "w=v"),
            "");
  EXPECT_EQ(mail.subscription_of("v"), subscription);
  EXPECT_EQ(mail.publish("paid:7").path(), "start v late");
}

TEST(Migration, Z469_scopes_and_what_is_in_them_move_together) {
  Play play("start  ->  sub box {\n start  ->  job a\n a  ->  end\n }\n box  ->  end");
  const auto target = draw(
      "start  ->  job before\n before  ->  sub crate {\n start  ->  job b\n b  ->  job c\n }\n"
      "crate  ->  end done");
  ASSERT_EQ(play.migrate(target, "box=crate a=b"), "");
  EXPECT_EQ(play.complete("b").waiting(), "c");
  EXPECT_EQ(play.complete("c").state(), "completed");
}

TEST(Migration, Z469_a_call_activity_goes_on_waiting_for_the_same_child) {
  Play play(std::vector<Play::Named>{{"parent", "start  ->  call c   process child\n c  ->  end"},
                                     {"child", "start  ->  job work\n work  ->  end"}});
  const auto target = draw("start  ->  call d   process other\n d  ->  job after\n after  ->  end");
  ASSERT_EQ(play.migrate(target, "c=d"), "");
  EXPECT_EQ(play.complete("work").waiting(), "after") << play.trace();
}

TEST(Migration, Z81_a_parallel_body_and_its_iterations_continue) {
  Play play("start  ->  job a   each [1,2,3] as i   collect r in all\n a  ->  end");
  play.complete("a", R"({"r": 10})");
  const auto target = draw("start  ->  job b   each [] as j   collect r in every\n b  ->  end");
  ASSERT_EQ(play.migrate(target, "a=b"), "");
  play.complete("b", R"({"r": 20})").complete("b", R"({"r": 30})");
  EXPECT_EQ(play.state(), "completed") << play.trace();
  EXPECT_EQ(play.variables(), R"({"every":[10,20,30]})");
}

TEST(Migration, Z81_later_iterations_of_a_sequential_body_follow_the_other_process) {
  Play play("start  ->  job a   each [1,2] as i   collect r in all   sequential\n a  ->  end");
  const auto target =
      draw("start  ->  job b   each [] as j   collect s in every   sequential\n b  ->  end");
  play.complete("a", R"({"r": 10})");
  ASSERT_EQ(play.migrate(target, "a=b"), "");
  ASSERT_EQ(play.complete("b", R"({"s": 5})").state(), "completed") << play.trace();
  Play early("start  ->  job a   each [1,2] as i   collect r in all   sequential\n a  ->  end");
  ASSERT_EQ(early.migrate(target, "a=b"), "");
  early.complete("b");
  EXPECT_EQ(early.count("created j=2 in b"), 1) << early.trace();
  EXPECT_EQ(early.complete("b", R"({"s": 20})").variables(), R"({"every":[null,20]})");
}

TEST(Migration, a_join_that_needs_no_more_tokens_fires) {
  Play play(
      "start  ->  and fork\n fork  ->  job a\n fork  ->  job b\n a  ->  and join\n"
      "b  ->  join\n join  ->  end");
  play.complete("a");
  const auto target = draw(
      "start  ->  and fork\n fork  ->  job a\n fork  ->  job b\n fork  ->  job c\n a  ->  and "
      "join\n"
      "b  ->  job b2\n b2  ->  join\n join  ->  end");
  ASSERT_EQ(play.migrate(target, "a b join"), "");
  EXPECT_EQ(play.complete("b").waiting(), "b2");
  EXPECT_EQ(play.complete("b2").path(), "start fork a b b2 join end");
}

TEST(Migration, tokens_at_an_inclusive_join_are_counted_anew) {
  const char* const drawing =
      "start  ->  or fork\n fork  ->  job a   if true\n fork  ->  job b   if true\n a  ->  or "
      "join\n"
      "b  ->  join\n join  ->  end";
  Play gone(drawing);
  gone.complete("a");
  const auto leads_away = draw(
      "start  ->  or fork\n fork  ->  job a   if true\n fork  ->  job b   if true\n a  ->  or "
      "join\n"
      "fork  ->  job c   if true\n c  ->  join\n b  ->  end aside\n join  ->  end");
  ASSERT_EQ(gone.migrate(leads_away, "a b join"), "");
  EXPECT_EQ(gone.path(), "start fork a join end") << "nothing can reach it any more";
  EXPECT_EQ(gone.waiting(), "b");

  Play kept(drawing);
  kept.complete("a");
  ASSERT_EQ(kept.migrate(draw(drawing), "b join"), "") << "the flow has the same id";
  EXPECT_EQ(kept.complete("b").state(), "completed");
}

TEST(Migration, goes_from_version_to_version) {
  Play play("start  ->  job a\n a  ->  end");
  ASSERT_EQ(play.migrate(draw("start  ->  job b\n b  ->  end"), "a=b"), "");
  ASSERT_EQ(play.migrate(draw("start  ->  job x\n x  ->  job c\n c  ->  end last"), "b=c"), "");
  EXPECT_EQ(play.complete("c").path(), "start c last");
}

TEST(Migration, elements_may_change_places) {
  Play play("start  ->  and f\n f  ->  job a\n f  ->  job b\n a  ->  end x\n b  ->  end y");
  const Key a = play.key_of("a");
  ASSERT_EQ(play.migrate(play.process(), "a=b b=a"), "");
  EXPECT_EQ(play.key_of("b"), a);
  EXPECT_EQ(play.complete("b").path(), "start f b y");
}

struct RefusedMigration {
  const char* source;
  const char* target;
  const char* moves;
  const char* why;
};

TEST(Migration, Z468_is_refused_and_changes_nothing) {
  const RefusedMigration rows[] = {
      {"start  ->  job a", "start  ->  job a", "", "active element \"a\" is not mapped"},
      {"start  ->  job a", "start  ->  user a", "a",
       "\"a\" is a service task, \"a\" is a user task"},
      {"start  ->  catch a   on message m", "start  ->  catch a   on signal m", "a",
       "the event of \"a\" is message, that of \"a\" is signal"},
      {"start  ->  job a", "start  ->  sub s {\n start  ->  job a\n }", "a",
       "\"a\" is in \"drawn\", which is mapped to \"drawn\", but \"a\" is in \"s\""},
      {"start  ->  sub s {\n start  ->  job a\n }",
       "start  ->  sub s\n s  ->  sub t {\n start  ->  "
       "job a\n }",
       "s a", "is in \"s\", which is mapped to \"s\", but \"a\" is in \"t\""},
      {"start  ->  job a   times 2", "start  ->  job a", "a",
       "\"a\" has a parallel loop, \"a\" has no loop"},
      {"start  ->  job a", "start  ->  job a   times 2", "a",
       "\"a\" has no loop, \"a\" has a parallel loop"},
      {"start  ->  job a   times 2", "start  ->  job a   times 2   sequential", "a",
       "\"a\" has a parallel loop, \"a\" has a sequential loop"},
      {"start  ->  job a   times 2   sequential", "start  ->  job a   times 2", "a",
       "\"a\" has a sequential loop, \"a\" has a parallel loop"},
      {"start  ->  job a   times 2   sequential", "start  ->  job a   repeat while true", "a",
       "\"a\" has a sequential loop, \"a\" has a standard loop"},
      {"start  ->  job a   each [1] as i   collect i in all",
       "start  ->  job a   each [1] as i   collect i in all   completion order", "a",
       "in different orders"},
      {"start  ->  job a", "dialect plain\n start  ->  job a", "a", "dialect"},
      {"start  ->  job a", "start  ->  job a", "a a", "maps \"a\" twice"},
      {"start  ->  job a\n a  ~>  end x   after 1h\n a  ~>  end y   after 2h",
       "start  ->  job a\n a  ~>  end x   after 1h", "a a~1h a~2h=a~1h",
       "the events \"a~1h\" and \"a~2h\" are both mapped to \"a~1h\""},
      {"start  ->  job a\n a  ~>  end x   after 1h",
       "start  ->  job a\n a  ->  job b\n b  ~>  end x   after 1h", "a a~1h=b~1h",
       "\"a\" waits for the event \"a~1h\", which is mapped to \"b~1h\""},
      {"start  ->  job a\n a  ~>  end x   after 1h",
       "start  ->  job a\n a  ~>  end x   on message m", "a a~1h=a~m",
       "the event of \"a~1h\" is timer, that of \"a~m\" is message"},
      {"start  ->  job a", "start  ->  job a\n a  ~>  end x   on message m   key missing", "a",
       "the event \"a~m\" cannot be waited for: correlation key"},
      {"start  ->  and f\n f  ->  and j\n f  ->  job a\n a  ->  j", "start  ->  job a", "a",
       "gateway with waiting tokens \"j\" is not mapped"},
      {"start  ->  and f\n f  ->  and j\n f  ->  job a\n a  ->  j",
       "start  ->  job a\n a  ->  and j", "a j", "tokens wait at gateway \"j\", but \"j\""},
      {"start  ->  and f\n f  ->  and j\n f  ->  job a\n a  ->  j",
       "start  ->  and f2\n f2  ->  and j\n f2  ->  job a\n a  ->  j", "a j",
       "the token that waits at gateway \"j\" and came from \"f\" has no flow there"},
      {"start  ->  and f\n f  ->  task b\n b  ->  and j\n f  ->  task c\n c  ->  j\n f  ->  job a\n"
       "a  ->  j",
       "start  ->  and f\n f  ->  task b\n b  ->  and j\n f  ->  job a\n a  ->  j", "a b c=b j",
       "would be taken for another one"},
  };
  for (const RefusedMigration& row : rows) {
    Play play(row.source);
    const std::string before = describe(play.driver().instance());
    const std::string said = play.migrate(draw(row.target), row.moves);
    EXPECT_NE(said.find(row.why), std::string::npos) << row.source << "\n-- " << said;
    EXPECT_EQ(describe(play.driver().instance()), before) << row.source;
  }
}

TEST(Migration, Z468_is_refused_while_the_instance_ends_works_or_has_ended) {
  const auto target = draw("start  ->  job a\n a  ->  end");
  Play ended(target);
  ended.complete("a");
  EXPECT_NE(ended.migrate(target, "a").find("there is no running instance"), std::string::npos);

  Instance cut(draw("start  ->  job a   times 9"));
  const World world{.next_key = 2, .max_steps = 1};
  ASSERT_TRUE(take_turn(cut, StartInstance{.instance = key_from(1)}, world)->more);
  const auto busy = take_turn(cut, MigrateInstance{.process = target}, {.next_key = 100});
  ASSERT_FALSE(busy.has_value());
  EXPECT_EQ(busy.error().code, Code::busy);
}

TEST(Migration, Z468_is_refused_while_an_element_is_being_terminated) {
  const auto process = draw("start  ->  call c   process child\n c  ~>  job late   after 1h");
  Instance state(process);
  struct One final : Callables {
    Result<Called> find_called(const CallTarget&) const override {
      return Called{.version = 1, .process = draw("start  ->  job work")};
    }
  } const library;
  const World world{.next_key = 2, .callables = &library};
  ASSERT_TRUE(take_turn(state, StartInstance{.instance = key_from(1)}, world).has_value());
  const Key timer = state.slots[1].waits->timers.front().key;
  ASSERT_TRUE(take_turn(state, TriggerTimer{timer}, {.now = Instant(2h), .next_key = 50}));
  MigrateInstance command{.process = process};
  for (const model::Element& one : process->elements) {
    if (one.index != process->root().index) command.moves.push_back({one.index, one.index});
  }
  const auto refused = take_turn(state, command, {.next_key = 60});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text.find("\"c\" is about to end"), std::string::npos)
      << refused.error().text;
}

TEST(Migration, Z468_is_refused_while_listeners_run) {
  Play play("start  ->  job a   starting first   starting second   ending last\n a  ->  end");
  const auto target = draw("start  ->  job a\n a  ->  end");
  for (int listener = 0; listener < 2; ++listener) {
    EXPECT_NE(play.migrate(target, "a").find("the listeners of \"a\" run"), std::string::npos);
    play.complete("a");
  }
  ASSERT_EQ(play.migrate(target, "a"), "");
  EXPECT_EQ(play.complete("a").state(), "completed");
}

// What has completed and can be undone is not active, but must have a place, too.
TEST(Migration, what_can_be_undone_goes_with_the_instance) {
  const auto box = [](const char* id, const char* handler) {
    return draw(std::string("start  ->  sub ") + id + " {\n start  ->  end\n handler " + handler +
                "   on message m {\n start  ->  end\n }\n }\n " + id + "  ->  job a");
  };
  const auto from = box("s", "h");
  const auto to = box("t", "i");
  Instance state(from);
  ASSERT_TRUE(take_turn(state, StartInstance{.instance = key_from(1)}, {.next_key = 2}));
  const auto place = [](const auto& process, const char* id) { return process->find(id)->index; };
  engine::apply(state,
                CompensationRecorded{key_from(1), place(from, "s"), place(from, "h"), Value()});
  MigrateInstance command{.process = to, .moves = {{place(from, "a"), place(to, "a")}}};
  const auto refused = take_turn(state, command, {.next_key = 50});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text.find("completed activity with compensation \"s\" is not mapped"),
            std::string::npos);
  command.moves.push_back({place(from, "s"), place(to, "t")});
  command.moves.push_back({place(from, "h"), place(to, "i")});
  ASSERT_TRUE(take_turn(state, command, {.next_key = 50}));
  EXPECT_NE(describe(state).find("undoable=[ t:i ]"), std::string::npos) << describe(state);
}

TEST(Migration, an_empty_ad_hoc_sub_process_asks_again_whether_it_is_done) {  // Z448, Z450
  Play play(R"(
    start  ->  adhoc box   begins ["a"]   ends when enough {
      job a
    }
    box    ->  end
  )",
            R"({"enough":false})");
  play.complete("a");
  EXPECT_EQ(play.state(), "waiting");
  const auto target = draw("start  ->  adhoc box   begins [\"a\"] {\n job a\n }\n box  ->  end");
  EXPECT_EQ(play.migrate(target, "box"), "");
  EXPECT_EQ(play.state(), "completed") << play.trace();
}

TEST(Migration, an_ad_hoc_sub_process_keeps_its_order) {
  Play play("start  ->  adhoc box   begins [\"a\"] {\n job a\n }\n box  ->  end");
  const auto target =
      draw("start  ->  adhoc box   begins [\"a\"]   one by one {\n job a\n }\n box  ->  end");
  EXPECT_NE(play.migrate(target, "box a").find("one by one"), std::string::npos);
}

TEST(Migration, a_call_whose_result_was_not_asked_for_cannot_take_it_later) {
  const std::vector<Play::Named> both = {
      {"parent", "start  ->  call c   process child   take none\n c  ->  end"},
      {"child", "start  ->  job work\n work  ->  end"}};
  Play play(both);
  const auto target =
      draw("start  ->  call c   process child   take none   out r = x\n c  ->  end");
  EXPECT_NE(play.migrate(target, "c").find("takes nothing from it"), std::string::npos);
}

}  // namespace
}  // namespace pawl::engine
