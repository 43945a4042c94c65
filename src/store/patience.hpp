// SPDX-License-Identifier: Apache-2.0
// Patience: how long somebody waits for what a thread does. Who works for a client that may leave
// says so with WorkingFor; what reads much asks now and then whether anybody still waits. A thread
// that works for nobody in particular has no end of it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "base/result.hpp"
#include "base/time.hpp"

namespace pawl::store {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  Patience() = default;  // waits until it is given up
  explicit Patience(Millis most) : most_(most), until_(Clock::now() + most) {}

  // The client has left, or the server closes. Any thread.
  void give_up() { given_up_ = true; }
  bool is_over() const { return given_up_ || Clock::now() >= until_; }
  // Error too_slow: it is over.
  Result<void> check() const;

 private:
  std::atomic<bool> given_up_{false};
  Millis most_{0};
  Clock::time_point until_{Clock::time_point::max()};
};
using PatiencePtr = std::shared_ptr<Patience>;

// While it lives, this thread works for somebody with this patience.
class WorkingFor {
 public:
  explicit WorkingFor(const Patience& patience);
  ~WorkingFor();
  WorkingFor(const WorkingFor&) = delete;
  WorkingFor& operator=(const WorkingFor&) = delete;

 private:
  const Patience* before_;
};

// Of those that this thread works for.
bool nobody_waits();
Result<void> check_patience();

}  // namespace pawl::store
