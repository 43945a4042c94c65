// SPDX-License-Identifier: Apache-2.0
// Small pieces that the dialects share.
#pragma once

#include <string_view>

#include "bpmn/source.hpp"

namespace pawl::bpmn {

// A mapping to a target such as "order.total"; reports a target that is empty or malformed.
void add_mapping(const Reading& reading, xml::Element at, std::vector<model::Mapping>& mappings,
                 model::Expression source, std::string_view target);

// "latest", "deployment", "version", "versionTag"; empty: latest. What is none of them is refused
// when the process is deployed.
void read_call_binding(std::string_view text, model::Element& element, model::CallDefinition& call);

}  // namespace pawl::bpmn
