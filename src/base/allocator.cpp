// SPDX-License-Identifier: Apache-2.0
#include "base/allocator.hpp"

#include <malloc.h>

// There if the program is linked with jemalloc.
extern "C" __attribute__((weak)) int mallctl(const char*, void*, unsigned long*, void*,
                                             unsigned long);

namespace pawl {

void keep_freed_memory() {
#ifdef __GLIBC__
  if (mallctl) return;
  ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
  ::mallopt(M_TOP_PAD, 1 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 16 << 20);  // large buffers of the hot path are not mapped each time
#endif
}

void give_back_freed_memory() {
  if (mallctl) {
    mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);  // MALLCTL_ARENAS_ALL
    return;
  }
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace pawl
