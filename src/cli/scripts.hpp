// SPDX-License-Identifier: Apache-2.0
// Where scripts run, as `pawl serve` and `pawl run` are told with the same option.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "script/where.hpp"

namespace pawl::cli {

inline constexpr std::string_view scripts_values = "off|process|inline";

Result<script::Where> scripts_argument(std::string_view text);

// Before anything is read that may have JavaScript. Error: there can be no process for them.
Result<void> run_scripts(script::Where where);

}  // namespace pawl::cli
