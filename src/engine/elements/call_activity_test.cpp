// SPDX-License-Identifier: Apache-2.0
// Call activities: what goes in, what comes back, and what becomes of both when one of them ends.
#include <gtest/gtest.h>

#include "engine/apply.hpp"
#include "testkit/draw.hpp"
#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;
using namespace std::chrono_literals;

const Play::Named works{"child", "start  ->  job w\n w  ->  end done"};

Play::Named parent(const std::string& call, const std::string& more = "") {
  return {"parent", "start  ->  call c   process child   " + call + "\n c  ->  end after\n" + more};
}

TEST(CallActivity, starts_the_process_and_waits_for_it) {  // Z383
  Play play({parent(""), works});
  ASSERT_NE(play.called("child"), nullptr) << play.trace();
  const Caller& caller = *play.called("child")->caller;
  EXPECT_EQ(caller.instance, play.driver().instance().key);
  EXPECT_EQ(caller.element, play.key_of("c"));
  EXPECT_EQ(caller.root, play.driver().instance().key);
  EXPECT_EQ(play.waiting(), "w");
  play.complete("w");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.told_by_all("completed"),
            "parent: completed start, child: completed start, child: completed w, "
            "child: completed done, child: completed child, parent: completed c, parent: completed "
            "after, "
            "parent: completed parent");
}

TEST(CallActivity, the_process_id_may_be_an_expression) {  // Z385
  Play play({{"parent", "start  ->  call c   process = \"ch\" + x\n c  ->  end"}, works},
            R"({"x":"ild"})");
  EXPECT_EQ(play.complete("w").state(), "completed");
}

TEST(CallActivity, hands_over_what_it_is_told_to) {  // Z386
  const struct {
    const char* call;
    const char* expected;
  } rows[] = {
      {"", R"({"a":1,"b":2})"},
      {"in a = 7", R"({"a":7,"b":2})"},
      {"pass none   in x = a + b", R"({"x":3})"},
      {"pass none", R"({})"},
  };
  for (const auto& row : rows) {
    Play play({parent(row.call), works}, R"({"a":1,"b":2})");
    EXPECT_EQ(play.visible("w"), row.expected) << row.call;
  }
}

TEST(CallActivity, takes_back_what_it_is_told_to) {  // Z279, Z281, Z387, Z388
  const struct {
    const char* call;
    const char* expected;
  } rows[] = {
      {"", R"({"a":5,"r":6})"},          {"take none", R"({"a":1})"},
      {"out y = r", R"({"a":1,"y":6})"}, {"take none   out y = r", R"({"a":1,"y":6})"},
      {"in r = 0", R"({"a":5})"},  // r is the call activity's own
  };
  for (const auto& row : rows) {
    Play play({parent(row.call), works}, R"({"a":1})");
    play.complete("w", R"({"a":5,"r":6})");
    EXPECT_EQ(play.state(), "completed") << row.call << play.trace();
    EXPECT_EQ(play.variables(), row.expected) << row.call;
  }
}

TEST(CallActivity, only_the_none_start_event_is_used) {  // Z393
  Play::Named child{"child", "start  ->  job w\n w  ->  end\n catch other   on message m\n"};
  Play play({parent(""), child});
  EXPECT_EQ(play.waiting(), "w");
}

TEST(CallActivity, a_terminate_end_event_in_the_child_lets_the_caller_go_on) {  // Z398, C149
  Play play({parent(""),
             {"child",
              "start  ->  and s\n s  ->  job w\n s  ->  job other\n w  ->  terminate t\n"
              "other  ->  end"}});
  play.complete("w", R"({"r":1})");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"r":1})");
}

TEST(CallActivity, a_child_that_ends_at_once_answers_too) {  // C173
  Play play({parent(""), {"child", "start  ->  script s   = 7   into r\n s  ->  end"}});
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"r":7})");
}

TEST(CallActivity, an_interrupting_boundary_event_ends_the_child_first) {  // Z389
  Play play({parent("", "c  ~>  end late   after 1h"), works});
  play.pass(1h);
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.told_by_all("terminated activated"),
            "parent: activated parent, parent: activated start, parent: activated c, "
            "child: activated child, child: activated start, child: activated w, "
            "child: terminated w, child: terminated child, parent: terminated c, "
            "parent: activated c~1h, parent: activated late");
}

