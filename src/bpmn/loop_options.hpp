// SPDX-License-Identifier: Apache-2.0
// What pawl: attributes on a multi-instance loop ask for beyond BPMN (docs/multi-instance.md).
// An attribute that is not known, or a value that cannot be meant, is reported and has no effect.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

model::LoopOptions read_loop_options(const Reading& reading, xml::Element activity,
                                     xml::Element loop);

// For the standard loop, which has none.
void refuse_loop_options(const Reading& reading, xml::Element activity, xml::Element loop);

}  // namespace pawl::bpmn
