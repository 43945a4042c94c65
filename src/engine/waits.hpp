// SPDX-License-Identifier: Apache-2.0
// Waiting for the world: the timers, messages and signals of an element instance. A catch event or
// receive task waits for its own event, an activity for those on its border, an event-based gateway
// for those behind it, a scope for those of its event sub-processes. All are evaluated first and
// then opened; what cannot be evaluated opens none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/step.hpp"
#include "engine/timer_due.hpp"

namespace pawl::engine {

// One thing to wait for, as evaluated: a time, or mail.
struct Wait {
  ElementIndex target{ElementIndex::none};
  std::optional<Schedule> timer{};
  MailKind kind{MailKind::message};
  Name name{};
  std::string correlation{};
};
using Waiting = std::vector<Wait>;

// The events that an element instance waits for: its own or those behind it, those that start its
// event sub-processes, those on its border. `element` is what it is, or will be, in `process`.
struct Awaited {
  std::vector<ElementIndex> own{};
  std::vector<ElementIndex> inside{};
  std::vector<ElementIndex> border{};
};
Awaited awaited_by(const model::Process& process, const model::Element& element,
                   const ElementInstance& one);
// One of them, evaluated in the scope of the element instance.
Result<Wait> evaluate_wait(Step& step, Slot slot, const model::Element& target);

// Everything the element instance will wait for. Its input mappings are applied; correlation keys
// and times are evaluated in its own scope.
Result<Waiting> evaluate_waits(Step& step, Slot slot);
// The element instance is active from here on, and waits.
void activated(Step& step, Slot slot, const Waiting& waiting);
// Ends everything that the element instance waits for.
void close_waits(Step& step, Slot slot);
// Ends what the scope waits for to start its event sub-processes.
void close_event_sub_processes(Step& step, Slot scope);

// The start event of this container may produce what its event sub-processes wait for: they are
// opened when it completes.
bool opens_late(const model::Process& process, const model::Element& container);
Result<Waiting> evaluate_event_sub_processes(Step& step, Slot scope);
void open(Step& step, Slot owner, const Waiting& waiting);

// What was waited for has happened to `owner`; `target` as in the events. The time or mail itself
// is already recorded.
void occur(Step& step, Slot owner, ElementIndex target, const Value& variables);
// Of what follows an event-based gateway the event has happened when its token arrives: it goes on
// at once, after its start listeners.
bool is_behind_gateway(const model::Process& process, const model::Element& element);
void go_on_behind_gateway(Step& step, Slot slot);
// The target may happen again while its owner lives: an event that does not interrupt.
bool may_repeat(const model::Element& target);

}  // namespace pawl::engine
