// SPDX-License-Identifier: Apache-2.0
// The command `show`: one instance of a data directory, with what it waits for.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command show_command;

}  // namespace pawl::cli
