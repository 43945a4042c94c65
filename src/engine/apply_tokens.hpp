// SPDX-License-Identifier: Apache-2.0
// The part of apply that keeps the tree of scopes, the counts of active children and tokens, and
// the tokens that wait at joins. What changes something is used by apply.cpp only.
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

// A scope whose definition has inclusive joins counts, for each of them, the tokens that can still
// reach it. `place` is where tokens are now, or where their flow leads; `change` is how many more,
// modulo 2^32.
void count_approaching(const Instance& state, ElementInstance& scope, ElementIndex place,
                       std::uint32_t change);

// A token on a flow: it goes onto the agenda, or waits at the join it has reached.
void add_token(Instance& state, ElementInstance& scope, FlowIndex flow);
// Tokens before elements that nothing leads to: they go onto the agenda.
void add_starts(Instance& state, ElementInstance& scope, const std::vector<ElementIndex>& elements);
// An element instance in its scope; uses up the token or tokens it came by.
void add_element(Instance& state, const ElementActivating& event);
// Takes an ended element instance out of the tree and the maps.
void remove_element(Instance& state, Slot slot, Ended how);
// All inside it ends, or has.
bool lets_go(const ElementInstance& one);
// Behind all its siblings: those that end already do not stand before those that still have to.
void move_to_the_end(Instance& state, Slot slot);
// The scope forgets all its tokens; work on the agenda for them is skipped when its turn comes.
void drop_tokens(Instance& state, ElementInstance& scope);

// Does this gateway wait for several tokens?
bool is_join(const model::Element& element);

}  // namespace pawl::engine
