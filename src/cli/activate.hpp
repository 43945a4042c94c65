// SPDX-License-Identifier: Apache-2.0
// pawl activate: starts elements in an ad-hoc sub-process that runs, or completes it.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command activate_command;

}  // namespace pawl::cli
