// SPDX-License-Identifier: Apache-2.0
// The words of BPMN's process part: which tag is which kind of element or event, and which tags
// may stand where. What is in no list here is refused, never skipped.
#pragma once

#include <optional>
#include <string_view>

#include "model/kinds.hpp"

namespace pawl::bpmn {

// Of the tag of a flow node; sub-processes that are triggered by events are told apart later.
std::optional<model::ElementKind> kind_of_tag(std::string_view tag);
// "timerEventDefinition" → timer.
std::optional<model::EventKind> event_of_tag(std::string_view tag);

// Tags that may stand beside flow nodes and mean nothing at run time, or are read elsewhere.
bool is_known_beside_nodes(std::string_view tag);
// Tags that may stand inside a task, event or gateway.
bool is_known_inside_node(std::string_view tag);
// Tags that may stand directly in <definitions>.
bool is_known_at_top(std::string_view tag);
bool is_global_task(std::string_view tag);

}  // namespace pawl::bpmn
