// SPDX-License-Identifier: Apache-2.0
// JobWorker: threads that run a handler for the jobs of one type. Jobs are pushed to it as long as
// it has credit; credit comes back when the answer is durable. Closing lets present handlers end
// and gives back what was not begun.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "pawl/worker.hpp"
#include "runtime/node.hpp"

namespace pawl::embed {

class JobWorker : public std::enable_shared_from_this<JobWorker> {
 public:
  static std::shared_ptr<JobWorker> start(runtime::Node& node, std::string type, Handler handler,
                                          WorkerOptions options);
  ~JobWorker() = default;
  void close();

 private:
  using Gone = std::shared_ptr<std::atomic<bool>>;
  JobWorker(runtime::Node& node, Handler handler, WorkerOptions options);
  void begin(std::string type);
  void push(std::vector<runtime::ActivatedJob> jobs);
  void run();
  bool take(runtime::ActivatedJob& job);
  void do_job(const runtime::ActivatedJob& job);
  engine::Command outcome_of(const runtime::ActivatedJob& job, const WorkItem& item);
  engine::Command failed(const runtime::ActivatedJob& job, const std::string& why);
  void answer(const runtime::ActivatedJob& job, engine::Command command);
  void give_credit();
  void ask_again();
  void note_cancelled(const store::Record& record);

  runtime::Node& node_;
  Handler handler_;
  const WorkerOptions options_;
  std::shared_ptr<runtime::JobStream> stream_{std::make_shared<runtime::JobStream>()};
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<runtime::ActivatedJob> queue_{};
  std::map<Key, Gone> running_{};
  std::map<Key, int> failures_{};  // in a row, of jobs that are tried again
  std::mt19937_64 random_{std::random_device{}()};
  bool closed_{false};
  std::uint64_t watch_{0};
  std::vector<std::thread> threads_{};
};

}  // namespace pawl::embed
