// SPDX-License-Identifier: Apache-2.0
// Record: what one turn leaves behind, the unit of the journal. Most records are turns of one
// instance and hold its events; the others hold what happened beside the instances (a deployment, a
// published message). A record is committed whole or not at all, and never changes.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "engine/events.hpp"

namespace pawl::store {

// The number of a record in its journal: 1, 2, 3 … without gaps.
enum class Position : std::uint64_t { none = 0 };
constexpr std::uint64_t number(Position position) { return static_cast<std::uint64_t>(position); }
constexpr Position position_from(std::uint64_t value) { return static_cast<Position>(value); }
constexpr Position operator+(Position position, std::uint64_t more) {
  return position_from(number(position) + more);
}

// --- what happens beside the instances ---------------------------------------------------------
struct ResourceDeployed {  // a file; its processes follow in the same record
  Key key{Key::none};
  std::string name{};
  std::string content{};
  std::string checksum{};
};
struct ProcessDeployed {
  Key key{Key::none};
  std::string id{};
  std::int32_t version{0};
  Key resource{Key::none};
  Key deployment{Key::none};  // the first key of what was deployed together; none: not known
};
struct MessagePublished {
  Key key{Key::none};
  Name name{};
  std::string correlation{};
  std::string id{};   // as the publisher named it; unique while the message lives
  Instant expires{};  // kept until then for those who do not wait yet
  Value variables{};
  // Subscriptions that it was given to at once. A message that is not kept lives on until each of
  // them has taken or refused it.
  std::vector<Key> offered{};
};
struct MessageOffered {  // later, to a subscription that was opened or was next in line
  Key message{Key::none};
  Key subscription{Key::none};
};
struct MessageRefused {  // by a subscription that no longer waited
  Key message{Key::none};
  Key subscription{Key::none};
};
struct MessageExpired {
  Key key{Key::none};
};
struct SignalBroadcast {  // to all subscriptions that were open at this position
  Key key{Key::none};
  Name name{};
  Value variables{};
};
struct SignalDelivered {  // all of them have had it
  Key key{Key::none};
};
// Work of the runtime for an instance that failed again and again. It is not tried any more until
// somebody resolves it.
struct WorkSetAside {
  Key key{Key::none};  // of the incident
  Key instance{Key::none};
  Key subject{Key::none};  // timer, job or subscription that the work was about; none: the instance
  std::string work{};      // "trigger timer"
  std::string reason{};
  Instant at{};
};
struct WorkResumed {
  Key key{Key::none};
};

using Notice = std::variant<ResourceDeployed, ProcessDeployed, MessagePublished, MessageOffered,
                            MessageRefused, MessageExpired, SignalBroadcast, SignalDelivered,
                            WorkSetAside, WorkResumed>;

struct Record {
  std::uint32_t shard{0};
  Key instance{Key::none};  // none: only notices
  std::uint32_t execution{0};
  Instant at{};
  std::uint64_t next_key{0};  // of the shard: keys below it are used up
  bool more{false};           // the instance has work left that it does by itself
  engine::Events events{};
  std::vector<Notice> notices{};
  // --- not stored
  mutable std::size_t encoded_bytes{0};  // noted when it was encoded
  std::uint64_t life{0};  // of the state in memory that it was made with (runtime/residents.hpp)
};

}  // namespace pawl::store
