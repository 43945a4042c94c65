// SPDX-License-Identifier: Apache-2.0
// Item definitions: the declared structure of data, messages and payloads.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

// The item definition of data, a message, signal, error or escalation; none if it has none.
xml::Element item_of(const Source& source, xml::Element element);

// The same definition, or two of one structure. An absent one equals only an absent one.
bool same_item(xml::Element a, xml::Element b);

// Children of that tag.
std::vector<xml::Element> children_of(xml::Element element, std::string_view tag);

}  // namespace pawl::bpmn
