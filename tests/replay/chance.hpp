// SPDX-License-Identifier: Apache-2.0
// A part of the story that nobody wrote: random processes, driven at random by jobs, mail and time,
// with everything that engine and reader can do in combinations that a written story has not.
#pragma once

#include "recorder.hpp"

namespace pawl::replay {

void tell_at_random(Recorder& to, int processes);

}  // namespace pawl::replay
