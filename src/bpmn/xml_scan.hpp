// SPDX-License-Identifier: Apache-2.0
// A look over an XML text before it is parsed: refuses what must never reach the parser (document
// types, depth, too many tags), in one pass and without memory.
#pragma once

#include <optional>
#include <string_view>

namespace pawl::bpmn::xml {

struct ScanProblem {
  std::string_view rule{};
  std::string_view text{};
  std::size_t offset{0};
};

std::optional<ScanProblem> scan(std::string_view text);

}  // namespace pawl::bpmn::xml
