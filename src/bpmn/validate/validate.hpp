// SPDX-License-Identifier: Apache-2.0
// The checks of a model, one file per topic. docs/validation.md lists the rules.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

// All that can be said about one process; its graph is linked.
void validate(const Reading& reading);

// References between elements of the file: each must lead to an element of the right kind.
void validate_references(const Source& source);
// Participants and message flows.
void validate_collaborations(const Source& source);

}  // namespace pawl::bpmn
