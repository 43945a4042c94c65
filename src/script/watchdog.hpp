// SPDX-License-Identifier: Apache-2.0
// One thread that interrupts scripts whose time is up, for all contexts of the process. The budget
// is time on the processor, not by the clock, which also runs while a busy machine lets a script
// wait; only after many times the budget the clock decides. Starting and ending a run costs a few
// atomic stores; the thread looks every few milliseconds while any script runs and sleeps while
// none does.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

struct JSContext;

namespace pawl::script {

class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  // A context that may run scripts. Known to the watchdog as long as it lives.
  class Watched {
   public:
    explicit Watched(JSContext* context);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    // On the thread that runs the script, which is the one that made this.
    void start(Clock::duration budget);
    void stop() { deadline_.store(none, std::memory_order_relaxed); }
    bool is_time_up() const { return time_left() <= Clock::duration::zero(); }

   private:
    friend class Watchdog;
    static constexpr std::int64_t none = INT64_MAX;

    Clock::duration time_left() const;
    using Atomic = std::atomic<std::int64_t>;  // nanoseconds

    JSContext* context_;
    clockid_t processor_clock_{};
    Atomic budget_{0};
    Atomic clock_start_{0};
    Atomic processor_start_{0};
    Atomic deadline_{none};  // when to look next, by the clock
  };

 private:
  static Watchdog& instance();
  Watchdog();
  ~Watchdog();

  void watch();
  bool interrupt_overdue();  // true if any script runs
  void wake();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Watched*> watched_;
  std::atomic<bool> asleep_{false};
  bool ending_{false};
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace pawl::script
