// SPDX-License-Identifier: Apache-2.0
// The command `jobs`: lists the open jobs of a server.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command jobs_command;

}  // namespace pawl::cli
