// SPDX-License-Identifier: Apache-2.0
// The command `check`: everything that is wrong with a model, at its place.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command check_command;

}  // namespace pawl::cli
