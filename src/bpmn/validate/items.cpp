// SPDX-License-Identifier: Apache-2.0
#include "bpmn/validate/items.hpp"

namespace pawl::bpmn {

xml::Element item_of(const Source& source, xml::Element element) {
  if (!element) return {};
  if (element.is("dataObjectReference")) {
    const xml::Element object = source.find(element.attribute("dataObjectRef"));
    if (object) element = object;
  }
  for (const std::string_view attribute : {"itemSubjectRef", "itemRef", "structureRef"}) {
    const std::string_view reference = element.attribute(attribute);
    if (reference.empty()) continue;
    const xml::Element found = source.find(reference);
    return found && found.is("itemDefinition") ? found : xml::Element{};
  }
  return {};
}

bool same_item(xml::Element a, xml::Element b) {
  if (a == b) return true;
  if (!a || !b) return false;
  const std::string_view structure = a.attribute("structureRef");
  return !structure.empty() && structure == b.attribute("structureRef");
}

std::vector<xml::Element> children_of(xml::Element element, std::string_view tag) {
  std::vector<xml::Element> found;
  xml::each_child(element, [&](xml::Element child) {
    if (child.is(tag)) found.push_back(child);
  });
  return found;
}

}  // namespace pawl::bpmn
