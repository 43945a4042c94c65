// SPDX-License-Identifier: Apache-2.0
// Step: what a behaviour sees. It reads the state, evaluates expressions in a scope, and emits
// events, which are applied at once. There is no other way to change anything.
#pragma once

#include <string>
#include <vector>

#include "base/assert.hpp"
#include "base/limits.hpp"
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
        keys_{world.next_key, world.end_key} {}

  const Instance& state() const { return instance_; }
  const model::Process& process() const { return *instance_.process; }
  model::Dialect dialect() const { return instance_.process->dialect; }
  Instant now() const { return world_.now; }
  const Allowance& allowance() const { return world_.allowance; }

  Key new_key() {
    if (keys_.from == keys_.to && world_.keys) keys_ = world_.keys->more();
    PAWL_ASSERT(keys_.from < keys_.to);
    return key_from(keys_.from++);
  }
  void emit(Event event);
  // Emits it; from here on the instance follows the other process.
  void migrate(InstanceMigrated event, const model::ProcessPtr& process);

  // --- what it costs (cost.hpp)
  void charge(std::uint64_t cost) { spent_ += cost; }
  void charge_script(std::uint64_t nanos) {
    spent_ += nanos;
    scripts_ += nanos;
  }
  std::uint64_t spent() const { return spent_; }
  std::size_t bytes() const { return bytes_; }
  // The turn has had its share: whoever does one thing after the other stops after the next.
  bool is_spent() const { return spent_ >= world_.max_cost || bytes_ >= limits::bytes_per_turn; }
  void begin_step() {
    step_began_ = spent_ - scripts_;
    scripts_began_ = scripts_;
    bytes_began_ = bytes_;
  }
  std::size_t bytes_in_step() const { return bytes_ - bytes_began_; }
  // Error budget_exceeded: this step alone has cost more than a step may. Scripts are measured by a
  // clock and have limits of their own; how slow the machine is does not decide about expressions.
  Result<void> expect_budget() const;

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
  // Runs it; its results are not looked at yet.
  std::variant<script::Outcome, script::Failure> run_script(const script::Program& program,
                                                            Slot scope, const VisibleNames& names);
  std::uint64_t seed_for(Slot scope) const;

  // --- calls
  Result<Called> find_called(CallTarget target) const;
  // The child begins when this turn is committed.
  void start_child(ChildStart start) {
    bytes_ += start.start.variables.encoded_size();  // they are committed with this turn
    calls_.push_back(std::move(start));
  }
  std::size_t calls() const { return calls_.size(); }
  std::vector<ChildStart> take_calls() { return std::move(calls_); }

  Events take_events() { return std::move(events_); }
  const Events& events() const { return events_; }
  KeyRange keys_left() const { return keys_; }

 private:
  Instance& instance_;
  const World& world_;
  Key definition_;
  KeyRange keys_;
  Events events_;
  std::vector<ChildStart> calls_;
  std::uint64_t spent_{0};
  std::uint64_t scripts_{0};  // of what was spent
  std::uint64_t step_began_{0}, scripts_began_{0};
  std::size_t bytes_{0}, bytes_began_{0};
};

}  // namespace pawl::engine
