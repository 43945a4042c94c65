// SPDX-License-Identifier: Apache-2.0
// The command `instances`: which instances a data directory holds.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command instances_command;

}  // namespace pawl::cli
