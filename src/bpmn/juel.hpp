// SPDX-License-Identifier: Apache-2.0
// Expressions of the Camunda 7 family: texts with ${…} or #{…} parts in them, whose word operators
// (`and`, `eq`, `empty` …) JavaScript does not have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl::bpmn {

struct TemplatePart {
  std::string_view text{};
  bool is_code{false};  // the inside of ${…}
};

// "Hello ${name}!" → "Hello ", code "name", "!". A text without ${ is one part.
std::vector<TemplatePart> template_parts(std::string_view text);

// The JavaScript that gives the text's value: the code itself for a lone ${…}, else the parts
// joined to a string.
std::string javascript_of(const std::vector<TemplatePart>& parts);

// `a eq 1 and not empty b` → JavaScript. Texts in quotes and names after a dot are left alone. A
// variable whose name JavaScript reserves (`var`) is read through the context.
std::string without_word_operators(std::string_view code);

}  // namespace pawl::bpmn
