// SPDX-License-Identifier: Apache-2.0
#include "bpmn/mappings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.hpp"

namespace pawl::bpmn {
namespace {

std::vector<std::string> split_at_dots(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t dot = text.find('.', begin);
    parts.emplace_back(text.substr(begin, dot - begin));
    if (dot == std::string_view::npos) return parts;
    begin = dot + 1;
  }
}

bool has_empty_part(const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (part.empty()) return true;
  }
  return false;
}

}  // namespace

void add_mapping(const Reading& reading, xml::Element at, std::vector<model::Mapping>& mappings,
                 model::Expression source, std::string_view target) {
  if (mappings.size() == limits::mappings) {
    reading.report.add(
        Rule::mapping_too_many, at,
        fmt::format("{}: one element may have {} mappings in each direction, no more; "
                    "write one that makes a whole object",
                    title(at), limits::mappings));
    return;
  }
  const auto dots = static_cast<std::size_t>(std::count(target.begin(), target.end(), '.'));
  if (dots >= limits::mapping_parts) {
    reading.report.add(Rule::mapping_target_invalid, at,
                       fmt::format("{}: the path \"{}…\" has {} parts; the limit is {}", title(at),
                                   target.substr(0, 80), dots + 1, limits::mapping_parts));
    return;
  }
  std::vector<std::string> path = split_at_dots(target);
  if (has_empty_part(path)) {
    reading.report.add(Rule::mapping_target_invalid, at,
                       fmt::format("{}: \"{}\" is not the name of a variable; write a name, or a "
                                   "path such as order.total",
                                   title(at), target.substr(0, 80)));
    return;
  }
  mappings.push_back({std::move(source), std::string(target), std::move(path), at.place()});
}

void read_call_binding(std::string_view text, model::Element& element,
                       model::CallDefinition& call) {
  using Binding = model::CallDefinition::Binding;
  if (text.empty() || text == "latest") {
    call.binding = Binding::latest;
  } else if (text == "deployment") {
    call.binding = Binding::deployment;
  } else if (text == "version") {
    call.binding = Binding::version;
  } else if (text == "versionTag") {
    call.binding = Binding::version_tag;
  } else {
    element.unsupported.push_back(fmt::format("the binding \"{}\"", text));
  }
}

}  // namespace pawl::bpmn
