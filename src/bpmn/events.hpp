// SPDX-License-Identifier: Apache-2.0
// Event definitions: message, timer, error and the rest, written inside an event or referred to.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

// Fills kind of event, definitions and the like of an event from its XML.
void read_event(const Reading& reading, xml::Element event, model::Element& element);

// One <…EventDefinition>.
model::EventDefinition read_event_definition(const Reading& reading, xml::Element definition);

// The message a task or event refers to; reports it when it is missing.
model::EventDefinition read_message(const Reading& reading, xml::Element user,
                                    std::string_view reference);

}  // namespace pawl::bpmn
