// SPDX-License-Identifier: Apache-2.0
#include "runtime/lanes.hpp"

#include "runtime/threads.hpp"

namespace pawl::runtime {

void Lanes::post(Work work) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
  }
  posted_.notify_one();
}

bool Lanes::run_once() {
  Work next;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return false;
    next = std::move(waiting_.front());
    waiting_.pop_front();
  }
  next();
  return true;
}

void Lanes::run(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work_off(); });
}

void Lanes::work_off() {
  name_thread("pawl-lane");
  step_back();
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      posted_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
    }
    run_once();
  }
}

void Lanes::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  posted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace pawl::runtime
