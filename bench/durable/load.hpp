// SPDX-License-Identifier: Apache-2.0
// Load: starts instances so that a fixed number is under way, and notes how long each took. A
// worker does the jobs of type "work" on a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "durable/server.hpp"

namespace pawl::bench {

using Steady = std::chrono::steady_clock;

class Worker {
 public:
  Worker(Server& server, std::int64_t credit);
  ~Worker();

 private:
  void run();
  void complete(std::vector<runtime::ActivatedJob>& jobs);

  runtime::Node& node_;
  std::shared_ptr<runtime::JobStream> stream_{std::make_shared<runtime::JobStream>()};
  runtime::Inbox<std::vector<runtime::ActivatedJob>> pushed_{0};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

class Load {
 public:
  struct Plan {
    runtime::DefinitionPtr definition{};
    std::size_t under_way{0};  // instances
    std::function<Value(std::uint64_t number)> variables{};
    std::function<void(std::uint64_t number)> started{};  // on a thread of the node
    bool waits{true};                                     // for the ends
  };
  Load(Server& server, Plan plan) : server_(server), plan_(std::move(plan)) {}

  void run_for(double seconds);  // then waits until all have ended
  void run_count(std::uint64_t all);
  void start(std::uint64_t count);  // does not wait for their ends
  void wait_for_started();
  void wait_for_ended();
  // What began before is measured from here on. Before the first one ends.
  void measure_from(Steady::time_point moment) { from_ = moment; }

  std::uint64_t ended() const { return ended_; }
  double seconds() const { return seconds_; }  // until the last has ended
  // Milliseconds from the start to the end of each, sorted.
  std::vector<float> latencies();

 private:
  void start_one();
  void on_ended(Steady::time_point began);
  template <class More>
  void keep_busy(More more);

  Server& server_;
  Plan plan_;
  std::uint64_t asked_{0};
  std::atomic<std::uint64_t> started_{0}, ended_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<float> latencies_;
  Steady::time_point from_{};
  double seconds_{0};
};

}  // namespace pawl::bench
