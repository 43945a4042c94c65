// SPDX-License-Identifier: Apache-2.0
// The helper processes of this program. One is started when a script finds none that is free, up to
// a bound; one that nobody has needed for a minute is ended. A thread of its own starts and ends
// them, because a helper lives no longer than the thread that started it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "script/child.hpp"

namespace pawl::script {

class Children {
 public:
  using Clock = std::chrono::steady_clock;

  // Lives as long as the program; the helpers notice its end by themselves.
  static Children& instance();

  // A helper that is the caller's until this ends.
  class Lease {
   public:
    Lease(Children& from, std::unique_ptr<Child> child) : from_(&from), child_(std::move(child)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (child_) from_->take_back(std::move(child_));
    }
    Child& child() { return *child_; }

   private:
    Children* from_;
    std::unique_ptr<Child> child_;
  };

  // Ready for an order. Waits while as many as there may be are busy. Error: there can be none.
  Result<Lease> take();
  // The first one, before it is needed.
  void start_ahead();

  // For tests: what is started from now on, and how long an idle one stays. Ends those that idle.
  void use(Launch launch, Clock::duration longest_idle);
  std::size_t alive() const;

 private:
  using Started = Result<std::unique_ptr<Child>>;
  struct Idle {
    std::unique_ptr<Child> child;
    Clock::time_point since;
  };

  std::future<Started> request_start();  // mutex_ is held
  std::unique_ptr<Child> fit_one();      // of those that idle, or none; mutex_ is held
  void take_back(std::unique_ptr<Child> child);
  void gone();  // one less
  void keep();
  std::vector<Idle> idle_too_long();  // mutex_ is held

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Launch launch_{};
  Clock::duration longest_idle_{std::chrono::seconds(60)};
  std::vector<Idle> idle_{};  // the last one back is the next one out
  std::size_t alive_{0};      // idle, busy, or being started
  std::future<Started> ahead_{};
  std::deque<std::promise<Started>> requests_{};
  bool has_keeper_{false};
};

}  // namespace pawl::script
