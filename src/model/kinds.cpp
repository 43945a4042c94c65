// SPDX-License-Identifier: Apache-2.0
#include "model/kinds.hpp"

#include "base/assert.hpp"

namespace pawl::model {
namespace {

struct Names {
  std::string_view name;
  std::string_view tag;
};

Names names_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::process:
      return {"process", "process"};
    case ElementKind::start_event:
      return {"start event", "startEvent"};
    case ElementKind::end_event:
      return {"end event", "endEvent"};
    case ElementKind::intermediate_catch_event:
      return {"intermediate catch event", "intermediateCatchEvent"};
    case ElementKind::intermediate_throw_event:
      return {"intermediate throw event", "intermediateThrowEvent"};
    case ElementKind::boundary_event:
      return {"boundary event", "boundaryEvent"};
    case ElementKind::task:
      return {"task", "task"};
    case ElementKind::manual_task:
      return {"manual task", "manualTask"};
    case ElementKind::service_task:
      return {"service task", "serviceTask"};
    case ElementKind::send_task:
      return {"send task", "sendTask"};
    case ElementKind::receive_task:
      return {"receive task", "receiveTask"};
    case ElementKind::user_task:
      return {"user task", "userTask"};
    case ElementKind::script_task:
      return {"script task", "scriptTask"};
    case ElementKind::business_rule_task:
      return {"business rule task", "businessRuleTask"};
    case ElementKind::sub_process:
      return {"sub-process", "subProcess"};
    case ElementKind::event_sub_process:
      return {"event sub-process", "subProcess"};
    case ElementKind::transaction:
      return {"transaction", "transaction"};
    case ElementKind::ad_hoc_sub_process:
      return {"ad-hoc sub-process", "adHocSubProcess"};
    case ElementKind::call_activity:
      return {"call activity", "callActivity"};
    case ElementKind::exclusive_gateway:
      return {"exclusive gateway", "exclusiveGateway"};
    case ElementKind::parallel_gateway:
      return {"parallel gateway", "parallelGateway"};
    case ElementKind::inclusive_gateway:
      return {"inclusive gateway", "inclusiveGateway"};
    case ElementKind::event_based_gateway:
      return {"event-based gateway", "eventBasedGateway"};
    case ElementKind::complex_gateway:
      return {"complex gateway", "complexGateway"};
  }
  broken_invariant("an element kind without a name", "kinds.cpp", __LINE__);
}

}  // namespace

std::string_view name_of(ElementKind kind) { return names_of(kind).name; }

std::string_view tag_of(ElementKind kind) { return names_of(kind).tag; }

std::string_view name_of(EventKind kind) {
  switch (kind) {
    case EventKind::none:
      return "none";
    case EventKind::message:
      return "message";
    case EventKind::timer:
      return "timer";
    case EventKind::error:
      return "error";
    case EventKind::escalation:
      return "escalation";
    case EventKind::signal:
      return "signal";
    case EventKind::conditional:
      return "conditional";
    case EventKind::link:
      return "link";
    case EventKind::compensation:
      return "compensation";
    case EventKind::cancel:
      return "cancel";
    case EventKind::terminate:
      return "terminate";
    case EventKind::multiple:
      return "multiple";
    case EventKind::parallel_multiple:
      return "parallel multiple";
  }
  broken_invariant("an event kind without a name", "kinds.cpp", __LINE__);
}

std::string_view name_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::plain:
      return "plain BPMN";
    case Dialect::zeebe:
      return "Zeebe";
    case Dialect::camunda7:
      return "Camunda 7";
  }
  broken_invariant("a dialect without a name", "kinds.cpp", __LINE__);
}

}  // namespace pawl::model
