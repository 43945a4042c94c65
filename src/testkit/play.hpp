// SPDX-License-Identifier: Apache-2.0
// Play: runs a process in a test. After every turn it checks the invariants of the state and that
// folding all events from the start gives the same state; the first violation fails the test with
// the whole story. Elements are named by id; where several instances are active, the oldest is
// meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/driver.hpp"

namespace pawl::testkit {

class Play {
 public:
  explicit Play(model::ProcessPtr process, std::string_view variables = "{}",
                std::size_t steps_per_turn = limits::steps_per_turn);
  explicit Play(std::string_view drawing, std::string_view variables = "{}");
  // The first one is started; all can be called by their names. Elements of called instances are
  // found by id, too, those of the first instance before them.
  struct Named {
    std::string id{};
    std::string drawing{};
  };
  explicit Play(const std::vector<Named>& processes, std::string_view variables = "{}",
                std::size_t steps_per_turn = limits::steps_per_turn);

  // --- what workers and operators do; each fails the test when it is rejected
  // ---------------------
  Play& complete(std::string_view element, std::string_view variables = "{}");
  Play& fail(std::string_view element, int retries, std::string_view message = "",
             Millis backoff = Millis{0}, std::string_view variables = "{}");
  Play& throw_error(std::string_view element, std::string_view code, std::string_view message = "",
                    std::string_view variables = "{}");
  Play& set(std::string_view element, std::string_view variables, bool local = false);
  Play& retries(std::string_view element, int count);
  Play& resolve(std::string_view element);
  Play& cancel();
  Play& pass(Millis time);
  // "name" or "name:key"; fails the test when nobody waits for it.
  Play& publish(std::string_view message, std::string_view variables = "{}");
  Play& signal(std::string_view name, std::string_view variables = "{}");
  // The instance goes on in another process: "a b=c" maps a to a and b to c. The text of the
  // rejection, or empty.
  std::string migrate(const model::ProcessPtr& to, std::string_view moves);
  // The text of the rejection, or empty if the command was carried out.
  std::string rejection(const engine::Command& command);

  // --- what can be seen -----------------------------------------------------------------------
  // "completed", "terminated", "continued", "incident" or "waiting"
  std::string state() const;
  bool is_active(std::string_view element) const;
  Key key_of(std::string_view element) const;  // of the oldest active instance, or none
  Key job_of(std::string_view element) const;
  std::string waiting() const;  // ids of elements with an open job, by age
  // "paid:7 at a, signal stop at b, +60s at c": who waits for what, mail first, each by age
  std::string waits() const;
  Key timer_of(std::string_view target) const;  // oldest, by the event that will happen, or none
  Key subscription_of(std::string_view target) const;
  std::string path() const;      // ids in order of completion: "start a end"
  std::string incident() const;  // "KIND at element: message" of the first
  std::size_t incident_count() const { return driver_.incidents().size(); }
  std::string variables(std::string_view element = "") const;  // of one scope; "" is the root; JSON
  std::string visible(std::string_view element) const;         // merged view, JSON
  // "activating a", "terminated b", "flow a->b", "created x in a" …, in order; only those that
  // begin with one of the words in `only`, if given.
  std::vector<std::string> story(std::string_view only = "") const;
  std::string told(std::string_view only) const;  // the same, joined by ", "
  // Of all instances in the order in which it happened: "child: completed a", joined by ", ".
  std::string told_by_all(std::string_view only) const;
  // Everything on a called instance: the oldest of this process that has not ended.
  const engine::Instance* called(std::string_view process) const;
  int count(std::string_view line) const;  // how often this line stands in the story
  std::string trace() const;               // everything, for messages

  const engine::Events& events() const { return all_; }
  runtime::Driver& driver() { return driver_; }
  const model::ProcessPtr& process() const { return driver_.process(); }

 private:
  void send(const engine::Command& command);
  void check(const engine::Instance& instance, const engine::Events& events);
  void begin(std::string_view variables, std::size_t steps_per_turn);
  const model::ProcessPtr& first_process() const;  // of this execution
  engine::Instance folded(const model::ProcessPtr& first, const engine::Events& events) const;

  runtime::Driver driver_;
  engine::Events all_;
  struct Told {
    std::string process{};
    model::ProcessPtr first{};  // that it began with
    engine::Events events{};
    std::vector<std::size_t> places{};  // in the order of all
  };
  std::map<Key, Told> told_;
  std::vector<model::ProcessPtr> targets_;  // of migrations: definition 1, 2 …
  std::size_t happened_{0};
};

}  // namespace pawl::testkit
