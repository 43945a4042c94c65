// SPDX-License-Identifier: Apache-2.0
// Counts what the JavaScript engine takes from malloc while a script runs, and refuses large
// requests beyond the limit. The engine limits its own garbage-collected heap but not the buffers
// of strings, arrays and typed arrays; one line of script could otherwise take gigabytes before
// any interrupt is looked at. Works by replacing the addresses of malloc and its kin in the
// engine's library, so the rest of the process is not touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pawl::script {

// Once per process, before the first context. False where the library cannot be patched (it is
// linked statically, or the platform is not known): then only the collected heap is limited.
bool install_allocation_meter();

// Counts for the calling thread as long as it lives. At most one per thread.
class AllocationMeter {
 public:
  // `alarm(subject)` is called, on this thread, whenever a check is due: more has been taken since
  // the last check than is worth looking at, or a request was refused.
  AllocationMeter(std::int64_t limit, void (*alarm)(void*), void* subject);
  ~AllocationMeter();
  AllocationMeter(const AllocationMeter&) = delete;
  AllocationMeter& operator=(const AllocationMeter&) = delete;

  bool has_refused() const { return refused_; }
  bool is_check_due() const { return used_ > next_check_; }
  // What is really in use, as the engine says: the count here misses what other threads free.
  void correct(std::int64_t really_used);

  // While the engine collects garbage nothing is refused: it could not go on.
  void set_collecting(bool collecting) { collecting_ = collecting; }

  bool may_take(std::size_t bytes);
  void taken(std::size_t bytes);
  void given_back(std::size_t bytes) { used_ -= static_cast<std::int64_t>(bytes); }

 private:
  std::int64_t limit_;
  std::int64_t used_{0};
  std::int64_t next_check_;
  void (*alarm_)(void*);
  void* subject_;
  bool collecting_{false};
  bool refused_{false};
};

}  // namespace pawl::script