TEST(CallActivity, a_boundary_event_beside_leaves_the_child_alone) {
  Play play({parent("", "c  ~>  job note   after 1h   beside\n note  ->  end noted"), works});
  play.pass(1h);
  EXPECT_EQ(play.waiting(), "w note");
  EXPECT_EQ(play.complete("note").complete("w").state(), "completed");
}

TEST(CallActivity, cancelling_ends_the_child_first_and_takes_nothing_from_it) {  // Z390
  Play play({parent(""), works});
  play.set("w", R"({"r":1})").cancel();
  EXPECT_EQ(play.state(), "terminated");
  EXPECT_EQ(play.told_by_all("terminating terminated"),
            "parent: terminating parent, parent: terminating c, child: terminating child, "
            "child: terminating w, child: terminated w, child: terminated child, "
            "parent: terminated c, parent: terminated parent");
  EXPECT_EQ(play.variables(), "{}");
}

TEST(CallActivity, a_child_cannot_be_cancelled_by_itself) {  // Z391
  Play play({{"outer", "start  ->  call p   process parent\n p  ->  end"}, parent(""), works});
  Instance child = fold(play.called("child")->process, {});
  const Caller caller = *play.called("child")->caller;
  World world{.next_key = 1'000};
  const Key key = key_from(999);
  ASSERT_TRUE(take_turn(child, StartInstance{.instance = key, .caller = caller}, world));
  const auto refused = take_turn(child, CancelInstance{}, world);
  ASSERT_FALSE(refused.has_value());
  const std::string root = std::to_string(number(play.driver().instance().key));
  EXPECT_NE(refused.error().text.find("created by a call activity"), std::string::npos);
  EXPECT_NE(refused.error().text.find("cancel the root instance " + root), std::string::npos)
      << refused.error().text;
}

TEST(CallActivity, with_a_failed_output_mapping_can_be_cancelled) {  // Z392
  Play play({parent("out x = assert(y, y != null)"), works});
  play.complete("w");
  ASSERT_EQ(play.state(), "incident") << play.trace();
  EXPECT_EQ(play.cancel().state(), "terminated");
}

TEST(CallActivity, a_message_for_boundary_events_on_two_levels_takes_the_outer_one) {  // Z394
  Play play({{"outer",
              "start  ->  call p   process parent\n p  ->  end\n"
              "p  ~>  end outer_late   on message m"},
             parent("", "c  ~>  end inner_late   on message m"),
             works});
  play.publish("m");
  EXPECT_EQ(play.state(), "completed") << play.trace();
  EXPECT_EQ(play.count("completed outer_late"), 1);
}

TEST(CallActivity, endless_recursion_stops_with_an_incident) {  // Z395
  const Play::Named itself{"parent", "start  ->  call c   process parent\n c  ->  end"};
  Play play(std::vector{itself});
  EXPECT_EQ(play.state(), "incident");
  EXPECT_NE(play.incident().find("1000 calls lie inside each other"), std::string::npos)
      << play.incident();
  EXPECT_EQ(play.cancel().state(), "terminated");
}

TEST(CallActivity, what_cannot_be_called_is_an_incident_that_can_be_mended) {  // Z397, C172
  const struct {
    const char* call;
    const char* incident;
  } rows[] = {
      {"process =id", "CALLED_ELEMENT_ERROR at c: process \"nobody\" cannot be called"},
      {"process =7", "EXTRACT_VALUE_ERROR at c: called process id \"7\" must give a text"},
      {"process child   tag beta", "CALLED_ELEMENT_ERROR at c: process \"child\" cannot be called"},
      {"process child   version 9", "CALLED_ELEMENT_ERROR at c: process \"child\" cannot be"},
  };
  for (const auto& row : rows) {
    Play play({{"parent", std::string("start  ->  call c   ") + row.call + "\n c  ->  end"}, works},
              R"({"id":"nobody"})");
    EXPECT_EQ(play.incident().substr(0, std::string_view(row.incident).size()), row.incident);
    if (std::string_view(row.call) != "process =id") continue;
    play.set("", R"({"id":"child"})").resolve("c").complete("w");
    EXPECT_EQ(play.state(), "completed");
  }
}

class Only final : public Callables {
 public:
  explicit Only(model::ProcessPtr process) : process_(std::move(process)) {}
  Result<Called> find_called(const CallTarget&) const override {
    return Called{.version = 1, .process = process_};
  }

 private:
  model::ProcessPtr process_;
};

TEST(CallActivity, a_process_without_none_start_event_cannot_be_called) {  // Z397
  auto child = std::make_shared<model::Process>(*testkit::draw("start  ->  end"));
  for (model::Element& element : child->elements) {
    if (element.kind == model::ElementKind::start_event) element.event = model::EventKind::message;
  }
  model::link(*child);
  const Only only(child);
  Instance instance(testkit::draw("start  ->  call c   process child\n c  ->  end"));
  const auto turn = take_turn(instance, StartInstance{.instance = key_from(1)},
                              World{.next_key = 2, .callables = &only});
  ASSERT_TRUE(turn.has_value());
  const auto* raised = std::get_if<IncidentRaised>(&turn->events.back());
  ASSERT_NE(raised, nullptr);
  EXPECT_EQ(raised->kind, IncidentKind::called_element);
  EXPECT_NE(raised->message.find("no none start event"), std::string::npos) << raised->message;
}

// --- loops
constexpr const char* three = R"({"items":[1,2,3]})";

TEST(MultiInstanceCallActivity, calls_once_for_each_item) {  // Z49, Z50
  Play play({parent("each items as item"), works}, three);
  EXPECT_EQ(play.waiting(), "w w w");
  std::set<Key> elements;
  for (const Instance* one : play.driver().instances()) {
    if (one->caller) elements.insert(one->caller->element);
  }
  EXPECT_EQ(elements.size(), 3u);
  play.complete("w").complete("w").complete("w");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.told("completed"),
            "completed start, completed c, completed c, completed c, completed c#body, "
            "completed after, completed parent");
}

