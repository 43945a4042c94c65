// SPDX-License-Identifier: Apache-2.0
// What this version of the engine cannot run, or what was switched off. Deployment asks here and
// refuses the model with these sentences; a model is never run in part.
#pragma once

#include <string>
#include <vector>

#include "model/process.hpp"

namespace pawl::engine {

struct Refusal {
  std::string element{};  // id
  model::Place place{};
  std::string text{};
};

// Empty: everything in the process can be run.
std::vector<Refusal> unsupported(const model::Process& process);

}  // namespace pawl::engine
