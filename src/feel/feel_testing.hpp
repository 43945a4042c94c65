// SPDX-License-Identifier: Apache-2.0
// For the tests of this module: an expression in, its value as text out, in one call.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "feel/feel.hpp"

namespace pawl::feel::testing {

// The value as string() prints it, strings in quotes. "parse error: …" or "error: …" when there is
// one. `variables` is a JSON object.
std::string evaluated(std::string_view expression, std::string_view variables = "{}");

// The same for unary tests; `input` is an expression itself.
std::string tested(std::string_view tests, std::string_view input,
                   std::string_view variables = "{}");

// The problems that an evaluation reports, joined by "; ".
std::string problems_of(std::string_view expression);

// A row of a table: an expression and what it gives.
struct Row {
  std::string_view expression{};
  std::string_view gives{};
};

void expect_rows(const std::vector<Row>& rows, std::string_view variables = "{}");

}  // namespace pawl::feel::testing
