// SPDX-License-Identifier: Apache-2.0
#include "testkit/story.hpp"

#include <fmt/format.h>

#include <map>

#include "value/json.hpp"

namespace pawl::testkit {
namespace {

using namespace engine;  // NOLINT: one line per event

class Teller {
 public:
  Teller(const model::ProcessPtr& process, const Targets& targets)
      : process_(process.get()), targets_(targets) {}

  std::string operator()(const InstanceStarted&) { return ""; }
  std::string operator()(const StepTaken&) { return ""; }
  std::string operator()(const Deferred&) { return ""; }
  std::string operator()(const MappingsApplied&) { return ""; }
  std::string operator()(const TurnCut&) { return ""; }
  std::string operator()(const CameToRest&) { return ""; }
  std::string operator()(const StartsTaken&) { return ""; }
  std::string operator()(const CallResultTaken&) { return ""; }
  std::string operator()(const ElementActivating& event) {
    ids_[event.key] = process_->at(event.element).id + (event.body   ? "#body"
                                                        : event.path ? "#path"
                                                                     : "");
    return "activating " + ids_[event.key];
  }
  std::string operator()(const ElementActivated& event) { return "activated " + ids_[event.key]; }
  std::string operator()(const ElementCompleting& event) { return "completing " + ids_[event.key]; }
  std::string operator()(const ElementCompleted& event) { return "completed " + ids_[event.key]; }
  std::string operator()(const ElementTerminating& event) {
    return "terminating " + ids_[event.key];
  }
  std::string operator()(const ElementTerminated& event) { return "terminated " + ids_[event.key]; }
  std::string operator()(const FlowTaken& event) { return "flow " + process_->at(event.flow).id; }
  std::string operator()(const BoundaryTriggered& event) {
    return "triggered " + process_->at(event.boundary).id;
  }
  std::string operator()(const EventSubProcessTriggered& event) {
    return "triggered " + process_->at(event.start).id;
  }
  std::string operator()(const ScopeInterrupted& event) {
    return "interrupted " + ids_[event.scope];
  }
  std::string operator()(const LoopStarted& event) {
    return fmt::format("loop {} total={}", ids_[event.body], event.total);
  }
  std::string operator()(const IterationCollected& event) {
    return fmt::format("collected {} {}={}", ids_[event.body], event.iteration,
                       to_json(event.value));
  }
  std::string operator()(const IterationFailed& event) {
    return "iteration-failed " + ids_[event.element];
  }
  std::string operator()(const LoopFailed& event) { return "loop-failed " + ids_[event.body]; }
  std::string operator()(const IterationsAdded& event) {
    return fmt::format("added {} to {}", event.count, ids_[event.body]);
  }
  std::string operator()(const ErrorThrown& event) {
    return fmt::format("error {} at {}", event.code, ids_[event.element]);
  }
  std::string operator()(const VariableCreated& event) {
    return fmt::format("created {}={} in {}", event.name.text(), to_json(event.value),
                       ids_[event.scope]);
  }
  std::string operator()(const VariableUpdated& event) {
    return fmt::format("updated {}={} in {}", event.name.text(), to_json(event.value),
                       ids_[event.scope]);
  }
  std::string operator()(const JobCreated& event) {
    ids_[event.key] = ids_[event.element];
    return fmt::format("job-created {} type={} retries={}", ids_[event.key], event.type.text(),
                       event.retries);
  }
  std::string operator()(const JobCompleted& event) { return "job-completed " + ids_[event.key]; }
  std::string operator()(const JobFailed& event) {
    return fmt::format("job-failed {} retries={} {}", ids_[event.key], event.retries,
                       event.message);
  }
  std::string operator()(const JobRetryDue& event) { return "job-retry " + ids_[event.key]; }
  std::string operator()(const JobErrorThrown& event) { return "job-threw " + ids_[event.key]; }
  std::string operator()(const JobRetriesUpdated& event) {
    return fmt::format("job-retries {} {}", ids_[event.key], event.retries);
  }
  std::string operator()(const JobCanceled& event) { return "job-canceled " + ids_[event.key]; }
  std::string operator()(const IncidentRaised& event) {
    ids_[event.key] = ids_[event.element];
    return fmt::format("incident {} at {}", name_of(event.kind), ids_[event.element]);
  }
  std::string operator()(const IncidentResolved& event) { return "resolved " + ids_[event.key]; }
  std::string operator()(const InstanceContinued& event) {
    return "continued " + to_json(event.variables);
  }
  std::string operator()(const TimerCreated& event) {
    ids_[event.key] = process_->at(event.target).id;
    return fmt::format("timer-created {} again={}", ids_[event.key], event.repetitions);
  }
  std::string operator()(const TimerTriggered& event) { return "timer " + ids_[event.key]; }
  std::string operator()(const TimerCanceled& event) { return "timer-canceled " + ids_[event.key]; }
  std::string operator()(const SubscriptionOpened& event) {
    ids_[event.key] = process_->at(event.target).id;
    return fmt::format("waits {} for {}{}{}", ids_[event.key], event.name.text(),
                       event.correlation.empty() ? "" : ":", event.correlation);
  }
  std::string operator()(const MailReceived& event) {
    return fmt::format("received {} {}", ids_[event.subscription], to_json(event.variables));
  }
  std::string operator()(const SubscriptionClosed& event) {
    return "waits-no-more " + ids_[event.key];
  }

