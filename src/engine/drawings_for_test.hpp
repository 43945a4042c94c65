// SPDX-License-Identifier: Apache-2.0
// What many drawings of the tests begin with.
#pragma once

#include <string>

namespace pawl::engine {

// The first line of a drawing, for each dialect.
inline constexpr const char* dialects[] = {"", "dialect camunda7\n", "dialect plain\n"};
inline const std::string camunda = dialects[1];

// Variables with something to loop over.
inline constexpr const char* abc = R"({"items":["a","b","c"]})";

}  // namespace pawl::engine
