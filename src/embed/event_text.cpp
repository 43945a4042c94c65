// SPDX-License-Identifier: Apache-2.0
#include "embed/event_text.hpp"

#include "value/json.hpp"

namespace pawl::embed {
namespace {

using namespace engine;  // NOLINT: events only

struct Said {
  const char* name{};
  Key element{Key::none};
  Value data{};
};

Value num(Key key) { return static_cast<std::int64_t>(number(key)); }
Value num(std::int64_t value) { return value; }
Value text(const Name& name) { return name.string(); }
Value time(Instant at) { return at == Instant{} ? Value() : Value(at.time_since_epoch().count()); }
Value only(const char* name, Key key) { return object({{name, num(key)}}); }

Said say(const InstanceStarted& e) {
  return {"InstanceStarted", e.instance,
          object({{"process", text(e.process)},
                  {"version", num(e.version)},
                  {"execution", num(e.execution)},
                  {"id", e.id},
                  {"businessId", e.business_id},
                  {"caller", e.caller ? num(e.caller->instance) : Value()}})};
}
Said say(const ElementActivating& e) {
  return {"ElementActivating", e.key,
          object({{"key", num(e.key)},
                  {"scope", num(e.scope)},
                  {"body", e.body},
                  {"iteration", num(e.iteration)}})};
}
Said say(const ElementActivated& e) { return {"ElementActivated", e.key, only("key", e.key)}; }
Said say(const ElementCompleting& e) { return {"ElementCompleting", e.key, only("key", e.key)}; }
Said say(const ElementCompleted& e) { return {"ElementCompleted", e.key, only("key", e.key)}; }
Said say(const ElementTerminating& e) { return {"ElementTerminating", e.key, only("key", e.key)}; }
Said say(const ElementTerminated& e) { return {"ElementTerminated", e.key, only("key", e.key)}; }
Said say(const MappingsApplied& e) { return {"MappingsApplied", e.key, only("key", e.key)}; }
Said say(const FlowTaken& e) {
  return {"FlowTaken", e.scope, object({{"scope", num(e.scope)}, {"flow", num(number(e.flow))}})};
}
Said say(const BoundaryTriggered& e) {
  return {"BoundaryTriggered", e.host, object({{"host", num(e.host)}, {"variables", e.variables}})};
}
Said say(const EventSubProcessTriggered& e) {
  return {"EventSubProcessTriggered", e.scope,
          object({{"scope", num(e.scope)}, {"variables", e.variables}})};
}
Said say(const ScopeInterrupted& e) { return {"ScopeInterrupted", e.scope, only("key", e.scope)}; }
Said say(const ErrorThrown& e) {
  return {"ErrorThrown", e.element, object({{"code", e.code}, {"message", e.message}})};
}
Said say(const LoopStarted& e) {
  return {"LoopStarted", e.body, object({{"body", num(e.body)}, {"total", num(e.total)}})};
}
Said say(const IterationCollected& e) {
  return {"IterationCollected", e.body,
          object({{"body", num(e.body)}, {"iteration", num(e.iteration)}, {"value", e.value}})};
}
Said say(const IterationFailed& e) {
  return {"IterationFailed", e.element, object({{"key", num(e.element)}, {"output", e.output}})};
}
Said say(const LoopFailed& e) {
  return {"LoopFailed", e.body, object({{"body", num(e.body)}, {"message", e.message}})};
}
Said say(const IterationsAdded& e) {
  return {"IterationsAdded", e.body,
          object({{"body", num(e.body)}, {"count", num(e.count)}, {"items", e.items}})};
}
Said say(const VariableCreated& e) {
  return {"VariableCreated", e.scope,
          object({{"scope", num(e.scope)}, {"name", text(e.name)}, {"value", e.value}})};
}
Said say(const VariableUpdated& e) {
  return {"VariableUpdated", e.scope,
          object({{"scope", num(e.scope)}, {"name", text(e.name)}, {"value", e.value}})};
}
Said say(const JobCreated& e) {
  return {"JobCreated", e.element,
          object({{"key", num(e.key)}, {"type", text(e.type)}, {"retries", num(e.retries)}})};
}
Said say(const JobCompleted& e) { return {"JobCompleted", Key::none, only("key", e.key)}; }
Said say(const JobFailed& e) {
  return {"JobFailed", Key::none,
          object({{"key", num(e.key)},
                  {"retries", num(e.retries)},
                  {"retryAt", time(e.retry_at)},
                  {"message", e.message}})};
}
Said say(const JobRetryDue& e) { return {"JobRetryDue", Key::none, only("key", e.key)}; }
Said say(const JobErrorThrown& e) {
  return {"JobErrorThrown", Key::none,
          object({{"key", num(e.key)}, {"code", e.code}, {"message", e.message}})};
}
Said say(const JobRetriesUpdated& e) {
  return {"JobRetriesUpdated", Key::none,
          object({{"key", num(e.key)}, {"retries", num(e.retries)}})};
}
Said say(const JobCanceled& e) { return {"JobCanceled", Key::none, only("key", e.key)}; }
Said say(const IncidentRaised& e) {
  return {"IncidentRaised", e.element,
          object({{"key", num(e.key)},
                  {"type", std::string(name_of(e.kind))},
                  {"code", num(e.code)},
                  {"message", e.message}})};
}
Said say(const IncidentResolved& e) { return {"IncidentResolved", Key::none, only("key", e.key)}; }
Said say(const InstanceContinued& e) {
  return {"InstanceContinued", Key::none, object({{"variables", e.variables}})};
}
Said say(const TimerCreated& e) {
  return {"TimerCreated", e.element,
          object({{"key", num(e.key)}, {"due", time(e.due)}, {"repetitions", num(e.repetitions)}})};
}
Said say(const TimerTriggered& e) { return {"TimerTriggered", Key::none, only("key", e.key)}; }
Said say(const TimerCanceled& e) { return {"TimerCanceled", Key::none, only("key", e.key)}; }
Said say(const SubscriptionOpened& e) {
  return {"SubscriptionOpened", e.element,
          object({{"key", num(e.key)},
                  {"kind", e.kind == MailKind::signal ? "signal" : "message"},
                  {"name", text(e.name)},
                  {"correlation", e.correlation}})};
}
Said say(const MailReceived& e) {
  return {"MailReceived", Key::none,
          object({{"subscription", num(e.subscription)},
                  {"mail", num(e.mail)},
                  {"variables", e.variables}})};
}
Said say(const SubscriptionClosed& e) {
  return {"SubscriptionClosed", Key::none, only("key", e.key)};
}
std::string word(CallOutcome outcome) {
  static constexpr const char* words[] = {"completed", "terminated",          "failed",
                                          "escalated", "escalated and ended", "failed technically"};
  return words[static_cast<std::size_t>(outcome)];
}
Said say(const CallStarted& e) {
  return {
      "CallStarted", e.element,
      object({{"child", num(e.child)}, {"process", text(e.process)}, {"version", num(e.version)}})};
}
Said say(const CallCancelRequested& e) {
  return {"CallCancelRequested", e.element, only("child", e.child)};
}
Said say(const CallEnded& e) {
  return {"CallEnded", e.element, object({{"child", num(e.child)}, {"outcome", word(e.outcome)}})};
}
Said say(const ErrorEscaped& e) {
  return {"ErrorEscaped", Key::none, object({{"code", e.code}, {"message", e.message}})};
}
Said say(const CallerAnswered& e) {
  return {"CallerAnswered", Key::none,
          object({{"caller", num(e.caller)}, {"outcome", word(e.outcome)}})};
}
Said say(const EscalationThrown& e) {
  return {"EscalationThrown", e.element,
          object({{"code", e.code}, {"caught", e.caught_by != ElementIndex::none}})};
}
Said say(const CallEscalated& e) { return {"CallEscalated", e.element, only("child", e.child)}; }
Said say(const CompensationRecorded& e) {
  return {"CompensationRecorded", e.scope,
          object({{"scope", num(e.scope)}, {"variables", e.variables}})};
}
Said say(const CompensationThrown& e) {
  return {"CompensationThrown", e.element, only("key", e.element)};
}
Said say(const TransactionCancelled& e) {
  return {"TransactionCancelled", e.element, only("key", e.element)};
}
Said say(const PathCollected& e) {
  return {"PathCollected", e.ad_hoc, object({{"key", num(e.ad_hoc)}, {"value", e.value}})};
}
Said say(const PathsClosed& e) { return {"PathsClosed", e.ad_hoc, only("key", e.ad_hoc)}; }
Said say(const IterationRemoved& e) {
  return {"IterationRemoved", e.element,
          object({{"key", num(e.element)}, {"completed", e.completed}})};
}
Said say(const InstanceMigrated& e) {
  return {"InstanceMigrated", Key::none,
          object({{"process", text(e.process)}, {"version", num(e.version)}})};
}
Said say(const StepTaken&) { return {}; }
Said say(const Deferred&) { return {}; }
Said say(const TurnCut&) { return {}; }
Said say(const CameToRest&) { return {}; }
Said say(const StartsTaken&) { return {}; }
Said say(const CallResultTaken&) { return {}; }

}  // namespace

std::optional<EventText> text_of(const Event& event) {
  const Said said = std::visit([](const auto& one) { return say(one); }, event);
  if (said.name == nullptr) return std::nullopt;
  return EventText{said.name, said.element, to_json(said.data)};
}

}  // namespace pawl::embed
