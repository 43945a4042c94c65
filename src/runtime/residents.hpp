// SPDX-License-Identifier: Apache-2.0
// Residents: the instances of one shard that are in memory, the least recently used first to leave.
// Whether one may leave is the shard's decision: everything it did must be in the index.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "engine/key_map.hpp"
#include "engine/state.hpp"
#include "runtime/request.hpp"

namespace pawl::runtime {

struct Resident {
  Resident(DefinitionPtr of, engine::Instance folded)
      : definition(std::move(of)), state(std::move(folded)) {}

  DefinitionPtr definition;
  engine::Instance state;
  std::uint32_t pending{0};       // turns that are not durable yet
  Position last{Position::none};  // its newest durable turn is not after this
  std::size_t tail_bytes{0};      // of durable turns since the last snapshot
  std::size_t snapshot_bytes{0};  // of that snapshot
  bool continues{false};          // waits in the shard's list to go on by itself
  bool reloads{false};            // its state is not to be trusted; folded again when possible
  // A turn of it is taken beside the shard: until that is back, nothing looks at its state.
  bool away{false};
  bool lost{false};                   // while it was away, what it was built on came to nothing
  std::deque<CommandRequest> held{};  // while it reloads or is away
  std::vector<std::function<void(Resident&)>> when_back{};

  // --- of Residents
  Key key{Key::none};
  std::uint64_t life{0};     // number of this state in memory: one that comes back has another
  Instant used{};            // when it was last looked for
  std::size_t cost{0};       // estimated bytes, as counted in the sum
  Resident* older{nullptr};  // was used before it
  Resident* newer{nullptr};
};

class Residents {
 public:
  // What is found from now on was used then.
  void set_time(Instant now) { now_ = now; }
  Resident* find(Key instance);  // marks it as used
  Resident& add(Key instance, std::unique_ptr<Resident> resident);
  void remove(Key instance);

  // Its size has changed.
  void weigh(Resident& resident);
  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return places_.size() - free_.size(); }
  // The least recently used; those after it by `newer`. nullptr: there is none.
  Resident* oldest() { return oldest_; }

 private:
  void link(Resident& resident);
  void unlink(Resident& resident);

  engine::KeyMap place_of_;
  std::vector<std::unique_ptr<Resident>> places_;
  std::vector<engine::Slot> free_;
  Resident* oldest_{nullptr};
  Resident* newest_{nullptr};
  Instant now_{};
  std::uint64_t lives_{0};
  std::size_t bytes_{0};
};

}  // namespace pawl::runtime
