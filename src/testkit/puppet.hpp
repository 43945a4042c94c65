// SPDX-License-Identifier: Apache-2.0
// Puppet: an instance without an engine. It makes up turns at random that an engine could have
// taken, with everything that can be open at once: jobs in every state, timers, subscriptions,
// incidents, several executions. For tests of what is built from events.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "engine/events.hpp"
#include "testkit/random_process.hpp"

namespace pawl::testkit {

class Puppet {
 public:
  struct World {
    Dice& dice;
    std::uint64_t& next_key;
    Instant now{};
    const std::set<Key>& mail;  // that could be received
  };

  // The events of its next turn. At first it starts, at last it has ended.
  engine::Events turn(World world);
  bool has_ended() const { return ended_; }
  bool has_more() const { return more_; }
  Key key() const { return key_; }
  std::uint32_t execution() const { return execution_; }
  const std::set<Key>& subscriptions() const { return subscriptions_; }

 private:
  enum class JobState : std::uint8_t { activatable, backing_off, stuck, threw };
  struct Job {
    Key key{Key::none};
    JobState state{JobState::activatable};
  };
  struct Element {
    std::optional<Job> job{};
    Key incident{Key::none};
  };

  void start(World& world);
  void act(World& world);
  void serve_job(World& world, Element& element);
  void repair(World& world, Element& element);
  void change_variable(World& world);
  void wait(World& world);
  void stop_waiting(World& world);
  void finish(World& world, Key key);
  void end(World& world);
  std::map<Key, Element>::iterator any_element(World& world);
  Key fresh(World& world) { return key_from(world.next_key++); }
  template <class Event>
  void emit(Event event) {
    events_.push_back(std::move(event));
  }

  Key key_{Key::none};
  Key caller_{Key::none};  // none: nobody called it
  std::uint32_t execution_{0};
  bool running_{false};
  bool continues_{false};
  bool ended_{false};
  bool more_{false};
  std::map<Key, Element> elements_{};
  std::set<Key> timers_{};
  std::set<Key> subscriptions_{};
  engine::Events events_{};
};

}  // namespace pawl::testkit
