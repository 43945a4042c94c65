// SPDX-License-Identifier: Apache-2.0
// What joins flow nodes: sequence flows, attachment of boundary events, compensation handlers.
// The graph comes from the flows alone, never from <incoming> and <outgoing>.
#pragma once

#include <vector>

#include "bpmn/source.hpp"

namespace pawl::bpmn {

void read_flows(const Reading& reading, const std::vector<xml::Element>& flows);
void attach_boundary_events(const Reading& reading);
// After model::link, since a handler is found from the boundary event's association.
void connect_compensation_handlers(const Reading& reading);

}  // namespace pawl::bpmn
