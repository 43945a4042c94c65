// SPDX-License-Identifier: Apache-2.0
// Random processes of which it is known what they will do: no events, errors or undoing, so that in
// whatever order things happen, each element runs as often as the drawing says.
#pragma once

#include <map>
#include <string>

#include "testkit/play.hpp"
#include "testkit/random_process.hpp"

namespace pawl::testkit {

struct KnownProcesses {
  std::vector<Play::Named> all{};     // the first is started; it calls the others
  std::map<std::string, int> runs{};  // how often each element completes; 0: never
};

KnownProcesses known_processes(Dice& dice);

}  // namespace pawl::testkit
