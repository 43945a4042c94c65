// SPDX-License-Identifier: Apache-2.0
// BPMN 2.0 XML → process graphs, in three dialects (Zeebe, Camunda 7 and its family, plain).
// Everything wrong with a file is reported at once, each finding with place, element and the name
// of the rule (docs/validation.md). A file with an error yields no process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/process.hpp"

namespace pawl::bpmn {

struct Finding {
  enum class Severity : std::uint8_t { error, warning };
  Severity severity{Severity::error};
  std::string rule{};     // "flow-target-missing"
  std::string element{};  // id, if there is one
  model::Place place{};
  std::string text{};  // a sentence: what is wrong, why, what to do
};

struct Definitions {
  std::string file{};
  std::vector<model::ProcessPtr> processes{};  // in file order; empty if there is an error
  std::vector<Finding> findings{};             // in order of place

  bool ok() const;  // no error among the findings
};

// `file` is only used in messages. Never throws; hostile input (DTD, entities, depth, size) is an
// error finding.
Definitions read(std::string_view xml, std::string file);

// "order.bpmn:31:5: error: …  [rule]"
std::string to_text(const Finding& finding, std::string_view file);

}  // namespace pawl::bpmn
