// SPDX-License-Identifier: Apache-2.0
#include "server/pool.hpp"

namespace pawl::server {

Pool::Pool(std::size_t threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Pool::~Pool() { close(); }

bool Pool::run(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (closing_ || tasks_.size() >= most_waiting_) return false;
    tasks_.push_back(std::move(task));
  }
  arrived_.notify_one();
  return true;
}

void Pool::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    tasks_.clear();
  }
  arrived_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void Pool::work() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    if (tasks_.empty()) {
      arrived_.wait(lock);
      continue;
    }
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace pawl::server
