// SPDX-License-Identifier: Apache-2.0
// A turn: one instance, one command, and what the world says (time, fresh keys, a seed) give
// events, already applied to the instance. Pure: the same input gives the same events. Bounded: it
// stops after a number of steps, or when they have cost enough, and says that there is more to do.
#pragma once

#include "base/limits.hpp"
#include "base/result.hpp"
#include "engine/callables.hpp"
#include "engine/commands.hpp"
#include "engine/state.hpp"

namespace pawl::engine {

// What an instance may hold and do, as the operator has set it; above it are incidents.
struct Allowance {
  std::size_t value{limits::value_bytes};        // bytes of one value (gate.hpp)
  std::size_t instance{limits::instance_bytes};  // of all in it (weight.hpp)
  std::uint32_t iterations{limits::iterations};  // of one loop
  std::uint64_t steps{limits::steps_without_wait};
};

// Keys from one up to another, which is not one of them.
struct KeyRange {
  std::uint64_t from{0};
  std::uint64_t to{0};
};
class KeySource {
 public:
  virtual KeyRange more() = 0;  // greater ones than all that it has given

 protected:
  ~KeySource() = default;
};

struct World {
  Instant now{};
  std::uint64_t next_key{1};          // keys are taken from here upwards,
  std::uint64_t end_key{UINT64_MAX};  // below this,
  KeySource* keys{nullptr};           // and then from here
  std::uint64_t seed{0};              // for random values inside expressions
  std::size_t max_steps{limits::steps_per_turn};
  std::uint64_t max_cost{limits::cost_per_turn};
  Allowance allowance{};
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
  std::uint64_t next_key{0};        // the first key that was not used,
  std::uint64_t end_key{0};         // of those that may be used
  bool more{false};                 // there is work left that it does by itself: send Continue
  std::uint64_t cost{0};            // of all that was done, estimated (cost.hpp)
  std::size_t bytes{0};             // of the values in the events
  std::vector<ChildStart> calls{};  // committed with this turn
};

// Error of Whose::caller: the command is rejected and nothing changed. Throws BrokenInvariant if
// our own rules are violated; the instance must then be folded again from its events.
Result<Turn> take_turn(Instance& instance, const Command& command, const World& world);

}  // namespace pawl::engine
