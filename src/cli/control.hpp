// SPDX-License-Identifier: Apache-2.0
// The short commands that change something on a server: cancel, set, publish, signal, resolve.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command cancel_command;
extern const Command set_command;
extern const Command publish_command;
extern const Command signal_command;
extern const Command resolve_command;

}  // namespace pawl::cli
