// SPDX-License-Identifier: Apache-2.0
// Residents: the instances of one shard that are in memory, the least recently used first to leave.
// Whether one may leave is the shard's decision: everything it did must be in the index.
#pragma once

#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/state.hpp"
#include "runtime/request.hpp"

namespace pawl::runtime {

struct Resident {
  Resident(DefinitionPtr of, engine::Instance folded)
      : definition(std::move(of)), state(std::move(folded)) {}

  DefinitionPtr definition;
  engine::Instance state;
  std::uint32_t pending{0};            // turns that are not durable yet
  Position last{Position::none};       // its newest durable turn is not after this
  std::size_t tail_bytes{0};           // of durable turns since the last snapshot
  std::size_t snapshot_bytes{0};       // of that snapshot
  bool continues{false};               // waits in the shard's list to go on by itself
  bool reloads{false};                 // its state is not to be trusted; folded again when possible
  std::vector<CommandRequest> held{};  // while it reloads
  std::size_t cost{0};                 // estimated bytes, as counted in the sum
  std::list<Key>::iterator place{};
};

class Residents {
 public:
  Resident* find(Key instance);  // marks it as used
  Resident* peek(Key instance);  // does not
  Resident& add(Key instance, std::unique_ptr<Resident> resident);
  void remove(Key instance);
  void clear();

  // Its size has changed.
  void weigh(Resident& resident);
  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return residents_.size(); }
  // From the least recently used on, at most `most` of them.
  std::vector<Key> oldest(std::size_t most) const;

 private:
  std::unordered_map<Key, std::unique_ptr<Resident>> residents_;
  std::list<Key> by_use_;  // oldest first
  std::size_t bytes_{0};
};

}  // namespace pawl::runtime
