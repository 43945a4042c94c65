// SPDX-License-Identifier: Apache-2.0
// What differs between the kinds of element: a row of free functions. A row names only what is
// special; the defaults are those of an element that does nothing and goes on.
#pragma once

#include "base/result.hpp"
#include "engine/step.hpp"
#include "engine/waits.hpp"

namespace pawl::engine {

// What an element does after it was activated.
enum class Next : std::uint8_t { complete, wait };

// Something that stops a token. A BPMN error looks for a handler; a technical failure becomes an
// incident (in dialects other than Zeebe it is tried as the error 500 first).
struct Failure {
  Error error{};
  IncidentKind kind{IncidentKind::extract_value};
  std::optional<std::string> bpmn_code{};
};

template <class T>
using Outcome = std::variant<T, Failure>;

struct Behaviour {
  // Inputs are mapped, what it waits for is evaluated. Evaluates the rest first, then emits,
  // beginning with `activated` (waits.hpp).
  Outcome<Next> (*activate)(Step& step, Slot slot, const Waiting& waiting);
  // Which flows the token leaves by. Evaluates; emits at most at last, when nothing can fail.
  Outcome<std::vector<FlowIndex>> (*leave)(Step& step, Slot slot);
  // Emitted after ElementCompleted and the taken flows.
  void (*after)(Step& step, Slot scope);
};

const Behaviour& behaviour_of(const model::Element& element);
// False: there is no behaviour for this kind yet.
bool can_run(const model::Element& element);

// --- the rows, one file each in engine/elements/
// --------------------------------------------------
extern const Behaviour pass_through;  // plain and manual task, none end and throw event
extern const Behaviour job_task;      // service, send, user, business rule task
extern const Behaviour script_task;
extern const Behaviour sub_process;
extern const Behaviour event_sub_process;
extern const Behaviour start_event;
extern const Behaviour exclusive_gateway;
extern const Behaviour parallel_gateway;
extern const Behaviour inclusive_gateway;
extern const Behaviour terminate_end_event;
extern const Behaviour error_end_event;
extern const Behaviour continue_end_event;
extern const Behaviour boundary_event;
extern const Behaviour catch_event;  // message, signal, timer; receive task
extern const Behaviour event_based_gateway;
extern const Behaviour call_activity;
extern const Behaviour escalation_event;    // throw, end
extern const Behaviour compensation_event;  // throw, end
extern const Behaviour cancel_end_event;

// --- shared by rows ----------------------------------------------------------------------------
// The default `activate`: nothing to do, complete at once.
Outcome<Next> activate_nothing(Step& step, Slot slot, const Waiting& waiting);
// Waits for what was evaluated, and for nothing else.
Outcome<Next> activate_and_wait(Step& step, Slot slot, const Waiting& waiting);
// Where conditions of outgoing flows are evaluated: around the element, because what is local to it
// stays behind.
Slot flow_scope(const Step& step, Slot slot);
// The default `leave` of activities and events: every unconditional flow and every conditional one
// that holds; the default flow if no conditional one does.
Outcome<std::vector<FlowIndex>> leave_by_conditions(Step& step, Slot slot);
// All flows.
Outcome<std::vector<FlowIndex>> leave_by_all(Step& step, Slot slot);
Outcome<std::vector<FlowIndex>> leave_by_none(Step& step, Slot slot);
void after_nothing(Step& step, Slot scope);
Failure no_flow_applies(const model::Element& element, const std::string& tried);

}  // namespace pawl::engine
