// SPDX-License-Identifier: Apache-2.0
// Moves: where each place of a process is in the one that an instance is migrated to. The process
// itself becomes the other process; an element goes where the plan says; a flow follows its two
// ends. Folding needs it as well as deciding, so what it answers for a recorded plan never changes.
#pragma once

#include <vector>

#include "engine/events.hpp"
#include "model/process.hpp"

namespace pawl::engine {

class Moves {
 public:
  // Of two moves of the same element the first counts; those that name no place are passed over.
  Moves(const model::Process& from, const model::Process& to,
        const std::vector<ElementMove>& moves);

  // none: it has no place there.
  ElementIndex operator()(ElementIndex element) const;
  // Of a token that waits at a join: the flow between the same two elements if there is one, or the
  // one with its id among several; else the flow with its id that leads to the same gateway.
  FlowIndex operator()(FlowIndex flow) const;

  const model::Process& from() const { return from_; }
  const model::Process& to() const { return to_; }

 private:
  const model::Process& from_;
  const model::Process& to_;
  std::vector<ElementIndex> places_;  // by element of `from`
};

}  // namespace pawl::engine
