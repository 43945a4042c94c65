// SPDX-License-Identifier: Apache-2.0
// Measures: processor time and memory of this process, percentiles, and work in a process of its
// own, so that no measurement stands on what the one before left in memory.
#pragma once

#include <cstdlib>
#include <functional>
#include <vector>

namespace pawl::bench {

double processor_micros();    // of this process until now
double resident_megabytes();  // of this process now, with what the allocator keeps

// Processor time until now by kind of thread; the rest are the load and the worker.
struct ThreadMicros {
  double shards{0}, committer{0}, indexer{0}, rest{0};
};
ThreadMicros thread_micros();

template <class T>
double percentile(const std::vector<T>& sorted, double part) {
  if (sorted.empty()) return 0;
  return static_cast<double>(
      sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))]);
}

// Runs `work` in a child process; what it writes to the shared place is seen here. The child leaves
// without cleaning up, as if it was killed, so `work` closes what shall be closed. A child that
// fails ends the program.
void in_child(const std::function<void()>& work);

// A place for one T that children share with their parent.
void* shared_bytes(std::size_t size);
template <class T>
T& shared() {
  return *new (shared_bytes(sizeof(T))) T();
}

}  // namespace pawl::bench
