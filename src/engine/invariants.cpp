// SPDX-License-Identifier: Apache-2.0
// The invariants of nested scopes (S9), checked from scratch: each active child is counted exactly
// once in its scope, a scope with nothing inside does not linger, maps and tree agree.
#include <fmt/format.h>

#include <algorithm>

#include "engine/apply_tokens.hpp"
#include "engine/state.hpp"

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
    if (one.job) check_key(one.job->key, slot);
    if (one.incident) check_key(one.incident->key, slot);
    check_waits(one, slot);
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
    check_event_sub_processes(one, id);
    check_not_lingering(one, id);
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
    const bool on_border = target.attached_to == one.element && one.iteration == 0;
    const bool behind = state_.definition_of(one).kind == model::ElementKind::event_based_gateway &&
                        !target.incoming.empty() &&
                        state_.process->at(target.incoming.front()).source == one.element;
    const bool inside = scope_started_by(target) == one.element && one.is_open() && !one.is_body;
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
      const bool alone = one.active_children == 0 ||
                         (one.active_children == 1 && is_event_sub_process(one.first_child));
      if (!one.interrupted || !alone) complain("wrongly taken over: " + id);
    }
    if (handler && !one.trigger && one.life == Life::activating)
      complain("an event sub-process without event: " + id);
    if (!one.trigger || one.life == Life::terminating) return;
    const model::Element& event = state_.process->at(one.trigger->boundary);
    const bool waits = one.winds_down() && scope_started_by(event) == one.element;
    const bool begins = handler && event.scope == one.element && one.life == Life::activating;
    if (!waits && !begins) complain("wrongly triggered: " + id);
  }

  bool is_event_sub_process(Slot slot) const {
    return state_.definition_of(state_.at(slot)).kind == model::ElementKind::event_sub_process;
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

  // Tokens of an open scope are on the agenda or parked at a join.
  void check_tokens(const ElementInstance& one, const std::string& id) {
    std::uint32_t moving = 0;
    for (const Work& work : state_.agenda) {
      if (work.kind == Work::Kind::enter && work.key == one.key) ++moving;
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
        if (work.kind != Work::Kind::enter || work.key != scope.key) continue;
        if (scope.life != Life::activated || scope.interrupted) continue;
        count += reaches(state_.process->at(work.flow).target);
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
  std::uint32_t cancelling_{0};
  std::string broken_;
};

}  // namespace

std::string broken_invariant_of(const Instance& instance) { return Checker(instance).run(); }

}  // namespace pawl::engine
