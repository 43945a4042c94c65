// SPDX-License-Identifier: Apache-2.0
// `pawl start --wait`: waits until an instance has ended or time is up, and says how it stands
// then. Looks again and again instead of one request that waits: whoever gives up knows the key.
#pragma once

#include "cli/remote.hpp"

namespace pawl::cli {

struct Outcome {
  std::string state{};  // as `pawl run` has it: completed, cancelled, incident or waiting
  Value variables{};    // of the instance
  List incidents{};     // {element, type, message}; also of the instances that it called
  List waiting{};       // {element, for}
};

Result<Outcome> await_outcome(Remote& remote, const std::string& instance, Millis most);

Exit exit_for(const Outcome& outcome);
// What stands in the way of an instance that has not completed, and what to do.
std::string reason_of(const Outcome& outcome);

}  // namespace pawl::cli
