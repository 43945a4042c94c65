// SPDX-License-Identifier: Apache-2.0
#include "engine/catchers.hpp"

namespace pawl::engine {
namespace {

using model::EventKind;

// The boundary events of a loop belong to its body, not to its iterations; those of an ad-hoc
// sub-process to itself, not to its paths.
CatchingEvents on_border(const Instance& state, const ElementInstance& host, EventKind kind) {
  CatchingEvents events;
  if (host.iteration != 0 || host.is_path) return events;
  for (const ElementIndex index : state.definition_of(host).boundary_events) {
    const model::Element& boundary = state.process->at(index);
    if (boundary.event == kind) events.push_back(&boundary);
  }
  return events;
}

// Starts of event sub-processes. A scope that one of them has interrupted catches nothing more:
// what they throw themselves goes on outward. Nor does one that runs beside catch its own.
CatchingEvents inside(const Instance& state, const ElementInstance& scope, ElementIndex from,
                      EventKind kind) {
  CatchingEvents events;
  if (scope.is_body || scope.is_path || !scope.is_open()) return events;
  for (const ElementIndex index : state.definition_of(scope).event_sub_processes) {
    const model::Element& handler = state.process->at(index);
    if (handler.event != kind || index == from) continue;
    events.push_back(&state.process->at(handler.start_events.front()));
  }
  return events;
}

const model::Element* catching(const CatchingEvents& events, std::string_view code) {
  const model::Element* catch_all = nullptr;
  for (const model::Element* event : events) {
    if (code_caught_by(*event) == code && !code.empty()) return event;
    if (code_caught_by(*event).empty() && !catch_all) catch_all = event;
  }
  return catch_all;
}

}  // namespace

std::string_view code_caught_by(const model::Element& event) {
  if (event.events.empty()) return {};
  const model::Expression& code = event.events.front().code;
  return code.literal.is_string() ? code.literal.as_string() : std::string_view();
}

std::vector<CatchingPlace> places_around(const Instance& state, Slot thrower, EventKind kind,
                                         Slot until) {
  std::vector<CatchingPlace> places;
  const auto add = [&places](Slot host, CatchingEvents events) {
    if (!events.empty()) places.push_back({host, std::move(events)});
  };
  ElementIndex from = ElementIndex::none;
  for (Slot slot = thrower; slot != until; slot = state.at(slot).parent) {
    const ElementInstance& one = state.at(slot);
    if (one.life != Life::terminating) {
      if (slot != thrower) add(slot, inside(state, one, from, kind));
      add(slot, on_border(state, one, kind));
    }
    from = one.element;
  }
  return places;
}

std::optional<Catcher> find_catcher(const Instance& state, Slot thrower, EventKind kind,
                                    std::string_view code, Slot until) {
  for (const CatchingPlace& place : places_around(state, thrower, kind, until)) {
    if (const auto* event = catching(place.events, code)) return Catcher{place.host, event->index};
  }
  return std::nullopt;
}

}  // namespace pawl::engine
