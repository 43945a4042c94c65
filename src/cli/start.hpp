// SPDX-License-Identifier: Apache-2.0
// The command `start`: starts an instance on a server.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command start_command;

}  // namespace pawl::cli
