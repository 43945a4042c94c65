// SPDX-License-Identifier: Apache-2.0
// The Camunda 7 family: every extension that is read.
#include <gtest/gtest.h>

#include "bpmn/sample.hpp"

namespace pawl::bpmn {
namespace {

using Language = model::Expression::Language;

struct CamundaSample {
  Definitions definitions;
  const model::Element& x() const { return *definitions.processes.at(0)->find("x"); }
};

CamundaSample element(const std::string& tag, const std::string& attributes,
                      const std::string& inside = "", const std::string& beside = "") {
  CamundaSample made{sample::camunda(
      "<bpmn:" + tag + " id='x' " + attributes + ">" + inside + "</bpmn:" + tag + ">", beside)};
  EXPECT_TRUE(made.definitions.ok()) << sample::text_of(made.definitions);
  return made;
}

std::string extensions(const std::string& inside) {
  return "<bpmn:extensionElements>" + inside + "</bpmn:extensionElements>";
}

TEST(Camunda7, java_code_becomes_a_job_for_a_worker) {
  const std::pair<const char*, const char*> rows[] = {
      {"camunda:type='external' camunda:topic='pay'", "pay"},
      {"camunda:class='org.Pay'", "org.Pay"},
      {"camunda:delegateExpression='${pay}'", "${pay}"},
      {"camunda:expression='${pay.now()}'", "${pay.now()}"},
  };
  for (const auto& [attributes, type] : rows) {
    const CamundaSample s = element("serviceTask", attributes);
    ASSERT_TRUE(s.x().job) << attributes;
    EXPECT_EQ(s.x().job->type.literal.as_string(), type);
  }
}

TEST(Camunda7, C17_fields_are_headers_for_the_worker) {
  const CamundaSample s = element(
      "serviceTask", "camunda:class='org.Pay'",
      extensions("<camunda:field name='to' stringValue='bank'/>"
                 "<camunda:field name='how'><camunda:string>fast</camunda:string></camunda:field>"
                 "<camunda:field name='sum'><camunda:expression>${sum}</camunda:expression>"
                 "</camunda:field>"));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"to", "bank"}, {"how", "fast"}, {"sum", "${sum}"}};
  ASSERT_EQ(s.x().job->headers.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(s.x().job->headers[i].first, expected[i].first);
    EXPECT_EQ(s.x().job->headers[i].second, expected[i].second);
  }
  EXPECT_NE(sample::text_of(s.definitions).find("\"sum\" has an expression"), std::string::npos);
}

TEST(Camunda7, C17_what_would_change_what_runs_is_refused) {
  const std::pair<const char*, const char*> rows[] = {
      {"camunda:class='c' camunda:skipExpression='${true}'", "skipExpression \"${true}\""},
      {"camunda:class='c' camunda:triggerable='true'", "triggerable=\"true\""}};
  for (const auto& [attributes, text] : rows) {
    EXPECT_EQ(element("serviceTask", attributes).x().unsupported.at(0), text);
  }
  const CamundaSample loop = element(
      "serviceTask", "camunda:class='c'",
      "<bpmn:multiInstanceLoopCharacteristics>" +
          extensions("<camunda:variableAggregation target='all'/>") +
          "<bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>");
  EXPECT_EQ(loop.x().unsupported.at(0), "variableAggregation of a loop");
}

TEST(Camunda7, C17_an_unknown_extension_element_is_warned_of) {
  const CamundaSample s = element("serviceTask", "camunda:class='c'",
                                  extensions("<camunda:what/><camunda:properties/>"));
  const std::string findings = sample::text_of(s.definitions);
  EXPECT_NE(findings.find("\"what\" is not known"), std::string::npos) << findings;
  EXPECT_EQ(findings.find("properties"), std::string::npos) << findings;
}

TEST(Camunda7, older_and_sister_namespaces_are_the_same_dialect) {
  for (const char* uri : {"http://activiti.org/bpmn", "http://flowable.org/bpmn"}) {
    const std::string file =
        sample::dialect_file("f", uri, "<bpmn:serviceTask id='x' f:class='org.Pay'/>", "");
    const Definitions d = read(file, "f");
    ASSERT_TRUE(d.ok()) << sample::text_of(d);
    EXPECT_EQ(d.processes[0]->dialect, model::Dialect::camunda7);
    EXPECT_EQ(d.processes[0]->find("x")->job->type.text, "org.Pay");
  }
}

TEST(Camunda7, retries_and_priority_of_an_external_task) {
  const CamundaSample s = element(
      "serviceTask", "camunda:type='external' camunda:topic='t' camunda:taskPriority='${p}'",
      extensions("<camunda:failedJobRetryTimeCycle>R5/PT1M</camunda:failedJobRetryTimeCycle>"));
  EXPECT_EQ(s.x().job->retries.literal.as_int(), 5);
  EXPECT_EQ(s.x().job->priority.language, Language::javascript);
}

