// SPDX-License-Identifier: Apache-2.0
// The invariants of nested scopes (S9), checked from scratch: each active child is counted exactly
// once in its scope, a scope with nothing inside does not linger, maps and tree agree.
#include <fmt/format.h>

#include <algorithm>

#include "engine/apply_tokens.hpp"
#include "engine/compensation.hpp"
#include "engine/listeners.hpp"
#include "engine/state.hpp"
#include "engine/weight.hpp"

namespace pawl::engine {
namespace {

class Checker {
 public:
  explicit Checker(const Instance& state) : state_(state) {}

  std::string run() {
    if (state_.root == Slot::none) {
      if (state_.key != Key::none && state_.ended == Ended::no)
        complain("ended without saying how");
      if (state_.slot_of.size() != 0) complain("something is left after the end");
    } else {
      visit(state_.root);
      if (state_.slot_of.size() != keys_) complain("the key map does not match the tree");
      if (state_.cancelling != cancelling_) complain("wrong count of calls that are cancelled");
      if (state_.value_bytes != bytes_) complain("wrong count of the bytes of its values");
    }
    return broken_;
  }

 private:
  void complain(const std::string& what) {
    if (broken_.empty()) broken_ = what + "\n" + describe(state_);
  }

  void check_key(Key key, Slot slot) {
    ++keys_;
    if (state_.slot_of.find(key) != slot)
      complain(fmt::format("key {} is not mapped", number(key)));
  }

  void visit(Slot slot) {
    const ElementInstance& one = state_.at(slot);
    check_key(one.key, slot);
    bytes_ += bytes_of(one);
    if (one.job) check_key(one.job->key, slot);
    if (one.incident) check_key(one.incident->key, slot);
    check_waits(one, slot);
    check_listeners(one);
    check_call(one);
    std::uint32_t children = 0;
    for (Slot child = one.first_child; child != Slot::none; child = state_.at(child).next) {
      if (state_.at(child).parent != slot) complain("a child does not know its parent");
      check_home(one, state_.at(child));
      ++children;
      visit(child);
    }
    const std::string& id = state_.definition_of(one).id;
    if (children != one.active_children) complain("wrong count of children in " + id);
    check_tokens(one, id);
    check_loop(one, id);
    check_path(one, id);
    check_event_sub_processes(one, id);
    check_compensation(one, id);
    check_not_lingering(one, id);
  }

  // Before and after its own work only a listener has a job, and there only; one that ends may
  // still have either.
  void check_listeners(const ElementInstance& one) {
    const std::string& id = state_.definition_of(one).id;
    const std::size_t all = listeners_of(state_, one).size();
    if (one.listened > all) complain("too many listeners have run at " + id);
    if (!one.job || one.life == Life::terminating) return;
    const bool listens = one.job->kind != JobKind::task;
    if (listens != (one.life != Life::activated)) complain("a job at the wrong time: " + id);
    if (listens && one.listened >= all) complain("a job of no listener at " + id);
    if (listens && one.job->kind != listener_kind(one)) complain("a wrong listener at " + id);
  }

  // What runs in a scope stands in it in the diagram; an iteration is what its body is.
  void check_home(const ElementInstance& scope, const ElementInstance& child) {
    const model::Element& element = state_.definition_of(child);
    if (child.iteration != 0 && child.element != scope.element)
      complain("an iteration of something else: " + element.id);
    const bool holds = model::is_container(state_.definition_of(scope).kind) && !scope.is_body &&
                       !scope.is_path && !child.is_path;
    if (holds && element.scope != scope.element) complain("in the wrong scope: " + element.id);
  }

  void check_call(const ElementInstance& one) {
    if (!one.call) return;
    const std::string& id = state_.definition_of(one).id;
    if (one.call->cancelling) ++cancelling_;
    if (one.is_body || one.active_children != 0) complain(id + " calls and has children");
    if (one.waits_for_call() && one.call->cancelling != (one.life == Life::terminating))
      complain(id + " ends, but not what it called");
    if (one.life == Life::activating) complain(id + " calls before its time");
  }

  // Only what lives waits, and for something of its own.
  void check_waits(const ElementInstance& one, Slot slot) {
    if (!one.waits) return;
    const std::string& id = state_.definition_of(one).id;
    if (one.waits->timers.empty() && one.waits->subscriptions.empty())
      complain(id + " waits for nothing");
    if (one.life == Life::activating || one.life == Life::terminating)
      complain(id + " waits before or after its time");
    for (const Waits::Timer& timer : one.waits->timers) {
      check_key(timer.key, slot);
      check_target(one, timer.target);
    }
    for (const Waits::Subscription& mail : one.waits->subscriptions) {
      check_key(mail.key, slot);
      check_target(one, mail.target);
    }
  }

