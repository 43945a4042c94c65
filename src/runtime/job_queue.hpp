// SPDX-License-Identifier: Apache-2.0
// JobQueue: the open jobs of one shard that may be given to workers, by type, highest priority
// first, then oldest. Giving a job away makes a lease: until its deadline nobody else gets it, and
// its fencing number tells a late answer from a right one. Leases live only in memory: after a
// crash an unfinished job is simply offered again. Of many waiting jobs only the first are in
// memory.
//
//   offered ──take──▶ leased ──deadline, give back──▶ offered
//      ▲                 └──answer──▶ answered ──commit──▶ gone
//      └──────────────────────────────────┘ commit failed, or the job goes on (retries left)
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"
#include "store/index.hpp"

namespace pawl::runtime {

struct OfferedJob {
  Key key{Key::none};
  Key instance{Key::none};
  std::int32_t priority{0};
};

class JobQueue {
 public:
  // Asks for stored jobs of a type, in order. It may be a little behind: what it misses is asked
  // for again, and what has ended meanwhile is found out when it is given away.
  using Fetch =
      std::function<Result<std::vector<OfferedJob>>(const std::string& type, std::size_t most)>;
  explicit JobQueue(Fetch fetch, std::size_t most = limits::jobs_in_memory)
      : fetch_(std::move(fetch)), most_(most) {}

  // A job of this type may be stored that is not in memory.
  void expect_stored(const std::string& type);

  // Became durable at this position, or may be offered again.
  void offer(const std::string& type, const OfferedJob& job, store::Position at);
  void remove(Key job);
  // It ended at this position or before, though an index that is behind still shows it.
  void gone(Key job, store::Position at);

  void begin_fences(std::uint64_t after) { last_fence_ = after; }
  // The next job of a type, without taking it. nullopt: none.
  // `indexed` is what a fetch sees.
  Result<std::optional<OfferedJob>> peek(const std::string& type, store::Position indexed);
  // Leases it. The fencing number is returned.
  std::uint64_t take(Key job, Instant deadline);
  // A new deadline for its lease. False: it is not leased.
  bool extend(Key job, Instant deadline);
  // Steps over it for now: it is not offered until `offer_again`.
  void hold(Key job);
  void offer_again(Key job);

  // An answer came: is it from the one who has the job? Then it is not offered while its turn is
  // under way. fence 0: not checked.
  enum class Answer : std::uint8_t { right, late };
  Answer answer(Key job, std::uint64_t fence);

  std::optional<Key> instance_of(Key job) const;
  // Leases that have run out are offered again; gives their types.
  std::vector<std::string> expire(Instant now);
  std::optional<Instant> next_deadline() const;
  // There are jobs of this type that the index does not show yet.
  bool waits_for_index(const std::string& type) const;
  // Types that have jobs to give away, since the last call.
  std::set<std::string> types_with_offers();
  std::size_t in_memory() const { return jobs_.size(); }
  // What is stored is unknown: leases are kept, offers are fetched anew.
  void forget_offers();

 private:
  enum class State : std::uint8_t { offered, leased, held };
  struct Place {  // highest priority first, then oldest
    std::int32_t priority{0};
    Key key{Key::none};
    friend bool operator<(const Place& a, const Place& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.key < b.key;
    }
  };
  struct Type {
    std::string name{};
    std::set<Place> offered{};
    bool more_stored{false};
    store::Position stored_at{store::Position::none};  // of the last one that is only stored
  };
  using Leases = std::set<std::pair<Instant, Key>>;
  struct Known {
    OfferedJob job{};
    Type* type{nullptr};
    State state{State::offered};
    std::uint64_t fence{0};
    std::set<Place>::iterator place{};  // while it is offered
    Leases::iterator lease{};           // while it is leased
  };
  Type& type_of(const std::string& name);
  Result<void> refill(Type& type, store::Position indexed);
  void shrink(Type& type);
  void put_back(Known& known);
  void add(Type& type, const OfferedJob& job);
  void leave(Known& known);

  Fetch fetch_;
  std::size_t most_;
  std::map<std::string, Type, std::less<>> types_;
  std::unordered_map<Key, Known> jobs_;
  Leases leases_;
  std::unordered_map<Key, store::Position> gone_;
  std::set<std::string> freshly_offered_;
  std::uint64_t last_fence_{0};
};

}  // namespace pawl::runtime
