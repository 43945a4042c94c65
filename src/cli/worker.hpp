// SPDX-License-Identifier: Apache-2.0
// The command `worker`: does the jobs of a server with a filter.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command worker_command;

}  // namespace pawl::cli
