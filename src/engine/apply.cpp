// SPDX-License-Identifier: Apache-2.0
// One function per event. Those that touch tokens and scopes are in apply_tokens.cpp.
#include "engine/apply.hpp"

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "engine/apply_ad_hoc.hpp"
#include "engine/apply_compensation.hpp"
#include "engine/apply_loops.hpp"
#include "engine/apply_migration.hpp"
#include "engine/apply_tokens.hpp"
#include "engine/weight.hpp"

namespace pawl::engine {
namespace {

ElementInstance& changeable(Instance& state, Key key) {
  const Slot slot = state.slot_of.find(key);
  PAWL_ASSERT(slot != Slot::none);
  return state.slots[number(slot)];
}

void on(Instance& state, const InstanceStarted& event) {
  state.key = event.instance;
  state.execution = event.execution;
  state.rules = event.rules;
  state.id = event.id;
  state.business_id = event.business_id;
  state.caller = event.caller ? std::make_unique<Caller>(*event.caller) : nullptr;
}
void on(Instance& state, const InstanceContinued& event) {
  state.continues = true;
  state.next_variables = event.variables;
}

void on(Instance& state, const StepTaken&) {
  PAWL_ASSERT(!state.agenda.empty());
  state.agenda.pop_front();
}

void on(Instance& state, const Deferred& event) {
  if (event.first) {
    state.agenda.push_front(event.work);
  } else {
    state.agenda.push_back(event.work);
  }
}

void on(Instance& state, const TurnCut& event) { state.unrested = event.steps; }
void on(Instance& state, const CameToRest&) { state.unrested = 0; }

void on(Instance& state, const ElementActivating& event) { add_element(state, event); }

void enter_phase(ElementInstance& instance, Life life) {
  instance.life = life;
  instance.mappings_applied = false;
  instance.listened = 0;
}

void on(Instance& state, const ElementActivated& event) {
  enter_phase(changeable(state, event.key), Life::activated);
}
void on(Instance& state, const ElementCompleting& event) {
  enter_phase(changeable(state, event.key), Life::completing);
}
void on(Instance& state, const ElementTerminating& event) {
  ElementInstance& instance = changeable(state, event.key);
  enter_phase(instance, Life::terminating);
  drop_tokens(state, instance);
  const ElementInstance* scope = state.parent_of(instance);
  if (scope && lets_go(*scope)) move_to_the_end(state, state.slot_of.find(event.key));
}
void on(Instance& state, const ElementCompleted& event) {
  remove_element(state, state.slot_of.find(event.key), Ended::completed);
}
void on(Instance& state, const ElementTerminated& event) {
  remove_element(state, state.slot_of.find(event.key), Ended::terminated);
}
void on(Instance& state, const MappingsApplied& event) {
  changeable(state, event.key).mappings_applied = true;
}
void on(Instance& state, const FlowTaken& event) {
  add_token(state, changeable(state, event.scope), event.flow);
}
void set_trigger(Instance& state, ElementInstance& one, ElementIndex event,
                 const Value& variables) {
  if (one.trigger) state.value_bytes -= one.trigger->variables.encoded_size();
  one.trigger = std::make_unique<Trigger>(Trigger{event, variables});
  state.value_bytes += variables.encoded_size();
}
void on(Instance& state, const StartsTaken& event) {
  add_starts(state, changeable(state, event.scope), event.elements);
}
void on(Instance& state, const BoundaryTriggered& event) {
  set_trigger(state, changeable(state, event.host), event.boundary, event.variables);
}
void on(Instance& state, const EventSubProcessTriggered& event) {
  set_trigger(state, changeable(state, event.scope), event.start, event.variables);
}
void on(Instance& state, const ScopeInterrupted& event) {
  ElementInstance& scope = changeable(state, event.scope);
  scope.interrupted = true;
  drop_tokens(state, scope);
}
void on(Instance& state, const LoopStarted& event) {
  ElementInstance& body = changeable(state, event.body);
  body.interrupted = false;
  const model::LoopDefinition& definition = *state.definition_of(body).loop;
  if (body.loop) state.value_bytes -= bytes_of(*body.loop);
  state.value_bytes += limits::loop_bytes + event.items.encoded_size();
  body.loop = std::make_unique<Loop>(Loop{.total = event.total,
                                          .concurrency = event.concurrency,
                                          .needed = event.needed,
                                          .tolerated = event.tolerated,
                                          .detached = event.detached,
                                          .items = event.items,
                                          .item_name = Name(definition.item_variable),
                                          .index_name = Name(definition.index_variable),
                                          .output_name = Name(local_output_of(definition))});
}
void on(Instance& state, const IterationCollected& event) {
  collect_output(state, changeable(state, event.body), event.iteration, event.value);
}
void on(Instance& state, const IterationFailed& event) {
  ElementInstance& iteration = changeable(state, event.element);
  ElementInstance& body = state.slots[number(iteration.parent)];
  iteration.failed = true;
  ++body.loop->failed;
  if (event.collected) collect_output(state, body, iteration.iteration, event.output);
}
void on(Instance& state, const LoopFailed& event) {
  ElementInstance& body = changeable(state, event.body);
  body.interrupted = true;
  if (body.loop->failure) state.value_bytes -= body.loop->failure->message.size();
  body.loop->failure = std::make_unique<LoopFailed>(event);
  state.value_bytes += event.message.size();
}
void on(Instance& state, const IterationsAdded& event) {
  Loop& loop = *changeable(state, event.body).loop;
  loop.total += event.count;
  if (!event.items.is_list()) return;
  const List& items = event.items.as_list();
  loop.added.insert(loop.added.end(), items.begin(), items.end());
  for (const Value& item : items) state.value_bytes += item.encoded_size();
}
void on(Instance& state, const IterationRemoved& event) {
  ElementInstance& iteration = changeable(state, event.element);
  iteration.skipped = event.completed;
  if (event.completed) return;
  state.slots[number(iteration.parent)].loop->removed.push_back(iteration.iteration);
}
void on(Instance&, const ErrorThrown&) {}  // history only: what follows from it are events too

void on(Instance& state, const VariableCreated& event) {
  changeable(state, event.scope)
      .variables.create({event.name, event.value, event.key, event.local});
  state.value_bytes += bytes_of(event.name, event.value);
}
void on(Instance& state, const VariableUpdated& event) {
  const Value old = changeable(state, event.scope).variables.update(event.name, event.value);
  state.value_bytes += event.value.encoded_size() - old.encoded_size();
}

void on(Instance& state, const JobCreated& event) {
  ElementInstance& owner = changeable(state, event.element);
  owner.job = std::make_unique<Job>(Job{.key = event.key,
                                        .type = event.type,
                                        .retries = event.retries,
                                        .priority = event.priority,
                                        .details = event.details,
                                        .kind = event.kind});
  state.slot_of.insert(event.key, state.slot_of.find(event.element));
  state.value_bytes += event.details.encoded_size();
}

void remove_job(Instance& state, Key key) {
  ElementInstance& owner = changeable(state, key);
  state.value_bytes -= owner.job->details.encoded_size();
  owner.job.reset();
  state.slot_of.erase(key);
}

void on(Instance& state, const JobCompleted& event) {
  ElementInstance& owner = changeable(state, event.key);
  if (owner.job->kind != JobKind::task) ++owner.listened;
  remove_job(state, event.key);
}
void on(Instance& state, const JobCanceled& event) { remove_job(state, event.key); }

void on(Instance& state, const JobFailed& event) {
  Job& job = *changeable(state, event.key).job;
  job.retries = event.retries;
  job.retry_at = event.retry_at;
  const bool at_once = event.retries > 0 && event.retry_at == Instant{};
  job.state = at_once ? JobState::activatable : JobState::failed;
}
void on(Instance& state, const JobRetryDue& event) {
  Job& job = *changeable(state, event.key).job;
  job.state = JobState::activatable;
  job.retry_at = {};
}
void on(Instance& state, const JobErrorThrown& event) {
  changeable(state, event.key).job->state = JobState::error_thrown;
}
void on(Instance& state, const JobRetriesUpdated& event) {
  changeable(state, event.key).job->retries = event.retries;
}

void on(Instance& state, const IncidentRaised& event) {
  ElementInstance& owner = changeable(state, event.element);
  owner.incident = std::make_unique<Incident>(Incident{event.key, event.kind});
  if (event.halts) state.halted = event.key;
  state.slot_of.insert(event.key, state.slot_of.find(event.element));
}
void on(Instance& state, const IncidentResolved& event) {
  ElementInstance& owner = changeable(state, event.key);
  owner.incident.reset();
  state.slot_of.erase(event.key);
  if (event.key == state.halted) {
    state.halted = Key::none;
    state.unrested = 0;
  }
  // A job that waited for an operator is offered again.
  if (owner.job && owner.life != Life::terminating) {
    owner.job->state = JobState::activatable;
    owner.job->retry_at = {};
  }
}

// --- timers and subscriptions
Waits& waits_of(ElementInstance& owner) {
  if (!owner.waits) owner.waits = std::make_unique<Waits>();
  return *owner.waits;
}

void drop_waits_if_empty(ElementInstance& owner) {
  if (owner.waits->timers.empty() && owner.waits->subscriptions.empty()) owner.waits.reset();
}

void on(Instance& state, const TimerCreated& event) {
  waits_of(changeable(state, event.element))
      .timers.push_back({event.key, event.target, event.due, event.repetitions, event.cycle});
  state.value_bytes += event.cycle.size();
  state.slot_of.insert(event.key, state.slot_of.find(event.element));
}

void remove_timer(Instance& state, Key key) {
  ElementInstance& owner = changeable(state, key);
  std::erase_if(owner.waits->timers, [&](const auto& timer) {
    if (timer.key != key) return false;
    state.value_bytes -= timer.cycle.size();
    return true;
  });
  drop_waits_if_empty(owner);
  state.slot_of.erase(key);
}

void on(Instance& state, const TimerTriggered& event) { remove_timer(state, event.key); }
void on(Instance& state, const TimerCanceled& event) { remove_timer(state, event.key); }

void on(Instance& state, const SubscriptionOpened& event) {
  waits_of(changeable(state, event.element))
      .subscriptions.push_back({.key = event.key,
                                .target = event.target,
                                .kind = event.kind,
                                .name = event.name,
                                .correlation = event.correlation});
  state.value_bytes += event.correlation.size();
  state.slot_of.insert(event.key, state.slot_of.find(event.element));
}
void on(Instance& state, const MailReceived& event) {
  for (auto& one : changeable(state, event.subscription).waits->subscriptions) {
    if (one.key == event.subscription) one.last_mail = event.mail;
  }
}
void on(Instance& state, const SubscriptionClosed& event) {
  ElementInstance& owner = changeable(state, event.key);
  std::erase_if(owner.waits->subscriptions, [&](const auto& one) {
    if (one.key != event.key) return false;
    state.value_bytes -= one.correlation.size();
    return true;
  });
  drop_waits_if_empty(owner);
  state.slot_of.erase(event.key);
}

// --- calls
void set_call(Instance& state, ElementInstance& owner, std::unique_ptr<Call> call) {
  if (owner.call) state.value_bytes -= owner.call->result.encoded_size();
  owner.call = std::move(call);
  if (owner.call) state.value_bytes += owner.call->result.encoded_size();
}
void on(Instance& state, const CallStarted& event) {
  set_call(state, changeable(state, event.element),
           std::make_unique<Call>(Call{.child = event.child}));
}
void on(Instance& state, const CallCancelRequested& event) {
  changeable(state, event.element).call->cancelling = true;
  ++state.cancelling;
}
void on(Instance& state, const CallEnded& event) {
  ElementInstance& owner = changeable(state, event.element);
  if (owner.call->cancelling) --state.cancelling;
  set_call(state, owner,
           event.result.is_null()
               ? nullptr
               : std::make_unique<Call>(
                     Call{.child = event.child, .ended = true, .result = event.result}));
}
void on(Instance& state, const CallResultTaken& event) {
  set_call(state, changeable(state, event.element), nullptr);
}
void on(Instance& state, const ErrorEscaped& event) {
  state.escaped = std::make_unique<ErrorEscaped>(event);
}
void on(Instance& state, const CallEscalated& event) {
  changeable(state, event.element).call->escalated = event.number;
}
void on(Instance& state, const CallerAnswered& event) {  // somebody carries it to the caller
  if (event.outcome == CallOutcome::escalated) state.caller->escalated = event.number;
}
void on(Instance&, const EscalationThrown&) {}

// --- compensation
void on(Instance& state, const CompensationRecorded& event) {
  compensation_of(changeable(state, event.scope))
      .done.push_back({event.element, event.handler, event.variables, {}});
  state.value_bytes += limits::undoable_bytes + event.variables.encoded_size();
}
void on(Instance& state, const CompensationThrown& event) {
  ElementInstance& thrower = changeable(state, event.element);
  take_undoable(state, thrower, event.activity);
  ElementInstance& scope = state.slots[number(thrower.parent)];
  if (!scope.trigger || scope.trigger->boundary != thrower.element) return;
  set_trigger(state, scope, ElementIndex::none, {});
  scope.trigger.reset();  // of a cancelled transaction, in which only this is left
  scope.taken_over = true;
}
void on(Instance& state, const TransactionCancelled& event) {
  const ElementInstance& end = changeable(state, event.element);
  ElementInstance& transaction = state.slots[number(end.parent)];
  transaction.interrupted = true;
  set_trigger(state, transaction, end.element, {});
  drop_tokens(state, transaction);
}

// --- ad-hoc sub-processes
void on(Instance& state, const PathCollected& event) {
  collect_path(state, changeable(state, event.ad_hoc), event.value);
}
void on(Instance& state, const PathsClosed& event) {
  remember_path(changeable(state, event.ad_hoc)).closed = true;
}

void on(Instance&, const InstanceMigrated&) {
  broken_invariant("a migration without its process", "apply.cpp", __LINE__);
}

}  // namespace

void apply(Instance& instance, const Event& event) {
  std::visit([&instance](const auto& one) { on(instance, one); }, event);
}

Result<void> replay(Instance& instance, const Events& events, const FindProcess& find) {
  for (const Event& event : events) {
    if (const auto* migrated = std::get_if<InstanceMigrated>(&event)) {
      PAWL_TRY(process, find(migrated->definition));
      migrate(instance, *migrated, process);
    } else {
      engine::apply(instance, event);
    }
  }
  return {};
}

Key definition_after(const Events& events, Key before) {
  for (const Event& event : events) {
    if (const auto* started = std::get_if<InstanceStarted>(&event)) before = started->definition;
    if (const auto* migrated = std::get_if<InstanceMigrated>(&event)) before = migrated->definition;
  }
  return before;
}

Instance fold(const model::ProcessPtr& process, const Events& events) {
  Instance instance(process);
  for (const Event& event : events) engine::apply(instance, event);
  return instance;
}

}  // namespace pawl::engine
