// SPDX-License-Identifier: Apache-2.0
// What went wrong in a script, in words: where, which error, or which budget is used up.
#pragma once

#include <string>

#include "script/machine.hpp"

namespace pawl::script {

// Of the exception that is pending (and taken away), or of the budget that ended the run.
Failure failure_of(Machine& machine, const Program& program);

// A syntax error, while compiling.
Error syntax_error(Machine& machine, const Program& program);

}  // namespace pawl::script
