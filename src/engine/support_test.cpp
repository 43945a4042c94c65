// SPDX-License-Identifier: Apache-2.0
#include "engine/support.hpp"

#include <gtest/gtest.h>

#include "script/where.hpp"
#include "testkit/draw.hpp"

namespace pawl::engine {
namespace {

using model::ElementKind;
using model::EventKind;

// The first refusal of a drawing whose element `x` was changed; empty: it can be run.
std::string refusal(const char* drawing, void (*change)(model::Element&) = nullptr) {
  model::Process process = *testkit::draw(drawing);
  for (model::Element& element : process.elements) {
    if (element.id == "x" && change) change(element);
  }
  const auto refusals = unsupported(process);
  if (refusals.empty()) return "";
  EXPECT_EQ(refusals.front().element, "x");
  return refusals.front().text.substr(0, refusals.front().text.find(" cannot be run"));
}

TEST(Support, what_can_be_waited_for_is_accepted) {
  for (const char* drawing :
       {"start  ->  receive x   on message m", "start  ->  catch x   on message m",
        "start  ->  catch x   on signal s", "start  ->  catch x   after 1h",
        "start  ->  events x\n x  ->  catch a   after 1h\n x  ->  receive b   on message m",
        "start  ->  job h\n h  ~>  end   after 1h", "start  ->  job h\n h  ~>  end   on signal s",
        "start  ->  receive x   on message m   times 3", "start  ->  continue x",
        "start  ->  job a\n handler h   on message m {\n start  ->  end\n }",
        "start  ->  job a\n handler h   on signal s   beside {\n start  ->  end\n }",
        "start  ->  job a\n handler h   on error E {\n start  ->  end\n }",
        "start  ->  job a\n handler h   every R/PT1H   beside {\n start  ->  end\n }",
        "start  ->  adhoc x   times 2 {\n job a\n }"}) {
    EXPECT_EQ(refusal(drawing), "") << drawing;
  }
}

TEST(Support, what_cannot_is_named) {
  struct Row {
    const char* drawing;
    void (*change)(model::Element&);
    const char* refused;
  };
  const Row rows[] = {
      {"start  ->  receive x", [](auto& element) { element.instantiate = true; },
       "receive task that starts the process, \"x\""},
      {"start  ->  events x", [](auto& element) { element.instantiate = true; },
       "event-based gateway that starts the process, \"x\""},
      {"start  ->  events x   ending e\n x  ->  catch a   after 1h\n x  ->  catch b   after 2h",
       nullptr, "an end listener of event-based gateway \"x\""},
      {"start  ->  error(E) x   ending e", nullptr, "an end listener of error end event \"x\""},
      {"start  ->  events g\n g  ->  receive x   on message m   times 3", nullptr,
       "a loop behind an event-based gateway, on \"x\""},
      {"start  ->  catch x", [](auto& element) { element.event = EventKind::conditional; },
       "conditional intermediate catch event \"x\""},
      {"start  ->  catch x", [](auto& element) { element.event = EventKind::multiple; },
       "multiple intermediate catch event \"x\""},
      {"start  ->  throw x", [](auto& element) { element.event = EventKind::message; },
       "message intermediate throw event \"x\""},
      {"start  ->  end x", [](auto& element) { element.event = EventKind::signal; },
       "signal end event \"x\""},
      {"start  ->  task x", [](auto& element) { element.kind = ElementKind::call_activity; },
       "call activity \"x\""},
      {"start  ->  sub x", [](auto& element) { element.kind = ElementKind::event_sub_process; },
       "event sub-process \"x\""},
      {"start  ->  job a\n a  ->  sub x {\n start  ->  end\n }",
       [](auto& element) {
         element.kind = ElementKind::event_sub_process;
         element.loop.emplace();
       },
       "a loop on event sub-process \"x\""},
      {"start  ->  adhoc x {\n job a\n }", [](auto& element) { element.job.emplace(); },
       "a job that decides what runs in ad-hoc sub-process \"x\""},
  };
  for (const Row& row : rows) EXPECT_EQ(refusal(row.drawing, row.change), row.refused);
}

TEST(Support, events_that_catch_by_an_expression_or_on_a_handler_are_named) {
  model::Process by_expression =
      *testkit::draw("start  ->  job a\n a  ~>  end   on error E\n a  ~>  end   on escalation F");
  for (model::Element& element : by_expression.elements) {
    for (auto& event : element.events) event.code = *model::Expression::of_feel("code");
  }
  const auto refusals = unsupported(by_expression);
  ASSERT_EQ(refusals.size(), 2u);
  EXPECT_TRUE(refusals.front().text.starts_with(
      "an expression as the code that is caught by error boundary event \"a~E\" cannot be run"))
      << refusals.front().text;

  const auto on_handler = testkit::draw(
      "dialect camunda7\nstart  ->  task a\n a  =>  job undo\n undo  ~>  end   on error E");
  ASSERT_EQ(unsupported(*on_handler).size(), 1u);
  EXPECT_TRUE(unsupported(*on_handler)
                  .front()
                  .text.starts_with("a boundary event of an activity that undoes something,"));
}

TEST(Support, start_events_are_refused_by_what_they_wait_for_and_where) {
  const char* drawing = "start  ->  job a\n handler h   on error E {\n start  ->  end\n }";
  struct Row {
    const char* start;
    EventKind event;
    const char* refused;  // empty: it can be run
  };
  const Row rows[] = {
      {"h.start", EventKind::timer, ""},
      {"h.start", EventKind::escalation, ""},
      {"h.start", EventKind::conditional, "conditional start event \"h.start\""},
      {"h.start", EventKind::compensation, "a compensation event sub-process, \"h\""},
      {"h.start", EventKind::multiple, "multiple start event \"h.start\""},
      {"start", EventKind::message, "message start event \"start\""},
      {"start", EventKind::timer, "timer start event \"start\""}};
  for (const Row& row : rows) {
    model::Process process = *testkit::draw(drawing);
    for (model::Element& element : process.elements) {
      if (element.id == row.start) element.event = row.event;
    }
    model::link(process);
    const auto refusals = unsupported(process);
    ASSERT_EQ(refusals.size(), *row.refused == 0 ? 0u : 1u) << row.refused;
    const std::string text = refusals.empty() ? "" : refusals.front().text;
    EXPECT_TRUE(text.starts_with(row.refused)) << text;
  }
}

TEST(Support, nothing_is_attached_to_an_event_sub_process) {
  model::Process process =
      *testkit::draw("start  ->  sub h {\n start  ->  job a\n }\n h  ~>  end   after 1h");
  for (model::Element& element : process.elements) {
    if (element.id == "h") element.kind = ElementKind::event_sub_process;
  }
  const auto refusals = unsupported(process);
  ASSERT_FALSE(refusals.empty());
  EXPECT_TRUE(refusals.back().text.starts_with(
      "a boundary event of an event sub-process, \"h~1h\" cannot be run"))
      << refusals.back().text;
}

TEST(Support, C15_scripts_that_are_switched_off_are_refused_with_their_place) {
  model::Process process = *testkit::draw("start  ->  script x   js 1 + 1\n x  ->  end");
  process.first_script = model::Place{.line = 7, .column = 3};
  EXPECT_TRUE(unsupported(process).empty());
  script::use(script::Where::off);
  const auto refusals = unsupported(process);
  const auto without = unsupported(*testkit::draw("start  ->  script x   = 1 + 1\n x  ->  end"));
  script::use(script::Where::inside);
  EXPECT_TRUE(without.empty());
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_EQ(refusals[0].place.line, 7u);
  EXPECT_NE(refusals[0].text.find("scripts are switched off"), std::string::npos);
  EXPECT_NE(refusals[0].text.find("--scripts process"), std::string::npos);
}

}  // namespace
}  // namespace pawl::engine
