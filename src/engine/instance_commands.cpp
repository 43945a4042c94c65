// SPDX-License-Identifier: Apache-2.0
// Commands for an instance as a whole, its variables and its incidents.
#include <fmt/format.h>

#include "engine/gate.hpp"
#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"
#include "engine/rules.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {

Result<Value> admit_variables(const Step& step, Slot at, const Value& variables,
                              std::string_view whose) {
  if (variables.is_null()) return Value();
  if (!variables.is_context()) {
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("{}: variables must be an object, not a {}", whose,
                            kind_name(variables.kind())));
  }
  auto admitted = Gate(step, at, Whose::caller).admit_variables(variables);
  if (!admitted) admitted.error().text = fmt::format("{}: {}", whose, admitted.error().text);
  return admitted;
}

namespace {

Error unknown(std::string_view what, Key key) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("there is no {} with key {} (any more)", what, number(key)));
}

// What was halted ends, instead of waiting for somebody to resolve it first.
void let_move_again(Step& step) {
  if (step.state().halted != Key::none) step.emit(IncidentResolved{step.state().halted});
}

// Can the process begin when somebody asks for it, or only by a message, timer or signal?
bool starts_on_request(const model::Element& root) {
  return root.none_start != ElementIndex::none || root.start_events.empty();
}

}  // namespace

Result<void> handle(Step& step, const StartInstance& command) {
  const model::Process& process = step.process();
  // What a caller or an earlier execution hands over was let in there.
  const bool inherits = command.caller || command.execution > 1;
  Value variables = command.variables;
  if (!inherits) {
    PAWL_TRY(admitted, admit_variables(step, Slot::none, command.variables,
                                       "start of process \"" + process.id + "\""));
    variables = std::move(admitted);
    PAWL_CHECK(expect_short(command.id, "instance id", Whose::caller));
    PAWL_CHECK(expect_short(command.business_id, "business id", Whose::caller));
  }
  if (step.state().key != Key::none) {
    return fail(Whose::caller, Code::invalid_state, "this instance has already been started");
  }
  if (!starts_on_request(process.root())) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("process \"{}\" has no none start event: it begins only when its "
                            "event occurs",
                            process.id));
  }
  step.emit(InstanceStarted{.instance = command.instance,
                            .definition = command.definition,
                            .process = Name(process.id),
                            .version = command.version,
                            .at = step.now(),
                            .execution = command.execution,
                            .id = command.id,
                            .business_id = command.business_id,
                            .caller = command.caller,
                            .rules = newest_rules});
  step.emit(ElementActivating{.key = command.instance, .element = process.root().index});
  write_results(step, step.state().root, variables, false);
  if (inherits) {  // it costs the turn before it only this much
    step.emit(Deferred{Work{.kind = Work::Kind::proceed, .key = command.instance}, false});
    return {};
  }
  proceed(step, step.state().root);
  return {};
}

Result<void> handle(Step& step, const SetVariables& command) {
  const Slot slot = step.state().slot_of.find(command.scope);
  if (!step.state().find(command.scope)) return unknown("element instance", command.scope);
  PAWL_TRY(variables, admit_variables(step, slot, command.variables, "set variables"));
  const model::Element& definition = step.state().definition_of(step.state().at(slot));
  const bool keeps_own =
      model::is_container(definition.kind) && definition.write_rule == model::WriteRule::isolated;
  if (command.local || keeps_own) {
    if (!variables.is_context()) return {};
    for (const Entry& entry : variables.entries()) {
      write_local(step, slot, entry.key, entry.value, command.local);
    }
  } else {
    write_results(step, slot, variables, false);
  }
  return {};
}

Result<void> handle(Step& step, const ResolveIncident& command) {
  const ElementInstance* owner = step.state().find_incident_owner(command.incident);
  if (!owner || is_ending(step.state(), step.state().slot_of.find(command.incident))) {
    return unknown("incident", command.incident);
  }
  if (owner->job && owner->life != Life::terminating && owner->job->retries <= 0) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("incident {} cannot be resolved: its job {} has no retries left; give "
                            "it new retries first",
                            number(command.incident), number(owner->job->key)));
  }
  step.emit(IncidentResolved{command.incident});
  step.emit(Deferred{Work{.kind = Work::Kind::proceed, .key = owner->key}, false});
  return {};
}

Result<void> handle(Step& step, const ContinueAsNew& command) {
  if (step.state().root == Slot::none) return unknown("running instance", step.state().key);
  PAWL_TRY(variables,
           admit_variables(step, step.state().root, command.variables, "continue as new"));
  if (step.state().root_scope().life == Life::terminating) {
    return fail(Whose::caller, Code::invalid_state, "this instance is already ending");
  }
  let_move_again(step);
  continue_as_new(step, variables);
  return {};
}

Result<void> handle(Step& step, const CancelInstance& command) {
  if (step.state().root == Slot::none) return unknown("running instance", step.state().key);
  if (step.state().caller && !command.by_caller) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("instance {} was created by a call activity of instance {}; cancel the "
                            "root instance {} instead",
                            number(step.state().key), number(step.state().caller->instance),
                            number(step.state().caller->root)));
  }
  if (step.state().continues) {
    return fail(Whose::caller, Code::invalid_state,
                "this execution ends and continues as a new one; cancel that one");
  }
  const bool again = step.state().root_scope().life == Life::terminating;
  if (again && !command.by_caller) return unknown("running instance", step.state().key);
  let_move_again(step);
  terminate(step, step.state().root);
  return {};
}

Result<void> handle(Step&, const Continue&) { return {}; }

}  // namespace pawl::engine
