// SPDX-License-Identifier: Apache-2.0
// The command `reindex`: makes the index of a data directory anew from its journal.
#pragma once

#include "cli/command.hpp"

namespace pawl::cli {

extern const Command reindex_command;

}  // namespace pawl::cli
