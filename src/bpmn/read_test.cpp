// SPDX-License-Identifier: Apache-2.0
#include "bpmn/read.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "bpmn/findings.hpp"
#include "bpmn/sample.hpp"

namespace pawl::bpmn {
namespace {

using model::ElementKind;
using model::EventKind;
using sample::flow;
using Language = model::Expression::Language;

const model::Element& at(const Definitions& definitions, std::string_view id) {
  return *definitions.processes.at(0)->find(id);
}

TEST(Read, a_process_with_its_graph_and_places) {
  const Definitions d =
      sample::plain("<startEvent id='s' name='Go'/>\n  <task id='t'/>\n" + flow("f", "s", "t"));
  ASSERT_EQ(d.processes.size(), 0u);  // no end event, in a file that names its schema
  const Finding* finding = sample::find(d, "end-missing");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->place.line, 2u);

  const Definitions fine =
      sample::plain("<startEvent id='s' name='Go'/>\n  <endEvent id='e'/>\n" + flow("f", "s", "e"));
  ASSERT_TRUE(fine.ok()) << sample::text_of(fine);
  EXPECT_EQ(at(fine, "e").place.line, 4u);
  EXPECT_EQ(at(fine, "e").place.column, 3u);
  EXPECT_EQ(at(fine, "s").name, "Go");
  EXPECT_EQ(fine.processes[0]->dialect, model::Dialect::plain);
  EXPECT_EQ(fine.processes[0]->at(at(fine, "s").outgoing.at(0)).target, at(fine, "e").index);
}

// Events name elements by these numbers: docs/journal-format.md, "What events mean".
TEST(Read, A13_elements_and_flows_are_numbered_level_by_level_in_the_order_of_the_file) {
  const Definitions read = sample::plain(
      "<startEvent id='s'/>"
      "<subProcess id='box'><startEvent id='box.s'/>" +
      flow("f1", "box.s", "inner") + "<subProcess id='inner'><startEvent id='inner.s'/>" +
      flow("f2", "inner.s", "inner.e") +
      "<endEvent id='inner.e'/></subProcess><endEvent id='box.e'/>" + flow("f3", "inner", "box.e") +
      "</subProcess>" + flow("f4", "s", "box") +
      "<dataObject id='data'/><textAnnotation id='note'/>"
      "<subProcess id='other'><task id='other.t'/></subProcess>" +
      flow("f5", "box", "other") + "<endEvent id='e'/>" + flow("f6", "other", "e"));
  ASSERT_EQ(read.processes.size(), 1u) << sample::text_of(read);
  std::string elements, flows;
  for (const auto& one : read.processes[0]->elements) elements += one.id + " ";
  for (const auto& one : read.processes[0]->flows) flows += one.id + " ";
  EXPECT_EQ(elements, "p s box other e box.s inner box.e other.t inner.s inner.e ");
  EXPECT_EQ(flows, "f4 f5 f6 f1 f3 f2 ");
}

TEST(Read, findings_come_in_order_of_place_and_all_at_once) {
  const Definitions d = sample::plain("<task/>\n<task/>\n" + flow("f", "a", "b"));
  ASSERT_GE(d.findings.size(), 4u);
  for (std::size_t i = 1; i < d.findings.size(); ++i) {
    EXPECT_LE(d.findings[i - 1].place.line, d.findings[i].place.line);
  }
  EXPECT_TRUE(d.processes.empty());
}

TEST(Read, a_flood_of_warnings_does_not_hide_an_error) {
  std::string body;
  for (std::size_t i = 0; i <= limits::findings; ++i) {
    body += "<subProcess id='n" + std::to_string(i) + "'/>";  // empty: a warning each
  }
  const Definitions d = sample::plain(body + "<task/>");
  EXPECT_FALSE(d.ok());
  EXPECT_NE(sample::find(d, "id-missing"), nullptr);
  EXPECT_LE(d.findings.size(), 2 * limits::findings);
}

TEST(Read, only_bpmn_definitions_are_read) {
  EXPECT_NE(sample::find(read("<definitions/>", "f"), "not-bpmn"), nullptr);
  const std::string empty = "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'/>";
  EXPECT_NE(sample::find(read(empty, "f"), "process-missing"), nullptr);
}

TEST(Read, plain_service_tasks_have_a_job_type_from_pawl_the_operation_or_the_id) {
  const Definitions d = sample::plain(
      "<serviceTask id='a' pawl:type='pay'/><serviceTask id='b' operationRef='op'/>"
      "<serviceTask id='c'/>",
      "<interface id='i'><operation id='op' name='ship'/></interface>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(at(d, "a").job->type.text, "pay");
  EXPECT_EQ(at(d, "b").job->type.text, "ship");
  EXPECT_EQ(at(d, "c").job->type.text, "c");
}

TEST(Read, expressions_of_plain_models_are_javascript_unless_they_say_feel) {
  const std::string gateway =
      "<startEvent id='s'/><exclusiveGateway id='g'/><endEvent id='e'/><endEvent id='e2'/>" +
      flow("f0", "s", "g");
  const Definitions d = sample::plain(
      gateway + flow("f1", "g", "e", "<conditionExpression>${n > 1}</conditionExpression>") +
      flow("f2", "g", "e2",
           "<conditionExpression language='https://www.omg.org/spec/DMN/20191111/FEEL/'>n = 1"
           "</conditionExpression>"));
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(d.processes[0]->flows[1].condition.language, Language::javascript);
  EXPECT_EQ(d.processes[0]->flows[2].condition.language, Language::feel);
}

TEST(Read, an_expression_that_does_not_parse_says_where) {
  const Definitions d = sample::plain("<scriptTask id='x'><script>a = = b</script></scriptTask>");
  const Finding* finding = sample::find(d, "expression-invalid");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->element, "x");
  EXPECT_NE(finding->text.find("column"), std::string::npos) << finding->text;
}

TEST(Read, a_loop_over_declared_data_knows_the_variable_behind_it) {
  const Definitions d = sample::plain(
      "<dataObject id='DO' name='orders' isCollection='true'/>"
      "<dataObjectReference id='R' dataObjectRef='DO'/>"
      "<task id='x'><ioSpecification><dataInput id='in'/><inputSet><dataInputRefs>in"
      "</dataInputRefs></inputSet><outputSet/></ioSpecification>"
      "<dataInputAssociation><sourceRef>R</sourceRef><targetRef>in</targetRef>"
      "</dataInputAssociation><multiInstanceLoopCharacteristics isSequential='true'>"
      "<loopDataInputRef>in</loopDataInputRef><inputDataItem id='i' name='order'/>"
      "<outputDataItem id='o' name='result'/></multiInstanceLoopCharacteristics></task>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(at(d, "x").loop->collection.text, "orders");
  EXPECT_EQ(at(d, "x").loop->item_variable, "order");
  EXPECT_EQ(at(d, "x").loop->output_item, "result");
  EXPECT_EQ(d.processes[0]->root().data_names, std::vector<std::string>{"orders"});
}

TEST(Read, a_loop_may_be_written_with_attributes) {
  const Definitions d = sample::plain(
      "<task id='x'><multiInstanceLoopCharacteristics inputCollection='list' inputDataItem='i' "
      "outputCollection='out' outputDataItem='o' pawl:join='first'/></task>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(at(d, "x").loop->collection.text, "list");
  EXPECT_EQ(at(d, "x").loop->item_variable, "i");
  EXPECT_EQ(at(d, "x").loop->output_collection, "out");
  EXPECT_EQ(at(d, "x").loop->output_item, "o");
  EXPECT_EQ(at(d, "x").loop->options.join, model::LoopOptions::Join::count);
}

TEST(Read, a_loop_finds_data_whatever_its_name) {  // M2
  for (const std::string name : {"Order lines", "order-lines", "lines"}) {
    const Definitions d = sample::plain(
        "<dataObject id='DO' name='" + name +
        "' isCollection='true'/><task id='x'><multiInstanceLoopCharacteristics>"
        "<loopDataInputRef>DO</loopDataInputRef></multiInstanceLoopCharacteristics></task>");
    ASSERT_TRUE(d.ok()) << sample::text_of(d);
    EXPECT_EQ(at(d, "x").loop->collection.text, name);
  }
}

TEST(Read, half_an_output_of_a_loop_is_refused) {  // M6
  for (const std::string half : {"outputCollection='out'", "outputDataItem='o'"}) {
    const Definitions d =
        sample::plain("<task id='x'><multiInstanceLoopCharacteristics inputCollection='list' " +
                      half + "/></task>");
    EXPECT_NE(sample::find(d, "loop-output-incomplete"), nullptr) << half << sample::text_of(d);
  }
}

TEST(Read, events_may_have_several_definitions) {
  const std::string two =
      "<signalEventDefinition signalRef='g'/><signalEventDefinition "
      "signalRef='h'/></intermediateCatchEvent>";
  const Definitions d = sample::plain(
      "<startEvent id='s'/><intermediateCatchEvent id='a'>" + two +
          "<intermediateCatchEvent id='b' parallelMultiple='true'>" + two + "<endEvent id='e'/>" +
          flow("f1", "s", "a") + flow("f2", "a", "b") + flow("f3", "b", "e"),
      "<signal id='g' name='G'/><signal id='h'/>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(at(d, "a").event, EventKind::multiple);
  EXPECT_EQ(at(d, "b").event, EventKind::parallel_multiple);
  EXPECT_EQ(at(d, "a").events[0].name.text, "G");
  EXPECT_EQ(at(d, "a").events[1].name.text, "h");  // the id stands in for a name
}

TEST(Read, a_compensation_handler_is_found_through_its_association) {
  const Definitions d = sample::plain(
      "<task id='t'/><boundaryEvent id='b' attachedToRef='t'><compensateEventDefinition/>"
      "</boundaryEvent><task id='undo' isForCompensation='true'/>"
      "<association id='a' sourceRef='b' targetRef='undo'/>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(at(d, "b").compensation_handler, at(d, "undo").index);
  EXPECT_EQ(at(d, "b").attached_to, at(d, "t").index);
}

TEST(Read, write_rules_can_be_set_on_scopes) {
  const Definitions d =
      sample::plain("<subProcess id='sub' pawl:variables='shared'><task id='t'/></subProcess>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(d.processes[0]->root().write_rule, model::WriteRule::isolated);
  EXPECT_EQ(at(d, "t").write_rule, model::WriteRule::shared);
}

TEST(Read, a_global_task_becomes_a_process_that_can_be_called) {
  const Definitions d =
      sample::plain("<callActivity id='c' calledElement='g'/>",
                    "<globalScriptTask id='g'><script>x</script></globalScriptTask>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  ASSERT_EQ(d.processes.size(), 2u);
  const model::Process& task = *d.processes[0];
  EXPECT_TRUE(task.global_task);
  EXPECT_EQ(task.elements.size(), 4u);
  EXPECT_EQ(task.elements[2].kind, ElementKind::script_task);
  EXPECT_FALSE(task.elements[2].script->script.empty());
}

TEST(Read, quantities_other_than_one_are_noted) {
  const Definitions d = sample::plain("<task id='x' startQuantity='2'/>");
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  EXPECT_EQ(at(d, "x").start_quantity, 2);
  EXPECT_EQ(at(d, "x").unsupported.at(0), "startQuantity=\"2\"");
}

TEST(Read, message_flows_connect_different_pools) {
  const auto with = [](const std::string& flow_attributes) {
    return sample::plain("<task id='t'/>",
                         "<collaboration id='c'><participant id='P' processRef='p'/>"
                         "<participant id='Q'><participantMultiplicity minimum='3' maximum='2'/>"
                         "</participant><messageFlow id='m' " +
                             flow_attributes + "/></collaboration>");
  };
  EXPECT_NE(sample::find(with("sourceRef='t' targetRef='P'"), "message-flow"), nullptr);
  EXPECT_EQ(sample::find(with("sourceRef='t' targetRef='Q'"), "message-flow"), nullptr);
  EXPECT_NE(sample::find(with("sourceRef='t' targetRef='Q'"), "participant-multiplicity"), nullptr);
}

TEST(Read, a_call_declares_the_data_of_what_it_calls) {
  const std::string io =
      "<ioSpecification><dataInput id='X'/><inputSet/><outputSet/>"
      "</ioSpecification>";
  const std::string bare = "<ioSpecification><inputSet/><outputSet/></ioSpecification>";
  const Definitions d =
      sample::plain("<callActivity id='c' calledElement='g'>" + bare + "</callActivity>",
                    "<globalTask id='g'>" + io + "</globalTask>");
  EXPECT_NE(sample::find(d, "call-data"), nullptr) << sample::text_of(d);
}

TEST(Read, two_hundred_nested_sub_processes_are_fine_and_too_many_are_not) {
  const auto nested = [](std::size_t depth) {
    std::string body;
    for (std::size_t i = 0; i < depth; ++i) body += "<subProcess id='n" + std::to_string(i) + "'>";
    body += "<task id='t'/>";
    for (std::size_t i = 0; i < depth; ++i) body += "</subProcess>";
    return sample::plain(body);
  };
  EXPECT_TRUE(nested(200).ok());
  EXPECT_NE(sample::find(nested(limits::scope_depth + 1), "nesting-too-deep"), nullptr);
  EXPECT_NE(sample::find(nested(10'000), "xml-too-deep"), nullptr);
}

TEST(Read, inner_elements_never_leak_and_a_boundary_event_belongs_to_the_parent) {  // S8
  const Definitions d = sample::plain(
      "<startEvent id='s'/><subProcess id='box'><startEvent id='is'/><task id='it'/>"
      "<endEvent id='ie'/>" +
      flow("i1", "is", "it") + flow("i2", "it", "ie") +
      "</subProcess><boundaryEvent id='b' attachedToRef='box'><errorEventDefinition id='d'/>"
      "</boundaryEvent><endEvent id='e'/><endEvent id='e2'/>" +
      flow("f1", "s", "box") + flow("f2", "box", "e") + flow("f3", "b", "e2"));
  ASSERT_TRUE(d.ok()) << sample::text_of(d);
  const model::Process& process = *d.processes.at(0);
  const auto ids_in = [&](const model::Element& scope) {
    std::string ids;
    for (const ElementIndex child : scope.children) ids += process.at(child).id + " ";
    return ids;
  };
  EXPECT_EQ(ids_in(process.root()), "s box b e e2 ");
  EXPECT_EQ(ids_in(at(d, "box")), "is it ie ");
  ASSERT_EQ(at(d, "box").boundary_events.size(), 1u);
  EXPECT_EQ(process.at(at(d, "box").boundary_events[0]).id, "b");
  EXPECT_EQ(process.at(at(d, "it").scope).id, "box");
}

TEST(Read, the_graph_comes_from_flows_not_from_incoming_and_outgoing_children) {  // S8
  const Definitions d = read(
      "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='t'>"
      "<process id='p' isExecutable='true'><startEvent "
      "id='s'><outgoing>other</outgoing></startEvent>"
      "<endEvent id='e'/>" +
          flow("f", "s", "e") + "</process></definitions>",
      "f");
  ASSERT_EQ(d.processes.size(), 1u) << sample::text_of(d);
  ASSERT_EQ(at(d, "s").outgoing.size(), 1u);
  EXPECT_EQ(d.processes[0]->at(at(d, "s").outgoing[0]).id, "f");
  EXPECT_EQ(at(d, "e").incoming.size(), 1u);
}

TEST(Read, a_process_with_too_many_elements_is_refused) {
  std::string body;
  for (std::size_t i = 0; i <= limits::elements_per_process; ++i) {
    body += "<task id='t" + std::to_string(i) + "'/>";
  }
  EXPECT_NE(sample::find(sample::plain(body), "process-too-large"), nullptr);
}

TEST(Findings, are_shown_as_text_and_as_json) {
  const Finding finding{Finding::Severity::error, "a-rule", "x", {31, 5}, "it is \"so\""};
  EXPECT_EQ(to_text(finding, "order.bpmn"), "order.bpmn:31:5: error: it is \"so\" [a-rule]");
  EXPECT_EQ(to_json({finding}, "order.bpmn"),
            "[{\"file\":\"order.bpmn\",\"line\":31,\"column\":5,\"severity\":\"error\","
            "\"rule\":\"a-rule\",\"element\":\"x\",\"text\":\"it is \\\"so\\\"\"}]");
  EXPECT_EQ(to_json({}, "f"), "[]");
}

}  // namespace
}  // namespace pawl::bpmn
