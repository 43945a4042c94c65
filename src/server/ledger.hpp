// SPDX-License-Identifier: Apache-2.0
// Ledger: the bytes that all connections together hold for their clients: requests that are coming
// in or waiting to be done, and answers that were not sent yet. Whoever wants to hold more asks
// first; no is an answer, and nobody dies of it. Account: what one connection has in it. Share:
// what one request or answer has; it goes where the bytes go, so that they count while somebody
// keeps them, and not only while the client is there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace pawl::server {

class Ledger {
 public:
  static constexpr std::size_t small_bytes = 4u << 10;

  explicit Ledger(std::size_t most) : most_(most) {}
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // False: there is no room for so many more; `in_all` is what the holder would have then. When it
  // is full, there still is some for who holds little: who asks how the server is must be answered.
  bool take(std::size_t bytes, std::size_t in_all) {
    const std::size_t most = in_all <= small_bytes ? most_ + most_ / 4 : most_;
    if (held_.fetch_add(bytes) + bytes <= most) return true;
    held_ -= bytes;
    return false;
  }
  void give_back(std::size_t bytes) { held_ -= bytes; }
  std::size_t held() const { return held_; }

  // Of those that are held, so many more or fewer are for work whose client has left. Leaving costs
  // a client nothing, and others wait for that work: there is less room for it.
  void leave(std::size_t bytes) { left_ += bytes; }
  void no_more_left(std::size_t bytes) { left_ -= bytes; }
  bool is_crowded_by_left() const { return left_ > most_ / 16; }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> held_{0};
  std::atomic<std::size_t> left_{0};
};

// Lives as long as something of it is held, so perhaps longer than its connection.
class Account {
 public:
  // Null: nobody counts what all hold together.
  explicit Account(Ledger* ledger, std::size_t most = SIZE_MAX) : ledger_(ledger), most_(most) {}
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  // False: there is no room for so many more, here or in the ledger.
  bool take(std::size_t bytes) {
    const std::size_t in_all = held_.fetch_add(bytes) + bytes;
    if (in_all <= most_ && (!ledger_ || ledger_->take(bytes, in_all))) return true;
    held_ -= bytes;
    return false;
  }
  void give_back(std::size_t bytes) {
    held_ -= bytes;
    if (ledger_) ledger_->give_back(bytes);
  }
  Ledger* ledger() const { return ledger_; }

 private:
  Ledger* ledger_;
  const std::size_t most_;
  std::atomic<std::size_t> held_{0};
};
using AccountPtr = std::shared_ptr<Account>;

// Given back when it goes, on any thread; all else on the thread of the connection.
class Share {
 public:
  static constexpr std::size_t large_bytes = 64u << 10;

  explicit Share(AccountPtr account) : account_(std::move(account)) {}
  ~Share() { set(0); }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  // False: there is no room; what was held is still held. Less is always possible.
  bool set(std::size_t bytes) {
    if (bytes > held_ && !account_->take(bytes - held_)) return false;
    if (bytes < held_) account_->give_back(held_ - bytes);
    if (left_ && bytes < held_) account_->ledger()->no_more_left(held_ - bytes);
    held_ = bytes;
    return true;
  }
  // The same for a request that comes in.
  bool set_request(std::size_t bytes) {
    const Ledger* ledger = account_->ledger();
    if (bytes > large_bytes && ledger && ledger->is_crowded_by_left()) return false;
    return set(bytes);
  }
  bool add_request(std::size_t bytes) { return set_request(held_ + bytes); }
  bool add(std::size_t bytes) { return set(held_ + bytes); }
  void give_back(std::size_t bytes) { set(held_ - bytes); }
  // The client has left; it does not grow any more.
  void leave() {
    if (!account_->ledger() || std::exchange(left_, true)) return;
    account_->ledger()->leave(held_);
  }

 private:
  AccountPtr account_;
  std::size_t held_{0};
  bool left_{false};
};
using SharePtr = std::shared_ptr<Share>;

}  // namespace pawl::server
