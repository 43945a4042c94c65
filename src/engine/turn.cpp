// SPDX-License-Identifier: Apache-2.0
#include "engine/turn.hpp"

#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {

Result<Turn> take_turn(Instance& instance, const Command& command, const World& world) {
  Step step(instance, world);
  PAWL_CHECK(std::visit([&step](const auto& one) { return handle(step, one); }, command));
  for (std::size_t steps = 0; steps < world.max_steps && !instance.agenda.empty(); ++steps) {
    run_step(step);
    if (step.calls() >= limits::calls_per_turn) break;
  }
  return Turn{step.take_events(), step.next_key(), !instance.agenda.empty(), step.take_calls()};
}

}  // namespace pawl::engine
