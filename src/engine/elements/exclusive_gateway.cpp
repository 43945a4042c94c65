// SPDX-License-Identifier: Apache-2.0
// Exclusive gateway: the token leaves by the first flow, in file order, whose condition holds, else
// by the default flow. It never waits. With no flow to take the token stays, and an incident says
// which conditions were tried.

#include <fmt/format.h>

#include "engine/behaviour.hpp"

namespace pawl::engine {
namespace {

Outcome<std::vector<FlowIndex>> choose_flow(Step& step, Slot slot) {
  const model::Element& gateway = step.state().definition_of(step.state().at(slot));
  std::string tried;
  for (const FlowIndex index : gateway.outgoing) {
    if (index == gateway.default_flow) continue;
    const model::Flow& flow = step.process().at(index);
    if (flow.condition.empty()) return std::vector{index};
    const auto holds = step.truth(flow.condition, flow_scope(step, slot));
    if (!holds) return Failure{holds.error(), IncidentKind::extract_value, {}};
    if (*holds) return std::vector{index};
    tried += fmt::format("\n  tried  {}  -> not true", flow.condition.text);
  }
  if (gateway.default_flow != FlowIndex::none) return std::vector{gateway.default_flow};
  if (gateway.outgoing.empty()) return std::vector<FlowIndex>{};
  return no_flow_applies(gateway, tried);
}

}  // namespace

const Behaviour exclusive_gateway{
    .activate = activate_nothing, .leave = choose_flow, .after = after_nothing};

}  // namespace pawl::engine
