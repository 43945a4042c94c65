// SPDX-License-Identifier: Apache-2.0
// Findings as they are shown: for people, and as JSON for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bpmn/read.hpp"

namespace pawl::bpmn {

// "error" or "warning".
std::string_view name_of(Finding::Severity severity);

// [{"file":…,"line":…,"column":…,"severity":…,"rule":…,"element":…,"text":…}, …]
std::string to_json(const std::vector<Finding>& findings, std::string_view file);

}  // namespace pawl::bpmn
