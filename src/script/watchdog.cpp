// SPDX-License-Identifier: Apache-2.0
#include "script/watchdog.hpp"

#include <js/Interrupt.h>

#include <algorithm>

namespace pawl::script {
namespace {

constexpr auto look_every = std::chrono::milliseconds(4);
constexpr int idle_looks_before_sleep = 50;

std::int64_t now_count() { return Watchdog::Clock::now().time_since_epoch().count(); }

}  // namespace

Watchdog::Watched::Watched(JSContext* context) : context_(context) {
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
  deadline_.store(now_count() + budget.count(), std::memory_order_seq_cst);
  Watchdog& dog = instance();
  if (dog.asleep_.load(std::memory_order_seq_cst)) dog.wake();
}

bool Watchdog::Watched::is_overdue() const {
  return now_count() >= deadline_.load(std::memory_order_relaxed);
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

bool Watchdog::interrupt_overdue() {
  const std::int64_t now = now_count();
  bool any = false;
  for (const Watched* watched : watched_) {
    const std::int64_t deadline = watched->deadline_.load(std::memory_order_seq_cst);
    if (deadline == Watched::none) continue;
    any = true;
    if (now >= deadline) JS_RequestInterruptCallback(watched->context_);
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