TEST(Camunda7, parameters_may_be_texts_templates_lists_and_maps) {
  const CamundaSample s = element(
      "task", "",
      extensions(
          "<camunda:inputOutput><camunda:inputParameter name='a'>text</camunda:inputParameter>"
          "<camunda:inputParameter name='b'>n ${c}</camunda:inputParameter>"
          "<camunda:inputParameter name='l'><camunda:list><camunda:value>1</camunda:value>"
          "<camunda:value>${x}</camunda:value></camunda:list></camunda:inputParameter>"
          "<camunda:inputParameter name='m'><camunda:map><camunda:entry key='k'>v"
          "</camunda:entry></camunda:map></camunda:inputParameter>"
          "<camunda:outputParameter name='o'>${r}</camunda:outputParameter>"
          "</camunda:inputOutput>"));
  ASSERT_EQ(s.x().inputs.size(), 4u);
  EXPECT_EQ(s.x().inputs[0].source.literal.as_string(), "text");
  for (int i = 1; i < 4; ++i) EXPECT_EQ(s.x().inputs[i].source.language, Language::javascript);
  EXPECT_EQ(s.x().outputs.at(0).target, "o");
}

TEST(Camunda7, a_call_passes_only_what_it_maps) {
  const CamundaSample s = element(
      "callActivity",
      "calledElement='child' camunda:calledElementBinding='version' "
      "camunda:calledElementVersion='3'",
      extensions(
          "<camunda:in source='a' target='b'/><camunda:in sourceExpression='${c}' target='d'/>"
          "<camunda:in businessKey='#{key}'/><camunda:out variables='all'/>"));
  const model::CallDefinition& call = *s.x().call;
  EXPECT_EQ(call.process_id.literal.as_string(), "child");
  EXPECT_EQ(call.binding, model::CallDefinition::Binding::version);
  EXPECT_EQ(call.version.literal.as_string(), "3");
  EXPECT_FALSE(call.propagate_all_parent);
  EXPECT_TRUE(call.propagate_all_child);
  EXPECT_FALSE(call.business_key.empty());
  ASSERT_EQ(call.inputs.size(), 2u);
  EXPECT_EQ(call.inputs[0].variable, "a");
  EXPECT_EQ(call.inputs[0].target, "b");
  EXPECT_FALSE(call.inputs[1].source.empty());
  EXPECT_TRUE(s.x().inputs.empty());
}

TEST(Camunda7, a_call_may_pass_local_variables_only) {
  const CamundaSample s = element(
      "callActivity", "calledElement='child'",
      extensions("<camunda:in variables='all' local='true'/><camunda:out source='a' local='true'/>"
                 "<camunda:out sourceExpression='${a + 1}' target='b'/>"));
  const model::CallDefinition& call = *s.x().call;
  EXPECT_TRUE(call.only_locals);
  EXPECT_FALSE(call.propagate_all_child);
  ASSERT_EQ(call.outputs.size(), 2u);
  EXPECT_TRUE(call.outputs[0].local);
  EXPECT_EQ(call.outputs[0].target, "a");
  EXPECT_TRUE(s.x().unsupported.empty());
}

TEST(Camunda7, a_user_task_knows_its_people_and_dates) {
  const CamundaSample s =
      element("userTask",
              "camunda:assignee='kermit' camunda:candidateUsers='a,b' "
              "camunda:candidateGroups='${g}' camunda:dueDate='${d}' "
              "camunda:followUpDate='${f}' camunda:priority='3' camunda:formKey='k'");
  const model::UserTaskDefinition& task = *s.x().user_task;
  EXPECT_EQ(task.assignee.literal.as_string(), "kermit");
  EXPECT_EQ(task.candidate_users.text, "a,b");
  EXPECT_EQ(task.candidate_groups.language, Language::javascript);
  EXPECT_FALSE(task.due_date.empty());
  EXPECT_FALSE(task.follow_up_date.empty());
  EXPECT_EQ(task.form_key, "k");
}

TEST(Camunda7, a_loop_a_decision_and_a_script) {
  const CamundaSample loop =
      element("task", "",
              "<bpmn:multiInstanceLoopCharacteristics camunda:collection='list' "
              "camunda:elementVariable='item' camunda:elementIndexVariable='place'/>");
  EXPECT_EQ(loop.x().loop->collection.text, "list");
  EXPECT_EQ(loop.x().loop->item_variable, "item");
  EXPECT_EQ(loop.x().loop->index_variable, "place");  // C112

  const CamundaSample decision =
      element("businessRuleTask", "camunda:decisionRef='d' camunda:resultVariable='r'");
  EXPECT_EQ(decision.x().decision->decision_id.text, "d");
  EXPECT_EQ(decision.x().decision->result_variable, "r");

  const CamundaSample script =
      element("scriptTask", "scriptFormat='javascript' camunda:resultVariable='r'",
              "<bpmn:script>1 + 1</bpmn:script>");
  EXPECT_EQ(script.x().script->script.language, Language::javascript);
  EXPECT_EQ(script.x().script->result_variable, "r");
}

