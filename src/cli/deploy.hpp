// SPDX-License-Identifier: Apache-2.0
// The command `deploy`: gives models to a server.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command deploy_command;

}  // namespace pawl::cli
