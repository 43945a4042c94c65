// SPDX-License-Identifier: Apache-2.0
// Flow nodes: tasks, sub-processes, events and gateways, one by one.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

// Fills `element`, whose kind and place are set, from its XML. Connections come later.
void read_element(const Reading& reading, xml::Element node, model::Element& element);

// pawl:variables of a process or sub-process.
void read_write_rule(const Reading& reading, xml::Element node, model::Element& element);

}  // namespace pawl::bpmn