TEST(MultiInstanceCallActivity, cancelling_ends_all_children_before_the_body) {  // Z51
  Play play({parent("each items as item"), works}, three);
  play.cancel();
  EXPECT_EQ(play.state(), "terminated");
  const std::string told = play.told_by_all("terminated");
  EXPECT_EQ(play.count("terminated c"), 3);
  const std::size_t body = told.find("parent: terminated c#body");
  EXPECT_LT(told.rfind("child: terminated child"), body) << told;
  EXPECT_LT(body, told.find("parent: terminated parent")) << told;
}

TEST(MultiInstanceCallActivity, collects_the_childrens_values_in_item_order) {  // Z52
  Play play({parent("each items as item   out r = x   collect r in all"),
             {"child", "start  ->  job w   in mine = item\n w  ->  end"}},
            three);
  for (const char* value : {R"({"x":"c"})", R"({"x":"b"})", R"({"x":"a"})"}) {
    play.complete("w", value);
  }
  EXPECT_EQ(play.variables(), R"({"items":[1,2,3],"all":["c","b","a"]})");
}

TEST(MultiInstanceCallActivity, a_caught_error_ends_the_other_children_once) {  // C104
  Play play({parent("each items as item", "c  ~>  end caught   on error E"), works}, three);
  play.throw_error("w", "E");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed caught"), 1);
  EXPECT_EQ(play.waiting(), "");
}

TEST(MultiInstanceCallActivity, a_caught_error_in_a_sequence_starts_no_further_child) {  // C105
  Play play({parent("each items as item   sequential", "c  ~>  end caught   on error E"), works},
            three);
  play.throw_error("w", "E");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("calls child from c"), 1);
}

TEST(MultiInstanceCallActivity, all_variables_there_and_back_leave_the_loop_alone) {  // C109
  Play play({{"parent",
              "dialect camunda7\n"
              "start  ->  call c   process child   pass all   take all   each items as "
              "item\n c  ->  end after"},
             works},
            three);
  for (int i = 0; i < 3; ++i) play.complete("w", R"({"loopCounter":99,"item":99})");
  EXPECT_EQ(play.state(), "completed") << play.trace();
  EXPECT_EQ(play.count("completed c"), 3);
  EXPECT_EQ(play.variables(), three);
}

TEST(MultiInstanceCallActivity, a_loop_that_tolerates_failures_decides_about_the_child) {
  Play play({parent("each items as item   failures tolerate 1"), works}, three);
  play.throw_error("w", "E").complete("w").complete("w");
  EXPECT_EQ(play.state(), "completed") << play.trace();
  EXPECT_EQ(play.count("iteration-failed c"), 1);
}

