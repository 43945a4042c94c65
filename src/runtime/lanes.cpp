// SPDX-License-Identifier: Apache-2.0
#include "runtime/lanes.hpp"

#include "runtime/threads.hpp"

namespace pawl::runtime {

void Lanes::post(Key definition, Work work) {
  {
    const std::lock_guard lock(mutex_);
    std::deque<Work>& queue = waiting_[definition];
    if (queue.empty()) next_.push_back(definition);
    queue.push_back(std::move(work));
  }
  posted_.notify_one();
}

bool Lanes::run_once() {
  Work next;
  {
    const std::lock_guard lock(mutex_);
    if (next_.empty()) return false;
    const auto first = waiting_.find(next_.front());
    next_.pop_front();
    next = std::move(first->second.front());
    first->second.pop_front();
    if (first->second.empty()) {
      waiting_.erase(first);
    } else {
      next_.push_back(first->first);
    }
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
      posted_.wait(lock, [this] { return closing_ || !next_.empty(); });
      if (next_.empty()) return;
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
