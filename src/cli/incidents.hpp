// SPDX-License-Identifier: Apache-2.0
// The command `incidents`: which instances of a data directory need a person, and why.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command incidents_command;

}  // namespace pawl::cli
