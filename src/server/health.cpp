// SPDX-License-Identifier: Apache-2.0
#include "server/health.hpp"

#include "server/log.hpp"

namespace pawl::server {

Health::Health(Look look, Millis every) : look_(std::move(look)) {
  thread_ = std::thread([this, every] { run(every); });
}

std::string Health::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

std::uint64_t Health::watch(std::function<void(bool)> changed) {
  const std::lock_guard lock(mutex_);
  watchers_.emplace(next_, std::move(changed));
  return next_++;
}

void Health::unwatch(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  watchers_.erase(number);
}

void Health::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  closing_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Health::run(Millis every) {
  std::unique_lock lock(mutex_);
  while (!closed_) {
    lock.unlock();
    std::string found = look_();
    lock.lock();
    note(std::move(found));
    closing_.wait_for(lock, every, [this] { return closed_; });
  }
}

// With the lock. The sentence may change from one second to the next; only the answer is news.
void Health::note(std::string trouble) {
  const bool was_well = trouble_.empty(), is_well = trouble.empty();
  trouble_ = std::move(trouble);
  if (was_well == is_well) return;
  if (is_well) {
    log::write(Level::info, "ready again: what is committed is durable and can be searched");
  } else {
    log::write(Level::error, "not ready", {{"reason", trouble_}});
  }
  for (const auto& [number, changed] : watchers_) changed(is_well);
}

}  // namespace pawl::server
