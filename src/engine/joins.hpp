// SPDX-License-Identifier: Apache-2.0
// When a joining gateway fires. Parallel: every incoming flow has a token. Inclusive: the same, or
// no other token of the scope can still arrive (BPMN 2.0, 13.4.3).
#pragma once

#include "engine/state.hpp"

namespace pawl::engine {

bool fires(const Instance& state, const ElementInstance& scope, const model::Element& gateway);

// If all tokens of the scope wait at joins and nothing else is to happen in it, waiting longer
// would be for ever: two inclusive joins in one cycle hold each other. The first inclusive one of
// them then fires. none: the scope is not held.
ElementIndex held_join(const Instance& state, const ElementInstance& scope);

bool has_waiting(const Instance& state, const ElementInstance& scope,
                 const model::Element& gateway);

}  // namespace pawl::engine
