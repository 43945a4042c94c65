// SPDX-License-Identifier: Apache-2.0
// Variable mappings of the Camunda 7 family: inputOutput parameters (text, script, list, map) and
// the in/out elements of call activities and signals.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

void read_camunda7_parameters(const Reading& reading, xml::Element node, model::Element& element);
void read_camunda7_call(const Reading& reading, xml::Element node, model::Element& element);

}  // namespace pawl::bpmn