TEST(MultiInstanceCallActivity, many_are_started_in_several_turns) {
  Play play({{"parent",
              "start  ->  script s   = for i in 1..2000 return i   into items\n"
              "s  ->  call c   process child   pass none   each items as item\n"
              "c  ->  end"},
             works});
  EXPECT_EQ(play.driver().open_jobs().size(), 2'000u);
  EXPECT_EQ(play.cancel().state(), "terminated");
}

TEST(MultiInstanceCallActivity, very_many_are_cancelled_with_one_command) {
  runtime::Driver driver(testkit::draw("start  ->  call c   process child   times 5000"));
  auto child = std::make_shared<model::Process>(*testkit::draw("start  ->  job a"));
  child->id = "child";
  driver.library.add(child);
  ASSERT_TRUE(driver.start().has_value());
  EXPECT_EQ(driver.open_jobs().size(), 5'000u);
  ASSERT_TRUE(driver.send(CancelInstance{}).has_value());
  EXPECT_TRUE(driver.has_ended());
  EXPECT_EQ(driver.open_jobs().size(), 0u);
}

TEST(MultiInstanceCallActivity, cut_turns_lose_nothing) {
  for (std::size_t steps = 1; steps < 6; ++steps) {
    Play play(
        {parent("each items as item", "c  ~>  end caught   on error E"),
         {"child", "start  ->  sub box {\n start  ->  job w\n w  ->  end\n }\n box  ->  end"}},
        three, steps);
    play.complete("w").throw_error("w", "E");
    EXPECT_EQ(play.state(), "completed") << play.trace();
    EXPECT_EQ(play.count("completed caught"), 1);
  }
}

// --- errors
TEST(CallActivity, an_error_ends_the_child_and_is_caught_outside) {  // Z173, C136
  const struct {
    const char* outside;
    const char* throws;
    const char* end;
  } rows[] = {
      {"c  ~>  end caught   on error E", "E", "caught"},
      {"c  ~>  end caught   on error", "other", "caught"},
      {"c  ~>  end all   on error\n c  ~>  end caught   on error E", "E", "caught"},
  };
  for (const auto& row : rows) {
    Play play({parent("", row.outside), works});
    play.throw_error("w", row.throws);
    EXPECT_EQ(play.state(), "completed") << play.trace();
    EXPECT_EQ(play.count(std::string("completed ") + row.end), 1);
    EXPECT_EQ(play.told_by_all("terminated"),
              "child: terminated w, child: terminated child, parent: terminated c");
  }
}

TEST(CallActivity, an_error_is_caught_by_an_enclosing_scope_and_over_several_calls) {  // C136, Z173
  Play play({{"outer",
              "start  ->  sub box {\n start  ->  call p   process parent\n p  ->  end\n }\n"
              "box  ->  end normal\n box  ~>  end caught   on error E"},
             parent(""),
             works});
  play.throw_error("w", "E");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed caught"), 1);
}

TEST(CallActivity, an_error_end_event_of_the_child_is_caught_outside) {
  Play play(
      {parent("", "c  ~>  end caught   on error E"), {"child", "start  ->  error(E) failed"}});
  EXPECT_EQ(play.state(), "completed") << play.trace();
  EXPECT_EQ(play.count("completed caught"), 1);
}

TEST(CallActivity, of_the_childs_variables_only_the_thrown_ones_come_with_an_error) {  // Z174
  Play play({parent("", "c  ~>  end caught   on error E   caught out got = code"), works});
  play.set("w", R"({"other":1})").throw_error("w", "E", "", R"({"code":5,"more":6})");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"got":5})");
}

TEST(CallActivity, an_error_that_nobody_catches_stops_where_it_was_thrown) {
  Play play({parent("", "c  ~>  end caught   on error other"), works});
  play.throw_error("w", "E");
  EXPECT_EQ(play.incident().substr(0, 26), "UNHANDLED_ERROR_EVENT at w") << play.incident();
  EXPECT_TRUE(play.is_active("c"));
}

TEST(CallActivity, a_technical_failure_is_error_500_for_a_caller_too) {
  const Play::Named child{
      "child", "dialect plain\nstart  ->  script s   = assert(y, y != null)   into x\n s  ->  end"};
  Play play({{"parent",
              "dialect plain\nstart  ->  call c   process child\n c  ->  end after\n"
              "c  ~>  end caught   on error 500"},
             child});
  EXPECT_EQ(play.state(), "completed") << play.trace();
  EXPECT_EQ(play.count("completed caught"), 1);
}

