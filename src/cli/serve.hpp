// SPDX-License-Identifier: Apache-2.0
// The command `serve`: the engine with its doors open, for clients and workers elsewhere.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command serve_command;

}  // namespace pawl::cli
