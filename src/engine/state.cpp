// SPDX-License-Identifier: Apache-2.0
#include "engine/state.hpp"

#include <fmt/format.h>

#include "value/json.hpp"

namespace pawl::engine {

const ElementInstance* Instance::find(Key wanted) const {
  const Slot slot = slot_of.find(wanted);
  if (slot == Slot::none || at(slot).key != wanted) return nullptr;
  return &at(slot);
}

const ElementInstance* Instance::find_job_owner(Key wanted) const {
  const Slot slot = slot_of.find(wanted);
  if (slot == Slot::none || !at(slot).job || at(slot).job->key != wanted) return nullptr;
  return &at(slot);
}

const ElementInstance* Instance::find_incident_owner(Key wanted) const {
  const Slot slot = slot_of.find(wanted);
  if (slot == Slot::none || !at(slot).incident || at(slot).incident->key != wanted) return nullptr;
  return &at(slot);
}

const Waits::Timer* Instance::find_timer(Key wanted) const {
  const Slot slot = slot_of.find(wanted);
  if (slot == Slot::none || !at(slot).waits) return nullptr;
  for (const Waits::Timer& timer : at(slot).waits->timers) {
    if (timer.key == wanted) return &timer;
  }
  return nullptr;
}

const Waits::Subscription* Instance::find_subscription(Key wanted) const {
  const Slot slot = slot_of.find(wanted);
  if (slot == Slot::none || !at(slot).waits) return nullptr;
  for (const Waits::Subscription& one : at(slot).waits->subscriptions) {
    if (one.key == wanted) return &one;
  }
  return nullptr;
}

std::vector<Slot> in_order(const Instance& instance) {
  std::vector<Slot> ordered;
  std::vector<Slot> open;
  if (instance.root != Slot::none) open.push_back(instance.root);
  while (!open.empty()) {
    const Slot slot = open.back();
    open.pop_back();
    ordered.push_back(slot);
    for (Slot child = instance.at(slot).last_child; child != Slot::none;
         child = instance.at(child).previous) {
      open.push_back(child);
    }
  }
  return ordered;
}

bool is_ending(const Instance& instance, Slot slot) {
  for (Slot at = instance.at(slot).parent; at != Slot::none; at = instance.at(at).parent) {
    if (instance.at(at).life != Life::activated || instance.at(at).winds_down()) return true;
  }
  return false;
}

namespace {

const char* name_of_life(Life life) {
  switch (life) {
    case Life::activating:
      return "activating";
    case Life::activated:
      return "activated";
    case Life::completing:
      return "completing";
    case Life::terminating:
      return "terminating";
  }
  return "";
}

std::string list_of(const Instance& state, const std::vector<Undoable>& all) {
  std::string out = "[";
  for (const Undoable& one : all) {
    out += fmt::format(" {}", state.process->at(one.element).id);
    if (one.handler != ElementIndex::none) out += ":" + state.process->at(one.handler).id;
    if (!one.variables.is_null()) out += to_json(one.variables);
    if (!one.inside.empty()) out += list_of(state, one.inside);
  }
  return out + " ]";
}

Value all_items(const Loop& loop) {
  if (loop.added.empty()) return loop.items;
  List all = loop.items.as_list();
  all.insert(all.end(), loop.added.begin(), loop.added.end());
  return Value(std::move(all));
}

void describe_one(const Instance& state, const ElementInstance& one, int depth, std::string& out) {
  out += fmt::format("{:{}}{} #{} {} children={} tokens={}", "", depth * 2,
                     state.definition_of(one).id, number(one.key), name_of_life(one.life),
                     one.active_children, one.active_tokens);
  if (one.mappings_applied) out += " mapped";
  if (one.interrupted) out += " interrupted";
  if (one.taken_over) out += " taken-over";
  for (const Variable& variable : one.variables.all()) {
    out += fmt::format(" {}{}={}", variable.local ? "local " : "", variable.name.text(),
                       to_json(variable.value));
  }
  if (one.job) {
    out += fmt::format(" job#{} {} retries={} state={} at={}", number(one.job->key),
                       one.job->type.text(), one.job->retries, static_cast<int>(one.job->state),
                       one.job->retry_at.time_since_epoch().count());
  }
  if (one.job && one.job->kind != JobKind::task) {
    out += fmt::format(" listener={}", static_cast<int>(one.job->kind));
  }
  if (one.job && !one.job->details.is_null()) out += " " + to_json(one.job->details);
  if (one.waits) {
    for (const Waits::Timer& timer : one.waits->timers) {
      out += fmt::format(" timer#{} at={} again={} {}", number(timer.key),
                         timer.due.time_since_epoch().count(), timer.repetitions, timer.cycle);
    }
    for (const Waits::Subscription& mail : one.waits->subscriptions) {
      out += fmt::format(" mail#{} {}:{} last={}", number(mail.key), mail.name.text(),
                         mail.correlation, number(mail.last_mail));
    }
  }
  if (one.incident) {
    out += fmt::format(" incident#{} {}", number(one.incident->key), name_of(one.incident->kind));
  }
  if (one.call) {
    out += fmt::format(" call#{}{}{} {}", number(one.call->child), one.call->ended ? " ended" : "",
                       one.call->cancelling ? " cancelling" : "", to_json(one.call->result));
  }
  if (one.compensation) {
    out += fmt::format(" undoable={}{} undoing={}", list_of(state, one.compensation->done),
                       one.compensation->thrown ? " thrown" : "",
                       list_of(state, one.compensation->pending));
  }
  if (one.ad_hoc) {
    out += fmt::format(" paths{}={}", one.ad_hoc->closed ? " closed" : "",
                       to_json(Value(one.ad_hoc->outputs)));
  }
  if (one.is_path) out += " path";
  if (one.skipped) out += " skipped";
  if (one.listened != 0) out += fmt::format(" listened={}", one.listened);
  if (one.is_body) out += " body";
  if (one.iteration != 0)
    out += fmt::format(" iteration={}{}", one.iteration, one.failed ? " failed" : "");
  if (one.loop) {
    out += fmt::format(
        " loop[{} of {} done={} ended={} failed={} at-once={} needed={} tolerated={}{}{}]",
        one.loop->spawned, one.loop->total, one.loop->completed, one.loop->terminated,
        one.loop->failed, one.loop->concurrency, one.loop->needed, one.loop->tolerated,
        one.loop->detached ? " detached" : "", one.loop->failure ? " has-failed" : "");
    out += to_json(all_items(*one.loop)) + to_json(Value(one.loop->outputs));
    for (const std::uint32_t number : one.loop->removed) out += fmt::format(" -{}", number);
  }
  if (one.trigger) out += " triggered=" + state.process->at(one.trigger->boundary).id;
  if (one.arrivals) {
    for (const auto& waiting : one.arrivals->waiting) {
      out += fmt::format(" waits[{}]={}", state.process->at(waiting.flow).id, waiting.count);
    }
    for (const auto count : one.arrivals->approaching) out += fmt::format(" ~{}", count);
  }
  out += '\n';
  for (Slot child = one.first_child; child != Slot::none; child = state.at(child).next) {
    describe_one(state, state.at(child), depth + 1, out);
  }
}

}  // namespace

std::string describe(const Instance& instance) {
  std::string out = fmt::format("instance #{} of {} ended={}\n", number(instance.key),
                                instance.process->id, static_cast<int>(instance.ended));
  if (instance.caller) {
    const Caller& by = *instance.caller;
    out +=
        fmt::format("called by #{} at #{} under #{} depth={} catches={}{}{}\n", number(by.instance),
                    number(by.element), number(by.root), by.depth, to_json(by.catches),
                    by.tolerates ? " tolerates" : "", by.ignores_result ? " ignores-result" : "");
    if (by.takes_failures) out += "takes failures\n";
    out += fmt::format("escalations {} told {}\n", to_json(by.escalations), by.escalated);
  }
  if (instance.escaped) {
    out += fmt::format("ends with error {} {} {}\n", instance.escaped->code,
                       instance.escaped->message, to_json(instance.escaped->variables));
  }
  if (instance.cancelling != 0) out += fmt::format("cancelling={}\n", instance.cancelling);
  if (instance.continues) out += "continues with " + to_json(instance.next_variables) + "\n";
  if (instance.root != Slot::none) describe_one(instance, instance.root_scope(), 0, out);
  for (const Work& work : instance.agenda) {
    out += fmt::format("work {} #{} flow={} element={}\n", static_cast<int>(work.kind),
                       number(work.key), number(work.flow), number(work.element));
  }
  return out;
}

}  // namespace pawl::engine
