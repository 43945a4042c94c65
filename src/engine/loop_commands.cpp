// SPDX-License-Identifier: Apache-2.0
// What can be said to the body of a running loop: more iterations, one less, enough, or stop.
#include <fmt/format.h>

#include "engine/elements/multi_instance.hpp"
#include "engine/gate.hpp"
#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

Result<Slot> running_body(const Step& step, Key key) {
  const ElementInstance* one = step.state().find(key);
  if (!one || !one->is_body) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("there is no multi-instance body with key {} (any more)", number(key)));
  }
  const bool runs = one->life == Life::activated && !one->interrupted && one->loop;
  if (!runs) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("the multi-instance body {} does not run", number(key)));
  }
  return step.state().slot_of.find(key);
}

Result<std::uint32_t> number_added(const Step& step, const AddIterations& command,
                                   const Loop& loop) {
  const bool by_item = loop.items.is_list();
  if (by_item != command.items.is_list()) {
    return fail(Whose::caller, Code::invalid_argument,
                by_item ? "this loop runs over a collection: give a list of items to add"
                        : "this loop counts: give the number of iterations to add, not items");
  }
  const std::size_t count = by_item ? command.items.as_list().size() : command.count;
  const std::uint32_t limit = step.allowance().iterations;
  if (count == 0 || loop.total > limit || count > limit - loop.total) {
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("cannot add {} iterations to {}: at least 1, and at most {} in all",
                            count, loop.total, limit));
  }
  return static_cast<std::uint32_t>(count);
}

}  // namespace

Result<void> handle(Step& step, const AddIterations& command) {
  PAWL_TRY(body, running_body(step, command.body));
  const ElementInstance& one = step.state().at(body);
  if (step.state().definition_of(one).loop->kind == model::LoopDefinition::Kind::standard) {
    return fail(Whose::caller, Code::invalid_argument,
                "a standard loop goes by its condition; iterations cannot be added");
  }
  PAWL_TRY(count, number_added(step, command, *one.loop));
  Value items;
  if (command.items.is_list()) {
    PAWL_TRY(admitted, Gate(step, body, Whose::caller).admit_items({"items", ""}, command.items));
    items = std::move(admitted);
  }
  step.emit(IterationsAdded{one.key, count, std::move(items)});
  step.emit(Deferred{Work{.kind = Work::Kind::spawn, .key = one.key}, false});
  return {};
}

Result<void> handle(Step& step, const RemoveIteration& command) {
  const ElementInstance* one = step.state().find(command.iteration);
  if (!one || one->iteration == 0 || one->life == Life::terminating) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("there is no iteration of a loop with key {} (any more)",
                            number(command.iteration)));
  }
  PAWL_TRY(body, running_body(step, step.state().at(one->parent).key));
  const Slot slot = step.state().slot_of.find(command.iteration);
  bool over = false;
  if (command.completed) {
    PAWL_TRY(now, is_over(step, slot, nullptr));
    over = now;
  }
  step.emit(IterationRemoved{one->key, command.completed});
  const Key body_key = step.state().at(body).key;
  terminate(step, slot);
  const bool runs = step.state().slot_of.find(body_key) == body;
  if (over && runs && !step.state().at(body).interrupted) end_loop(step, body);
  return {};
}

Result<void> handle(Step& step, const EndLoop& command) {
  PAWL_TRY(body, running_body(step, command.body));
  if (command.cancel) {
    terminate(step, body);
  } else {
    end_loop(step, body);
  }
  return {};
}

}  // namespace pawl::engine
