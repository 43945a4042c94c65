// SPDX-License-Identifier: Apache-2.0
// How the threads of the runtime look from outside.
#pragma once

#include <string>

namespace pawl::runtime {

// As tools of the system show it: at most 15 characters.
void name_thread(const std::string& name);

// On a busy machine the threads that someone waits for come first.
void step_back();

}  // namespace pawl::runtime
