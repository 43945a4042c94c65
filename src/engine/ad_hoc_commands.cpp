// SPDX-License-Identifier: Apache-2.0
// What can be said to a running ad-hoc sub-process: start something in it, or complete.
#include <fmt/format.h>

#include "base/limits.hpp"
#include "engine/elements/ad_hoc_sub_process.hpp"
#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"

namespace pawl::engine {
namespace {

Error in_the_wrong_state(Key key, std::string_view why) {
  return fail(Whose::caller, Code::invalid_state,
              fmt::format("the ad-hoc sub-process {} {}", number(key), why));
}

Result<Slot> running_ad_hoc(const Step& step, Key key) {
  const Instance& state = step.state();
  const ElementInstance* one = state.find(key);
  if (!one || !is_ad_hoc(state, *one)) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("there is no ad-hoc sub-process with key {} (any more)", number(key)));
  }
  const Slot slot = state.slot_of.find(key);
  if (!one->is_open() || is_ending(state, slot)) {
    return in_the_wrong_state(key, "does not run; has it an incident, or does it end?");
  }
  if (one->ad_hoc && one->ad_hoc->closed) {
    return in_the_wrong_state(key,
                              "only waits for what still runs in it; its completion "
                              "condition was met");
  }
  return slot;
}

Result<std::vector<PathStart>> starts_of(const Step& step, Slot slot,
                                         const ActivateActivities& command) {
  if (command.activities.empty() || command.activities.size() > paths_at_once) {
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("cannot activate {} elements: at least 1, and at most {} at once",
                            command.activities.size(), paths_at_once));
  }
  const std::size_t running = step.state().at(slot).active_children;
  if (!command.cancel_remaining && running + command.activities.size() > limits::ad_hoc_paths) {
    return fail(Whose::caller, Code::too_large,
                fmt::format("cannot activate {} elements more: {} run in the ad-hoc sub-process, "
                            "and {} is the limit",
                            command.activities.size(), running, limits::ad_hoc_paths));
  }
  const model::Element& ad_hoc = step.state().definition_of(step.state().at(slot));
  std::vector<PathStart> starts;
  for (const ActivateActivities::Activity& activity : command.activities) {
    PAWL_TRY(element, find_start(step.process(), ad_hoc, activity.element));
    PAWL_TRY(variables, admit_variables(step, slot, activity.variables,
                                        fmt::format("element \"{}\"", activity.element)));
    starts.push_back({element, std::move(variables)});
  }
  return starts;
}

// What is terminated last is worked off first.
void end_paths(Step& step, Slot slot) {
  const Instance& state = step.state();
  for (Slot child = state.at(slot).last_child; child != Slot::none;) {
    const Slot before = state.at(child).previous;
    if (state.at(child).is_path) terminate(step, child);
    child = before;
  }
}

}  // namespace

Result<void> handle(Step& step, const ActivateActivities& command) {
  PAWL_TRY(slot, running_ad_hoc(step, command.ad_hoc));
  PAWL_TRY(starts, starts_of(step, slot, command));
  const ElementInstance& one = step.state().at(slot);
  const bool one_by_one = step.state().definition_of(one).sequential_ordering;
  if (one_by_one && !command.cancel_remaining && has_live_path(step.state(), one)) {
    return in_the_wrong_state(command.ad_hoc,
                              "takes one element at a time, and one is active in it; wait for it, "
                              "or cancel what remains");
  }
  if (command.cancel_remaining) end_paths(step, slot);
  begin_paths(step, slot, starts);
  return {};
}

Result<void> handle(Step& step, const CompleteAdHoc& command) {
  PAWL_TRY(slot, running_ad_hoc(step, command.ad_hoc));
  if (!step.state().at(slot).is_empty()) {
    return in_the_wrong_state(command.ad_hoc,
                              "cannot be completed: something is active in it; wait for it first");
  }
  complete(step, slot);
  return {};
}

}  // namespace pawl::engine
