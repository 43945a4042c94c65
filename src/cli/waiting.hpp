// SPDX-License-Identifier: Apache-2.0
// What an element instance waits for, in words: a job, mail, a timer, a token at a join. `pawl run`
// and `pawl show` say it.
#pragma once

#include <string>
#include <vector>

#include "engine/state.hpp"

namespace pawl::cli {

struct Waiting {
  std::string element{};
  std::string for_what{};
  std::string how{};  // what to give on the command line, if anything helps
};

// Not of its children; a join is named once.
void add_waiting(const engine::Instance& state, const engine::ElementInstance& one,
                 std::vector<Waiting>& out);

}  // namespace pawl::cli
