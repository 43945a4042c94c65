// SPDX-License-Identifier: Apache-2.0
// The command `top`: what a server does, live.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command top_command;

}  // namespace pawl::cli
