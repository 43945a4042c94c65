// SPDX-License-Identifier: Apache-2.0
#include "script/inside.hpp"

#include <fmt/format.h>
#include <js/Promise.h>

#include "script/convert.hpp"
#include "script/failure.hpp"
#include "script/globals.hpp"
#include "script/java_methods.hpp"
#include "script/machine.hpp"

namespace pawl::script {
namespace {

Failure script_failure(std::string text) {
  return {fail(Whose::operators, Code::script_failed, std::move(text)), std::nullopt};
}

bool execute_one(JSContext* cx, Machine& machine, const Program& program,
                 JS::MutableHandleValue result) {
  const RefPtr<JS::Stencil> stencil = machine.compiled(program);
  if (!stencil) return false;
  const JS::InstantiateOptions options;
  JS::RootedScript script(cx, JS::InstantiateGlobalStencil(cx, options, stencil));
  return script && JS_ExecuteScript(cx, script, result);
}

// False: an exception is pending, or the run was stopped.
bool execute(JSContext* cx, Machine& machine, const Program& program,
             JS::MutableHandleValue result) {
  if (mentions_java(program.text()) && !execute_one(cx, machine, java_methods(), result)) {
    return false;
  }
  return execute_one(cx, machine, program, result) && machine.microtasks().run(cx);
}

// An async function gives a promise; all that can settle it has run.
std::optional<Failure> take_promise(JSContext* cx, Machine& machine, const Program& program,
                                    JS::MutableHandleValue result) {
  if (!result.isObject()) return std::nullopt;
  JS::RootedObject object(cx, &result.toObject());
  if (!JS::IsPromiseObject(object)) return std::nullopt;
  switch (JS::GetPromiseState(object)) {
    case JS::PromiseState::Pending:
      return script_failure("the script waits for a promise that is never settled");
    case JS::PromiseState::Fulfilled:
      result.set(JS::GetPromiseResult(object));
      return std::nullopt;
    case JS::PromiseState::Rejected:
      break;
  }
  JS::RootedValue reason(cx, JS::GetPromiseResult(object));
  JS_SetPendingException(cx, reason, JS::ExceptionStackBehavior::DoNotCapture);
  return failure_of(machine, program);
}

std::variant<Outcome, Failure> collect(JSContext* cx, Machine& machine, const Program& program,
                                       JS::HandleValue result) {
  const auto refused = [&](const Unconvertible& reason) {
    return reason.pending ? failure_of(machine, program)
                          : script_failure("the script's " + reason.text);
  };
  Outcome outcome;
  const bool is_expression = program.mode() == Program::Mode::expression;
  Allowance left;
  auto value = from_script(cx, result, left);
  if (auto* converted = std::get_if<Value>(&value)) {
    outcome.value = std::move(*converted);
  } else if (auto& reason = std::get<Unconvertible>(value); is_expression || reason.pending) {
    reason.text = "result " + reason.text;
    return refused(reason);
  }
  auto results = machine.run()->handover.results(cx);
  if (const auto* reason = std::get_if<Unconvertible>(&results)) return refused(*reason);
  outcome.assigned = std::move(std::get<Handover::Results>(results));
  return outcome;
}

std::variant<Outcome, Failure> run_in_new_realm(Machine& machine, const Program& program) {
  JSContext* cx = machine.context();
  JS::RootedObject global(cx, new_global(cx, machine.home()));
  if (!global) return failure_of(machine, program);
  JSAutoRealm realm(cx, global);
  JS::RootedValue result(cx);
  if (!execute(cx, machine, program, &result)) return failure_of(machine, program);
  if (auto failure = take_promise(cx, machine, program, &result)) return *failure;
  return collect(cx, machine, program, result);
}

}  // namespace

Result<void> check_inside(const Program& program) {
  Machine* machine = Machine::of_this_thread();
  if (machine == nullptr) {
    return fail(Whose::machine, Code::script_failed, "the JavaScript engine could not be started");
  }
  JSAutoRealm realm(machine->context(), machine->home());
  if (!machine->compiled(program)) return syntax_error(*machine, program);
  return {};
}

std::variant<Outcome, Failure> run_inside(const Program& program, const Environment& environment) {
  Machine* machine = Machine::of_this_thread();
  if (machine == nullptr || machine->run() != nullptr) {
    return Failure{fail(Whose::machine, Code::script_failed,
                        machine == nullptr
                            ? "the JavaScript engine could not be started"
                            : "a script cannot be run while another one runs on the same thread"),
                   std::nullopt};
  }

  std::variant<Outcome, Failure> outcome;
  {
    Run current{environment, Handover(machine->context(), environment.variables), environment.seed};
    const Machine::Session session(*machine, current);
    outcome = run_in_new_realm(*machine, program);
  }
  const auto* failure = std::get_if<Failure>(&outcome);
  if (failure != nullptr && failure->error.code == Code::budget_exceeded) Machine::discard();
  return outcome;
}

}  // namespace pawl::script
