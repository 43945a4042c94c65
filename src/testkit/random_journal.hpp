// SPDX-License-Identifier: Apache-2.0
// A journal of random but valid records: instances of random processes run by the real engine,
// puppets that have everything open at once, and what happens beside them (deployments, messages,
// signals, work set aside). For tests of whatever is built from the journal.
#pragma once

#include <memory>
#include <vector>

#include "engine/turn.hpp"
#include "store/record.hpp"
#include "testkit/puppet.hpp"

namespace pawl::testkit {

class RandomJournal {
 public:
  explicit RandomJournal(std::uint64_t seed) : dice_(seed) {}

  store::Record next();

 private:
  struct Player {  // an instance that the engine runs
    engine::Instance state;
    bool more{false};
  };

  store::Record of_player();
  store::Record of_puppet();
  store::Record beside();
  engine::Command command_for(const Player& player);
  store::Record record_of(Key instance);
  store::Notice publish();

  Dice dice_;
  std::uint64_t next_key_{1};
  std::int64_t now_{1'000};
  std::vector<std::unique_ptr<Player>> players_{};
  std::vector<Puppet> puppets_{};
  std::set<Key> mail_{};   // messages and signals that were sent
  std::set<Key> aside_{};  // incidents of work set aside
};

}  // namespace pawl::testkit
