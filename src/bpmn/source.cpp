// SPDX-License-Identifier: Apache-2.0
#include "bpmn/source.hpp"

#include <fmt/format.h>

namespace pawl::bpmn {

xml::Element Source::find(std::string_view reference) const {
  auto found = ids.find(reference);
  if (found == ids.end()) {
    const std::size_t colon = reference.rfind(':');
    if (colon == std::string_view::npos) return {};
    found = ids.find(reference.substr(colon + 1));
  }
  return found == ids.end() ? xml::Element{} : found->second;
}

void index_ids(Source& source) {
  xml::each_descendant(source.document.root(), [&](xml::Element element) {
    if (element.vocabulary() != Vocabulary::bpmn || element.name() == "extensionElements") {
      return false;
    }
    const std::string_view id = element.attribute("id");
    if (id.empty()) return true;
    const auto [other, added] = source.ids.emplace(id, element);
    if (!added) {
      const model::Place first = other->second.place();
      source.report.add(
          Rule::id_duplicate, element,
          fmt::format("{}: the id is already used by the {} at {}:{}; give it an id "
                      "of its own",
                      title(element), other->second.name(), first.line, first.column));
    }
    return true;
  });
}

}  // namespace pawl::bpmn
