// SPDX-License-Identifier: Apache-2.0
#include "bpmn/findings.hpp"

#include <fmt/format.h>

#include "value/json.hpp"

namespace pawl::bpmn {

bool Definitions::ok() const {
  for (const Finding& finding : findings) {
    if (finding.severity == Finding::Severity::error) return false;
  }
  return true;
}

std::string_view name_of(Finding::Severity severity) {
  return severity == Finding::Severity::error ? "error" : "warning";
}

std::string to_text(const Finding& finding, std::string_view file) {
  return fmt::format("{}:{}:{}: {}: {} [{}]", file, finding.place.line, finding.place.column,
                     name_of(finding.severity), finding.text, finding.rule);
}

std::string to_json(const std::vector<Finding>& findings, std::string_view file) {
  std::string out = "[";
  for (const Finding& finding : findings) {
    if (out.size() > 1) out += ',';
    out += "{\"file\":";
    append_json_string(out, file);
    out += fmt::format(
        ",\"line\":{},\"column\":{},\"severity\":\"{}\",\"rule\":\"{}\",\"element\":",
        finding.place.line, finding.place.column, name_of(finding.severity), finding.rule);
    append_json_string(out, finding.element);
    out += ",\"text\":";
    append_json_string(out, finding.text);
    out += '}';
  }
  return out + "]";
}

}  // namespace pawl::bpmn
