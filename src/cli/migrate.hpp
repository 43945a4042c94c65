// SPDX-License-Identifier: Apache-2.0
// pawl migrate: a running instance goes on in another version of its process, or another process.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command migrate_command;

}  // namespace pawl::cli
