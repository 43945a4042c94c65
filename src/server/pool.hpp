// SPDX-License-Identifier: Apache-2.0
// Pool: a few threads for work that takes its time, such as reading a model or searching, so that
// those who serve connections never wait. Its queue is bounded.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pawl::server {

class Pool {
 public:
  explicit Pool(std::size_t threads, std::size_t most_waiting = 1'000);
  ~Pool();  // what has begun is finished; what waits is dropped
  // False: too much waits already; the task was not taken.
  bool run(std::function<void()> task);
  void close();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> tasks_;
  std::size_t most_waiting_;
  bool closing_{false};
  std::vector<std::thread> threads_;
};

}  // namespace pawl::server
