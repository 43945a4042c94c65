// SPDX-License-Identifier: Apache-2.0
// Scripts in a helper process. Its time is measured here: one that does not answer when its budget
// is used up is killed, whatever it does, and the next script gets another helper.
#pragma once

#include "script/children.hpp"
#include "script/script.hpp"

namespace pawl::script {

// Parses only. Error: bad_expression with line and column; budget_exceeded or script_failed if the
// text brings the parser down, or there is no helper.
Result<void> check_in_helper(const Program& program);

std::variant<Outcome, Failure> run_in_helper(const Program& program,
                                             const Environment& environment);

// The same with a helper at hand: what is said to it, and what becomes of what it says.
std::variant<Outcome, Failure> run_with(Child& child, const Program& program,
                                        const Environment& environment);

}  // namespace pawl::script
