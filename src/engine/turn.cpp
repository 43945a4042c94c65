// SPDX-License-Identifier: Apache-2.0
#include "engine/turn.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/failure.hpp"
#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"
#include "engine/weight.hpp"

namespace pawl::engine {
namespace {

// The ids of elements that were entered in this turn, in order, up to where the first comes again:
// "a" → "b" → "a".
std::string circle_of(const Step& step) {
  constexpr std::size_t shown = 12;
  std::vector<ElementIndex> entered;
  for (auto event = step.events().rbegin(); event != step.events().rend(); ++event) {
    const auto* activating = std::get_if<ElementActivating>(&*event);
    if (!activating) continue;
    entered.push_back(activating->element);
    const bool closed = entered.size() > 1 && entered.back() == entered.front();
    if (closed || entered.size() > shown) break;
  }
  std::reverse(entered.begin(), entered.end());
  std::string text = entered.size() > shown ? "… → " : "";
  for (std::size_t i = 0; i < entered.size(); ++i) {
    text += fmt::format("{}\"{}\"", i == 0 ? "" : " → ", step.process().at(entered[i]).id);
  }
  return text;
}

void halt(Step& step, IncidentKind kind, const Error& error) {
  const Instance& state = step.state();
  step.emit(IncidentRaised{.key = step.new_key(),
                           .element = state.root_scope().key,
                           .kind = kind,
                           .code = static_cast<std::uint16_t>(error.code),
                           .message = error.text,
                           .halts = true});
}

bool may_halt(const Instance& state) {
  return state.root != Slot::none && state.halted == Key::none && !state.root_scope().incident &&
         state.root_scope().life != Life::terminating;
}

bool stop_if_outgrown(Step& step, const World& world) {
  const Instance& state = step.state();
  if (!may_halt(state) || weight_of(state) <= world.allowance.instance) return false;
  halt(step, IncidentKind::too_large,
       fail(Whose::operators, Code::too_large,
            fmt::format("the instance holds {} bytes in {} element instances, and {} "
                        "pieces of work wait; the limit is {} (--max-instance): {}. Let "
                        "less run at once, or set the limit higher; then resolve this "
                        "incident, or cancel the instance",
                        weight_of(state), state.slots.size() - state.free_slots.size(),
                        state.agenda.size(), world.allowance.instance, circle_of(step))));
  return true;
}

// A turn ends, and there is more to do. An instance that never waits, or that grows with every
// turn, is stopped: it would keep the machine busy for ever.
void cut_here(Step& step, const World& world, std::uint64_t steps) {
  const Instance& state = step.state();
  const std::uint64_t unrested = state.unrested + steps;
  if (may_halt(state) && unrested >= world.allowance.steps) {
    return halt(
        step, IncidentKind::endless,
        fail(Whose::operators, Code::endless,
             fmt::format("the instance has taken {} steps without waiting for anything: {}; "
                         "let something in this circle wait, or end it by a condition. "
                         "Resolve this incident to let it run on, or cancel the instance",
                         unrested, circle_of(step))));
  }
  if (stop_if_outgrown(step, world)) return;
  step.emit(TurnCut{unrested});
}

}  // namespace

Result<Turn> take_turn(Instance& instance, const Command& command, const World& world) {
  Step step(instance, world);
  PAWL_CHECK(std::visit([&step](const auto& one) { return handle(step, one); }, command));
  const auto has_work = [&instance] {
    return !instance.agenda.empty() && instance.halted == Key::none;
  };
  std::size_t steps = 0;
  while (has_work() && steps < world.max_steps && !step.is_spent() &&
         step.calls() < limits::calls_per_turn) {
    run_step(step);
    ++steps;
  }
  if (steps != 0 && has_work()) cut_here(step, world, steps);
  // Mail is taken whatever it brings: nobody could be told that it was not.
  if (std::holds_alternative<DeliverMail>(command)) stop_if_outgrown(step, world);
  if (instance.agenda.empty() && instance.unrested != 0) step.emit(CameToRest{});
  return Turn{.events = step.take_events(),
              .next_key = step.keys_left().from,
              .end_key = step.keys_left().to,
              .more = has_work(),
              .cost = step.spent(),
              .bytes = step.bytes(),
              .calls = step.take_calls()};
}

}  // namespace pawl::engine
