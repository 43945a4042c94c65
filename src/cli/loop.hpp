// SPDX-License-Identifier: Apache-2.0
// pawl loop: more iterations for a multi-instance body that runs, or its end.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command loop_command;

}  // namespace pawl::cli
