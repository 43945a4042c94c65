// SPDX-License-Identifier: Apache-2.0
#include "script/children.hpp"

#include <csignal>
#include <thread>
#include <utility>

#include "base/limits.hpp"

namespace pawl::script {
namespace {

// Signals to the program are for other threads.
std::thread thread_without_signals(auto work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

Children& Children::instance() {
  static auto* const children = new Children;  // see the header
  return *children;
}

std::future<Children::Started> Children::request_start() {
  if (!std::exchange(has_keeper_, true)) thread_without_signals([this] { keep(); }).detach();
  auto started = requests_.emplace_back().get_future();
  changed_.notify_all();
  return started;
}

void Children::start_ahead() {
  const std::lock_guard lock(mutex_);
  if (alive_ > 0) return;
  ++alive_;
  ahead_ = request_start();
}

std::unique_ptr<Child> Children::fit_one() {
  while (!idle_.empty()) {
    std::unique_ptr<Child> child = std::move(idle_.back().child);
    idle_.pop_back();
    if (child->is_fit()) return child;
    --alive_;
  }
  return nullptr;
}

Result<Children::Lease> Children::take() {
  std::future<Started> starting;
  {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (ahead_.valid()) {
        starting = std::move(ahead_);
        break;
      }
      if (auto child = fit_one()) return Lease(*this, std::move(child));
      if (alive_ < limits::script_helpers) {
        ++alive_;
        starting = request_start();
        break;
      }
      changed_.wait(lock);
    }
  }
  auto started = starting.get();
  const auto ready = started ? (*started)->expect_ready() : Result<void>(started.error());
  if (ready) return Lease(*this, std::move(*started));
  gone();
  return ready.error();
}

void Children::gone() {
  const std::lock_guard lock(mutex_);
  --alive_;
  changed_.notify_all();
}

void Children::take_back(std::unique_ptr<Child> child) {
  if (child->has_ended() || child->is_worn()) {
    child.reset();
    return gone();
  }
  const std::lock_guard lock(mutex_);
  idle_.push_back({std::move(child), Clock::now()});
  changed_.notify_all();
}

std::vector<Children::Idle> Children::idle_too_long() {
  std::vector<Idle> ended;
  while (!idle_.empty() && Clock::now() - idle_.front().since >= longest_idle_) {
    ended.push_back(std::move(idle_.front()));
    idle_.erase(idle_.begin());
    --alive_;
  }
  return ended;
}

void Children::keep() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!requests_.empty()) {
      std::promise<Started> request = std::move(requests_.front());
      requests_.pop_front();
      const Launch launch = launch_;
      lock.unlock();
      request.set_value(Child::start(launch));
      lock.lock();
    } else if (auto ended = idle_too_long(); !ended.empty()) {
      lock.unlock();
      ended.clear();
      lock.lock();
    } else if (idle_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, idle_.front().since + longest_idle_);
    }
  }
}

void Children::use(Launch launch, Clock::duration longest_idle) {
  std::vector<Idle> ended;
  std::future<Started> ahead;
  {
    const std::lock_guard lock(mutex_);
    launch_ = std::move(launch);
    longest_idle_ = longest_idle;
    alive_ -= idle_.size();
    ended.swap(idle_);
    ahead = std::move(ahead_);
  }
  if (!ahead.valid()) return;
  { const auto unused = ahead.get(); }
  gone();
}

std::size_t Children::alive() const {
  const std::lock_guard lock(mutex_);
  return alive_;
}

}  // namespace pawl::script
