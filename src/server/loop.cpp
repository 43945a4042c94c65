// SPDX-License-Identifier: Apache-2.0
#include "server/loop.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

namespace pawl::server {

namespace asio = boost::asio;
using SteadyClock = std::chrono::steady_clock;

namespace {

// Clients may ask for any number of hours; the clock counts nanoseconds and would overflow.
constexpr Millis longest_pause = std::chrono::hours(24 * 365);

}  // namespace

struct Loop::Inside {
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  asio::steady_timer alarm{context};

  std::mutex mutex;
  std::condition_variable answered;
  bool resting{false};
  std::vector<Task> posted;  // by other threads, not begun
  std::vector<Task> batch;   // being done
  std::vector<Task> endings;

  struct Timer {
    TimerId id{TimerId::none};
    Task task{};
  };
  std::multimap<SteadyClock::time_point, Timer> timers;
  std::map<TimerId, decltype(timers)::iterator> by_id;
  SteadyClock::time_point armed{SteadyClock::time_point::max()};
  std::uint64_t last_timer{0};

  void run_batch() {
    {
      const std::lock_guard lock(mutex);
      batch.swap(posted);
    }
    for (Task& task : batch) task();
    batch.clear();
    run_endings();
  }

  // Until that moment only what other threads post is done.
  void rest(SteadyClock::time_point until) {
    for (;;) {
      {
        std::unique_lock lock(mutex);
        resting = true;
        answered.wait_until(lock, until, [this] { return !posted.empty(); });
        resting = false;
        if (posted.empty()) return;
      }
      run_batch();
    }
  }

  void run_endings() {
    std::vector<Task> now;
    now.swap(endings);
    for (Task& task : now) task();
  }

  void arm() {
    if (timers.empty() || timers.begin()->first >= armed) return;
    armed = timers.begin()->first;
    alarm.expires_at(armed);
    alarm.async_wait([this](const boost::system::error_code& error) {
      if (!error) fire();
    });
  }

  void fire() {
    armed = SteadyClock::time_point::max();
    const auto now = SteadyClock::now();
    while (!timers.empty() && timers.begin()->first <= now) {
      const Task task = std::move(timers.begin()->second.task);
      by_id.erase(timers.begin()->second.id);
      timers.erase(timers.begin());
      task();
    }
    run_endings();
    arm();
  }
};

Loop::Loop() : inside_(std::make_unique<Inside>()) {}
Loop::~Loop() = default;

void Loop::run(const Slot& slot) {
  // A little earlier than the slot: what came meanwhile must be read by then.
  constexpr std::chrono::microseconds ahead{500};
  while (inside_->context.run_one() > 0) {
    while (inside_->context.poll_one() > 0) continue;
    const auto until = slot ? slot() - ahead : SteadyClock::time_point{};
    if (until > SteadyClock::now()) inside_->rest(until);
  }
}

void Loop::stop() {
  post([this] { inside_->context.stop(); });
}

void Loop::post(Task task) {
  bool first = false;
  {
    const std::lock_guard lock(inside_->mutex);
    first = inside_->posted.empty();
    inside_->posted.push_back(std::move(task));
    if (first && inside_->resting) {
      inside_->answered.notify_one();
      return;
    }
  }
  if (first) asio::post(inside_->context, [this] { inside_->run_batch(); });
}

void Loop::at_end(Task task) {
  if (inside_->endings.empty() && inside_->batch.empty()) {
    asio::post(inside_->context, [this] { inside_->run_endings(); });
  }
  inside_->endings.push_back(std::move(task));
}

Loop::TimerId Loop::after(Millis pause, Task task) {
  pause = std::clamp(pause, Millis(0), longest_pause);
  const TimerId id{++inside_->last_timer};
  const auto place =
      inside_->timers.emplace(SteadyClock::now() + pause, Inside::Timer{id, std::move(task)});
  inside_->by_id.emplace(id, place);
  inside_->arm();
  return id;
}

void Loop::cancel(TimerId timer) {
  const auto found = inside_->by_id.find(timer);
  if (found == inside_->by_id.end()) return;
  inside_->timers.erase(found->second);
  inside_->by_id.erase(found);
}

asio::io_context& Loop::context() { return inside_->context; }

}  // namespace pawl::server
