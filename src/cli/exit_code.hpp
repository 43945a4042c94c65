// SPDX-License-Identifier: Apache-2.0
// What the program tells the shell. Scripts depend on these numbers; they never change.
#pragma once

#include <cstdint>

namespace pawl::cli {

enum class Exit : std::uint8_t {
  done = 0,
  bad_input = 1,    // the input or the request is wrong: bad BPMN, unknown id, rejected
  usage = 2,        // the command line itself is wrong
  incident = 3,     // the instance stopped at an incident or failed
  stuck = 4,        // nothing more can happen, or time is up
  unreachable = 5,  // the store, the server or the output cannot be reached
};

}  // namespace pawl::cli
