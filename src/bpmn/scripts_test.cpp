// SPDX-License-Identifier: Apache-2.0
// What the reader knows of the JavaScript in a model.
#include <gtest/gtest.h>

#include "bpmn/sample.hpp"
#include "script/children.hpp"
#include "script/where.hpp"

namespace pawl::bpmn {
namespace {

using sample::flow;

// Three conditions below each other; the first is on line 6.
std::string three_conditions(std::string_view language = {}) {
  std::string body = "<startEvent id='s'/><exclusiveGateway id='g'/><endEvent id='e'/>" +
                     flow("f", "s", "g") + "\n";
  for (const char* id : {"a", "b", "c"}) {
    body += std::string("<sequenceFlow id='") + id + "' sourceRef='g' targetRef='e'>\n" +
            "<conditionExpression" + std::string(language) + ">x > 1</conditionExpression>" +
            "</sequenceFlow>\n";
  }
  return body;
}

TEST(Scripts, a_process_knows_whether_it_has_any_and_where_the_first_one_is) {
  const Definitions with = sample::plain(three_conditions());
  ASSERT_TRUE(with.ok()) << sample::text_of(with);
  ASSERT_TRUE(with.processes[0]->has_scripts());
  EXPECT_EQ(with.processes[0]->first_script->line, 6u);
  const Definitions without = sample::plain(three_conditions(" language='feel'"));
  ASSERT_TRUE(without.ok()) << sample::text_of(without);
  EXPECT_FALSE(without.processes[0]->has_scripts());
}

// Each may take as long as a script may run.
TEST(Scripts, C15_after_one_that_cannot_be_looked_at_the_others_are_not) {
  auto& children = script::Children::instance();
  children.use({.program = "/nowhere/at-all", .word = {}}, std::chrono::seconds(60));
  script::use(script::Where::process);
  const Definitions d = sample::plain(three_conditions());
  script::use(script::Where::inside);
  children.use({}, std::chrono::seconds(60));
  EXPECT_TRUE(d.processes.empty());
  std::vector<std::string> said;
  for (const Finding& finding : d.findings) {
    if (finding.severity == Finding::Severity::error) said.push_back(finding.text);
  }
  ASSERT_EQ(said.size(), 3u) << sample::text_of(d);
  EXPECT_NE(said[0].find("could not be started"), std::string::npos);
  EXPECT_NE(said[1].find("was not looked at"), std::string::npos);
  EXPECT_NE(said[2].find("was not looked at"), std::string::npos);
}

}  // namespace
}  // namespace pawl::bpmn
