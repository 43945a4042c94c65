// SPDX-License-Identifier: Apache-2.0
// What can happen in an instance. Events are the truth: applying them is the only way that state
// changes, and folding them from the start gives the state back. An event's meaning never changes;
// fields are only added. Past tense; plain data; no pointers into the state.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/held.hpp"
#include "value/name.hpp"
#include "value/value.hpp"

namespace pawl::engine {

// Work that an instance still has to do by itself. It waits in the agenda, which is part of the
// state, so that a turn can stop after any step and go on later, also after a crash.
struct Work {
  enum class Kind : std::uint8_t {
    enter,       // a token on `flow` enters the flow's target in scope `key`
    join,        // tokens wait at the gateway `element` in scope `key`: can it fire?
    proceed,     // element instance `key` goes on from the life state it is in
    wind_down,   // the children of `key` are terminated, then what was decided happens
    spawn,       // the loop body `key` starts iterations, as many as it may
    compensate,  // the throw event `key` starts handlers, as many as it may
    begin,       // `element`, which nothing leads to, begins in scope `key`
  };
  Kind kind{Kind::enter};
  Key key{Key::none};
  FlowIndex flow{FlowIndex::none};
  ElementIndex element{ElementIndex::none};

  friend bool operator==(const Work&, const Work&) = default;
};

enum class IncidentKind : std::uint8_t {
  unknown,
  mapping,          // an input or output mapping failed
  no_retries,       // a job failed and has no retries left
  condition,        // no outgoing flow applies
  extract_value,    // an expression or script failed, or gave the wrong type
  unhandled_error,  // a BPMN error that nothing catches
  called_element,   // a process that cannot be called
  too_large,        // a value, or the instance as a whole (gate.hpp)
  endless,          // the instance moves and never waits
};

// Of an instance that a call activity has started: who called it, and what becomes of its errors.
struct Caller {
  Key instance{Key::none};
  Key element{Key::none};  // element instance of the call activity
  Key root{Key::none};     // the instance that nobody called
  std::uint32_t depth{0};  // how many instances are above this one
  Value catches{};         // error codes that somebody above catches, a list; "": any code
  bool tolerates{false};   // a loop above decides about errors that nothing catches
  bool ignores_result{false};
  // Escalations that somebody above catches, nearest first: a list of {code, interrupts}.
  Value escalations{};
  std::uint32_t escalated{0};  // how often the caller was told of one
  bool takes_failures{false};  // a loop above takes failures one by one, technical ones, too
};

// --- instance ---------------------------------------------------------------------------------
struct InstanceStarted {
  Key instance{Key::none};
  Key definition{Key::none};
  Name process{};
  std::int32_t version{0};
  Instant at{};
  std::uint32_t execution{1};  // continue-as-new counts it up; the instance's key stays
  std::string id{};            // as the caller named the instance; empty: only the key names it
  std::string business_id{};   // one active instance per process has it
  model::Held<Caller> caller{};
  std::uint32_t rules{0};  // by which its events are folded (rules.hpp); 0: the first ones
};
// The execution ends; the runtime starts the next one of the same instance with these variables.
struct InstanceContinued {
  Value variables{};  // a context or null
};

// --- agenda -----------------------------------------------------------------------------------
struct StepTaken {};  // the first work of the agenda was taken; what follows is its outcome
struct Deferred {     // work was put on the agenda
  Work work{};
  bool first{false};  // before all other work, else after it
};
// The turn has had its share and ends; there is more to do.
struct TurnCut {
  std::uint64_t steps{0};  // since the instance last waited for something
};
struct CameToRest {};  // after turns that were cut: nothing is left to do by itself

// --- element instances ------------------------------------------------------------------------
struct ElementActivating {
  Key key{Key::none};
  Key scope{Key::none};
  ElementIndex element{ElementIndex::none};
  FlowIndex flow{FlowIndex::none};  // the token it came by; none: started by its scope or host
  bool body{false};                 // of a loop: the container of its iterations
  std::uint32_t iteration{0};       // its number in the loop body that is its scope, from 1
  bool path{false};                 // of an ad-hoc sub-process: the scope of one of its paths
  bool handler{false};  // it undoes the last of what its scope, a throw event, has to undo
  bool begins{false};   // nothing leads to it: it uses up a token of StartsTaken
};
struct ElementActivated {
  Key key{Key::none};
};
struct ElementCompleting {
  Key key{Key::none};
};
struct ElementCompleted {
  Key key{Key::none};
};
struct ElementTerminating {
  Key key{Key::none};
};
struct ElementTerminated {
  Key key{Key::none};
};
struct MappingsApplied {
  Key key{Key::none};
};  // of the current phase, so that a retry does not repeat them
struct FlowTaken {
  Key scope{Key::none};
  FlowIndex flow{FlowIndex::none};
};
// The scope has no start event: a token stands before each of these, to which nothing leads.
struct StartsTaken {
  Key scope{Key::none};
  std::vector<ElementIndex> elements{};
};
// A boundary event caught something: its host is terminated first, then the event is activated.
struct BoundaryTriggered {
  Key host{Key::none};
  ElementIndex boundary{ElementIndex::none};
  Value variables{};  // what came with it, a context or null
};
// The event of an event sub-process has happened: it runs in its scope; if it interrupts, after
// all that was there has ended.
struct EventSubProcessTriggered {
  Key scope{Key::none};
  ElementIndex start{ElementIndex::none};  // its start event
  Value variables{};                       // what came with it, a context or null
};
// All tokens and children of the scope end, then it completes (terminate end event), or the event
// sub-process runs that was triggered.
struct ScopeInterrupted {
  Key scope{Key::none};
};
struct ErrorThrown {
  Key element{Key::none};
  std::string code{};
  std::string message{};
  ElementIndex caught_by{ElementIndex::none};
};

// Nothing catches it (none): it is only noted.
struct EscalationThrown {
  Key element{Key::none};
  std::string code{};
  ElementIndex caught_by{ElementIndex::none};
};

// --- compensation -----------------------------------------------------------------------------
// An activity has completed that a handler can undo. Scopes that complete take theirs along.
struct CompensationRecorded {
  Key scope{Key::none};
  ElementIndex element{ElementIndex::none};
  ElementIndex handler{ElementIndex::none};
  Value variables{};  // what the handler will see of it, a context or null
};
// What is recorded in the scopes of the throw event is its own now: no other one undoes it.
struct CompensationThrown {
  Key element{Key::none};
  ElementIndex activity{ElementIndex::none};  // only this one; none: all
};
// A transaction: all but this cancel end event ends in it, then what is done is undone.
struct TransactionCancelled {
  Key element{Key::none};
};

// --- ad-hoc sub-processes ---------------------------------------------------------------------
struct PathCollected {  // the output of a path that is about to complete
  Key ad_hoc{Key::none};
  Value value{};
};
struct PathsClosed {  // no path begins any more; it completes after those that run
  Key ad_hoc{Key::none};
};

// --- loops ------------------------------------------------------------------------------------
// A body knows how often it runs; also after a failed loop was resolved, then from the beginning.
struct LoopStarted {
  Key body{Key::none};
  std::uint32_t total{0};
  Value items{};                 // null: counted, not over a collection
  std::uint32_t concurrency{0};  // at most so many at once; 0: no bound
  std::uint32_t needed{0};       // completed iterations that end the loop; 0: all
  std::uint32_t tolerated{0};    // failed iterations that do not fail the loop
  bool detached{false};          // the token has already gone on
};
struct IterationCollected {  // the output of an iteration that is about to complete
  Key body{Key::none};
  std::uint32_t iteration{0};
  Value value{};
};
struct IterationFailed {
  Key element{Key::none};  // the iteration
  Value output{};          // takes its place in the output, if failures are collected
  bool collected{false};
};
struct LoopFailed {  // all iterations end, then the body has an incident
  Key body{Key::none};
  IncidentKind kind{IncidentKind::unknown};
  std::uint16_t code{0};
  std::string message{};
};
struct IterationsAdded {
  Key body{Key::none};
  std::uint32_t count{0};
  Value items{};  // a list, for a loop over a collection
};

// An operator takes an iteration away: as if it had completed, or as if it had never been planned.
struct IterationRemoved {
  Key element{Key::none};
  bool completed{false};
};

// --- variables --------------------------------------------------------------------------------
struct VariableCreated {
  Key key{Key::none};
  Key scope{Key::none};
  Name name{};
  Value value{};
  bool local{false};  // made by an input mapping or for one element: not merged outward
};
struct VariableUpdated {
  Key scope{Key::none};
  Name name{};
  Value value{};
};

// --- jobs -------------------------------------------------------------------------------------
enum class JobKind : std::uint8_t { task, start_listener, end_listener, before_all_listener };
struct JobCreated {
  Key key{Key::none};
  Key element{Key::none};
  Name type{};
  std::int32_t retries{0};
  std::int32_t priority{0};
  Value details{};  // of a user task: assignee, due date …, as evaluated; else null
  JobKind kind{JobKind::task};
};
struct JobCompleted {
  Key key{Key::none};
};
struct JobFailed {
  Key key{Key::none};
  std::int32_t retries{0};
  Instant retry_at{};  // not offered before; only if retries are left
  std::string message{};
};
struct JobRetryDue {
  Key key{Key::none};
};  // the back-off is over, the job is offered again
struct JobErrorThrown {
  Key key{Key::none};
  std::string code{};
  std::string message{};
};
struct JobRetriesUpdated {
  Key key{Key::none};
  std::int32_t retries{0};
};
struct JobCanceled {
  Key key{Key::none};
};

// --- waiting for the world --------------------------------------------------------------------
// `element` waits; `target` is what happens then: itself, one of its boundary events, an event
// behind an event-based gateway, or the start event of an event sub-process inside it.
struct TimerCreated {
  Key key{Key::none};
  Key element{Key::none};
  ElementIndex target{ElementIndex::none};
  Instant due{};
  std::int32_t repetitions{0};  // that follow this one; -1: without end
  std::string cycle{};          // when they follow (timer_due.hpp); empty if none does
};
struct TimerTriggered {
  Key key{Key::none};
};
struct TimerCanceled {
  Key key{Key::none};
};
enum class MailKind : std::uint8_t { message, signal };
struct SubscriptionOpened {
  Key key{Key::none};
  Key element{Key::none};
  ElementIndex target{ElementIndex::none};
  MailKind kind{MailKind::message};
  Name name{};
  std::string correlation{};  // the key of a message; empty for signals
};
// Mail was taken. The subscription stays open if its target does not interrupt.
struct MailReceived {
  Key subscription{Key::none};
  Key mail{Key::none};
  Value variables{};  // a context or null
};
struct SubscriptionClosed {
  Key key{Key::none};
};

// --- incidents --------------------------------------------------------------------------------
struct IncidentRaised {
  Key key{Key::none};
  Key element{Key::none};
  IncidentKind kind{IncidentKind::unknown};
  std::uint16_t code{0};  // Code of base/error.hpp
  std::string message{};
  bool halts{false};  // nothing of the instance moves until it is resolved
};
struct IncidentResolved {
  Key key{Key::none};
};

// --- calls ------------------------------------------------------------------------------------
// escalated: the child goes on; escalated_and_ended: it does not, what catches it interrupts.
enum class CallOutcome : std::uint8_t {
  completed,
  terminated,
  failed,
  escalated,
  escalated_and_ended,
  failed_technically,
};
// The call activity `element` waits for the instance `child`, which is started with this turn.
struct CallStarted {
  Key element{Key::none};
  Key child{Key::none};
  Key definition{Key::none};
  Name process{};
  std::int32_t version{0};
};
struct CallCancelRequested {  // the call activity ends when its child has
  Key element{Key::none};
  Key child{Key::none};
};
struct CallEnded {
  Key element{Key::none};
  Key child{Key::none};
  CallOutcome outcome{CallOutcome::completed};
  Value result{};  // if out mappings are still to be done: the child's variables
};
struct CallResultTaken {  // its out mappings are done
  Key element{Key::none};
};
// Of a called instance: an error that nothing in it catches, but somebody above. It ends.
struct ErrorEscaped {
  std::string code{};
  std::string message{};
  Value variables{};
  bool escalation{false};  // it is one
  bool technical{false};   // nobody threw it: something went wrong
};
// The caller has taken note of an escalation of its child; the call goes on.
struct CallEscalated {
  Key element{Key::none};
  Key child{Key::none};
  std::uint32_t number{0};
};
// What a called instance says to its caller: escalations, and its last word.
struct CallerAnswered {
  Key caller{Key::none};  // instance
  Key element{Key::none};
  CallOutcome outcome{CallOutcome::completed};
  std::string code{};
  std::string message{};
  Value variables{};
  std::uint32_t number{0};  // of the escalation; at last: how many there were
};

// --- migration --------------------------------------------------------------------------------
// From here on the instance follows another version of the process, or another process.
struct ElementMove {
  ElementIndex from{ElementIndex::none};
  ElementIndex to{ElementIndex::none};