  void check_target(const ElementInstance& one, ElementIndex index) {
    const model::Element& target = state_.process->at(index);
    const bool own = index == one.element && !one.is_body;
    const bool on_border = target.attached_to == one.element && one.iteration == 0 && !one.is_path;
    const bool behind = state_.definition_of(one).kind == model::ElementKind::event_based_gateway &&
                        !target.incoming.empty() &&
                        state_.process->at(target.incoming.front()).source == one.element;
    const bool inside =
        scope_started_by(target) == one.element && one.is_open() && !one.is_body && !one.is_path;
    if (!own && !on_border && !behind && !inside)
      complain(state_.definition_of(one).id + " waits for the event of " + target.id);
  }

  // Where the event sub-process belongs that this start event starts; none: it is another event.
  ElementIndex scope_started_by(const model::Element& start) const {
    if (start.kind != model::ElementKind::start_event) return ElementIndex::none;
    const model::Element& container = state_.process->at(start.scope);
    const bool handler = container.kind == model::ElementKind::event_sub_process;
    return handler ? container.scope : ElementIndex::none;
  }

  // What was triggered waits until the scope is empty; then the event sub-process is alone in it.
  void check_event_sub_processes(const ElementInstance& one, const std::string& id) {
    const bool handler = state_.definition_of(one).kind == model::ElementKind::event_sub_process;
    if (one.taken_over) {
      const bool alone =
          one.active_children == 0 || (one.active_children == 1 && takes_over(one.first_child));
      if (!one.interrupted || !alone) complain("wrongly taken over: " + id);
    }
    if (handler && !one.trigger && one.life == Life::activating)
      complain("an event sub-process without event: " + id);
    if (!one.trigger || one.life == Life::terminating) return;
    const model::Element& event = state_.process->at(one.trigger->boundary);
    const bool cancels = event.kind == model::ElementKind::end_event && event.scope == one.element;
    const bool waits = one.winds_down() && (scope_started_by(event) == one.element || cancels);
    const bool begins = handler && event.scope == one.element && one.life == Life::activating;
    if (!waits && !begins) complain("wrongly triggered: " + id);
  }

  bool is_event_sub_process(Slot slot) const {
    return state_.definition_of(state_.at(slot)).kind == model::ElementKind::event_sub_process;
  }

  bool takes_over(Slot slot) const {
    const model::Element& element = state_.definition_of(state_.at(slot));
    return is_event_sub_process(slot) || (element.kind == model::ElementKind::end_event &&
                                          element.event == model::EventKind::cancel);
  }

  // Records are in scopes, or with the event that undoes them, which is a scope meanwhile.
  void check_compensation(const ElementInstance& one, const std::string& id) {
    const model::ElementKind kind = state_.definition_of(one).kind;
    const bool scope = model::is_container(kind) || one.is_body;
    if (!scope && one.active_children != 0 && !undoes(one))
      complain("something runs inside of " + id);
    if (!one.compensation) return;
    if (!one.compensation->pending.empty() && !undoes(one)) complain("undoes unasked: " + id);
    const bool empty = one.compensation->done.empty() && one.compensation->pending.empty();
    if (!scope && !undoes(one) && !empty) complain("records in " + id);
  }

  void check_loop(const ElementInstance& one, const std::string& id) {
    if (one.iteration != 0 && !state_.at(one.parent).is_body)
      complain("an iteration without body: " + id);
    if (!one.loop) return;
    const Loop& loop = *one.loop;
    const std::uint32_t ended = loop.completed + loop.terminated + loop.failed;
    std::uint32_t failing = 0;
    for (Slot child = one.first_child; child != Slot::none; child = state_.at(child).next) {
      failing += state_.at(child).failed ? 1 : 0;
    }
    if (ended - failing + one.active_children != loop.spawned)
      complain("wrong counts of iterations in " + id);
    if (loop.spawned > loop.total) complain("too many iterations in " + id);
  }

  bool is_ad_hoc(const ElementInstance& one) const {
    return !one.is_path && !one.is_body &&
           state_.definition_of(one).kind == model::ElementKind::ad_hoc_sub_process;
  }

  // In an ad-hoc sub-process there are only paths and event sub-processes, in its paths the rest.
  void check_path(const ElementInstance& one, const std::string& id) {
    if (one.is_path) {
      const ElementInstance* around = state_.parent_of(one);
      if (!around || !is_ad_hoc(*around) || around->element != one.element)
        complain("a path that is in no ad-hoc sub-process: " + id);
      if (one.waits || one.job || one.ad_hoc) complain("a path that is more than a scope: " + id);
    }
    if (one.ad_hoc && !is_ad_hoc(one)) complain("results of paths at " + id);
    if (!is_ad_hoc(one)) return;
    if (one.active_tokens != 0) complain("tokens outside of a path in " + id);
    for (Slot child = one.first_child; child != Slot::none; child = state_.at(child).next) {
      if (!state_.at(child).is_path && !is_event_sub_process(child))
        complain("something outside of a path in " + id);
    }
    check_one_by_one(one, id);
  }

