// SPDX-License-Identifier: Apache-2.0
// TimerQueue: the timers of one shard. Only the near future is in memory: all timers due up to a
// horizon; the rest stays in the index and is fetched when the horizon comes near. A timer is never
// fired early, and one that was fired is held back until its turn is durable or failed.
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"
#include "store/index.hpp"

namespace pawl::runtime {

using store::TimerRow;

class TimerQueue {
 public:
  // Asks for stored timers after (due, key).
  using Fetch =
      std::function<Result<std::vector<TimerRow>>(Instant due, Key key, std::size_t most)>;
  explicit TimerQueue(Fetch fetch, std::size_t most = limits::timers_in_memory)
      : fetch_(std::move(fetch)), most_(most) {}

  // A timer became durable at this position, or is no more.
  void add(const TimerRow& timer, store::Position at);
  void remove(Key timer);

  // Timers that are due, oldest first, at most `most`. They are held until `remove` or `put_back`.
  // `indexed` is what a fetch would see; if that is not enough, `wants` says what to wait for.
  Result<std::vector<TimerRow>> take_due(Instant now, std::size_t most, store::Position indexed);
  store::Position wants() const { return wanted_; }
  void put_back(Key timer);

  // When to look again; nullopt: there are no timers.
  std::optional<Instant> next_due() const;
  std::size_t in_memory() const { return near_.size(); }
  // Stored timers are unknown: everything is fetched anew.
  void forget_all();

 private:
  struct Place {
    Instant due{};
    Key key{Key::none};
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Known {
    TimerRow row{};
    bool held{false};
  };
  bool needs_fetch(Instant now) const {
    return more_stored_ && near_.empty() && horizon_.due <= now;
  }
  Result<bool> fetch_until(Instant now, store::Position indexed);
  void shrink();

  Fetch fetch_;
  std::size_t most_;
  std::set<Place> near_;  // those that are not held
  std::unordered_map<Key, Known> known_;
  Place horizon_{};                                   // everything up to here is in memory
  bool more_stored_{true};                            // there may be timers after the horizon
  store::Position stored_at_{store::Position::none};  // of the last timer that is only stored
  store::Position wanted_{store::Position::none};     // a fetch waits for the index; none: no
};

}  // namespace pawl::runtime
