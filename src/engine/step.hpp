// SPDX-License-Identifier: Apache-2.0
// Step: what a behaviour sees. It reads the state, evaluates expressions in a scope, and emits
// events, which are applied at once. There is no other way to change anything.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/state.hpp"
#include "engine/turn.hpp"

namespace pawl::engine {

class VisibleNames;

// A value and what was odd on the way to it ("variable x not found"), for messages.
struct Evaluated {
  Value value{};
  std::string remarks{};
};

class Step {
 public:
  Step(Instance& instance, const World& world)
      : instance_(instance),
        world_(world),
        definition_(world.definition),
        next_key_(world.next_key) {}

  const Instance& state() const { return instance_; }
  const model::Process& process() const { return *instance_.process; }
  model::Dialect dialect() const { return instance_.process->dialect; }
  Instant now() const { return world_.now; }
  std::uint32_t max_iterations() const { return world_.max_iterations; }

  Key new_key() { return key_from(next_key_++); }
  void emit(Event event);
  // Emits it; from here on the instance follows the other process.
  void migrate(InstanceMigrated event, const model::ProcessPtr& process);

  // --- expressions, evaluated with the names that are visible in the scope -----------------------
  Result<Evaluated> evaluate(const model::Expression& expression, Slot scope);
  Result<Evaluated> evaluate(const model::Expression& expression, Slot scope,
                             const VisibleNames& names);
  // Boolean or an error that names the expression, the value and its type.
  Result<bool> truth(const model::Expression& expression, Slot scope);
  Result<bool> truth(const model::Expression& expression, Slot scope, const VisibleNames& names,
                     std::string_view what);
  Result<std::string> text(const model::Expression& expression, Slot scope, std::string_view what);
  Result<std::int64_t> integer(const model::Expression& expression, Slot scope,
                               std::string_view what);
  std::uint64_t seed_for(Slot scope) const;

  // --- calls
  Result<Called> find_called(CallTarget target) const;
  // The child begins when this turn is committed.
  void start_child(ChildStart start) { calls_.push_back(std::move(start)); }
  std::size_t calls() const { return calls_.size(); }
  std::vector<ChildStart> take_calls() { return std::move(calls_); }

  Events take_events() { return std::move(events_); }
  const Events& events() const { return events_; }
  std::uint64_t next_key() const { return next_key_; }

 private:
  Instance& instance_;
  const World& world_;
  Key definition_;
  std::uint64_t next_key_;
  Events events_;
  std::vector<ChildStart> calls_;
};

}  // namespace pawl::engine
