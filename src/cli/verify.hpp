// SPDX-License-Identifier: Apache-2.0
// The command `verify`: whether a data directory is whole.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command verify_command;

}  // namespace pawl::cli
