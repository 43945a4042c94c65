// SPDX-License-Identifier: Apache-2.0
// What a run remembers of its events for its result: the path, the variables of the process, names
// and depths of element instances. Fed with every event, in order.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/driver.hpp"
#include "value/value.hpp"

namespace pawl::cli {

class RunRecord {
 public:
  explicit RunRecord(model::ProcessPtr process) : process_(std::move(process)) {}

  void add(const engine::Event& event);
  // Lets go of element instances that have ended. Called when an event has been shown.
  void forget(const engine::Event& event);

  struct Seen {
    const model::Element* element{};
    int depth{0};
  };
  // The element instance with this key, or the one that owns this job or incident.
  const Seen& seen(Key key) const;

  // Elements in the order they completed.
  const std::vector<const model::Element*>& path() const { return path_; }
  // Variables of the process as they are, or were at its end.
  Value variables() const;
  std::size_t events() const { return events_; }

 private:
  model::ProcessPtr process_;
  Key root_{Key::none};
  std::map<Key, Seen> seen_;
  std::vector<const model::Element*> path_;
  std::vector<Entry> variables_;
  std::size_t events_{0};
};

}  // namespace pawl::cli
