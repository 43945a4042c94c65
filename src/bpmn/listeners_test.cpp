// SPDX-License-Identifier: Apache-2.0
// Execution listeners in the dialects that have them.
#include "bpmn/listeners.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bpmn/sample.hpp"
#include "model/headers.hpp"

namespace pawl::bpmn {
namespace {

using Jobs = std::vector<model::JobDefinition>;

std::string types(const Jobs& jobs) {
  std::string out;
  for (const model::JobDefinition& job : jobs) out += (out.empty() ? "" : " ") + job.type.text;
  return out;
}

std::string inside(const std::string& extensions) {
  return "<bpmn:extensionElements>" + extensions + "</bpmn:extensionElements>";
}

std::string zeebe_listener(const std::string& attributes) {
  return "<zeebe:executionListeners><zeebe:executionListener " + attributes +
         "/></zeebe:executionListeners>";
}

std::string tag(const std::string& name, const std::string& content) {
  return fmt::format("<bpmn:{0} id='x'>{1}</bpmn:{0}>", name, content);
}

const std::string each_item =
    "<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics "
    "inputCollection='=items'/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>";

TEST(Listeners, Z82_of_zeebe_are_jobs_in_the_order_of_the_file) {
  const Definitions d = sample::zeebe(
      tag("serviceTask",
          inside("<zeebe:executionListeners>"
                 "<zeebe:executionListener eventType='end' type='last' retries='=n'/>"
                 "<zeebe:executionListener eventType='start' type='one' retries='5'/>"
                 "<zeebe:executionListener eventType='beforeAll' type='all'/>"
                 "<zeebe:executionListener eventType='start' type='=two'/>"
                 "</zeebe:executionListeners><zeebe:taskDefinition type='t'/>"
                 "<zeebe:taskHeaders><zeebe:header key='k' value='v'/></zeebe:taskHeaders>") +
              each_item));
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  const model::Element& x = *d.processes[0]->find("x");
  ASSERT_TRUE(x.listeners);
  EXPECT_EQ(types(x.listeners->start), "one two");
  EXPECT_EQ(types(x.listeners->end), "last");
  EXPECT_EQ(types(x.listeners->before_all), "all");
  EXPECT_EQ(x.listeners->start[0].retries.text, "5");
  EXPECT_EQ(x.listeners->start[0].type_name.text(), "one");
  EXPECT_EQ(x.listeners->start[1].type.language, model::Expression::Language::feel);
  EXPECT_EQ(x.listeners->end[0].retries.language, model::Expression::Language::feel);
  EXPECT_EQ(x.listeners->start[0].headers.at(0).second, "v");
  EXPECT_TRUE(x.unsupported.empty());
}

TEST(Listeners, of_zeebe_stand_on_any_element_and_on_the_process) {
  const std::string both = inside(
      "<zeebe:executionListeners><zeebe:executionListener eventType='start' type='s'/>"
      "<zeebe:executionListener eventType='end' type='e'/></zeebe:executionListeners>");
  for (const char* name : {"task", "startEvent", "endEvent", "exclusiveGateway", "parallelGateway",
                           "subProcess", "intermediateThrowEvent"}) {
    const Definitions d = sample::zeebe(tag(name, both));
    const model::Element& x = *d.processes.at(0)->find("x");
    ASSERT_TRUE(x.listeners) << name << sample::text_of(d);
    EXPECT_EQ(types(x.listeners->start) + " " + types(x.listeners->end), "s e") << name;
  }
  const Definitions d = sample::zeebe(both + "<bpmn:task id='x'/>");
  EXPECT_EQ(types(d.processes.at(0)->root().listeners->end), "e");
  EXPECT_FALSE(d.processes[0]->find("x")->listeners);
}

TEST(Listeners, give_their_workers_the_headers_of_an_element_without_a_job) {
  const Definitions d =
      sample::zeebe(tag("userTask", inside("<zeebe:taskHeaders><zeebe:header key='k' value='v'/>"
                                           "</zeebe:taskHeaders>" +
                                           zeebe_listener("eventType='start' type='s'"))));
  const model::Element& x = *d.processes.at(0)->find("x");
  EXPECT_FALSE(x.job);
  EXPECT_EQ(model::headers_of(x).at(0).first, "k");
  EXPECT_TRUE(model::headers_of(d.processes[0]->root()).empty());
}

TEST(Listeners, that_cannot_run_are_findings) {
  struct Row {
    std::string listener;
    const char* rule;
    const char* says;
  };
  const Row rows[] = {
      {"eventType='cancel' type='l'", "listener-event-unknown", "\"cancel\"; write start, end or"},
      {"type='l'", "listener-event-unknown", "it cannot listen to \"\""},
      {"eventType='beforeAll' type='l'", "listener-event-unknown", "for multi-instance activities"},
      {"eventType='start'", "job-type-missing", "it has no job type"},
      {"eventType='start' type='= 1 +'", "expression-invalid", ""},
  };
  for (const Row& row : rows) {
    const Definitions d = sample::zeebe(tag("task", inside(zeebe_listener(row.listener))));
    const Finding* finding = sample::find(d, row.rule);
    ASSERT_NE(finding, nullptr) << row.listener << "\n" << sample::text_of(d);
    EXPECT_NE(finding->text.find(row.says), std::string::npos) << finding->text;
    EXPECT_EQ(d.findings.size(), 1u) << sample::text_of(d);
  }
}

std::string camunda_listener(const std::string& attributes, const std::string& content = "") {
  return "<camunda:executionListener " + attributes + ">" + content +
         "</camunda:executionListener>";
}

TEST(Listeners, C102_of_camunda_7_are_jobs_named_after_their_java) {
  const std::pair<const char*, const char*> rows[] = {
      {"class='org.Audit' event='start'", "org.Audit"},
      {"delegateExpression='${audit}' event='start'", "${audit}"},
      {"expression='${audit.now()}' event='start'", "${audit.now()}"},
  };
  for (const auto& [attributes, type] : rows) {
    const Definitions d = sample::camunda(tag(
        "task", inside(camunda_listener(attributes) + camunda_listener("class='Z' event='end'") +
                       "<camunda:failedJobRetryTimeCycle>R5/PT1M"
                       "</camunda:failedJobRetryTimeCycle>")));
    ASSERT_TRUE(d.ok()) << sample::text_of(d);
    const model::Element& x = *d.processes[0]->find("x");
    ASSERT_TRUE(x.listeners);
    EXPECT_EQ(x.listeners->start.at(0).type.literal.as_string(), type);
    EXPECT_EQ(x.listeners->start[0].retries.literal.as_int(), 5);
    EXPECT_EQ(types(x.listeners->end), "Z");
    EXPECT_TRUE(x.unsupported.empty());
  }
  const Definitions process =
      sample::camunda(inside(camunda_listener("class='P' event='end'")) + "<bpmn:task id='x'/>");
  EXPECT_EQ(types(process.processes.at(0)->root().listeners->end), "P");
}

TEST(Listeners, that_need_java_itself_are_noted) {
  const std::pair<std::string, const char*> rows[] = {
      {camunda_listener("event='start'",
                        "<camunda:script scriptFormat='groovy'>x</camunda:script>"),
       "a script in an execution listener"},
      {camunda_listener("class='A' event='end'", "<camunda:field name='f' stringValue='v'/>"),
       "fields of the execution listener \"A\""},
      {camunda_listener("class='A' event='end' onTransaction='committed'"),
       "execution listener \"A\" with onTransaction=\"committed\""},
      {"<camunda:taskListener expression='${a}' event='create'/>", "task listener \"${a}\""},
  };
  for (const auto& [listener, text] : rows) {
    const Definitions d = sample::camunda(tag("userTask", inside(listener)));
    EXPECT_TRUE(d.ok()) << sample::text_of(d);
    const model::Element& x = *d.processes.at(0)->find("x");
    EXPECT_EQ(x.unsupported.at(0), text);
    EXPECT_FALSE(x.listeners);
  }
}

TEST(Listeners, of_a_flow_are_noted_at_the_element_that_it_leaves) {
  const std::string elements = "<bpmn:task id='a'/><bpmn:task id='b'/>";
  const std::string flow = "<bpmn:sequenceFlow id='f' sourceRef='a' targetRef='b'>";
  const Definitions camunda =
      sample::camunda(elements + flow + inside(camunda_listener("class='T' event='take'")) +
                      "</bpmn:sequenceFlow>");
  EXPECT_EQ(camunda.processes.at(0)->find("a")->unsupported.at(0),
            "execution listener \"T\" on a flow that leaves");
  const Definitions zeebe =
      sample::zeebe(elements + flow + inside(zeebe_listener("eventType='start' type='t'")) +
                    "</bpmn:sequenceFlow>");
  EXPECT_EQ(zeebe.processes.at(0)->find("a")->unsupported.at(0),
            "execution listeners on a flow that leaves");
}

TEST(Listeners, of_camunda_7_with_another_event_are_findings) {
  const Definitions d =
      sample::camunda(tag("task", inside(camunda_listener("class='T' event='take'"))));
  const Finding* finding = sample::find(d, "listener-event-unknown");
  ASSERT_NE(finding, nullptr) << sample::text_of(d);
  EXPECT_NE(finding->text.find("\"take\"; write start or end"), std::string::npos);
  EXPECT_NE(sample::find(sample::camunda(tag("task", inside(camunda_listener("event='end'")))),
                         "job-type-missing"),
            nullptr);
}

}  // namespace
}  // namespace pawl::bpmn
