// SPDX-License-Identifier: Apache-2.0
// Ledger: the bytes that all connections together hold for their clients: requests that are coming
// in or waiting to be done, and answers that were not sent yet. Whoever wants to hold more asks
// first; no is an answer, and nobody dies of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace pawl::server {

class Ledger {
 public:
  static constexpr std::size_t small_bytes = 2u << 10;

  explicit Ledger(std::size_t most) : most_(most) {}
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // False: there is no room for so many more. When it is full, there still is some for what is
  // small: who asks how the server is must be answered.
  bool take(std::size_t bytes) {
    const std::size_t most = bytes <= small_bytes ? most_ + most_ / 4 : most_;
    if (held_.fetch_add(bytes) + bytes <= most) return true;
    held_ -= bytes;
    return false;
  }
  void give_back(std::size_t bytes) { held_ -= bytes; }
  std::size_t held() const { return held_; }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> held_{0};
};

// What one holds in a ledger; given back when it goes.
class Share {
 public:
  explicit Share(Ledger* ledger) : ledger_(ledger) {}
  ~Share() { set(0); }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  // False: there is no room; what was held is still held. Less is always possible.
  bool set(std::size_t bytes) {
    if (ledger_ && bytes > held_ && !ledger_->take(bytes - held_)) return false;
    if (ledger_ && bytes < held_) ledger_->give_back(held_ - bytes);
    held_ = bytes;
    return true;
  }

 private:
  Ledger* ledger_;  // null: nobody counts
  std::size_t held_{0};
};

}  // namespace pawl::server
