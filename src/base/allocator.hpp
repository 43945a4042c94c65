// SPDX-License-Identifier: Apache-2.0
// How a long-running program wants its memory. In the durable runtime one thread frees what another
// has allocated, many hundred thousand times a second. The allocator of the C library takes 40 % of
// all processor time for that; programs of ours are therefore linked with jemalloc (pawl_program in
// cmake/). A program of others that has libpawl inside works with any allocator.
#pragma once

namespace pawl {

// Some freed memory is kept for reuse. Called once, before threads are started.
void keep_freed_memory();

// The opposite, when a burst of work is over: what is free goes back to the system. Takes some
// milliseconds.
void give_back_freed_memory();

}  // namespace pawl