  // Sequential: of the paths that do not end the first may run, the others wait for their turn.
  void check_one_by_one(const ElementInstance& one, const std::string& id) {
    if (!state_.definition_of(one).sequential_ordering) return;
    bool first = true;
    for (Slot child = one.first_child; child != Slot::none; child = state_.at(child).next) {
      const ElementInstance& path = state_.at(child);
      if (!path.is_path || path.life == Life::terminating) continue;
      if (!first && path.life != Life::activating) complain("two paths at once in " + id);
      first = false;
    }
  }

  // It stands in a path, or is one, that waits for the one before it to end.
  bool waits_for_its_turn(const ElementInstance& one) const {
    if (one.life != Life::activating) return false;
    const ElementInstance* around = state_.parent_of(one);
    if (!one.is_path) return around && around->is_path && waits_for_its_turn(*around);
    const Slot before = one.previous;
    return one.active_children == 1 && before != Slot::none;
  }

  // Nothing is in it, and nothing says that it should end: somebody has to start something.
  bool waits_for_somebody(const ElementInstance& one) const {
    if (!is_ad_hoc(one) || one.life != Life::activated || one.interrupted) return false;
    const bool told = state_.process->dialect == model::Dialect::camunda7 ||
                      !state_.definition_of(one).completion_condition.empty();
    return !one.ad_hoc || (told && !one.ad_hoc->closed);
  }

  // Tokens of an open scope are on the agenda or parked at a join.
  void check_tokens(const ElementInstance& one, const std::string& id) {
    std::uint32_t moving = 0;
    for (const Work& work : state_.agenda) {
      const bool token = work.kind == Work::Kind::enter || work.kind == Work::Kind::begin;
      if (token && work.key == one.key) ++moving;
    }
    std::uint32_t parked = 0;
    if (one.arrivals) {
      for (const auto& waiting : one.arrivals->waiting) parked += waiting.count;
      if (parked != one.arrivals->parked) complain("wrong count of parked tokens in " + id);
      check_approaching(one, id);
    }
    const bool open = one.life == Life::activated && !one.interrupted;
    const std::uint32_t expected = open ? moving + parked : 0;
    if (one.active_tokens != expected) complain("wrong count of tokens in " + id);
  }

  void check_approaching(const ElementInstance& scope, const std::string& id) {
    const auto& joins = state_.definition_of(scope).inclusive_joins;
    for (std::size_t i = 0; i < scope.arrivals->approaching.size(); ++i) {
      const auto reaches = [&](ElementIndex from) -> std::uint32_t {
        return state_.process->reaches(from, joins[i]) ? 1 : 0;
      };
      std::uint32_t count = 0;
      for (Slot child = scope.first_child; child != Slot::none; child = state_.at(child).next) {
        count += reaches(state_.at(child).element);
      }
      for (const auto& waiting : scope.arrivals->waiting) {
        count += waiting.count * reaches(state_.process->at(waiting.flow).target);
      }
      for (const Work& work : state_.agenda) {
        const bool begins = work.kind == Work::Kind::begin;
        if ((work.kind != Work::Kind::enter && !begins) || work.key != scope.key) continue;
        if (scope.life != Life::activated || scope.interrupted) continue;
        count += reaches(begins ? work.element : state_.process->at(work.flow).target);
      }
      if (count != scope.arrivals->approaching[i]) complain("wrong reach count in " + id);
    }
  }

  // With an empty agenda, a scope must have something inside or an incident, and a leaf a job or an
  // event of its own to wait for.
  void check_not_lingering(const ElementInstance& one, const std::string& id) {
    if (!state_.agenda.empty() || one.incident || one.job || one.waits_for_call()) return;
    // Its children wait for called instances to end.
    if (one.life == Life::terminating && one.active_children != 0) return;
    if (one.life == Life::activated && waits_by_itself(one)) return;
    if (waits_for_its_turn(one) || waits_for_somebody(one)) return;
    if (one.life != Life::activated || !one.is_empty()) {
      if (one.life == Life::activated) return;
      complain(id + " stands still between two states");
      return;
    }
    complain(id + " is empty and still there");
  }

  bool waits_by_itself(const ElementInstance& one) const {
    const auto is_border = [this](ElementIndex target) {
      const model::ElementKind kind = state_.process->at(target).kind;
      return kind == model::ElementKind::boundary_event || kind == model::ElementKind::start_event;
    };
    if (!one.waits) return false;
    const auto& [timers, mail] = *one.waits;
    return std::any_of(timers.begin(), timers.end(),
                       [&](const auto& timer) { return !is_border(timer.target); }) ||
           std::any_of(mail.begin(), mail.end(),
                       [&](const auto& wait) { return !is_border(wait.target); });
  }

  const Instance& state_;
  std::size_t keys_{0};
  std::size_t bytes_{0};
  std::uint32_t cancelling_{0};
  std::string broken_;
};

}  // namespace

std::string broken_invariant_of(const Instance& instance) { return Checker(instance).run(); }

}  // namespace pawl::engine