  friend bool operator==(const ElementMove&, const ElementMove&) = default;
};
struct InstanceMigrated {
  Key definition{Key::none};
  Name process{};
  std::int32_t version{0};
  std::vector<ElementMove> moves{};  // places in the process before and after
};

using Event =
    std::variant<InstanceStarted, StepTaken, Deferred, ElementActivating, ElementActivated,
                 ElementCompleting, ElementCompleted, ElementTerminating, ElementTerminated,
                 MappingsApplied, FlowTaken, BoundaryTriggered, ScopeInterrupted, ErrorThrown,
                 LoopStarted, IterationCollected, IterationFailed, LoopFailed, IterationsAdded,
                 VariableCreated, VariableUpdated, JobCreated, JobCompleted, JobFailed, JobRetryDue,
                 JobErrorThrown, JobRetriesUpdated, JobCanceled, IncidentRaised, IncidentResolved,
                 InstanceContinued, TimerCreated, TimerTriggered, TimerCanceled, SubscriptionOpened,
                 MailReceived, SubscriptionClosed, EventSubProcessTriggered, CallStarted,
                 CallCancelRequested, CallEnded, ErrorEscaped, CallerAnswered, EscalationThrown,
                 CallEscalated, CompensationRecorded, CompensationThrown, TransactionCancelled,
                 PathCollected, PathsClosed, IterationRemoved, InstanceMigrated, TurnCut,
                 CameToRest, StartsTaken, CallResultTaken>;

using Events = std::vector<Event>;

// "CONDITION_ERROR", as clients know the kinds of incident.
std::string_view name_of(IncidentKind kind);

}  // namespace pawl::engine
