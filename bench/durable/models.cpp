// SPDX-License-Identifier: Apache-2.0
#include "durable/models.hpp"

#include <fmt/format.h>

namespace pawl::bench {
namespace {

constexpr const char* job = R"(<zeebe:taskDefinition type="work" />)";
constexpr const char* script = R"(<zeebe:script expression="=x + 1" resultVariable="x" />)";

// The task `ID`, as `make` writes it, `count` times between start and end.
template <class Make>
std::string sequence(int count, Make make, const std::string& before = "") {
  std::string body = R"(<bpmn:startEvent id="start" />)";
  std::string last = "start";
  for (int i = 0; i < count; ++i) {
    const std::string id = fmt::format("task_{}", i);
    body += fmt::format(R"(<bpmn:sequenceFlow id="to_{1}" sourceRef="{0}" targetRef="{1}" />)",
                        last, id);
    body += make(id);
    last = id;
  }
  return fmt::format(
      R"(<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions"
    targetNamespace="http://pawl.example/bench">{}
  <bpmn:process id="bench" isExecutable="true">{}
    <bpmn:sequenceFlow id="to_end" sourceRef="{}" targetRef="end" /><bpmn:endEvent id="end" />
  </bpmn:process></bpmn:definitions>)",
      before, body, last);
}

std::string task(const char* kind, const std::string& id, const char* extension, int iterations) {
  const std::string loop =
      iterations == 0
          ? ""
          : fmt::format(R"(<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements>
<zeebe:loopCharacteristics inputCollection="=for i in 1..{} return i" inputElement="x" />
</bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>)",
                        iterations);
  return fmt::format(
      R"(<bpmn:{0} id="{1}"><bpmn:extensionElements>{2}</bpmn:extensionElements>{3}</bpmn:{0}>)",
      kind, id, extension, loop);
}

std::string timer(const std::string& id) {
  return fmt::format(
      R"(<bpmn:intermediateCatchEvent id="{}"><bpmn:timerEventDefinition id="timer">
<bpmn:timeDate xsi:type="bpmn:tFormalExpression">=due</bpmn:timeDate>
</bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>)",
      id);
}

std::string receive(const std::string& id) {
  return fmt::format(R"(<bpmn:receiveTask id="{}" messageRef="go" />)", id);
}

constexpr const char* message = R"(<bpmn:message id="go" name="go"><bpmn:extensionElements>
<zeebe:subscription correlationKey="=id" /></bpmn:extensionElements></bpmn:message>)";

}  // namespace

std::string jobs_in_sequence(int count) {
  return sequence(count, [](const auto& id) { return task("serviceTask", id, job, 0); });
}

std::string jobs_in_parallel(int count) {
  return sequence(1, [&](const auto& id) { return task("serviceTask", id, job, count); });
}

std::string scripts_in_sequence(int count) {
  return sequence(count, [](const auto& id) { return task("scriptTask", id, script, 0); });
}

std::string scripts_in_loop(int count) {
  return sequence(1, [&](const auto& id) { return task("scriptTask", id, script, count); });
}

std::string timer_at_due() { return sequence(1, timer); }

std::string timer_then_job() {
  return sequence(2, [](const std::string& id) {
    return id == "task_0" ? timer(id) : task("serviceTask", id, job, 0);
  });
}

std::string message_with_id() { return sequence(1, receive, message); }

std::string message_then_job() {
  return sequence(
      2,
      [](const std::string& id) {
        return id == "task_0" ? receive(id) : task("serviceTask", id, job, 0);
      },
      message);
}

}  // namespace pawl::bench
