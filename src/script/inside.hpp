// SPDX-License-Identifier: Apache-2.0
// Scripts in this process, on the calling thread: how a library runs them, and how a helper does.
#pragma once

#include "script/script.hpp"

namespace pawl::script {

// Parses only. Error: bad_expression with line and column.
Result<void> check_inside(const Program& program);

std::variant<Outcome, Failure> run_inside(const Program& program, const Environment& environment);

}  // namespace pawl::script
