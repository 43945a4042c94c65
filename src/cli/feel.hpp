// SPDX-License-Identifier: Apache-2.0
// The command `feel`: evaluates expressions, one or a stream of them.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command feel_command;

}  // namespace pawl::cli
