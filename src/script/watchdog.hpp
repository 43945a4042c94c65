// SPDX-License-Identifier: Apache-2.0
// One thread that interrupts scripts whose time is up, for all contexts of the process. Starting
// and ending a run costs one atomic store each; the thread looks every few milliseconds while any
// script runs and sleeps while none does.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
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

    void start(Clock::duration budget);
    void stop() { deadline_.store(none, std::memory_order_relaxed); }
    bool is_overdue() const;

   private:
    friend class Watchdog;
    static constexpr std::int64_t none = INT64_MAX;

    JSContext* context_;
    std::atomic<std::int64_t> deadline_{none};  // in the clock's own unit
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
