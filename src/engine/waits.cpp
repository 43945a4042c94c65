// SPDX-License-Identifier: Apache-2.0
#include "engine/waits.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "engine/cron.hpp"
#include "engine/gate.hpp"
#include "engine/lifecycle.hpp"
#include "engine/listeners.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {
namespace {

using model::Element;
using model::ElementKind;
using model::EventDefinition;
using model::EventKind;

// Text or number; the digits of a number are the same key as text.
Result<std::string> correlation_of(Step& step, Slot slot, const EventDefinition& definition) {
  if (definition.correlation_key.empty()) return std::string();
  PAWL_TRY(got, step.evaluate(definition.correlation_key, slot));
  if (got.value.is_string()) {
    PAWL_CHECK(expect_short(got.value.as_string(), "correlation key", Whose::operators));
    return std::string(got.value.as_string());
  }
  if (got.value.is_number()) return got.value.as_decimal().to_string();
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("correlation key \"{}\" must give a text or a number, but gave {} ({}){}",
                          definition.correlation_key.text, preview(got.value),
                          kind_name(got.value.kind()), got.remarks));
}

// In Quartz, which Camunda 7 uses, 1 is Sunday; elsewhere it is Monday.
bool is_ambiguous(const Step& step, const model::TimerDefinition& timer, const Value& value) {
  return step.dialect() == model::Dialect::camunda7 && value.is_string() &&
         timer.kind == model::TimerDefinition::Kind::cycle &&
         has_numbered_weekday(value.as_string());
}

Result<Schedule> schedule_of(Step& step, Slot slot, const Element& target) {
  const model::TimerDefinition& timer = *target.events.front().timer;
  PAWL_TRY(got, step.evaluate(timer.value, slot));
  const auto wrong = [&](std::string_view why) {
    return fail(
        Whose::operators, Code::wrong_type,
        fmt::format("timer \"{}\": \"{}\" {}{}", target.id, timer.value.text, why, got.remarks));
  };
  if (is_ambiguous(step, timer, got.value)) {
    return wrong("has weekdays as numbers, which cron programs count differently; write MON-FRI");
  }
  auto made = schedule(timer.kind, got.value, step.now());
  if (!made) return wrong(made.error().text);
  if (!may_repeat(target)) *made = Schedule{.due = made->due};
  return std::move(*made);
}

bool is_waited_for(const Element& event) {
  return event.event == EventKind::message || event.event == EventKind::signal ||
         event.event == EventKind::timer;
}

// Its own event, or those behind it.
std::vector<ElementIndex> own_events(const model::Process& process, const Element& element,
                                     const ElementInstance& one) {
  std::vector<ElementIndex> own;
  const bool catches = element.kind == ElementKind::intermediate_catch_event ||
                       element.kind == ElementKind::receive_task;
  if (catches && !one.is_body) own.push_back(element.index);
  if (element.kind == ElementKind::event_based_gateway) {
    for (const FlowIndex flow : element.outgoing) own.push_back(process.at(flow).target);
  }
  return own;
}

// The start events of its event sub-processes. Each iteration of a loop has them, its body has not.
std::vector<ElementIndex> inner_events(const model::Process& process, const Element& element,
                                       const ElementInstance& one) {
  std::vector<ElementIndex> inside;
  if (one.is_body) return inside;
  for (const ElementIndex index : element.event_sub_processes) {
    const Element& start = process.at(process.at(index).start_events.front());
    if (is_waited_for(start)) inside.push_back(start.index);
  }
  return inside;
}

// The body of a loop has the border, its iterations have not.
std::vector<ElementIndex> border_events(const model::Process& process, const Element& element,
                                        const ElementInstance& one) {
  std::vector<ElementIndex> border;
  if (one.iteration != 0) return border;
  for (const ElementIndex boundary : element.boundary_events) {
    if (is_waited_for(process.at(boundary))) border.push_back(boundary);
  }
  return border;
}

std::vector<ElementIndex> targets_of(const Step& step, const ElementInstance& one) {
  const Element& element = step.state().definition_of(one);
  Awaited all = awaited_by(step.process(), element, one);
  std::vector<ElementIndex> targets = std::move(all.own);
  if (!opens_late(step.process(), element)) {
    targets.insert(targets.end(), all.inside.begin(), all.inside.end());
  }
  targets.insert(targets.end(), all.border.begin(), all.border.end());
  return targets;
}

// What came with the event of a catch event or receive task is a result, as that of a job.
void take_results(Step& step, Slot slot, const Value& variables) {
  const bool mapped = !step.state().definition_of(step.state().at(slot)).outputs.empty();
  write_results(step, slot, variables, mapped);
}

void happen_on_border(Step& step, Slot host, const Element& boundary, const Value& variables) {
  if (!boundary.interrupting) {
    return enter_triggered(step, step.state().at(host).parent, boundary.index, variables);
  }
  step.emit(BoundaryTriggered{step.state().at(host).key, boundary.index, variables});
  terminate(step, host);
}

FlowIndex flow_to(const Step& step, const Element& gateway, ElementIndex target) {
  for (const FlowIndex flow : gateway.outgoing) {
    if (step.process().at(flow).target == target) return flow;
  }
  PAWL_ASSERT(false);
  return FlowIndex::none;
}

