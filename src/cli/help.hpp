// SPDX-License-Identifier: Apache-2.0
// The command `help`: what each command is for, and how it is written.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command help_command;

}  // namespace pawl::cli
