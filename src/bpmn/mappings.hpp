// SPDX-License-Identifier: Apache-2.0
// Small pieces that the dialects share.
#pragma once

#include <string_view>

#include "bpmn/source.hpp"

namespace pawl::bpmn {

// A mapping to a target such as "order.total"; reports a target that is empty or malformed.
void add_mapping(const Reading& reading, xml::Element at, std::vector<model::Mapping>& mappings,
                 model::Expression source, std::string_view target);

}  // namespace pawl::bpmn
