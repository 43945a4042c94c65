// SPDX-License-Identifier: Apache-2.0
// Commands for an instance as a whole, its variables and its incidents.
#include <fmt/format.h>

#include "base/limits.hpp"
#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {

Result<void> expect_variables(const Value& variables, std::string_view whose) {
  if (variables.depth() > limits::json_depth) {
    return fail(Whose::caller, Code::too_deep,
                fmt::format("{}: variables are nested {} levels deep; the limit is {}", whose,
                            variables.depth(), limits::json_depth));
  }
  if (variables.is_null() || variables.is_context()) return {};
  return fail(
      Whose::caller, Code::invalid_argument,
      fmt::format("{}: variables must be an object, not a {}", whose, kind_name(variables.kind())));
}

namespace {

Error unknown(std::string_view what, Key key) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("there is no {} with key {} (any more)", what, number(key)));
}

// Can the process begin when somebody asks for it, or only by a message, timer or signal?
bool starts_on_request(const model::Element& root) {
  return root.none_start != ElementIndex::none || root.start_events.empty();
}

}  // namespace

Result<void> handle(Step& step, const StartInstance& command) {
  const model::Process& process = step.process();
  PAWL_CHECK(expect_variables(command.variables, "start of process \"" + process.id + "\""));
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
                            .caller = command.caller});
  step.emit(ElementActivating{.key = command.instance, .element = process.root().index});
  write_results(step, step.state().root, command.variables, false);
  if (command.caller) {  // a call costs its caller's turn only this much
    step.emit(Deferred{Work{.kind = Work::Kind::proceed, .key = command.instance}, false});
    return {};
  }
  proceed(step, step.state().root);
  return {};
}

Result<void> handle(Step& step, const SetVariables& command) {
  const Slot slot = step.state().slot_of.find(command.scope);
  if (!step.state().find(command.scope)) return unknown("element instance", command.scope);
  PAWL_CHECK(expect_variables(command.variables, "set variables"));
  const model::Element& definition = step.state().definition_of(step.state().at(slot));
  const bool keeps_own =
      model::is_container(definition.kind) && definition.write_rule == model::WriteRule::isolated;
  if (command.local || keeps_own) {
    if (!command.variables.is_context()) return {};
    for (const Entry& entry : command.variables.entries()) {
      write_local(step, slot, entry.key, storable(entry.value), command.local);
    }
  } else {
    write_results(step, slot, command.variables, false);
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
  PAWL_CHECK(expect_variables(command.variables, "continue as new"));
  if (step.state().root_scope().life == Life::terminating) {
    return fail(Whose::caller, Code::invalid_state, "this instance is already ending");
  }
  continue_as_new(step, command.variables);
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
  terminate(step, step.state().root);
  return {};
}

Result<void> handle(Step&, const Continue&) { return {}; }

}  // namespace pawl::engine
