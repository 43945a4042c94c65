// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace pawl::runtime {

void name_thread(const std::string& name) { ::pthread_setname_np(::pthread_self(), name.c_str()); }

void step_back() {
  constexpr int niceness = 5;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
}

}  // namespace pawl::runtime
