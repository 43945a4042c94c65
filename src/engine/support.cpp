// SPDX-License-Identifier: Apache-2.0
#include "engine/support.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/behaviour.hpp"
#include "script/where.hpp"

namespace pawl::engine {
namespace {

using model::Element;
using model::ElementKind;

std::string what_is(const Element& element) {
  if (element.kind == ElementKind::business_rule_task) return "business rule task with a decision";
  if (!model::is_event(element.kind)) {
    return fmt::format("{}{}", model::name_of(element.kind),
                       element.instantiate ? " that starts the process," : "");
  }
  return fmt::format("{} {}", model::name_of(element.event), model::name_of(element.kind));
}

// The gateway waits for one message; a loop would wait for many.
bool is_looped_branch(const model::Process& process, const Element& element) {
  if (!element.loop) return false;
  return std::any_of(element.incoming.begin(), element.incoming.end(), [&](FlowIndex flow) {
    return process.at(process.at(flow).source).kind == ElementKind::event_based_gateway;
  });
}

// A message, timer or signal that starts an instance. In an event sub-process it does not.
bool starts_process(const model::Process& process, const Element& element) {
  return element.kind == ElementKind::start_event && element.event != model::EventKind::none &&
         process.at(element.scope).kind != ElementKind::event_sub_process;
}

// What undoes a scope can only be asked for from outside.
std::string_view undoing_problem(const model::Process& process, const Element& element) {
  if (element.event != model::EventKind::compensation) return {};
  if (element.kind == ElementKind::event_sub_process) {
    if (process.dialect == model::Dialect::zeebe) return "a compensation event sub-process,";
    const bool whole = process.at(element.scope).kind == ElementKind::process;
    return whole ? "a compensation event sub-process of the process itself," : "";
  }
  const bool unwaited = !element.events.empty() && !element.events.front().wait_for_completion;
  return unwaited ? "compensation that is not waited for (waitForCompletion=\"false\"), at" : "";
}

// Its paths would run inside of what throws the compensation.
bool is_on_handler(const model::Process& process, const Element& element) {
  return element.attached_to != ElementIndex::none &&
         process.at(element.attached_to).for_compensation;
}

// Who catches is known before anything is thrown.
bool catches_by_expression(const Element& element) {
  const bool catches =
      element.kind == ElementKind::boundary_event || element.kind == ElementKind::start_event;
  const bool coded =
      element.event == model::EventKind::error || element.event == model::EventKind::escalation;
  if (!catches || !coded || element.events.empty()) return false;
  const model::Expression& code = element.events.front().code;
  return !code.empty() && !code.is_literal();
}

bool is_on_event_sub_process(const model::Process& process, const Element& element) {
  return element.attached_to != ElementIndex::none &&
         process.at(element.attached_to).kind == ElementKind::event_sub_process;
}

// Listeners whose turn never comes, or comes when the scope ends already; empty: there are none.
std::string idle_listener(const Element& element) {
  if (!element.listeners) return "";
  const bool ends = !element.listeners->end.empty();
  if (ends && element.kind == ElementKind::event_based_gateway) return "an end listener";
  const bool leaves_at_once =
      element.kind == ElementKind::end_event &&
      (element.event == model::EventKind::error || element.event == model::EventKind::cancel);
  if (ends && leaves_at_once) return "an end listener";
  const bool attached = element.kind == ElementKind::boundary_event;
  if (attached && element.event == model::EventKind::compensation) return "a listener";
  return "";
}

}  // namespace

std::vector<Refusal> unsupported(const model::Process& process) {
  std::vector<Refusal> refusals;
  const auto refuse = [&](const Element& element, const std::string& what) {
    refusals.push_back({element.id, element.place,
                        fmt::format("{} \"{}\" cannot be run by this version of Pawl; remove it or "
                                    "wait for a later one (docs/bpmn-coverage.md)",
                                    what, element.id)});
  };
  if (process.joins_unknown) {
    refusals.push_back(
        {process.id, process.root().place,
         fmt::format("process \"{}\" has too many inclusive gateways that join flows "
                     "and lead to each other; split it into several processes",
                     process.id)});
  }
  if (process.has_scripts() && script::where() == script::Where::off) {
    refusals.push_back(
        {process.id, *process.first_script,
         fmt::format("process \"{}\" has JavaScript here, and scripts are switched off; "
                     "write it in FEEL, or start Pawl with --scripts process",
                     process.id)});
  }
  for (const Element& element : process.elements) {
    if (is_looped_branch(process, element)) {
      refuse(element, "a loop behind an event-based gateway, on");
    }
    if (!can_run(element) || starts_process(process, element)) refuse(element, what_is(element));
    if (const auto problem = undoing_problem(process, element); !problem.empty()) {
      refuse(element, std::string(problem));
    }
    if (is_on_event_sub_process(process, element))
      refuse(element, "a boundary event of an event sub-process,");
    if (is_on_handler(process, element)) {
      refuse(element, "a boundary event of an activity that undoes something,");
    }
    if (catches_by_expression(element)) {
      refuse(element,
             fmt::format("an expression as the code that is caught by {}", what_is(element)));
    }
    if (element.job && element.kind == ElementKind::ad_hoc_sub_process) {
      refuse(element, "a job that decides what runs in ad-hoc sub-process");
    }
    if (element.loop && element.kind == ElementKind::event_sub_process) {
      refuse(element, "a loop on event sub-process");
    }
    if (element.loop && element.loop->behavior != model::LoopDefinition::Behavior::all) {
      refuse(element, "a loop that throws events after its iterations, on");
    }
    if (const std::string idle = idle_listener(element); !idle.empty()) {
      refuse(element, fmt::format("{} of {}", idle, what_is(element)));
    }
    for (const std::string& feature : element.unsupported) refuse(element, feature + " of");
  }
  return refusals;
}

}  // namespace pawl::engine
