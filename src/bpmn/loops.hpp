// SPDX-License-Identifier: Apache-2.0
// Loops of an activity: multi-instance and standard, with the ways that dialects say what to
// iterate over.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

void read_loop(const Reading& reading, xml::Element activity, model::Element& element);

}  // namespace pawl::bpmn
