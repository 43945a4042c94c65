// SPDX-License-Identifier: Apache-2.0
// What a called instance says to the call activity that waits for it, when it has ended.
//
//   the call activity   child completed        child failed         child terminated
//   waits               variables, completes   throws the error*    incident, may call again
//   terminating         terminated: whatever became of the child, it is gone
//
// * A technical failure goes to the loop around, if that takes failures one by one.
// Anything else has happened to it meanwhile: rejected, and nobody needs the answer any more.
#include <fmt/format.h>

#include "engine/escalation.hpp"
#include "engine/failure.hpp"
#include "engine/gate.hpp"
#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {
namespace {

// With output mappings the child's variables stay here, and only what those name leaves. Camunda 7
// has mappings of its own between the two processes, and "all" beside them.
void take_variables(Step& step, Slot slot, const Value& variables) {
  const model::Element& element = step.state().definition_of(step.state().at(slot));
  const bool mapped = !element.outputs.empty() && step.dialect() != model::Dialect::camunda7;
  if (mapped || element.call->propagate_all_child) {
    write_results(step, slot, variables, mapped);
  }
}

void fail_as_called(Step& step, Slot slot, const AnswerCall& command) {
  const bool technical = command.outcome == CallOutcome::failed_technically;
  if (technical && is_taken_around(step.state(), slot)) {  // as a failure of a job here would be
    return fail_at(step, slot,
                   {fail(Whose::operators, Code::call_failed, command.message),
                    IncidentKind::called_element,
                    {}});
  }
  if (technical || command.outcome == CallOutcome::failed) {
    return throw_error(step, slot, {command.code, command.message, command.variables});
  }
  const bool escalated = command.outcome == CallOutcome::escalated_and_ended;
  if (escalated && !throw_escalation(step, slot, command.code)) return;
  fail_at(step, slot,
          {fail(Whose::operators, Code::call_failed,
                fmt::format("the called instance {} was cancelled; resolve the incident to call "
                            "the process again",
                            number(command.child))),
           IncidentKind::called_element,
           {}});
}

// Escalations are numbered: each is taken once, in order, and all before the end.
Result<void> expect_in_order(const Call& call, const AnswerCall& command) {
  const bool escalates = command.outcome == CallOutcome::escalated;
  if (escalates && command.number <= call.escalated) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("escalation {} of instance {} was taken already", command.number,
                            number(command.child)));
  }
  if (command.number == call.escalated + (escalates ? 1 : 0)) return {};
  return fail(Whose::operators, Code::invalid_state,
              fmt::format("escalations of instance {} before this answer are missing",
                          number(command.child)));
}

// One that comes when all ends here is for nobody: it may come again, too.
Result<void> take_escalation(Step& step, Slot slot, const AnswerCall& command, bool lives) {
  if (!lives) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("call activity {} is ending and hears no escalation any more",
                            number(command.element)));
  }
  step.emit(CallEscalated{command.element, command.child, command.number});
  throw_escalation(step, slot, command.code);
  return {};
}

}  // namespace

Result<void> handle(Step& step, const AnswerCall& command) {
  const ElementInstance* one = step.state().find(command.element);
  if (!one || !one->waits_for_call() || one->call->child != command.child) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("no call activity {} waits for instance {} (any more)",
                            number(command.element), number(command.child)));
  }
  const Slot slot = step.state().slot_of.find(command.element);
  const bool lives = one->life == Life::activated && !is_ending(step.state(), slot);
  if (lives) PAWL_CHECK(expect_in_order(*one->call, command));
  if (command.outcome == CallOutcome::escalated) return take_escalation(step, slot, command, lives);
  // An answer that does not fit here stops this call activity: nobody would hear of a refusal.
  const auto admitted = Gate(step, slot).admit_variables(command.variables);
  const bool completes = lives && admitted && command.outcome == CallOutcome::completed;
  const bool keeps = completes && !step.state().definition_of(*one).call->outputs.empty();
  const Value given = admitted && admitted->is_context() ? *admitted : Value::context({});
  step.emit(CallEnded{command.element, command.child, command.outcome, keeps ? given : Value()});
  if (one->life == Life::terminating) {
    end_terminated(step, slot);
  } else if (completes) {
    take_variables(step, slot, given);
    complete(step, slot);
  } else if (lives && !admitted) {
    fail_at(step, slot,
            {fail(Whose::operators, admitted.error().code,
                  fmt::format("the answer of the called instance {} does not fit: {}; resolve the "
                              "incident to call the process again",
                              number(command.child), admitted.error().text)),
             IncidentKind::called_element,
             {}});
  } else if (lives) {
    fail_as_called(step, slot, command);
  }
  return {};
}

}  // namespace pawl::engine
