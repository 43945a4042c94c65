// SPDX-License-Identifier: Apache-2.0
// Pool: a few threads for work that takes its time, such as reading a model or searching, so that
// those who serve connections never wait. Its queue is bounded. Pools: one for each kind of work,
// so that none waits for another kind.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "store/patience.hpp"

namespace pawl::server {

class Pool {
 public:
  explicit Pool(std::size_t threads, std::size_t most_waiting = 1'000);
  ~Pool() { close(); }
  // False: too much waits already; the task was not taken. `patience` of those that it is done for
  // ends it early; none: only closing does.
  bool run(std::function<void()> task, store::PatiencePtr patience = {});
  bool is_idle() const;
  // What waits is dropped. What has begun is told that nobody waits any more, and waited for.
  void close();

 private:
  struct Task {
    std::function<void()> act{};
    store::PatiencePtr patience{};
  };
  void work();

  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Task> tasks_;
  std::set<store::PatiencePtr> begun_;
  std::size_t most_waiting_;
  bool closing_{false};
  std::vector<std::thread> threads_;
};

enum class Work : std::uint8_t { search, evaluation, deployment, metrics, backup };

class Pools {
 public:
  bool run(Work work, std::function<void()> task, store::PatiencePtr patience = {}) {
    return pools_[static_cast<std::size_t>(work)]->run(std::move(task), std::move(patience));
  }
  bool is_idle() const;
  void close();

 private:
  template <std::size_t threads>
  static std::unique_ptr<Pool> made() {
    return std::make_unique<Pool>(threads);
  }
  std::array<std::unique_ptr<Pool>, 5> pools_{made<2>(), made<1>(), made<1>(), made<1>(),
                                              made<1>()};  // in the order of Work
};

// How long a client waits for a search or an evaluation, from when it was asked.
inline constexpr Millis search_patience{5'000};

}  // namespace pawl::server
