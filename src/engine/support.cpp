// SPDX-License-Identifier: Apache-2.0
#include "engine/support.hpp"

#include <fmt/format.h>

namespace pawl::engine {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

bool event_runs(const Element& element) {
  switch (element.kind) {
    case ElementKind::start_event:
    case ElementKind::intermediate_throw_event:
      return element.event == EventKind::none;
    case ElementKind::end_event:
      return element.event == EventKind::none || element.event == EventKind::terminate ||
             element.event == EventKind::error;
    case ElementKind::boundary_event:
      return element.event == EventKind::error;
    default:
      return false;
  }
}

bool kind_runs(const Element& element) {
  switch (element.kind) {
    case ElementKind::process:
    case ElementKind::sub_process:
    case ElementKind::task:
    case ElementKind::manual_task:
    case ElementKind::service_task:
    case ElementKind::send_task:
    case ElementKind::user_task:
    case ElementKind::script_task:
    case ElementKind::exclusive_gateway:
    case ElementKind::parallel_gateway:
    case ElementKind::inclusive_gateway:
      return true;
    case ElementKind::business_rule_task:
      return !element.decision;
    case ElementKind::start_event:
    case ElementKind::end_event:
    case ElementKind::intermediate_catch_event:
    case ElementKind::intermediate_throw_event:
    case ElementKind::boundary_event:
      return event_runs(element);
    case ElementKind::receive_task:
    case ElementKind::event_sub_process:
    case ElementKind::transaction:
    case ElementKind::ad_hoc_sub_process:
    case ElementKind::call_activity:
    case ElementKind::event_based_gateway:
    case ElementKind::complex_gateway:
      return false;
  }
  return false;
}

std::string what_is(const Element& element) {
  if (element.kind == ElementKind::business_rule_task) return "business rule task with a decision";
  if (!model::is_event(element.kind)) return std::string(model::name_of(element.kind));
  return fmt::format("{} {}", model::name_of(element.event), model::name_of(element.kind));
}

}  // namespace

std::vector<Refusal> unsupported(const model::Process& process) {
  std::vector<Refusal> refusals;
  const auto refuse = [&](const Element& element, const std::string& what) {
    refusals.push_back({element.id, element.place,
                        fmt::format("{} \"{}\" cannot be run by this version of Pawl; remove it or "
                                    "wait for a later one (docs/bpmn-coverage.md)",
                                    what, element.id)});
  };
  for (const Element& element : process.elements) {
    if (!kind_runs(element)) refuse(element, what_is(element));
    if (element.loop) {
      const bool standard = element.loop->kind == model::LoopDefinition::Kind::standard;
      refuse(element, standard ? "standard loop on" : "multi-instance marker on");
    }
    for (const std::string& feature : element.unsupported) refuse(element, feature + " of");
  }
  return refusals;
}

}  // namespace pawl::engine
