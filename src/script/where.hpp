// SPDX-License-Identifier: Apache-2.0
// Where scripts run: nowhere, in a process of their own that has no rights, or in this one. The
// program chooses once, before the first script; a library that is not told anything runs them
// inside. Inside, a script can still hold up its thread or, at worst, end the program: some of what
// the engine does in one go cannot be interrupted (docs/operations.md lists it). In a process of
// its own it cannot.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace pawl::script {

enum class Where : std::uint8_t { off, process, inside };

// As settings write it: off, process, inline.
std::optional<Where> where_named(std::string_view word);

Where where();

// Process: this program must begin with `serve_if_helper` (script/helper.hpp). Starts the first
// helper; `expect_helper` says whether it is fit to run scripts.
void use(Where where);

// Waits until the helper that `use` started is ready. The error says why there can be none, and
// what to do. Nothing to wait for if scripts run elsewhere.
Result<void> expect_helper();

}  // namespace pawl::script
