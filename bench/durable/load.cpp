// SPDX-License-Identifier: Apache-2.0
#include "durable/load.hpp"

#include <pthread.h>

#include <algorithm>

#include "raw/commits.hpp"

namespace pawl::bench {

using namespace runtime;  // NOLINT: speaks of little else

// --- worker -------------------------------------------------------------------------------------

Worker::Worker(Server& server, std::int64_t credit) : node_(server.node()) {
  stream_->type = "work";
  stream_->credit = credit;
  stream_->push = [this](std::vector<ActivatedJob> jobs) { pushed_.post(std::move(jobs)); };
  node_.ask(StreamRequest{stream_});
  thread_ = std::thread([this] { run(); });
}

Worker::~Worker() {
  stream_->closed = true;
  done_ = true;
  pushed_.wake();
  thread_.join();
}

void Worker::run() {
  ::pthread_setname_np(::pthread_self(), "worker");
  std::vector<std::vector<ActivatedJob>> taken;
  while (!done_) {
    taken.clear();
    if (!pushed_.take(taken)) {
      pushed_.wait_for(Millis(100));
      continue;
    }
    for (auto& jobs : taken) complete(jobs);
  }
}

void Worker::complete(std::vector<ActivatedJob>& jobs) {
  for (ActivatedJob& job : jobs) {
    CommandRequest request{.target = job.key, .fence = job.fence};
    request.command = engine::CompleteJob{job.key, Value()};
    request.reply = [](Result<Done> done) { must(std::move(done)); };
    node_.ask(std::move(request));
  }
  stream_->credit += static_cast<std::int64_t>(jobs.size());
  node_.ask(StreamRequest{stream_});
}

// --- load ---------------------------------------------------------------------------------------

void Load::start_one() {
  const std::uint64_t number = asked_++;
  StartRequest request{.definition = plan_.definition};
  if (plan_.variables) request.variables = plan_.variables(number);
  request.reply = [this, number](Result<Started> done) {
    must(std::move(done));
    if (++started_ % 1'024 == 0) changed_.notify_all();
    if (plan_.started) plan_.started(number);
  };
  if (plan_.waits) {
    request.ended = [this, began = Steady::now()](Result<Ending> done) {
      if (done) on_ended(began);
    };
  }
  server_.node().ask(std::move(request));
}

// The generator is woken when a quarter is free, not for each one.
void Load::on_ended(Steady::time_point began) {
  const auto from = std::max(began, from_);
  const float took = std::chrono::duration<float, std::milli>(Steady::now() - from).count();
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    latencies_.push_back(took);
    const std::uint64_t ended = ++ended_;
    wake = ended % std::max<std::uint64_t>(1, plan_.under_way / 4) == 0;
  }
  if (wake) changed_.notify_all();
}

template <class More>
void Load::keep_busy(More more) {
  const auto began = Steady::now();
  while (more()) {
    while (asked_ - ended_ < plan_.under_way && more()) start_one();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, Millis(5), [&] { return asked_ - ended_ < plan_.under_way; });
  }
  wait_for_ended();
  seconds_ = std::chrono::duration<double>(Steady::now() - began).count();
}

void Load::run_for(double seconds) {
  const auto until = Steady::now() + std::chrono::duration<double>(seconds);
  keep_busy([&] { return Steady::now() < until; });
}

void Load::run_count(std::uint64_t all) {
  keep_busy([&] { return asked_ < all; });
}

void Load::start(std::uint64_t count) {
  constexpr std::uint64_t not_durable_yet = 8'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    while (asked_ - started_ >= not_durable_yet) {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, Millis(1));
    }
    start_one();
  }
  wait_for_started();
}

void Load::wait_for_started() {
  while (started_ < asked_) std::this_thread::sleep_for(Millis(1));
}

void Load::wait_for_ended() {
  std::unique_lock lock(mutex_);
  while (ended_ < asked_) changed_.wait_for(lock, Millis(1));
}

std::vector<float> Load::latencies() {
  const std::lock_guard lock(mutex_);
  std::vector<float> sorted = latencies_;
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace pawl::bench
