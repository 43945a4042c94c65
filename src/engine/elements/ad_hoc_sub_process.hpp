// SPDX-License-Identifier: Apache-2.0
// Ad-hoc sub-process: a scope in which an expression, a person or a program decides what runs. Each
// element that is started runs in a *path*: an element instance of the same element inside the
// sub-process, the scope of its tokens and variables. Boundary events, mappings, event
// sub-processes and results belong to the sub-process itself. See docs/ad-hoc.md.
#pragma once

#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "engine/behaviour.hpp"

namespace pawl::engine {

extern const Behaviour ad_hoc_sub_process;

// In one turn, so that a turn stays short.
inline constexpr std::size_t paths_at_once = limits::steps_per_turn;

struct PathStart {
  ElementIndex element{ElementIndex::none};
  Value variables{};  // local to the path; a context or null
};

// The sub-process itself: neither one of its paths nor the body of a loop on it.
bool is_ad_hoc(const Instance& state, const ElementInstance& one);
// An element of the sub-process that can be started: one that nothing leads to. Error not_found or
// invalid_argument: a sentence that says which can.
Result<ElementIndex> find_start(const model::Process& process, const model::Element& ad_hoc,
                                std::string_view id);
// Has it a path that has not ended, or begun to? One that waits for its turn counts.
bool has_live_path(const Instance& state, const ElementInstance& ad_hoc);

// Begins paths, all at once; with sequential ordering one after the other.
void begin_paths(Step& step, Slot ad_hoc, const std::vector<PathStart>& starts);

// --- called by the life of element instances (lifecycle.cpp) -----------------------------------
// A path whose turn has come.
void start_path(Step& step, Slot path);
// Nothing is left in a path: its result is collected, the completion condition asked.
void finish_path(Step& step, Slot path);
// Something in the scope has ended: with sequential ordering the next path begins.
void begin_next_path(Step& step, Slot scope);
// Does a scope with nothing inside complete? An ad-hoc sub-process may wait for somebody.
bool completes_when_empty(const Instance& state, const ElementInstance& scope);
// An ad-hoc sub-process that completes gives what its paths have left to the scope around it.
void hand_out_results(Step& step, Slot slot);

}  // namespace pawl::engine
