// SPDX-License-Identifier: Apache-2.0
// Catching events that could not be told apart: the same error or escalation caught twice at one
// place, two ways to undo it, the same message or signal starting a process or event sub-processes
// of one scope twice.
#include <fmt/format.h>

#include <set>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

using Trigger = std::pair<EventKind, std::string>;

bool is_evaluated(const model::Expression& expression) {
  return !expression.empty() && !expression.is_literal();
}

// Which events are the same if they have the same name.
struct ByName {
  bool messages{false};
  bool signals{false};
};

// What makes two catching events the same; nothing for events that may well be doubled.
std::optional<Trigger> trigger_of(const model::EventDefinition& definition, ByName by_name) {
  const bool coded =
      definition.kind == EventKind::error || definition.kind == EventKind::escalation;
  if (definition.kind == EventKind::compensation) return Trigger{definition.kind, ""};
  if (coded && !is_evaluated(definition.code))
    return Trigger{definition.kind, definition.code.text};
  const bool named = (definition.kind == EventKind::message && by_name.messages) ||
                     (definition.kind == EventKind::signal && by_name.signals);
  const bool comparable = !definition.name.empty() && !is_evaluated(definition.name);
  if (named && comparable) return Trigger{definition.kind, definition.name.text};
  return std::nullopt;
}

class Catchers {
 public:
  Catchers(const Reading& reading, std::string_view place, ByName by_name)
      : reading_(reading), place_(place), by_name_(by_name) {}

  void add(const Element& element) {
    if (element.events.size() != 1) return;
    const std::optional<Trigger> trigger = trigger_of(element.events.front(), by_name_);
    if (!trigger || seen_.insert(*trigger).second) return;
    complain(reading_, Rule::catch_duplicate, element,
             fmt::format("another event of {} catches the same {}{}; keep one", place_,
                         model::name_of(trigger->first),
                         trigger->second.empty() ? "" : " \"" + trigger->second + "\""));
  }

 private:
  const Reading& reading_;
  std::string_view place_;
  ByName by_name_;
  std::set<Trigger> seen_;
};

}  // namespace

void check_catchers(const Reading& reading) {
  const model::Process& process = reading.drawing.process;
  for (const Element& element : process.elements) {
    Catchers border(reading, "this activity", {});
    for (const ElementIndex index : element.boundary_events) border.add(process.at(index));
    if (!model::is_container(element.kind)) continue;

    // A signal is for all; only Zeebe and Camunda 7 want it caught once.
    const bool once = reading.dialect() != model::Dialect::plain;
    Catchers inside(reading, "this scope", {.messages = true, .signals = once});
    for (const ElementIndex index : element.event_sub_processes) {
      const Element& handler = process.at(index);
      if (!handler.start_events.empty()) inside.add(process.at(handler.start_events.front()));
    }
    Catchers starts(reading, "this process", {.messages = true, .signals = true});
    for (const ElementIndex index : element.start_events) starts.add(process.at(index));
  }
}

}  // namespace pawl::bpmn
