// SPDX-License-Identifier: Apache-2.0
#include "engine/support.hpp"

#include <fmt/format.h>

#include "engine/behaviour.hpp"

namespace pawl::engine {
namespace {

using model::Element;
using model::ElementKind;

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
    if (!can_run(element)) refuse(element, what_is(element));
    if (element.loop && element.loop->behavior != model::LoopDefinition::Behavior::all) {
      refuse(element, "a loop that throws events after its iterations, on");
    }
    for (const std::string& feature : element.unsupported) refuse(element, feature + " of");
  }
  return refusals;
}

}  // namespace pawl::engine
