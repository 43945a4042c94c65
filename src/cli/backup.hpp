// SPDX-License-Identifier: Apache-2.0
// The command `backup`: a copy of a server's data, while it works.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command backup_command;

}  // namespace pawl::cli
