// SPDX-License-Identifier: Apache-2.0
// What the zeebe: extensions of an element say.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

void read_zeebe(const Reading& reading, xml::Element node, model::Element& element);
void read_zeebe_process(xml::Element node, model::Process& process);

}  // namespace pawl::bpmn
