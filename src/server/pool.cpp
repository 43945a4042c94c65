// SPDX-License-Identifier: Apache-2.0
#include "server/pool.hpp"

#include <algorithm>

namespace pawl::server {

Pool::Pool(std::size_t threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

bool Pool::run(std::function<void()> task, store::PatiencePtr patience) {
  if (!patience) patience = std::make_shared<store::Patience>();
  {
    const std::lock_guard lock(mutex_);
    if (closing_ || tasks_.size() >= most_waiting_) return false;
    tasks_.push_back({std::move(task), std::move(patience)});
  }
  arrived_.notify_one();
  return true;
}

bool Pool::is_idle() const {
  const std::lock_guard lock(mutex_);
  return tasks_.empty() && begun_.empty();
}

void Pool::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    tasks_.clear();
    for (const auto& patience : begun_) patience->give_up();
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
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    begun_.insert(task.patience);
    lock.unlock();
    {
      const store::WorkingFor somebody(*task.patience);
      task.act();
    }
    lock.lock();
    begun_.erase(task.patience);
  }
}

bool Pools::is_idle() const {
  return std::all_of(pools_.begin(), pools_.end(), [](const auto& one) { return one->is_idle(); });
}

void Pools::close() {
  for (const auto& pool : pools_) pool->close();
}

}  // namespace pawl::server
