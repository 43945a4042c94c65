// SPDX-License-Identifier: Apache-2.0
// What --activate of `pawl run` starts in ad-hoc sub-processes: each of them, in every run of the
// sub-process once, in the order of the command line.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "cli/run_plan.hpp"
#include "engine/commands.hpp"
#include "runtime/driver.hpp"

namespace pawl::cli {

class Activations {
 public:
  explicit Activations(const RunPlan& plan) : plan_(plan), used_(plan.activations.size()) {}

  // The next thing that an ad-hoc sub-process takes now. nullopt: there is none.
  std::optional<engine::Command> next(const runtime::Driver& driver);
  // As they were written, those that no sub-process has taken.
  std::vector<std::string> unused() const;

 private:
  std::optional<engine::Command> next_in(const engine::Instance& state, engine::Slot slot);
  std::optional<engine::Command> next_for(const engine::ElementInstance& ad_hoc,
                                          const model::Element& element);

  const RunPlan& plan_;
  std::vector<bool> used_;            // by place in the plan
  std::map<Key, std::size_t> taken_;  // by ad-hoc sub-process: how far it is in the plan
};

}  // namespace pawl::cli
