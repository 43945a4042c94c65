// SPDX-License-Identifier: Apache-2.0
// How a long-running program wants its memory. In the durable runtime one thread frees what another
// has allocated, many thousand times a second; by default the C library then gives pages back to
// the system and asks for them again a moment later, which costs a quarter of a turn.
#pragma once

namespace pawl {

// Some megabytes of freed memory are kept for reuse. Called once, before threads are started.
void keep_freed_memory();

}  // namespace pawl
