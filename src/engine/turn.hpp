// SPDX-License-Identifier: Apache-2.0
// A turn: one instance, one command, and what the world says (time, fresh keys, a seed) give
// events, already applied to the instance. Pure: the same input gives the same events. Bounded: it
// stops after a number of steps and says that there is more to do.
#pragma once

#include "base/limits.hpp"
#include "base/result.hpp"
#include "engine/callables.hpp"
#include "engine/commands.hpp"
#include "engine/state.hpp"

namespace pawl::engine {

struct World {
  Instant now{};
  std::uint64_t next_key{1};  // keys are taken from here upwards
  std::uint64_t seed{0};      // for random values inside expressions
  std::size_t max_steps{limits::steps_per_turn};
  std::uint32_t max_iterations{limits::iterations};
  const Callables* callables{nullptr};  // null: nothing can be called
  Key definition{Key::none};            // of the instance
};

// An instance that a turn starts by a call.
struct ChildStart {
  model::ProcessPtr process{};
  StartInstance start{};
};

struct Turn {
  Events events{};
  std::uint64_t next_key{0};        // the first key that was not used
  bool more{false};                 // the agenda is not empty: send Continue
  std::vector<ChildStart> calls{};  // committed with this turn
};

// Error of Whose::caller: the command is rejected and nothing changed. Throws BrokenInvariant if
// our own rules are violated; the instance must then be folded again from its events.
Result<Turn> take_turn(Instance& instance, const Command& command, const World& world);

}  // namespace pawl::engine
