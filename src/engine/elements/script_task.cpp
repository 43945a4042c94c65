// SPDX-License-Identifier: Apache-2.0
// Script task, in FEEL or JavaScript. It runs inside the turn, within its budget; its results are
// events, so that replay does not run it again. An exception stops the token where it is; a
// BpmnError that the script throws itself looks for a handler.

#include "engine/behaviour.hpp"
#include "engine/gate.hpp"
#include "engine/scope_names.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {
namespace {

using Results = std::vector<std::pair<std::string, Value>>;

Outcome<Results> run_feel(Step& step, Slot slot, const model::ScriptDefinition& definition) {
  auto got = step.evaluate(definition.script, slot);
  if (!got) return Failure{got.error(), IncidentKind::extract_value, {}};
  Results results;
  if (!definition.result_variable.empty()) {
    results.emplace_back(definition.result_variable, std::move(got->value));
  }
  return results;
}

Outcome<Results> run_javascript(Step& step, Slot slot, const model::ScriptDefinition& definition) {
  auto ran = step.run_script(definition.script.javascript, slot, ScopeNames(step.state(), slot));
  if (auto* failure = std::get_if<script::Failure>(&ran)) {
    return Failure{failure->error, IncidentKind::extract_value, failure->error_code};
  }
  auto& outcome = std::get<script::Outcome>(ran);
  if (!definition.result_variable.empty()) {
    outcome.assigned.emplace_back(definition.result_variable, outcome.value);
  }
  return std::move(outcome.assigned);
}

Outcome<Next> activate_script(Step& step, Slot slot, const Waiting& waiting) {
  const ElementInstance& one = step.state().at(slot);
  const model::Element& element = step.state().definition_of(one);
  Results results;
  if (element.script) {
    const bool javascript =
        element.script->script.language == model::Expression::Language::javascript;
    auto ran = javascript ? run_javascript(step, slot, *element.script)
                          : run_feel(step, slot, *element.script);
    if (auto* failure = std::get_if<Failure>(&ran)) return std::move(*failure);
    results = std::move(std::get<Results>(ran));
  }
  Gate gate(step, slot);
  for (auto& [name, value] : results) {
    auto admitted = gate.admit({"variable", name}, value);
    if (!admitted) return Failure{admitted.error(), IncidentKind::extract_value, {}};
    value = std::move(*admitted);
  }
  activated(step, slot, waiting);
  for (const auto& [name, value] : results) {
    if (element.outputs.empty()) {
      write_result(step, slot, name, value);
    } else {
      write_local(step, slot, name, value, true);
    }
  }
  return Next::complete;
}

}  // namespace

const Behaviour script_task{
    .activate = activate_script, .leave = leave_by_conditions, .after = after_nothing};

}  // namespace pawl::engine