// The gateway has done its work, the other branches are no longer waited for; the event behind it
// has already happened when its token arrives.
void take_branch(Step& step, Slot gateway, ElementIndex target, const Value& variables) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(gateway);
  const Key scope = state.at(one.parent).key;
  const FlowIndex flow = flow_to(step, state.definition_of(one), target);
  step.emit(ElementCompleting{one.key});
  close_waits(step, gateway);
  step.emit(ElementCompleted{one.key});
  step.emit(FlowTaken{scope, flow});
  const Key key = step.new_key();
  step.emit(ElementActivating{.key = key, .scope = scope, .element = target, .flow = flow});
  const Slot slot = state.slot_of.find(key);
  take_results(step, slot, variables);
  if (!waits_for_listener(step, slot)) go_on_behind_gateway(step, slot);
}

Result<Waiting> evaluate_all(Step& step, Slot slot, const std::vector<ElementIndex>& targets) {
  Waiting waiting;
  for (const ElementIndex target : targets) {
    PAWL_TRY(wait, evaluate_wait(step, slot, step.process().at(target)));
    waiting.push_back(std::move(wait));
  }
  return waiting;
}

bool is_inside(const Step& step, ElementIndex target) {
  return step.process().at(target).kind == ElementKind::start_event;
}

}  // namespace

Awaited awaited_by(const model::Process& process, const Element& element,
                   const ElementInstance& one) {
  return {own_events(process, element, one), inner_events(process, element, one),
          border_events(process, element, one)};
}

// A receive task that names no message waits for one with its own id.
Result<Wait> evaluate_wait(Step& step, Slot slot, const Element& target) {
  Wait wait{.target = target.index};
  if (target.events.empty()) {
    wait.name = Name(target.id);
    return wait;
  }
  const EventDefinition& definition = target.events.front();
  if (definition.kind == EventKind::timer) {
    PAWL_TRY(timer, schedule_of(step, slot, target));
    wait.timer = std::move(timer);
    return wait;
  }
  const bool message = definition.kind == EventKind::message;
  wait.kind = message ? MailKind::message : MailKind::signal;
  PAWL_TRY(name, step.text(definition.name, slot, message ? "message name" : "signal name"));
  wait.name = Name(name);
  if (!message) return wait;
  PAWL_TRY(correlation, correlation_of(step, slot, definition));
  wait.correlation = std::move(correlation);
  return wait;
}

Result<Waiting> evaluate_waits(Step& step, Slot slot) {
  return evaluate_all(step, slot, targets_of(step, step.state().at(slot)));
}

Result<Waiting> evaluate_event_sub_processes(Step& step, Slot scope) {
  const ElementInstance& one = step.state().at(scope);
  return evaluate_all(step, scope,
                      inner_events(step.process(), step.state().definition_of(one), one));
}

bool opens_late(const model::Process& process, const Element& container) {
  if (container.event_sub_processes.empty()) return false;
  const bool handler = container.kind == ElementKind::event_sub_process;
  const ElementIndex start = handler ? container.start_events.front() : container.none_start;
  return start != ElementIndex::none && !process.at(start).outputs.empty();
}

void activated(Step& step, Slot slot, const Waiting& waiting) {
  step.emit(ElementActivated{step.state().at(slot).key});
  open(step, slot, waiting);
}

void open(Step& step, Slot owner, const Waiting& waiting) {
  const Key element = step.state().at(owner).key;
  for (const Wait& wait : waiting) {
    const Key key = step.new_key();
    if (wait.timer) {
      step.emit(TimerCreated{key, element, wait.target, wait.timer->due, wait.timer->repetitions,
                             wait.timer->cycle});
    } else {
      step.emit(
          SubscriptionOpened{key, element, wait.target, wait.kind, wait.name, wait.correlation});
    }
  }
}

void close_waits(Step& step, Slot slot) {
  const ElementInstance& one = step.state().at(slot);
  while (one.waits && !one.waits->timers.empty()) {
    step.emit(TimerCanceled{one.waits->timers.front().key});
  }
  while (one.waits && !one.waits->subscriptions.empty()) {
    step.emit(SubscriptionClosed{one.waits->subscriptions.front().key});
  }
}

void close_event_sub_processes(Step& step, Slot scope) {
  const ElementInstance& one = step.state().at(scope);
  if (!one.waits || step.state().definition_of(one).event_sub_processes.empty()) return;
  const Waits waits = *one.waits;
  for (const Waits::Timer& timer : waits.timers) {
    if (is_inside(step, timer.target)) step.emit(TimerCanceled{timer.key});
  }
  for (const Waits::Subscription& mail : waits.subscriptions) {
    if (is_inside(step, mail.target)) step.emit(SubscriptionClosed{mail.key});
  }
}

void occur(Step& step, Slot owner, ElementIndex target, const Value& variables) {
  const Element& event = step.process().at(target);
  if (is_inside(step, target)) return trigger_event_sub_process(step, owner, target, variables);
  if (step.state().at(owner).element == target) {
    take_results(step, owner, variables);
    return complete(step, owner);
  }
  if (event.kind == ElementKind::boundary_event) {
    return happen_on_border(step, owner, event, variables);
  }
  take_branch(step, owner, target, variables);
}

bool is_behind_gateway(const model::Process& process, const Element& element) {
  if (element.incoming.empty()) return false;
  const Element& source = process.at(process.at(element.incoming.front()).source);
  return source.kind == ElementKind::event_based_gateway;
}

void go_on_behind_gateway(Step& step, Slot slot) {
  step.emit(ElementActivated{step.state().at(slot).key});
  complete(step, slot);
}

bool may_repeat(const Element& target) {
  const bool caught =
      target.kind == ElementKind::boundary_event || target.kind == ElementKind::start_event;
  return caught && !target.interrupting;
}

}  // namespace pawl::engine