// --- Camunda 7
TEST(Camunda7Call, passes_exactly_what_is_mapped) {  // C170, C171
  const struct {
    const char* call;
    const char* in;
    const char* out;
  } rows[] = {
      {"", "{}", R"({"a":1,"b":2})"},
      {"pass a as x", R"({"x":1})", R"({"a":1,"b":2})"},
      {"pass = a + b as x", R"({"x":3})", R"({"a":1,"b":2})"},
      {"pass nothing as x", R"({"x":null})", R"({"a":1,"b":2})"},
      {"pass all", R"({"a":1,"b":2})", R"({"a":1,"b":2})"},
      {"take r as a", "{}", R"({"a":9,"b":2})"},
      {"take = r + 1 as n", "{}", R"({"a":1,"b":2,"n":10})"},
      {"take b as a", "{}", R"({"a":null,"b":2})"},  // the child has no b
      {"take all", "{}", R"({"a":1,"b":2,"r":9})"},
      {"in mine = 4   pass local mine as x   pass local a as y", R"({"x":4,"y":null})",
       R"({"a":1,"b":2})"},
  };
  for (const auto& row : rows) {
    Play play({{"parent", std::string("dialect camunda7\nstart  ->  call c   process child   ") +
                              row.call + "\n c  ->  end after"},
               works},
              R"({"a":1,"b":2})");
    EXPECT_EQ(play.visible("w"), row.in) << row.call;
    play.complete("w", R"({"r":9})");
    EXPECT_EQ(play.state(), "completed") << row.call << play.trace();
    EXPECT_EQ(play.variables(), row.out) << row.call;
  }
}

TEST(Camunda7Call, a_failed_out_mapping_is_an_incident) {
  Play play({{"parent",
              "dialect camunda7\nstart  ->  call c   process child   "
              "take = assert(limit, limit != null) as n\n c  ->  end"},
             works});
  play.complete("w", R"({"r":9})");
  ASSERT_EQ(play.incident().substr(0, 16), "IO_MAPPING_ERROR") << play.trace();
  EXPECT_EQ(play.cancel().state(), "terminated");
}

TEST(Camunda7Call, the_business_key_goes_with_it) {
  Play play({{"parent",
              "dialect camunda7\nstart  ->  call c   process child   business =k\n"
              "c  ->  end"},
             works},
            R"({"k":"order-7"})");
  EXPECT_EQ(play.called("child")->business_id, "order-7");
}

// --- an inclusive join waits for a call
TEST(CallActivity, on_a_branch_keeps_an_inclusive_join_waiting) {  // C72
  Play play({{"parent",
              "start  ->  or s\n s  ->  call c   if true   process child\n"
              "s  ->  task t   if true\n c  ->  or j\n t  ->  j\n j  ->  end"},
             works});
  EXPECT_FALSE(play.is_active("j"));
  EXPECT_EQ(play.complete("w").state(), "completed");
}

TEST(CallActivity, continues_as_new_without_losing_its_caller) {
  Play play({parent(""),
             {"child",
              "start  ->  script s   = if n = null then 1 else n + 1   into n\n"
              "s  ->  job w\n w  ->  xor x\n x  ->  continue again   if n < 3\n"
              "x  ->  end   otherwise"}});
  play.complete("w").complete("w").complete("w");
  EXPECT_EQ(play.state(), "completed") << play.trace();
  EXPECT_EQ(play.variables(), R"({"n":3})");
}

TEST(CallActivity, an_answer_that_comes_twice_or_too_late_is_refused) {  // Z396
  Play play({parent("", "c  ~>  end late   after 1h"), works});
  const Key element = play.key_of("c");
  const Key child = play.called("child")->key;
  play.pass(1h);
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.count("completed late"), 1);
  EXPECT_NE(play.rejection(AnswerCall{.element = element, .child = child}), "");
}

TEST(CallActivity, A10_resolving_an_incident_after_it_does_not_take_the_results_again) {
  Play play(std::vector<Play::Named>{
      {"parent",
       "dialect camunda7\nstart  ->  call c   process child   take n as n   "
       "out m = if n = 1 then (for i in 1..1000000 return \"a long text\") else n\n"
       "c  ->  job z"},
      {"child", "start  ->  script s   = 1   into n\n s  ->  end"}});
  EXPECT_TRUE(play.incident().find("IO_MAPPING_ERROR at c") == 0) << play.trace();
  play.set("", R"({"n":2})").set("c", R"({"n":2})").resolve("c");
  EXPECT_EQ(play.variables(), R"({"n":2,"m":2})") << play.trace();
}

}  // namespace
}  // namespace pawl::engine
