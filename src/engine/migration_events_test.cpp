// SPDX-License-Identifier: Apache-2.0
// What a migrated instance waits for: kept, closed or opened.
#include <gtest/gtest.h>

#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::draw;
using testkit::Play;
using namespace std::chrono_literals;

struct MigrationRow {
  const char* source;
  const char* target;
  const char* moves;
  const char* waits;  // afterwards
  const char* told;   // of the migration
};

constexpr const char* words = "timer-created timer-canceled waits waits-no-more migrated";

TEST(MigrationEvents, Z470_are_closed_opened_or_kept) {
  const MigrationRow rows[] = {
      // on the border: only before, only after, both
      {"start  ->  job a\n a  ~>  end x   after 1h", "start  ->  job a", "a", "",
       "timer-canceled a~1h, migrated to drawn 2"},
      {"start  ->  job a", "start  ->  job a\n a  ~>  end x   after 1h", "a", "+3600s at a~1h",
       "migrated to drawn 2, timer-created a~1h again=0"},
      {"start  ->  job a\n a  ~>  end x   after 1h", "start  ->  job b\n b  ~>  end x   after 2h",
       "a=b a~1h=b~2h", "+3600s at b~2h", "migrated to drawn 2"},
      {"start  ->  job a\n a  ~>  end x   after 1h", "start  ->  job a\n a  ~>  end x   after 2h",
       "a", "+7200s at a~2h",
       "timer-canceled a~1h, migrated to drawn 2, timer-created a~2h again=0"},
      {"start  ->  job a\n a  ~>  end x   on message m   key 1",
       "start  ->  job a\n a  ~>  end x   on message n   key 2\n a  ~>  end y   on signal s",
       "a a~m=a~n", "m:1 at a~n, signal s at a~s", "migrated to drawn 2, waits a~s for s"},
      // inside: event sub-processes of the process and of a sub-process
      {"start  ->  job a\n handler h   on message m {\n start  ->  end\n }", "start  ->  job a",
       "a", "", "waits-no-more h.start, migrated to drawn 2"},
      {"start  ->  job a", "start  ->  job a\n handler h   on message m {\n start  ->  end\n }",
       "a", "m at h.start", "migrated to drawn 2, waits h.start for m"},
      {"start  ->  job a\n handler h   on message m {\n start  ->  end\n }",
       "start  ->  job a\n handler i   on message n {\n start  ->  end\n }", "a h.start=i.start",
       "m at i.start", "migrated to drawn 2"},
      {"start  ->  sub s {\n start  ->  job a\n }",
       "start  ->  sub s {\n start  ->  job a\n handler h   on signal m {\n start  ->  end\n }\n }",
       "s a", "signal m at h.start", "migrated to drawn 2, waits h.start for m"},
      // behind an event-based gateway
      {"start  ->  events g\n g  ->  catch a   on message m\n g  ->  catch b   after 1h",
       "start  ->  events g\n g  ->  catch a   on message n\n g  ->  catch c   after 2h", "g a",
       "m at a, +7200s at c", "timer-canceled b, migrated to drawn 2, timer-created c again=0"},
      // a loop: its body has the border, its iterations have not
      {"start  ->  job a   times 2", "start  ->  job a   times 2\n a  ~>  end x   after 1h", "a",
       "+3600s at a~1h", "migrated to drawn 2, timer-created a~1h again=0"},
  };
  for (const MigrationRow& row : rows) {
    Play play(row.source);
    const std::size_t before = play.story(words).size();
    ASSERT_EQ(play.migrate(draw(row.target), row.moves), "") << row.source;
    EXPECT_EQ(play.waits(), row.waits) << row.source << "\n" << row.target;
    const auto story = play.story(words);
    std::string told;
    for (std::size_t i = before; i < story.size(); ++i) told += (i > before ? ", " : "") + story[i];
    EXPECT_EQ(told, row.told) << row.source << "\n" << row.target;
  }
}

TEST(MigrationEvents, Z470_happen_in_the_other_process) {
  Play kept("start  ->  job a\n a  ~>  end x   after 1h");
  ASSERT_EQ(kept.migrate(draw("start  ->  job b\n b  ~>  job late   after 9h"), "a=b a~1h=b~9h"),
            "");
  EXPECT_EQ(kept.pass(1h).waiting(), "late") << kept.trace();

  Play opened("start  ->  job a");
  ASSERT_EQ(opened.migrate(draw("start  ->  job a\n handler h   on message m   beside {\n"
                                "start  ->  job inner\n }"),
                           "a"),
            "");
  EXPECT_EQ(opened.publish("m").publish("m").waiting(), "a inner inner");

  Play branch("start  ->  events g\n g  ->  catch a   on message m\n g  ->  catch b   after 1h");
  ASSERT_EQ(branch.migrate(draw("start  ->  events g\n g  ->  catch x   on message n\n"
                                "g  ->  catch b   after 2h\n x  ->  job then"),
                           "g a=x b"),
            "");
  EXPECT_EQ(branch.publish("m").waiting(), "then");
}

