// SPDX-License-Identifier: Apache-2.0
#include "script/watchdog.hpp"

#include <js/Interrupt.h>

#include <pthread.h>

#include <algorithm>

#include "script/processor_time.hpp"

namespace pawl::script {
namespace {

constexpr auto look_every = std::chrono::milliseconds(4);
constexpr int idle_looks_before_sleep = 50;
constexpr int longest_wait = 10;  // times the budget, by the clock

std::int64_t now_count() { return Watchdog::Clock::now().time_since_epoch().count(); }

}  // namespace

Watchdog::Watched::Watched(JSContext* context) : context_(context) {
  pthread_getcpuclockid(pthread_self(), &processor_clock_);
  Watchdog& dog = instance();
  const std::lock_guard lock(dog.mutex_);
  dog.watched_.push_back(this);
}

Watchdog::Watched::~Watched() {
  Watchdog& dog = instance();
  const std::lock_guard lock(dog.mutex_);
  std::erase(dog.watched_, this);
}

// The store and the look at `asleep_` are in one order with the watchdog's own (first asleep_, then
// the deadlines): either it sees the deadline, or we see that it sleeps.
void Watchdog::Watched::start(Clock::duration budget) {
  const std::int64_t now = now_count();
  budget_.store(budget.count(), std::memory_order_relaxed);
  clock_start_.store(now, std::memory_order_relaxed);
  processor_start_.store(processor_time().count(), std::memory_order_relaxed);
  deadline_.store(now + budget.count(), std::memory_order_seq_cst);
  Watchdog& dog = instance();
  if (dog.asleep_.load(std::memory_order_seq_cst)) dog.wake();
}

Watchdog::Clock::duration Watchdog::Watched::time_left() const {
  const std::int64_t budget = budget_.load(std::memory_order_relaxed);
  const std::int64_t waited = now_count() - clock_start_.load(std::memory_order_relaxed);
  const std::int64_t used =
      processor_time(processor_clock_).count() - processor_start_.load(std::memory_order_relaxed);
  return Clock::duration(waited < budget * longest_wait ? budget - used : 0);
}

Watchdog& Watchdog::instance() {
  static Watchdog dog;
  return dog;
}

Watchdog::Watchdog() : thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::wake() {
  const std::lock_guard lock(mutex_);
  asleep_.store(false, std::memory_order_seq_cst);
  changed_.notify_all();
}

// A run may end, and the next one begin, while we look: then it has another deadline, which stays,
// and an interrupt that is too early does no harm. Not by themselves, though, because each one
// makes a regular expression begin anew.
bool Watchdog::interrupt_overdue() {
  const std::int64_t now = now_count();
  bool any = false;
  for (Watched* watched : watched_) {
    std::int64_t deadline = watched->deadline_.load(std::memory_order_seq_cst);
    if (deadline == Watched::none) continue;
    any = true;
    if (now < deadline) continue;
    const auto left = watched->time_left();
    if (left <= left.zero()) {
      JS_RequestInterruptCallback(watched->context_);
    } else {
      watched->deadline_.compare_exchange_strong(deadline, now + left.count());
    }
  }
  return any;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  int idle_looks = 0;
  while (!ending_) {
    idle_looks = interrupt_overdue() ? 0 : idle_looks + 1;
    if (idle_looks < idle_looks_before_sleep) {
      changed_.wait_for(lock, look_every, [this] { return ending_; });
      continue;
    }
    asleep_.store(true, std::memory_order_seq_cst);
    if (interrupt_overdue()) {
      asleep_.store(false, std::memory_order_seq_cst);
    } else {
      changed_.wait(lock, [this] { return ending_ || !asleep_.load(std::memory_order_seq_cst); });
    }
    idle_looks = 0;
  }
}

}  // namespace pawl::script
