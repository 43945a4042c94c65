// SPDX-License-Identifier: Apache-2.0
// Every rule by name: a model that breaks it and one that does not.
#include "bpmn/rules.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "bpmn/sample.hpp"

namespace pawl::bpmn {
namespace {

using sample::In;

using sample::flow;

const std::string start = "<startEvent id='s'/>\n";
const std::string end = "<endEvent id='e'/>\n";
const std::string formal = " xsi:type='tFormalExpression'";

// start → what → end, where `what` is one element with the id x.
std::string line(const std::string& what) {
  return start + what + end + flow("f1", "s", "x") + flow("f2", "x", "e");
}

std::string timer(const std::string& inside) {
  return line("<intermediateCatchEvent id='x'><timerEventDefinition>" + inside +
              "</timerEventDefinition></intermediateCatchEvent>");
}

const std::string wait_1s =
    "<timerEventDefinition><timeDuration xsi:type='tFormalExpression'>PT1S"
    "</timeDuration></timerEventDefinition>";

// A timer with a cycle on an event x, beside a task t.
std::string zeebe_timer(const std::string& tag, const std::string& attributes) {
  return "<bpmn:task id='t'/><bpmn:" + tag + " id='x' " + attributes +
         "><bpmn:timerEventDefinition><bpmn:timeCycle>R3/PT1S</bpmn:timeCycle>"
         "</bpmn:timerEventDefinition></bpmn:" +
         tag + ">";
}

// start → task x → end, with a boundary event b on x that leads to an end event of its own.
std::string boundary(const std::string& attributes, const std::string& definition,
                     const std::string& host = "<task id='x'/>") {
  return line(host) + "<boundaryEvent id='b' attachedToRef='x' " + attributes + ">" + definition +
         "</boundaryEvent><endEvent id='e2'/>" + flow("f3", "b", "e2");
}

// An event sub-process h beside start → task → end.
std::string handler(const std::string& inside, const std::string& beside = "") {
  return line("<task id='x'/>") + "<subProcess id='h' triggeredByEvent='true'>" + inside +
         "</subProcess>" + beside;
}

std::string handled_by(const std::string& attributes, const std::string& definition) {
  return handler("<startEvent id='hs' " + attributes + ">" + definition +
                 "</startEvent><endEvent id='he'/>" + flow("hf", "hs", "he"));
}

// Two event sub-processes in one scope.
std::string two_handlers(const std::string& one, const std::string& other) {
  return handled_by("", one) + "<subProcess id='i' triggeredByEvent='true'><startEvent id='is'>" +
         other + "</startEvent><endEvent id='ie'/>" + flow("if", "is", "ie") + "</subProcess>";
}
const std::string on_message = "<messageEventDefinition messageRef='m'/>";
const std::string on_signal = "<bpmn:signalEventDefinition signalRef='g'/>";

std::string zeebe_handler(const std::string& id, const std::string& attributes,
                          const std::string& definition) {
  return "<bpmn:subProcess id='" + id + "' triggeredByEvent='true'><bpmn:startEvent id='" + id +
         "s' " + attributes + ">" + definition + "</bpmn:startEvent></bpmn:subProcess>";
}
const std::string zeebe_undo =
    "<bpmn:task id='x'/><bpmn:boundaryEvent id='b' attachedToRef='x'>"
    "<bpmn:compensateEventDefinition/></bpmn:boundaryEvent>"
    "<bpmn:task id='undo' isForCompensation='true'/>"
    "<bpmn:association id='as' associationDirection='One' sourceRef='b' targetRef='undo'/>";
const std::string zeebe_cycle =
    "<bpmn:timerEventDefinition><bpmn:timeCycle>R3/PT1S</bpmn:timeCycle>"
    "</bpmn:timerEventDefinition>";

std::string listener(const std::string& event) {
  return "<zeebe:taskDefinition type='t'/><zeebe:executionListeners><zeebe:executionListener "
         "eventType='" +
         event + "' type='l'/></zeebe:executionListeners>";
}

std::string event_gateway(const std::string& second, const std::string& condition = "") {
  return start + "<eventBasedGateway id='g'/><intermediateCatchEvent id='a'>" + wait_1s +
         "</intermediateCatchEvent>" + second + end + flow("f1", "s", "g") +
         flow("f2", "g", "a", condition) + flow("f3", "g", "b") + flow("f4", "a", "e") +
         flow("f5", "b", "e");
}

std::string links(const std::string& thrown, const std::string& caught) {
  return start + end + "<intermediateThrowEvent id='t'><linkEventDefinition name='" + thrown +
         "'/></intermediateThrowEvent>"
         "<intermediateCatchEvent id='c'><linkEventDefinition name='" +
         caught + "'/></intermediateCatchEvent>" + flow("f1", "s", "t") + flow("f2", "c", "e");
}

std::string compensated(const std::string& mark, const std::string& more) {
  return line("<task id='x'/>") +
         "<boundaryEvent id='b' attachedToRef='x'><compensateEventDefinition/></boundaryEvent>"
         "<task id='undo' isForCompensation='" +
         mark + "'/>" + more;
}
const std::string undo =
    "<association id='as' associationDirection='One' sourceRef='b' "
    "targetRef='undo'/>";

std::string in_task(const std::string& inside, const std::string& tag = "task",
                    const std::string& attributes = "") {
  return line("<" + tag + " id='x' " + attributes + ">" + inside + "</" + tag + ">");
}

std::string choice(const std::string& condition, const std::string& attributes = "",
                   const std::string& tag = "exclusiveGateway") {
  return start + "<" + tag + " id='x' " + attributes + "/><endEvent id='e'/><endEvent id='e2'/>" +
         flow("f1", "s", "x") + flow("f2", "x", "e", condition) +
         flow("f3", "x", "e2",
              "<conditionExpression xsi:type='tFormalExpression'>y</conditionExpression>");
}
const std::string if_y =
    "<conditionExpression xsi:type='tFormalExpression'>y</conditionExpression>";

std::string items(const std::string& first, const std::string& second) {
  return "<itemDefinition id='i1' structureRef='" + first +
         "'/><itemDefinition id='i2' structureRef='" + second + "'/><message id='m' itemRef='i1'/>";
}

std::string send_with(const std::string& item) {
  return in_task("<ioSpecification><dataInput id='in' itemSubjectRef='" + item +
                     "'/><inputSet><dataInputRefs>in</dataInputRefs></inputSet><outputSet/>"
                     "</ioSpecification>",
                 "sendTask", "messageRef='m'");
}

std::string move(const std::string& sources, const std::string& more = "") {
  return "<dataObject id='d' itemSubjectRef='i2'/><dataObject id='d2' itemSubjectRef='i2'/>" +
         in_task(
             "<ioSpecification><dataInput id='in' itemSubjectRef='i1'/><inputSet>"
             "<dataInputRefs>in</dataInputRefs></inputSet><outputSet/></ioSpecification>"
             "<dataInputAssociation>" +
             sources + "<targetRef>in</targetRef>" + more + "</dataInputAssociation>");
}

struct Row {
  Rule rule;
  std::string bad;
  std::string good;
  std::string beside{};  // in the definitions, for both
  In dialect{In::plain};
};

std::vector<Row> rows() {
  const std::string count = "<loopCardinality" + formal + ">3</loopCardinality>";
  const std::string multi = "<multiInstanceLoopCharacteristics>" + count;
  const std::string signal_wait =
      "<intermediateCatchEvent id='b'><signalEventDefinition signalRef='sig'/>"
      "</intermediateCatchEvent>";
  const std::string zb = "<bpmn:serviceTask id='x'><bpmn:extensionElements>";
  const std::string ze = "</bpmn:extensionElements></bpmn:serviceTask>";
  const std::string zeebe_message =
      "<bpmn:intermediateCatchEvent id='x'><bpmn:messageEventDefinition messageRef='m'/>"
      "</bpmn:intermediateCatchEvent>";
  return {
      {Rule::element_unknown, line("<choreographyTask id='x'/>"), line("<task id='x'/>")},
      {Rule::id_missing, start + "<task/>", line("<task id='x'/>")},
      {Rule::id_duplicate, start + "<task id='s'/>", line("<task id='x'/>")},
      {Rule::reference_unknown, "<dataObject id='d' itemSubjectRef='no'/>",
       "<dataObject id='d' itemSubjectRef='i1'/>", items("a", "b")},
      {Rule::reference_kind, "<dataObject id='d' itemSubjectRef='m'/>",
       "<dataObject id='d' itemSubjectRef='i1'/>", items("a", "b")},
      {Rule::flow_source_unknown, end + flow("f", "no", "e"), start + end + flow("f", "s", "e")},
      {Rule::flow_target_unknown, start + flow("f", "s", "no"), start + end + flow("f", "s", "e")},
      {Rule::flow_crosses_scope,
       "<subProcess id='sub'><task id='x'/></subProcess>" + end + flow("f", "x", "e"),
       "<subProcess id='sub'><task id='x'/></subProcess>" + end + flow("f", "sub", "e")},
      {Rule::flow_condition_empty, choice("<conditionExpression/>", "default='f2'"), choice(if_y)},
      {Rule::flow_condition_ignored, choice(if_y, "", "parallelGateway"), choice(if_y)},
      {Rule::flow_condition_advised, choice(""), choice("", "default='f2'")},
      {Rule::flow_condition_alone,
       start + "<task id='x'/>" + end + flow("f1", "s", "x") + flow("f2", "x", "e", if_y),
       line("<task id='x'/>")},
      {Rule::flow_is_immediate,
       start + end + "<sequenceFlow id='f' sourceRef='s' targetRef='e' isImmediate='true'/>",
       start + end + flow("f", "s", "e")},
      {Rule::flow_lists_differ,
       "<startEvent id='s'><outgoing>f</outgoing></startEvent>" + end + flow("f", "s", "e"),
       "<startEvent id='s'><outgoing>f</outgoing></startEvent>"
       "<endEvent id='e'><incoming>f</incoming></endEvent>" +
           flow("f", "s", "e")},
      {Rule::node_without_incoming, line("<task id='x'/>") + "<task id='y'/>" + flow("f", "y", "e"),
       line("<task id='x'/>")},
      {Rule::node_without_outgoing, line("<task id='x'/>") + "<task id='y'/>" + flow("f", "x", "y"),
       line("<task id='x'/>")},
      {Rule::default_flow_unknown, choice(if_y, "default='f1'"), choice(if_y, "default='f2'")},
      {Rule::default_flow_condition, choice(if_y, "default='f2'"), choice("", "default='f2'")},
      {Rule::start_has_incoming, line("<task id='x'/>") + flow("f3", "x", "s"),
       line("<task id='x'/>")},
      {Rule::end_has_outgoing, line("<task id='x'/>") + flow("f3", "e", "x"),
       line("<task id='x'/>")},
      {Rule::start_several,
       line("<task id='x'/>") + "<startEvent id='s2'/>" + flow("f3", "s2", "x"),
       line("<task id='x'/>")},
      {Rule::start_missing, "<task id='x'/>" + end + flow("f", "x", "e"), line("<task id='x'/>")},
      {Rule::end_missing, start + "<task id='x'/>" + flow("f", "s", "x"), line("<task id='x'/>")},
      {Rule::instantiate_has_incoming,
       line("<receiveTask id='x' instantiate='true' messageRef='m'/>"),
       line("<receiveTask id='x' messageRef='m'/>"), items("a", "b")},
      {Rule::container_empty, line("<subProcess id='x'/>"),
       line("<subProcess id='x'><task id='y'/></subProcess>")},
      {Rule::sub_process_start_kind,
       line("<subProcess id='x'><startEvent id='s2'>" + wait_1s + "</startEvent></subProcess>"),
       line("<subProcess id='x'><startEvent id='s2'/></subProcess>")},
      {Rule::event_sub_process_start, handled_by("", ""), handled_by("", wait_1s)},
      {Rule::event_sub_process_start, handler(""), handled_by("", wait_1s)},
      {Rule::event_sub_process_start,
       handler("<startEvent id='hs'>" + wait_1s + "</startEvent><startEvent id='ht'>" + wait_1s +
               "</startEvent>"),
       handled_by("", wait_1s)},
      {Rule::event_must_interrupt, handled_by("isInterrupting='false'", "<errorEventDefinition/>"),
       handled_by("", "<errorEventDefinition/>")},
      {Rule::catch_duplicate, two_handlers(on_message, on_message),
       two_handlers(on_message, wait_1s), "<message id='m' name='n'/>"},
      {Rule::catch_duplicate, two_handlers("<errorEventDefinition/>", "<errorEventDefinition/>"),
       two_handlers("<errorEventDefinition/>", "<errorEventDefinition errorRef='r'/>"),
       "<error id='r' errorCode='E'/>"},
      {Rule::catch_duplicate,
       two_handlers("<errorEventDefinition errorRef='r'/>", "<errorEventDefinition errorRef='q'/>"),
       two_handlers("<errorEventDefinition errorRef='r'/>", "<errorEventDefinition errorRef='p'/>"),
       "<error id='r' errorCode='E'/><error id='q' errorCode='E'/><error id='p' errorCode='F'/>"},
      {Rule::event_sub_process_flow,
       handler("<startEvent id='hs'>" + wait_1s + "</startEvent>", flow("f3", "x", "h")),
       handler("<startEvent id='hs'>" + wait_1s + "</startEvent>")},
      {Rule::ad_hoc_content,
       line("<adHocSubProcess id='x'><task id='y'/><endEvent id='e2'/></adHocSubProcess>"),
       line("<adHocSubProcess id='x'><task id='y'/></adHocSubProcess>")},
      {Rule::event_kind, line("<intermediateCatchEvent id='x'/>"),
       line("<intermediateCatchEvent id='x'>" + wait_1s + "</intermediateCatchEvent>")},
      {Rule::event_must_interrupt, boundary("cancelActivity='false'", "<errorEventDefinition/>"),
       boundary("", "<errorEventDefinition/>")},
      {Rule::event_definition_ref_unknown,
       line("<intermediateCatchEvent id='x'><eventDefinitionRef>no</eventDefinitionRef>"
            "</intermediateCatchEvent>"),
       line("<intermediateCatchEvent id='x'><eventDefinitionRef>shared</eventDefinitionRef>"
            "</intermediateCatchEvent>"),
       "<signal id='sig'/><signalEventDefinition id='shared' signalRef='sig'/>"},
      {Rule::cancel_outside_transaction,  // C14
       boundary("", "<cancelEventDefinition/>"),
       boundary("", "<cancelEventDefinition/>",
                "<transaction id='x'><task id='y'/></transaction>")},
      {Rule::catch_duplicate,
       boundary("", "<errorEventDefinition/>") +
           "<boundaryEvent id='b2' attachedToRef='x'><errorEventDefinition/></boundaryEvent>" +
           flow("f4", "b2", "e2"),
       boundary("", "<errorEventDefinition/>") +
           "<boundaryEvent id='b2' attachedToRef='x'><errorEventDefinition errorRef='er'/>"
           "</boundaryEvent>" +
           flow("f4", "b2", "e2"),
       "<error id='er' errorCode='7'/>"},
      {Rule::boundary_host_unknown,
       line("<task id='x'/>") + "<boundaryEvent id='b' attachedToRef='s'>" + wait_1s +
           "</boundaryEvent>",
       boundary("", wait_1s)},
      {Rule::boundary_has_incoming, boundary("", wait_1s) + flow("f4", "s", "b"),
       boundary("", wait_1s)},
      {Rule::message_ref_missing, boundary("", "<messageEventDefinition/>"),
       boundary("", "<messageEventDefinition messageRef='m'/>"), items("a", "b")},
      {Rule::message_ref_unknown, boundary("", "<messageEventDefinition messageRef='i1'/>"),
       boundary("", "<messageEventDefinition messageRef='m'/>"), items("a", "b")},
      {Rule::operation_missing, boundary("", "<messageEventDefinition messageRef='m'/>"),
       boundary("",
                "<messageEventDefinition messageRef='m'><operationRef>op</operationRef>"
                "</messageEventDefinition>"),
       items("a", "b") + "<interface id='if'><operation id='op'/></interface>"},
      {Rule::signal_ref_missing, boundary("", "<signalEventDefinition/>"),
       boundary("", "<signalEventDefinition signalRef='sig'/>"), "<signal id='sig'/>"},
      {Rule::signal_ref_unknown, boundary("", "<signalEventDefinition signalRef='no'/>"),
       boundary("", "<signalEventDefinition signalRef='sig'/>"), "<signal id='sig'/>"},
      {Rule::error_code_missing, start + "<endEvent id='e'><errorEventDefinition/></endEvent>",
       start + "<endEvent id='e'><errorEventDefinition errorRef='er'/></endEvent>",
       "<error id='er' errorCode='7'/>"},
      {Rule::escalation_ref_unknown,
       boundary("", "<escalationEventDefinition escalationRef='no'/>"),
       boundary("", "<escalationEventDefinition escalationRef='es'/>"),
       "<escalation id='es' escalationCode='1'/>"},
      {Rule::escalation_code_missing,
       start + "<endEvent id='e'><escalationEventDefinition/></endEvent>",
       start + "<endEvent id='e'><escalationEventDefinition escalationRef='es'/></endEvent>",
       "<escalation id='es' escalationCode='1'/>"},
      {Rule::timer_missing, timer(""), timer("<timeCycle" + formal + ">R3/PT1S</timeCycle>")},
      {Rule::timer_several,
       timer("<timeDate" + formal + ">2030-01-01T00:00:00Z</timeDate><timeDuration" + formal +
             ">PT1S</timeDuration>"),
       timer("<timeDate" + formal + ">2030-01-01T00:00:00Z</timeDate>")},
      {Rule::timer_invalid, timer("<timeDuration" + formal + ">P1X</timeDuration>"),
       timer("<timeDuration" + formal + ">P1Y2M3DT4H5M6.5S</timeDuration>")},
      {Rule::condition_missing, boundary("", "<conditionalEventDefinition/>"),
       boundary("",
                "<conditionalEventDefinition><condition>y</condition>"
                "</conditionalEventDefinition>")},
      {Rule::link_name_missing, links("", "A"), links("A", "A")},
      {Rule::link_throw_alone, links("A", "B"), links("A", "A")},
      {Rule::link_catch_alone, links("A", "B"), links("A", "A")},
      {Rule::link_catch_duplicate,
       links("A", "A") +
           "<intermediateCatchEvent id='c2'><linkEventDefinition name='A'/>"
           "</intermediateCatchEvent>" +
           flow("f3", "c2", "e"),
       links("A", "A")},
      {Rule::link_flow, links("A", "A") + flow("f3", "t", "e"), links("A", "A")},
      {Rule::cancel_outside_transaction,  // C15
       start + "<endEvent id='e'><cancelEventDefinition/></endEvent>" + flow("f1", "s", "e"),
       line("<task id='x'/>")},
      {Rule::compensation_handler_missing, compensated("true", ""), compensated("true", undo)},
      {Rule::compensation_handler_unmarked, compensated("false", undo), compensated("true", undo)},
      {Rule::compensation_flow, compensated("true", undo + flow("f9", "undo", "e")),
       compensated("true", undo)},
      {Rule::compensation_ref_unknown,
       start + "<endEvent id='e'><compensateEventDefinition activityRef='no'/></endEvent>",
       line("<task id='x'/>") +
           "<endEvent id='e2'><compensateEventDefinition activityRef='x'/></endEvent>" +
           flow("f3", "x", "e2")},
      {Rule::compensation_ref_unknown,  // C38
       line("<subProcess id='x'><task id='y'/></subProcess>") +
           "<endEvent id='e2'><compensateEventDefinition activityRef='y'/></endEvent>" +
           flow("f3", "x", "e2"),
       line("<subProcess id='x'><task id='y'/></subProcess>") +
           "<endEvent id='e2'><compensateEventDefinition activityRef='x'/></endEvent>" +
           flow("f3", "x", "e2")},
      {Rule::catch_duplicate,  // C38
       two_handlers("<compensateEventDefinition/>", "<compensateEventDefinition/>"),
       two_handlers("<compensateEventDefinition/>", wait_1s)},
      {Rule::catch_duplicate,  // Z205
       two_handlers("<escalationEventDefinition/>", "<escalationEventDefinition/>"),
       two_handlers("<escalationEventDefinition/>",
                    "<escalationEventDefinition escalationRef='r'/>"),
       "<escalation id='r' escalationCode='E'/>"},
      {Rule::gateway_direction, choice(if_y, "gatewayDirection='Converging'"),
       choice(if_y, "gatewayDirection='Diverging'")},
      {Rule::gateway_useless, line("<exclusiveGateway id='x'/>"), choice(if_y)},
      {Rule::event_gateway_outgoing,
       start + "<eventBasedGateway id='g'/>" + end + flow("f1", "s", "g"),
       event_gateway(signal_wait), "<signal id='sig'/>"},
      {Rule::event_gateway_target, event_gateway("<task id='b'/>"), event_gateway(signal_wait),
       "<signal id='sig'/>"},
      {Rule::event_gateway_condition, event_gateway(signal_wait, if_y), event_gateway(signal_wait),
       "<signal id='sig'/>"},
      {Rule::event_gateway_same_event,
       event_gateway(signal_wait) +
           "<intermediateCatchEvent id='c'><signalEventDefinition signalRef='sig'/>"
           "</intermediateCatchEvent>" +
           flow("f6", "g", "c"),
       event_gateway(signal_wait), "<signal id='sig'/>"},
      {Rule::event_gateway_parallel,
       line("<eventBasedGateway id='x' eventGatewayType='Parallel'/>"),
       line("<eventBasedGateway id='x'/>")},
      {Rule::event_gateway_mixed,
       event_gateway("<receiveTask id='b' messageRef='m'/>") +
           "<intermediateCatchEvent id='c'><messageEventDefinition messageRef='m2'/>"
           "</intermediateCatchEvent>" +
           flow("f6", "g", "c"),
       event_gateway("<receiveTask id='b' messageRef='m'/>"),
       items("a", "b") + "<message id='m2'/>"},
      {Rule::loop_several,
       in_task("<standardLoopCharacteristics/>" + multi + "</multiInstanceLoopCharacteristics>"),
       in_task("<standardLoopCharacteristics/>")},
      {Rule::loop_without_count, in_task("<multiInstanceLoopCharacteristics/>"),
       in_task(multi + "</multiInstanceLoopCharacteristics>")},
      {Rule::loop_maximum_invalid, in_task("<standardLoopCharacteristics loopMaximum='many'/>"),
       in_task("<standardLoopCharacteristics loopMaximum='3'/>")},
      {Rule::loop_behavior,
       in_task(multi + "<complexBehaviorDefinition><condition>y</condition>"
                       "</complexBehaviorDefinition></multiInstanceLoopCharacteristics>"),
       in_task("<multiInstanceLoopCharacteristics behavior='Complex'>" + count +
               "<complexBehaviorDefinition><condition>y</condition></complexBehaviorDefinition>"
               "</multiInstanceLoopCharacteristics>")},
      {Rule::loop_option_invalid,
       in_task("<multiInstanceLoopCharacteristics pawl:join='some'>" + count +
               "</multiInstanceLoopCharacteristics>"),
       in_task("<multiInstanceLoopCharacteristics pawl:join='first'>" + count +
               "</multiInstanceLoopCharacteristics>")},
      {Rule::loop_output_incomplete,
       in_task("<multiInstanceLoopCharacteristics inputCollection='a' outputCollection='b'/>"),
       in_task("<multiInstanceLoopCharacteristics inputCollection='a' outputCollection='b' "
               "outputDataItem='c'/>")},
      {Rule::loop_option_unknown, in_task("<standardLoopCharacteristics pawl:join='first'/>"),
       in_task("<multiInstanceLoopCharacteristics pawl:join='first'>" + count +
               "</multiInstanceLoopCharacteristics>")},
      {Rule::quantity_invalid, in_task("", "task", "completionQuantity='-1'"),
       in_task("", "task", "completionQuantity='1'")},
      {Rule::expression_invalid,
       choice("<conditionExpression xsi:type='tFormalExpression'>y ===</conditionExpression>"),
       choice(if_y)},
      {Rule::expression_empty,
       in_task("<multiInstanceLoopCharacteristics behavior='Complex'>" + count +
               "<complexBehaviorDefinition><condition/></complexBehaviorDefinition>"
               "</multiInstanceLoopCharacteristics>"),
       in_task(multi + "</multiInstanceLoopCharacteristics>")},
      {Rule::expression_informal, timer("<timeDuration>PT1S</timeDuration>"),
       timer("<timeDuration" + formal + ">PT1S</timeDuration>")},
      {Rule::language_invalid,
       choice("<conditionExpression language='no uri'>y</conditionExpression>"),
       choice("<conditionExpression language='urn:javascript'>y</conditionExpression>")},
      {Rule::script_missing, in_task("", "scriptTask"),
       in_task("<script>1</script>", "scriptTask")},
      {Rule::script_format_unknown,
       in_task("<script>1</script>", "scriptTask", "scriptFormat='nonsense'"),
       in_task("<script>1</script>", "scriptTask", "scriptFormat='text/javascript'")},
      {Rule::called_element_missing, in_task("", "callActivity"),
       in_task("", "callActivity", "calledElement='other'")},
      {Rule::called_element_unknown, in_task("", "callActivity", "calledElement='m'"),
       in_task("", "callActivity", "calledElement='gt'"),
       items("a", "b") + "<globalTask id='gt'/>"},
      {Rule::called_process_start, in_task("", "callActivity", "calledElement='other'"),
       in_task("", "callActivity", "calledElement='elsewhere'"),
       "<signal id='sig'/><process id='other' isExecutable='true'><startEvent id='os'>"
       "<signalEventDefinition signalRef='sig'/></startEvent><endEvent id='oe'/>" +
           flow("of", "os", "oe") + "</process>"},
      {Rule::write_rule_unknown,
       line("<subProcess id='x' pawl:variables='no'><task id='y'/></subProcess>"),
       line("<subProcess id='x' pawl:variables='shared'><task id='y'/></subProcess>")},
      {Rule::continue_as_new, line("<task id='x' pawl:continueAsNew='true'/>"),
       start + "<endEvent id='e' pawl:continueAsNew='true'/>" + flow("f1", "s", "e")},
      {Rule::operation_data, send_with("i2"), send_with("i1"), items("a", "b")},
      {Rule::data_item_mismatch, move("<sourceRef>d</sourceRef>"),
       move("<sourceRef>d</sourceRef>", "<transformation>d</transformation>"), items("a", "b")},
      {Rule::data_sources_several, move("<sourceRef>d</sourceRef><sourceRef>d2</sourceRef>"),
       move("<sourceRef>d</sourceRef>"), items("a", "a")},
      {Rule::data_state_name,
       "<dataObject id='d' name='Order'/><dataObjectReference id='r' dataObjectRef='d' "
       "name='Order'>"
       "<dataState name='paid'/></dataObjectReference>",
       "<dataObject id='d' name='Order'/><dataObjectReference id='r' dataObjectRef='d' "
       "name='Order [paid]'><dataState name='paid'/></dataObjectReference>"},
      {Rule::io_set_invalid,
       in_task("<ioSpecification><dataInput id='in'/><inputSet><optionalInputRefs>in"
               "</optionalInputRefs></inputSet><outputSet/></ioSpecification>"),
       in_task("<ioSpecification><dataInput id='in'/><inputSet><dataInputRefs>in</dataInputRefs>"
               "</inputSet><outputSet/></ioSpecification>")},
      {Rule::media_type_invalid, "<textAnnotation id='a' textFormat='no'/>",
       "<textAnnotation id='a' textFormat='text/plain'/>"},
      {Rule::resource_role,
       in_task("<performer><resourceRef>r</resourceRef><resourceAssignmentExpression/>"
               "</performer>"),
       in_task("<performer><resourceRef>r</resourceRef></performer>"), "<resource id='r'/>"},
      // Zeebe
      {Rule::extension_unknown, zb + "<zeebe:taskDefinition type='t'/><zeebe:what/>" + ze,
       zb + "<zeebe:taskDefinition type='t'/>" + ze, "", In::zeebe},
      {Rule::job_type_missing, zb + "<zeebe:taskHeaders/>" + ze,
       zb + "<zeebe:taskDefinition type='t'/>" + ze, "", In::zeebe},
      {Rule::listener_event_unknown, zb + listener("beforeAll") + ze, zb + listener("end") + ze, "",
       In::zeebe},
      {Rule::mapping_target_invalid,
       zb +
           "<zeebe:taskDefinition type='t'/><zeebe:ioMapping><zeebe:input source='=a' "
           "target='a..b'/>"
           "</zeebe:ioMapping>" +
           ze,
       zb +
           "<zeebe:taskDefinition type='t'/><zeebe:ioMapping><zeebe:input source='=a' "
           "target='a.b'/>"
           "</zeebe:ioMapping>" +
           ze,
       "", In::zeebe},
      {Rule::expression_expected,
       "<bpmn:scriptTask id='x'><bpmn:extensionElements><zeebe:script expression='1'/>"
       "</bpmn:extensionElements></bpmn:scriptTask>",
       "<bpmn:scriptTask id='x'><bpmn:extensionElements><zeebe:script expression='=1'/>"
       "</bpmn:extensionElements></bpmn:scriptTask>",
       "", In::zeebe},
      {Rule::timer_cycle, zeebe_timer("intermediateCatchEvent", ""),
       zeebe_timer("boundaryEvent", "attachedToRef='t' cancelActivity='false'"), "", In::zeebe},
      {Rule::timer_cycle, zeebe_timer("boundaryEvent", "attachedToRef='t'"),
       zeebe_timer("startEvent", ""), "", In::zeebe},
      {Rule::timer_cycle, zeebe_handler("h", "", zeebe_cycle),
       zeebe_handler("h", "isInterrupting='false'", zeebe_cycle), "", In::zeebe},
      {Rule::catch_duplicate, zeebe_handler("h", "", on_signal) + zeebe_handler("i", "", on_signal),
       zeebe_handler("h", "", on_signal), "<bpmn:signal id='g' name='n'/>", In::zeebe},
      {Rule::compensation_flow,
       zeebe_undo + "<bpmn:boundaryEvent id='b2' attachedToRef='undo'>" + on_signal +
           "</bpmn:boundaryEvent>",
       zeebe_undo, "<bpmn:signal id='g' name='n'/>", In::zeebe},  // Z274
      {Rule::message_name_missing, zeebe_message, "<bpmn:task id='x'/>", "<bpmn:message id='m'/>",
       In::zeebe},
      {Rule::correlation_key_missing, zeebe_message, "<bpmn:task id='x'/>",
       "<bpmn:message id='m' name='n'/>", In::zeebe},
      {Rule::signal_name_missing,
       "<bpmn:endEvent id='x'><bpmn:signalEventDefinition signalRef='g'/></bpmn:endEvent>",
       "<bpmn:endEvent id='x'/>", "<bpmn:signal id='g'/>", In::zeebe},
      {Rule::error_ref_unknown,
       "<bpmn:endEvent id='x'><bpmn:errorEventDefinition errorRef='no'/></bpmn:endEvent>",
       "<bpmn:endEvent id='x'/>", "", In::zeebe},
      {Rule::flow_condition_missing,
       "<bpmn:exclusiveGateway id='g'/><bpmn:task id='a'/><bpmn:task id='b'/>"
       "<bpmn:sequenceFlow id='f1' sourceRef='g' targetRef='a'/>"
       "<bpmn:sequenceFlow id='f2' sourceRef='g' targetRef='b'/>",
       "<bpmn:exclusiveGateway id='g'/><bpmn:task id='a'/>"
       "<bpmn:sequenceFlow id='f1' sourceRef='g' targetRef='a'/>",
       "", In::zeebe},
  };
}

Definitions read_row(const Row& row, const std::string& process) {
  switch (row.dialect) {
    case In::plain:
      return sample::plain(process, row.beside);
    case In::zeebe:
      return sample::zeebe(process, row.beside);
    case In::camunda:
      return sample::camunda(process, row.beside);
  }
  return {};
}

TEST(Rules, each_is_reported_for_a_model_that_breaks_it_and_only_then) {
  for (const Row& row : rows()) {
    const Definitions bad = read_row(row, row.bad);
    const Finding* finding = sample::find(bad, name_of(row.rule));
    ASSERT_NE(finding, nullptr) << name_of(row.rule) << "\n" << sample::text_of(bad);
    EXPECT_GT(finding->place.line, 0u) << name_of(row.rule);
    EXPECT_FALSE(finding->text.empty());
    const bool advice = level_of(row.rule) == Level::advice;
    EXPECT_EQ(finding->severity == Finding::Severity::warning, advice) << name_of(row.rule);

    const Definitions good = read_row(row, row.good);
    EXPECT_EQ(sample::find(good, name_of(row.rule)), nullptr) << name_of(row.rule) << "\n"
                                                              << sample::text_of(good);
  }
}

TEST(Rules, continue_as_new_stands_on_a_none_end_event_of_the_process_only) {
  const std::string asks = " pawl:continueAsNew='true'";
  const std::string places[] = {
      "<startEvent id='x'" + asks + "/>",
      "<endEvent id='x'" + asks + "><terminateEventDefinition/></endEvent>",
      "<intermediateThrowEvent id='x'" + asks + "/>",
      "<subProcess id='x'" + asks + "><task id='y'/></subProcess>",
      "<subProcess id='x'><startEvent id='y'/><endEvent id='z'" + asks + "/>" +
          flow("f", "y", "z") + "</subProcess>",
      "<exclusiveGateway id='x'" + asks + "/>",
      "<endEvent id='x' pawl:continueAsNew='yes'/>",
  };
  for (const std::string& place : places) {
    EXPECT_NE(sample::find(sample::plain(place), "continue-as-new"), nullptr) << place;
  }
  const Definitions good =
      sample::plain(start + "<endEvent id='x'" + asks + "/>" + flow("f", "s", "x"));
  ASSERT_TRUE(good.ok()) << sample::text_of(good);
  EXPECT_TRUE(good.processes.front()->find("x")->continue_as_new);
}

TEST(Rules, A1_an_element_has_at_most_a_thousand_mappings_each_way) {
  const auto mapped = [](int count) {
    std::string inputs;
    for (int i = 0; i < count; ++i) {
      inputs += "<zeebe:input source='=1' target='x.a" + std::to_string(i) + "'/>";
    }
    return sample::zeebe(start + "<bpmn:task id='t'><bpmn:extensionElements><zeebe:ioMapping>" +
                         inputs + "</zeebe:ioMapping></bpmn:extensionElements></bpmn:task>");
  };
  EXPECT_EQ(sample::find(mapped(1'000), "mapping-too-many"), nullptr);
  const Definitions many = mapped(1'001);
  ASSERT_NE(sample::find(many, "mapping-too-many"), nullptr) << sample::text_of(many);
}

TEST(Rules, A1_A2_the_target_of_a_mapping_has_at_most_a_hundred_parts) {
  const auto mapped = [](std::size_t parts) {
    std::string target = "x";
    for (std::size_t i = 1; i < parts; ++i) target += ".x";
    return sample::zeebe(start + "<bpmn:task id='t'><bpmn:extensionElements><zeebe:ioMapping>" +
                         "<zeebe:input source='=1' target='" + target +
                         "'/></zeebe:ioMapping></bpmn:extensionElements></bpmn:task>");
  };
  EXPECT_EQ(sample::text_of(mapped(100)).find("parts; the limit"), std::string::npos);
  for (const std::size_t parts : {101u, 600u, 200'000u}) {
    const Definitions refused = mapped(parts);
    EXPECT_FALSE(refused.ok());
    EXPECT_NE(sample::text_of(refused).find(std::to_string(parts) + " parts; the limit is 100"),
              std::string::npos)
        << sample::text_of(refused).substr(0, 500);
  }
}

// Those that need a whole file, or a large one, have tests of their own.
const std::set<Rule> elsewhere = {
    Rule::not_bpmn,         Rule::process_missing,  Rule::process_too_large,
    Rule::nesting_too_deep, Rule::message_flow,     Rule::participant_multiplicity,
    Rule::call_data,        Rule::mapping_too_many,
};

TEST(Rules, none_is_without_a_test) {
  std::set<Rule> tested = elsewhere;
  for (const Row& row : rows()) tested.insert(row.rule);
  for (int i = 0; i < rule_count; ++i) {
    EXPECT_EQ(tested.count(static_cast<Rule>(i)), 1u) << name_of(static_cast<Rule>(i));
  }
}

TEST(Rules, each_has_a_line_in_the_documentation) {
  std::ifstream file(PAWL_SOURCE_DIR "/docs/validation.md");
  std::stringstream text;
  text << file.rdbuf();
  for (int i = 0; i < rule_count; ++i) {
    const std::string cell = "| `" + std::string(name_of(static_cast<Rule>(i))) + "` |";
    EXPECT_NE(text.str().find(cell), std::string::npos) << cell;
  }
}

TEST(Rules, the_letter_of_the_standard_is_a_warning_without_a_schema_and_nothing_in_a_dialect) {
  const std::string body = line("<exclusiveGateway id='x'/>");
  std::string file = sample::plain_file(body);
  file.replace(file.find("http://www.omg.org/spec/BPMN/20100501/"), 38, "");
  const Definitions lenient = read(file, "f");
  ASSERT_NE(sample::find(lenient, "gateway-useless"), nullptr);
  EXPECT_TRUE(lenient.ok()) << sample::text_of(lenient);
  const Definitions dialect = sample::zeebe(
      "<bpmn:startEvent id='s'/><bpmn:exclusiveGateway id='x'/>"
      "<bpmn:sequenceFlow id='f' sourceRef='s' targetRef='x'/>");
  EXPECT_EQ(sample::find(dialect, "gateway-useless"), nullptr);
}

TEST(Rules, a_drawing_is_only_warned_about) {
  std::string file = sample::plain_file(line("<intermediateCatchEvent id='x'/>"));
  file.replace(file.find("isExecutable=\"true\""), 19, "isExecutable=\"false\"");
  const Definitions read_file = read(file, "f");
  EXPECT_TRUE(read_file.ok()) << sample::text_of(read_file);
  ASSERT_EQ(read_file.processes.size(), 1u);
  EXPECT_FALSE(read_file.processes[0]->executable);
  EXPECT_NE(sample::find(read_file, "event-kind"), nullptr);
}

}  // namespace
}  // namespace pawl::bpmn