TEST(MigrationEvents, one_that_has_happened_is_not_waited_for_again) {
  Play play("start  ->  job a\n a  ~>  end x   after 1h   beside");
  play.pass(1h);
  ASSERT_EQ(
      play.migrate(draw("start  ->  job b\n b  ~>  end x   after 2h   beside"), "a=b a~1h=b~2h"),
      "");
  EXPECT_EQ(play.waits(), "");
}

TEST(MigrationEvents, a_cycle_goes_on_as_it_was_opened) {
  Play play("start  ->  job a\n a  ~>  end x   every R/PT1H   beside");
  play.pass(1h);
  ASSERT_EQ(play.migrate(draw("start  ->  job b\n b  ~>  end y   every R2/PT2H   beside"),
                         "a=b a~R/PT1H=b~R2/PT2H"),
            "");
  EXPECT_EQ(play.pass(2h).path(), "start a~R/PT1H x b~R2/PT2H y b~R2/PT2H y") << play.trace();
}

TEST(MigrationEvents, an_event_sub_process_that_runs_goes_on) {
  Play play("start  ->  job a\n handler h   on message m {\n start  ->  job inner\n }");
  play.publish("m");
  ASSERT_EQ(play.waiting(), "inner");
  const auto target = draw(
      "start  ->  job a\n handler i   on message m {\n start  ->  job deep\n"
      "deep  ->  job more\n }");
  EXPECT_NE(play.migrate(target, "inner=deep"), "") << "its scope is not mapped";
  ASSERT_EQ(play.migrate(target, "h=i inner=deep"), "");
  EXPECT_EQ(play.complete("deep").waiting(), "more");
  EXPECT_EQ(play.complete("more").state(), "completed") << play.trace();
}

// What cannot begin because its expression fails can be repaired by a better model.
TEST(MigrationEvents, an_element_that_has_not_begun_waits_for_what_the_other_process_says) {
  Play play("start  ->  job a\n a  ~>  end x   on message m   key missing");
  ASSERT_EQ(play.state(), "incident");
  ASSERT_EQ(play.migrate(draw("start  ->  job a\n a  ~>  end x   on message m   key 7"), "a a~m"),
            "");
  EXPECT_EQ(play.resolve("a").waits(), "m:7 at a~m") << play.trace();
}

// Event sub-processes wait when the start event has completed, if that makes what they need.
TEST(MigrationEvents, event_sub_processes_are_opened_once) {
  const char* const handler = "\n handler h   on message m   key k {\n start  ->  end\n }";
  const auto with_output = [&](const char* output) {
    auto process =
        std::make_shared<model::Process>(*draw(std::string("start  ->  job a") + handler));
    if (*output != '\0') {
      auto& start = process->elements[number(process->root().none_start)];
      const auto other = draw(std::string("start  ->  job a   out k = ") + output);
      start.outputs = other->find("a")->outputs;
    }
    return model::ProcessPtr(process);
  };
  // The start event has an incident: its output cannot be made.
  const std::string fails = "1 + assert(null, false, \"no\")";
  Play both(with_output(fails.c_str()));
  ASSERT_EQ(both.state(), "incident") << both.trace();
  ASSERT_EQ(both.migrate(with_output("5"), "start a h.start"), "");
  EXPECT_EQ(both.waits(), "");
  EXPECT_EQ(both.resolve("start").waits(), "m:5 at h.start") << both.trace();

  Play now(with_output(fails.c_str()), R"({"k": 3})");
  ASSERT_EQ(now.migrate(with_output(""), "start a h.start"), "");
  EXPECT_EQ(now.waits(), "m:3 at h.start") << "nobody would open it later";
  EXPECT_EQ(now.resolve("start").waits(), "m:3 at h.start");

  Play twice(draw(std::string("start  ->  job a") + handler), R"({"k": 3})");
  ASSERT_EQ(twice.migrate(with_output("5"), "a h.start"), "") << "the start event is over";
  EXPECT_EQ(twice.waits(), "m:3 at h.start");
}

TEST(MigrationEvents, too_many_at_once_are_refused) {
  Play play("start  ->  sub s   times 10001 {\n start  ->  job a\n }");
  const auto target = draw(
      "start  ->  sub s   times 2 {\n start  ->  job a\n"
      "handler h   on signal x {\n start  ->  end\n }\n }");
  EXPECT_NE(play.migrate(target, "s a").find("more than 10000"), std::string::npos);
}

}  // namespace
}  // namespace pawl::engine
