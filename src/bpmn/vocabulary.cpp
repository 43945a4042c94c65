// SPDX-License-Identifier: Apache-2.0
#include "bpmn/vocabulary.hpp"

#include <initializer_list>

namespace pawl::bpmn {
namespace {

using model::ElementKind;
using model::EventKind;

bool is_one_of(std::string_view tag, std::initializer_list<std::string_view> tags) {
  for (const std::string_view known : tags) {
    if (known == tag) return true;
  }
  return false;
}

constexpr ElementKind node_kinds[] = {
    ElementKind::start_event,
    ElementKind::end_event,
    ElementKind::intermediate_catch_event,
    ElementKind::intermediate_throw_event,
    ElementKind::boundary_event,
    ElementKind::task,
    ElementKind::manual_task,
    ElementKind::service_task,
    ElementKind::send_task,
    ElementKind::receive_task,
    ElementKind::user_task,
    ElementKind::script_task,
    ElementKind::business_rule_task,
    ElementKind::sub_process,
    ElementKind::transaction,
    ElementKind::ad_hoc_sub_process,
    ElementKind::call_activity,
    ElementKind::exclusive_gateway,
    ElementKind::parallel_gateway,
    ElementKind::inclusive_gateway,
    ElementKind::event_based_gateway,
    ElementKind::complex_gateway,
};

struct EventTag {
  std::string_view tag;
  EventKind kind;
};

constexpr EventTag event_tags[] = {
    {"messageEventDefinition", EventKind::message},
    {"timerEventDefinition", EventKind::timer},
    {"errorEventDefinition", EventKind::error},
    {"escalationEventDefinition", EventKind::escalation},
    {"signalEventDefinition", EventKind::signal},
    {"conditionalEventDefinition", EventKind::conditional},
    {"linkEventDefinition", EventKind::link},
    {"compensateEventDefinition", EventKind::compensation},
    {"cancelEventDefinition", EventKind::cancel},
    {"terminateEventDefinition", EventKind::terminate},
};

bool is_common(std::string_view tag) {
  return is_one_of(
      tag, {"documentation", "extensionElements", "ioSpecification", "property", "auditing",
            "monitoring", "incoming", "outgoing", "dataInputAssociation", "dataOutputAssociation",
            "resourceRole", "performer", "humanPerformer", "potentialOwner",
            "standardLoopCharacteristics", "multiInstanceLoopCharacteristics", "categoryValueRef"});
}

}  // namespace

std::optional<ElementKind> kind_of_tag(std::string_view tag) {
  for (const ElementKind kind : node_kinds) {
    if (model::tag_of(kind) == tag) return kind;
  }
  return std::nullopt;
}

std::optional<EventKind> event_of_tag(std::string_view tag) {
  for (const EventTag& entry : event_tags) {
    if (entry.tag == tag) return entry.kind;
  }
  return std::nullopt;
}

bool is_known_beside_nodes(std::string_view tag) {
  return is_common(tag) ||
         is_one_of(tag,
                   {"laneSet", "dataObject", "dataObjectReference", "dataStoreReference",
                    "textAnnotation", "association", "group", "ioBinding", "supportedInterfaceRef",
                    "correlationSubscription", "supports", "completionCondition", "artifact"});
}

bool is_known_inside_node(std::string_view tag) {
  return is_common(tag) || event_of_tag(tag).has_value() ||
         is_one_of(tag, {"eventDefinitionRef", "script", "rendering", "dataInput", "dataOutput",
                         "inputSet", "outputSet", "activationCondition", "ioBinding"});
}

bool is_known_at_top(std::string_view tag) {
  return event_of_tag(tag).has_value() || is_global_task(tag) ||
         is_one_of(tag,
                   {"documentation", "extensionElements",  "import",       "extension",
                    "category",      "collaboration",      "choreography", "globalChoreographyTask",
                    "conversation",  "globalConversation", "dataStore",    "endPoint",
                    "error",         "escalation",         "interface",    "itemDefinition",
                    "message",       "partnerEntity",      "partnerRole",  "process",
                    "relationship",  "resource",           "signal",       "correlationProperty"});
}

bool is_global_task(std::string_view tag) {
  return is_one_of(tag, {"globalTask", "globalScriptTask", "globalUserTask", "globalManualTask",
                         "globalBusinessRuleTask"});
}

}  // namespace pawl::bpmn