TEST(Camunda7, what_needs_java_is_noted_not_refused) {
  const std::pair<CamundaSample, const char*> rows[] = {
      {element("scriptTask", "scriptFormat='groovy'", "<bpmn:script>x = 1</bpmn:script>"),
       "a script in \"groovy\""},
      {element("userTask", "",
               extensions("<camunda:taskListener expression='${a}' event='create'/>")),
       "task listener \"${a}\""},
      {element("serviceTask", "camunda:type='mail'"), "a task of the type \"mail\""},
  };
  for (const auto& [made, text] : rows) EXPECT_EQ(made.x().unsupported.at(0), text);
}

TEST(Camunda7, word_operators_in_conditions_are_understood) {
  const Definitions d = sample::camunda(
      "<bpmn:exclusiveGateway id='g'/><bpmn:task id='a'/><bpmn:task id='b'/>"
      "<bpmn:sequenceFlow id='f1' sourceRef='g' targetRef='a'><bpmn:conditionExpression>"
      "${a eq 1 and not empty b}</bpmn:conditionExpression></bpmn:sequenceFlow>"
      "<bpmn:sequenceFlow id='f2' sourceRef='g' targetRef='b'><bpmn:conditionExpression "
      "language='feel'>a = 1</bpmn:conditionExpression></bpmn:sequenceFlow>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(d.processes[0]->flows[0].condition.language, Language::javascript);
  EXPECT_EQ(d.processes[0]->flows[0].condition.text, "${a eq 1 and not empty b}");
  EXPECT_EQ(d.processes[0]->flows[1].condition.language, Language::feel);
}

TEST(Camunda7, boundary_events_interrupt_as_camunda_does) {
  const std::string host = "<bpmn:task id='t'/><bpmn:boundaryEvent id='x' attachedToRef='t' ";
  const Definitions escalation =
      sample::camunda(host +
                      "><bpmn:escalationEventDefinition camunda:escalationCodeVariable='c'/>"
                      "</bpmn:boundaryEvent>");
  EXPECT_FALSE(escalation.processes.at(0)->find("x")->interrupting);
  EXPECT_EQ(escalation.processes[0]->find("x")->events[0].code_variable, "c");
  const Definitions error =
      sample::camunda(host +
                      "cancelActivity='false'><bpmn:errorEventDefinition errorRef='E' "
                      "camunda:errorCodeVariable='c' camunda:errorMessageVariable='m'/>"
                      "</bpmn:boundaryEvent>");
  EXPECT_TRUE(error.processes.at(0)->find("x")->interrupting);
  EXPECT_EQ(error.processes[0]->find("x")->events[0].code.text, "E");
  EXPECT_EQ(error.processes[0]->find("x")->events[0].message_variable, "m");
}

TEST(Camunda7, loops_of_the_whole_family) {  // M2, M6
  using Language = model::Expression::Language;
  for (const std::string uri : {"http://camunda.org/schema/1.0/bpmn", "http://flowable.org/bpmn",
                                "http://activiti.org/bpmn"}) {
    for (const std::string list : {"list", "${list}", "=list"}) {
      const Definitions d = read(
          sample::dialect_file(
              "f", uri,
              "<bpmn:task id='x'><bpmn:multiInstanceLoopCharacteristics f:collection='" + list +
                  "' f:elementVariable='item' f:elementIndexVariable='place' pawl:join='2'>"
                  "<bpmn:loopDataOutputRef>results</bpmn:loopDataOutputRef>"
                  "<bpmn:outputDataItem id='o' name='r'/>"
                  "</bpmn:multiInstanceLoopCharacteristics></bpmn:task>",
              ""),
          "f");
      ASSERT_TRUE(d.ok()) << sample::text_of(d);
      const auto& loop = *d.processes[0]->find("x")->loop;
      EXPECT_EQ(loop.collection.language, list[0] == '=' ? Language::feel : Language::javascript);
      EXPECT_EQ(loop.item_variable, "item");
      EXPECT_EQ(loop.index_variable, "place");
      EXPECT_EQ(loop.output_collection, "results");
      EXPECT_EQ(loop.output_item, "r");
      EXPECT_EQ(loop.options.join, model::LoopOptions::Join::count);
    }
  }
}

}  // namespace
}  // namespace pawl::bpmn
