// SPDX-License-Identifier: Apache-2.0
#include "cli/run_activate.hpp"

#include <fmt/format.h>

#include "engine/elements/ad_hoc_sub_process.hpp"

namespace pawl::cli {

using namespace engine;  // NOLINT: state only

namespace {

// One that completes waits until nothing is left, and one that starts something for its turn.
bool is_taken_now(const RunPlan::Activation& wanted, const ElementInstance& ad_hoc,
                  const model::Element& element) {
  const bool alone = wanted.elements.empty() || element.sequential_ordering;
  return !alone || ad_hoc.active_children == 0;
}

engine::Command activation_command(const RunPlan::Activation& wanted, Key ad_hoc) {
  if (wanted.elements.empty()) return CompleteAdHoc{ad_hoc};
  ActivateActivities command{.ad_hoc = ad_hoc};
  for (const std::string& id : wanted.elements) command.activities.push_back({id, {}});
  return command;
}

}  // namespace

std::optional<engine::Command> Activations::next_for(const ElementInstance& ad_hoc,
                                                     const model::Element& element) {
  if (!ad_hoc.is_open() || (ad_hoc.ad_hoc && ad_hoc.ad_hoc->closed)) return std::nullopt;
  std::size_t& place = taken_[ad_hoc.key];
  while (place < plan_.activations.size() && plan_.activations[place].ad_hoc != element.id) ++place;
  if (place == plan_.activations.size()) return std::nullopt;
  const RunPlan::Activation& wanted = plan_.activations[place];
  if (!is_taken_now(wanted, ad_hoc, element)) return std::nullopt;
  used_[place++] = true;
  return activation_command(wanted, ad_hoc.key);
}

std::optional<engine::Command> Activations::next_in(const Instance& state, Slot slot) {
  const ElementInstance& one = state.at(slot);
  if (is_ad_hoc(state, one)) {
    if (auto command = next_for(one, state.definition_of(one))) return command;
  }
  for (Slot child = one.first_child; child != Slot::none; child = state.at(child).next) {
    if (auto command = next_in(state, child)) return command;
  }
  return std::nullopt;
}

std::optional<engine::Command> Activations::next(const runtime::Driver& driver) {
  if (plan_.activations.empty()) return std::nullopt;
  for (const Instance* instance : driver.instances()) {
    if (instance->root == Slot::none) continue;
    if (auto command = next_in(*instance, instance->root)) return command;
  }
  return std::nullopt;
}

std::vector<std::string> Activations::unused() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (!used_[i]) out.push_back(fmt::format("--activate {}", plan_.activations[i].ad_hoc));
  }
  return out;
}

}  // namespace pawl::cli
