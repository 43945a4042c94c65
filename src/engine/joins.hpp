// SPDX-License-Identifier: Apache-2.0
// When a joining gateway fires. Parallel: every incoming flow has a token. Inclusive: the same, or
// no other token of the scope can still arrive (BPMN 2.0, 13.4.3).
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

// One of the flows by which it fires now; none: it waits.
FlowIndex fires_by(const Instance& state, const ElementInstance& scope, const model::Element& gateway);

bool has_waiting(const Instance& state, const ElementInstance& scope, const model::Element& gateway);

}  // namespace pawl::engine
