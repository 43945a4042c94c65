// SPDX-License-Identifier: Apache-2.0
// Everything that a journal says, as text: what an index made from it answers, the state of every
// execution of every instance, and how often each kind of event and notice stands in it.
#pragma once

#include <set>
#include <string>

#include "runtime/definition.hpp"
#include "store/index.hpp"
#include "store/journal.hpp"

namespace pawl::replay {

struct Reading {
  std::string text{};
  // One line after every turn: where it stands, whose it is, length and checksum of the state.
  std::string states{};
  std::string elements{};           // the number of each element of each definition
  std::string broken{};             // the first state that cannot be; empty: none
  std::uint32_t rules{0};           // the newest by which something in it is folded
  std::set<std::string> missing{};  // kinds of event and notice that do not stand in it
};

// `index` must be empty and may ask `definitions` for the ids of elements; both have everything
// afterwards.
Result<Reading> read_journal(const store::Journal& journal, store::Index& index,
                             runtime::Definitions& definitions);
// How an index asks.
store::ElementNames names_from(const runtime::Definitions& definitions);

}  // namespace pawl::replay
