// SPDX-License-Identifier: Apache-2.0
// Events that change no table, whatever the index. A new event is named here, or every index has a
// function for it; else it does not compile.
#pragma once

#include <concepts>

#include "engine/events.hpp"

namespace pawl::store {

template <class Event, class... Events>
concept OneOf = (std::same_as<Event, Events> || ...);

template <class Event>
concept ChangesNoTable =
    OneOf<Event, engine::StepTaken, engine::Deferred, engine::ElementActivated,
          engine::ElementCompleting, engine::MappingsApplied, engine::FlowTaken,
          engine::BoundaryTriggered, engine::EventSubProcessTriggered, engine::ScopeInterrupted,
          engine::ErrorThrown, engine::LoopStarted, engine::IterationCollected,
          engine::IterationFailed, engine::LoopFailed, engine::IterationsAdded, engine::CallStarted,
          engine::CallCancelRequested, engine::ErrorEscaped, engine::EscalationThrown,
          engine::CallEscalated, engine::CompensationRecorded, engine::CompensationThrown,
          engine::TransactionCancelled, engine::PathCollected, engine::PathsClosed,
          engine::IterationRemoved, engine::TurnCut, engine::CameToRest, engine::StartsTaken,
          engine::CallResultTaken>;

}  // namespace pawl::store
