// SPDX-License-Identifier: Apache-2.0
// Inbox: a queue with many writers and one reader, who takes all there is at once. Callers from
// outside are refused when it is full, so that memory cannot grow with the load; the runtime's own
// messages are bounded by what they answer to and always go in.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace pawl::runtime {

template <class T>
class Inbox {
 public:
  explicit Inbox(std::size_t capacity) : capacity_(capacity) {}

  // False: full; nothing happened.
  bool offer(T& item) {
    bool sleeping = false;
    {
      const std::lock_guard lock(mutex_);
      if (items_.size() >= capacity_) return false;
      items_.push_back(std::move(item));
      sleeping = rouse();
    }
    if (sleeping) arrived_.notify_one();
    return true;
  }

  void post(T item) {
    bool sleeping = false;
    {
      const std::lock_guard lock(mutex_);
      items_.push_back(std::move(item));
      sleeping = rouse();
    }
    if (sleeping) arrived_.notify_one();
  }

  // Appends all that is there to `taken`; false: nothing.
  bool take(std::vector<T>& taken) {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return false;
    if (taken.empty()) {
      taken.swap(items_);
    } else {
      for (T& item : items_) taken.push_back(std::move(item));
      items_.clear();
    }
    return true;
  }

  bool empty() const {
    const std::lock_guard lock(mutex_);
    return items_.empty();
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
  }

  // Returns when something is there, somebody calls `wake`, or the time is over.
  void wait_for(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    if (items_.empty() && !woken_) {
      sleeping_ = true;
      arrived_.wait_for(lock, most, [&] { return !items_.empty() || woken_; });
      sleeping_ = false;
    }
    woken_ = false;
  }

  void wake() {
    bool sleeping = false;
    {
      const std::lock_guard lock(mutex_);
      sleeping = rouse();
    }
    if (sleeping) arrived_.notify_one();
  }

 private:
  // With the lock held. True: the reader sleeps and nobody has told it yet.
  bool rouse() {
    woken_ = true;
    return std::exchange(sleeping_, false);
  }

  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<T> items_;
  std::size_t capacity_;
  bool sleeping_{false};
  bool woken_{false};
};

}  // namespace pawl::runtime
