// SPDX-License-Identifier: Apache-2.0
#include "base/allocator.hpp"

#include <malloc.h>

namespace pawl {

void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
  ::mallopt(M_TOP_PAD, 1 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 16 << 20);  // large buffers of the hot path are not mapped each time
#endif
}

}  // namespace pawl
