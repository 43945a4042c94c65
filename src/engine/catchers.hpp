// SPDX-License-Identifier: Apache-2.0
// Who catches an error or an escalation: the boundary events of what surrounds the thrower, and the
// event sub-processes inside it, from the inside out.
#pragma once

#include <optional>
#include <vector>

#include "engine/state.hpp"

namespace pawl::engine {

// A boundary event of the host, or the start event of an event sub-process inside it.
struct Catcher {
  Slot host{Slot::none};
  ElementIndex event{ElementIndex::none};
};

using CatchingEvents = std::vector<const model::Element*>;

// The code that an event waits for; empty: any.
std::string_view code_caught_by(const model::Element& event);

// The events of one kind that are asked when something is thrown at `thrower`, one list for each
// place on the way outward, up to `until`, which is not asked.
struct CatchingPlace {
  Slot host{Slot::none};
  CatchingEvents events{};
};
std::vector<CatchingPlace> places_around(const Instance& state, Slot thrower, model::EventKind kind,
                                         Slot until = Slot::none);

// The event sub-processes of a scope come before the events on its border, and in each of the two
// the exact code before one without code. nullopt: nothing catches.
std::optional<Catcher> find_catcher(const Instance& state, Slot thrower, model::EventKind kind,
                                    std::string_view code, Slot until = Slot::none);

}  // namespace pawl::engine
