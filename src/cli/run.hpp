// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command run_command;

}  // namespace pawl::cli
