// SPDX-License-Identifier: Apache-2.0
#include "engine/support.hpp"

#include <gtest/gtest.h>

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
        "start  ->  receive x   on message m   times 3", "start  ->  continue x"}) {
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
  };
  for (const Row& row : rows) EXPECT_EQ(refusal(row.drawing, row.change), row.refused);
}

}  // namespace
}  // namespace pawl::engine
