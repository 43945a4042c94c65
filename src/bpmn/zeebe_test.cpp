// SPDX-License-Identifier: Apache-2.0
// The Zeebe dialect: every extension that is read.
#include <gtest/gtest.h>

#include "bpmn/sample.hpp"

namespace pawl::bpmn {
namespace {

using Language = model::Expression::Language;

struct ZeebeSample {
  Definitions definitions;
  const model::Process& process() const { return *definitions.processes.at(0); }
  const model::Element& x() const { return *process().find("x"); }
};

ZeebeSample extended(const std::string& tag, const std::string& extensions,
                     const std::string& inside = "", const std::string& beside = "") {
  ZeebeSample made{sample::zeebe("<bpmn:" + tag + " id='x'><bpmn:extensionElements>" + extensions +
                                     "</bpmn:extensionElements>" + inside + "</bpmn:" + tag + ">",
                                 beside)};
  EXPECT_TRUE(made.definitions.ok()) << sample::text_of(made.definitions);
  return made;
}

TEST(Zeebe, a_task_definition_is_a_job) {
  const ZeebeSample s =
      extended("serviceTask",
               "<zeebe:taskDefinition type='pay' retries='=n + 1'/><zeebe:taskHeaders>"
               "<zeebe:header key='k' value='v'/></zeebe:taskHeaders>"
               "<zeebe:properties/>");
  EXPECT_EQ(s.process().dialect, model::Dialect::zeebe);
  ASSERT_TRUE(s.x().job);
  EXPECT_EQ(s.x().job->type.literal.as_string(), "pay");
  EXPECT_EQ(s.x().job->retries.language, Language::feel);
  EXPECT_EQ(s.x().job->headers.at(0).second, "v");
}

TEST(Zeebe, a_source_without_equals_is_the_text_itself) {  // Z299
  const ZeebeSample s =
      extended("task",
               "<zeebe:ioMapping><zeebe:input source='true' target='a'/>"
               "<zeebe:input source='=b.c' target='d.e'/><zeebe:input target='n'/>"
               "<zeebe:output source='=f' target='g'/></zeebe:ioMapping>");
  ASSERT_EQ(s.x().inputs.size(), 3u);
  EXPECT_EQ(s.x().inputs[0].source.literal.as_string(), "true");
  EXPECT_EQ(s.x().inputs[1].source.language, Language::feel);
  EXPECT_EQ(s.x().inputs[1].path, (std::vector<std::string>{"d", "e"}));
  EXPECT_TRUE(s.x().inputs[2].source.empty());
  EXPECT_EQ(s.x().outputs.at(0).target, "g");
}

TEST(Zeebe, scripts_decisions_and_calls_are_read) {
  const ZeebeSample script =
      extended("scriptTask", "<zeebe:script expression='=a + 1' resultVariable='b'/>");
  EXPECT_EQ(script.x().script->script.language, Language::feel);
  EXPECT_EQ(script.x().script->result_variable, "b");

  const ZeebeSample decision =
      extended("businessRuleTask",
               "<zeebe:calledDecision decisionId='d' resultVariable='r' bindingType='versionTag' "
               "versionTag='v1'/>");
  EXPECT_EQ(decision.x().decision->decision_id.literal.as_string(), "d");
  EXPECT_EQ(decision.x().decision->version, "v1");
  EXPECT_FALSE(decision.x().job);

  const ZeebeSample call = extended(
      "callActivity", "<zeebe:calledElement processId='=p' propagateAllChildVariables='false'/>");
  EXPECT_EQ(call.x().call->process_id.language, Language::feel);
  EXPECT_FALSE(call.x().call->propagate_all_child);
  EXPECT_TRUE(call.x().call->propagate_all_parent);
  EXPECT_EQ(call.x().call->binding, model::CallDefinition::Binding::latest);
  const ZeebeSample tagged = extended("callActivity",
                                      "<zeebe:calledElement processId='p' bindingType='versionTag' "
                                      "versionTag='v1'/>");
  EXPECT_EQ(tagged.x().call->binding, model::CallDefinition::Binding::version_tag);
  EXPECT_EQ(tagged.x().call->version.literal.as_string(), "v1");
}

TEST(Zeebe, a_user_task_knows_its_people_dates_and_form) {
  const ZeebeSample s =
      extended("userTask",
               "<zeebe:userTask/><zeebe:assignmentDefinition assignee='ann' candidateGroups='=g'/>"
               "<zeebe:taskSchedule dueDate='=d' followUpDate='=f'/><zeebe:priorityDefinition "
               "priority='7'/><zeebe:formDefinition formId='form'/>");
  const model::UserTaskDefinition& task = *s.x().user_task;
  EXPECT_TRUE(task.native);
  EXPECT_EQ(task.assignee.literal.as_string(), "ann");
  EXPECT_EQ(task.candidate_groups.language, Language::feel);
  EXPECT_FALSE(task.due_date.empty());
  EXPECT_FALSE(task.follow_up_date.empty());
  EXPECT_EQ(task.priority.text, "7");
  EXPECT_EQ(task.form_id, "form");
}

TEST(Zeebe, a_loop_over_a_collection) {
  const ZeebeSample s =
      extended("task", "",
               "<bpmn:multiInstanceLoopCharacteristics isSequential='true' pawl:concurrency='4'>"
               "<bpmn:extensionElements><zeebe:loopCharacteristics inputCollection='=items' "
               "inputElement='item' outputCollection='results' outputElement='=r'/>"
               "</bpmn:extensionElements><bpmn:completionCondition>=done</bpmn:completionCondition>"
               "</bpmn:multiInstanceLoopCharacteristics>");
  const model::LoopDefinition& loop = *s.x().loop;
  EXPECT_TRUE(loop.sequential);
  EXPECT_EQ(loop.collection.text, "items");
  EXPECT_EQ(loop.item_variable, "item");
  EXPECT_EQ(loop.output_collection, "results");
  EXPECT_EQ(loop.output_element.text, "r");
  EXPECT_EQ(loop.completion_condition.language, Language::feel);
  EXPECT_EQ(loop.options.concurrency.literal, Value(4));
}

TEST(Zeebe, a_message_has_a_name_and_a_correlation_key) {
  const Definitions d =
      sample::zeebe("<bpmn:receiveTask id='x' messageRef='m'/>",
                    "<bpmn:message id='m' name='=n'><bpmn:extensionElements><zeebe:subscription "
                    "correlationKey='=order'/></bpmn:extensionElements></bpmn:message>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  const model::EventDefinition& event = d.processes[0]->find("x")->events.at(0);
  EXPECT_EQ(event.name.language, Language::feel);
  EXPECT_EQ(event.correlation_key.text, "order");
}

TEST(Zeebe, an_ad_hoc_sub_process_names_its_active_elements) {
  const ZeebeSample s = extended(
      "adHocSubProcess", "<zeebe:adHoc activeElementsCollection='=ids'/>", "<bpmn:task id='y'/>");
  EXPECT_EQ(s.x().active_elements.text, "ids");
}

TEST(Zeebe, an_ad_hoc_sub_process_collects_the_results_of_its_paths) {  // Z451
  const ZeebeSample s =
      extended("adHocSubProcess", "<zeebe:adHoc outputCollection='all' outputElement='=one'/>",
               "<bpmn:task id='y'/>");
  EXPECT_EQ(s.x().path_output_collection, "all");
  EXPECT_EQ(s.x().path_output_element.text, "one");
  EXPECT_TRUE(s.x().unsupported.empty());
}

TEST(Zeebe, what_nothing_leads_to_can_be_started_in_an_ad_hoc_sub_process) {  // Z446, Z453
  const ZeebeSample s =
      extended("adHocSubProcess", "<zeebe:adHoc/>",
               "<bpmn:task id='y'/><bpmn:task id='z'/><bpmn:task id='w'/>"
               "<bpmn:boundaryEvent id='b' attachedToRef='w'><bpmn:timerEventDefinition>"
               "<bpmn:timeDuration>PT1H</bpmn:timeDuration>"
               "</bpmn:timerEventDefinition></bpmn:boundaryEvent>"
               "<bpmn:sequenceFlow id='f' sourceRef='y' targetRef='z'/>");
  EXPECT_EQ(s.x().implicit_starts,
            (std::vector{s.process().find("y")->index, s.process().find("w")->index}));
}

TEST(Zeebe, task_listeners_are_noted_as_unsupported) {
  const ZeebeSample s = extended("userTask",
                                 "<zeebe:userTask/><zeebe:taskListeners><zeebe:taskListener "
                                 "eventType='creating' type='audit'/></zeebe:taskListeners>");
  EXPECT_EQ(s.x().unsupported.at(0), "task listener \"audit\"");
}

TEST(Zeebe, a_model_that_only_declares_the_namespace_is_zeebe_too) {
  const Definitions d = sample::zeebe(
      "<bpmn:exclusiveGateway id='g' default='f2'/><bpmn:task id='a'/><bpmn:task id='b'/>"
      "<bpmn:sequenceFlow id='f1' sourceRef='g' targetRef='a'>"
      "<bpmn:conditionExpression>=n > 1</bpmn:conditionExpression></bpmn:sequenceFlow>"
      "<bpmn:sequenceFlow id='f2' sourceRef='g' targetRef='b'/>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(d.processes[0]->flows[0].condition.language, Language::feel);
  EXPECT_EQ(d.processes[0]->elements[1].default_flow, FlowIndex{1});
}

TEST(Zeebe, a_loop_that_counts_may_have_a_plain_number) {  // M2
  for (const std::string count : {"3", "=n + 1"}) {
    const Definitions d = sample::zeebe(
        "<bpmn:task id='x'><bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>" + count +
        "</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics></bpmn:task>");
    EXPECT_TRUE(d.ok()) << sample::text_of(d);
  }
}

TEST(Zeebe, half_an_output_is_refused) {  // M6
  for (const std::string half : {"outputCollection='out'", "outputElement='=r'"}) {
    const Definitions loop = sample::zeebe(
        "<bpmn:task id='x'><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements>"
        "<zeebe:loopCharacteristics inputCollection='=list' " +
        half + "/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:task>");
    EXPECT_NE(sample::find(loop, "loop-output-incomplete"), nullptr) << sample::text_of(loop);
    const Definitions ad_hoc =
        sample::zeebe("<bpmn:adHocSubProcess id='x'><bpmn:extensionElements><zeebe:adHoc " + half +
                      "/></bpmn:extensionElements><bpmn:task id='a'/></bpmn:adHocSubProcess>");
    EXPECT_NE(sample::find(ad_hoc, "loop-output-incomplete"), nullptr) << sample::text_of(ad_hoc);
  }
}

}  // namespace
}  // namespace pawl::bpmn
