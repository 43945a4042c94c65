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

// How many iterations of a loop are shown one by one.
inline constexpr std::uint32_t shown_iterations = 3;

class RunRecord {
 public:
  // `process`: of the instance, which may be one that was called.
  void add(const model::Process& process, const engine::Event& event);
  // Lets go of element instances that have ended. Called when an event has been shown.
  void forget(const engine::Event& event);

  struct Seen {
    const model::Element* element{};
    int depth{0};
    bool body{false};    // of a loop
    bool path{false};    // of an ad-hoc sub-process
    bool hidden{false};  // inside an iteration beyond the first few
    Key scope{Key::none};
    std::uint32_t iteration{0};
    std::uint32_t done{0};    // of a body: iterations completed,
    std::uint32_t ended{0};   // terminated, failed ones among them
    std::string waits_for{};  // of a timer or subscription, whose element is the event
  };
  // The element instance with this key, or the one that owns this job, timer … or incident.
  const Seen& seen(Key key) const;

  Key root() const { return root_; }
  // Ids in the order of completion; a loop's body as "id#body", after its iterations; a path of an
  // ad-hoc sub-process as "id#path", after what was in it.
  std::vector<std::string> path() const;
  // Variables of the process as they are, or were at its end.
  Value variables() const;
  std::size_t events() const { return events_; }

 private:
  void add_wait(Key key, Key element, const model::Element& target, std::string what);
  void add_element(const model::Process& process, const engine::ElementActivating& event);

  Key root_{Key::none};
  std::map<Key, Key> called_from_;  // instance → element instance
  std::map<Key, Seen> seen_;
  std::vector<std::pair<const model::Element*, const char*>> path_;  // and what stands behind it
  std::vector<Entry> variables_;
  std::size_t events_{0};
};

}  // namespace pawl::cli
