// SPDX-License-Identifier: Apache-2.0
// What an element instance waits for, in words: a job, mail, a timer, a token at a join, somebody
// who decides. `pawl run` and `pawl show` say it.
#pragma once

#include <string>
#include <vector>

#include "engine/state.hpp"

namespace pawl::server {

// "message \"paid\" with key \"7\""
std::string mail_text(engine::MailKind kind, std::string_view name, std::string_view correlation);

struct Wait {
  std::string element{};
  std::string for_what{};
  std::string how{};  // what to give on the command line, if anything helps
};

// Not of its children; a join is named once.
void add_waiting(const engine::Instance& state, const engine::ElementInstance& one,
                 std::vector<Wait>& out);

}  // namespace pawl::server
