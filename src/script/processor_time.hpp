// SPDX-License-Identifier: Apache-2.0
// Time that was spent on a processor, which does not run while others have it.
#pragma once

#include <ctime>

#include <chrono>

namespace pawl::script {

// Of the calling thread, or of what the clock belongs to.
inline std::chrono::nanoseconds processor_time(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace pawl::script