  std::string operator()(const CallStarted& event) {
    return fmt::format("calls {} from {}", event.process.text(), ids_[event.element]);
  }
  std::string operator()(const CallCancelRequested& event) {
    return "call-canceled " + ids_[event.element];
  }
  std::string operator()(const CallEnded& event) { return "call-ended " + ids_[event.element]; }
  std::string operator()(const ErrorEscaped& event) { return "escaped " + event.code; }
  std::string operator()(const CallerAnswered& event) {
    static constexpr const char* outcomes[] = {
        "completed", "terminated",          "failed",
        "escalated", "escalated-and-ended", "failed-technically"};
    return fmt::format("answered {} {}", outcomes[static_cast<int>(event.outcome)],
                       to_json(event.variables));
  }
  std::string operator()(const EscalationThrown& event) {
    return fmt::format("escalation {} at {}", event.code, ids_[event.element]);
  }
  std::string operator()(const CallEscalated& event) {
    return "call-escalated " + ids_[event.element];
  }
  std::string operator()(const CompensationRecorded& event) {
    return fmt::format("undoable {} by {}", process_->at(event.element).id,
                       process_->at(event.handler).id);
  }
  std::string operator()(const CompensationThrown& event) {
    return "undoes " + ids_[event.element];
  }
  std::string operator()(const TransactionCancelled& event) {
    return "cancels " + ids_[event.element];
  }
  std::string operator()(const PathCollected& event) {
    return fmt::format("collected {} {}", ids_[event.ad_hoc], to_json(event.value));
  }
  std::string operator()(const PathsClosed& event) { return "closed " + ids_[event.ad_hoc]; }
  std::string operator()(const IterationRemoved& event) {
    return fmt::format("removed {}{}", ids_[event.element], event.completed ? " as completed" : "");
  }
  std::string operator()(const InstanceMigrated& event) {
    const model::Process& target = *targets_.at(number(event.definition) - 1);
    std::map<std::string, std::string> renamed{{process_->id, target.id}};
    for (const ElementMove& move : event.moves) {
      renamed[process_->at(move.from).id] = target.at(move.to).id;
    }
    for (auto& [key, id] : ids_) {
      const std::size_t end = std::min(id.find('#'), id.size());
      if (const auto found = renamed.find(id.substr(0, end)); found != renamed.end())
        id.replace(0, end, found->second);
    }
    process_ = &target;
    return fmt::format("migrated to {} {}", event.process.text(), event.version);
  }

 private:
  const model::Process* process_;
  const Targets& targets_;
  std::map<Key, std::string> ids_;
};

bool wanted(std::string_view line, std::string_view only) {
  if (line.empty()) return false;
  if (only.empty()) return true;
  const std::string_view word = line.substr(0, line.find(' '));
  while (!only.empty()) {
    const std::size_t end = std::min(only.find(' '), only.size());
    if (only.substr(0, end) == word) return true;
    only.remove_prefix(std::min(end + 1, only.size()));
  }
  return false;
}

}  // namespace

std::vector<std::string> tell_each(const model::ProcessPtr& process, const Events& events,
                                   std::string_view only, const Targets& targets) {
  Teller teller(process, targets);
  std::vector<std::string> lines;
  for (const Event& event : events) {
    std::string line = std::visit(teller, event);
    lines.push_back(wanted(line, only) ? std::move(line) : std::string());
  }
  return lines;
}

std::vector<std::string> tell(const model::ProcessPtr& process, const Events& events,
                              std::string_view only, const Targets& targets) {
  std::vector<std::string> lines = tell_each(process, events, only, targets);
  std::erase(lines, std::string());
  return lines;
}

Value final_variables(const model::ProcessPtr&, const Events& events) {
  Key root = Key::none;
  Value variables = Value::context({});
  for (const Event& event : events) {
    if (const auto* started = std::get_if<InstanceStarted>(&event)) root = started->instance;
    if (const auto* created = std::get_if<VariableCreated>(&event);
        created && created->scope == root) {
      variables = with(variables, created->name.text(), created->value);
    }
    if (const auto* updated = std::get_if<VariableUpdated>(&event);
        updated && updated->scope == root) {
      variables = with(variables, updated->name.text(), updated->value);
    }
  }
  return variables;
}

}  // namespace pawl::testkit
