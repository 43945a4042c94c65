// SPDX-License-Identifier: Apache-2.0
// The fields of everything that is stored: number and member, one line per struct. Encoding and
// decoding both walk these lines. Numbers are for ever: a field may be added, never renumbered or
// reused; proto/journal.proto has the same numbers.
#pragma once

#include "store/fields.hpp"
#include "store/record.hpp"

namespace pawl::engine {  // found by the types of their arguments

PAWL_FIELDS(Work, v(1, e.kind), v(2, e.key), v(3, e.flow), v(4, e.element))
PAWL_FIELDS(Caller, v(1, e.instance), v(2, e.element), v(3, e.root), v(4, e.depth), v(5, e.catches),
            v(6, e.tolerates), v(7, e.ignores_result), v(8, e.escalations), v(9, e.escalated),
            v(10, e.takes_failures))
PAWL_FIELDS(InstanceStarted, v(1, e.instance), v(2, e.definition), v(3, e.process), v(4, e.version),
            v(5, e.at), v(6, e.execution), v(7, e.id), v(8, e.business_id), v(9, e.caller),
            v(10, e.rules))
PAWL_FIELDS(StepTaken)
PAWL_FIELDS(Deferred, v(1, e.work), v(2, e.first))
PAWL_FIELDS(ElementActivating, v(1, e.key), v(2, e.scope), v(3, e.element), v(4, e.flow),
            v(5, e.body), v(6, e.iteration), v(7, e.path), v(8, e.handler), v(9, e.begins))
PAWL_FIELDS(ElementActivated, v(1, e.key))
PAWL_FIELDS(ElementCompleting, v(1, e.key))
PAWL_FIELDS(ElementCompleted, v(1, e.key))
PAWL_FIELDS(ElementTerminating, v(1, e.key))
PAWL_FIELDS(ElementTerminated, v(1, e.key))
PAWL_FIELDS(MappingsApplied, v(1, e.key))
PAWL_FIELDS(FlowTaken, v(1, e.scope), v(2, e.flow))
PAWL_FIELDS(BoundaryTriggered, v(1, e.host), v(2, e.boundary), v(3, e.variables))
PAWL_FIELDS(ScopeInterrupted, v(1, e.scope))
PAWL_FIELDS(ErrorThrown, v(1, e.element), v(2, e.code), v(3, e.message), v(4, e.caught_by))
PAWL_FIELDS(LoopStarted, v(1, e.body), v(2, e.total), v(3, e.items), v(4, e.concurrency),
            v(5, e.needed), v(6, e.tolerated), v(7, e.detached))
PAWL_FIELDS(IterationCollected, v(1, e.body), v(2, e.iteration), v(3, e.value))
PAWL_FIELDS(IterationFailed, v(1, e.element), v(2, e.output), v(3, e.collected))
PAWL_FIELDS(LoopFailed, v(1, e.body), v(2, e.kind), v(3, e.code), v(4, e.message))
PAWL_FIELDS(IterationsAdded, v(1, e.body), v(2, e.count), v(3, e.items))
PAWL_FIELDS(VariableCreated, v(1, e.key), v(2, e.scope), v(3, e.name), v(4, e.value), v(5, e.local))
PAWL_FIELDS(VariableUpdated, v(1, e.scope), v(2, e.name), v(3, e.value))
PAWL_FIELDS(JobCreated, v(1, e.key), v(2, e.element), v(3, e.type), v(4, e.retries),
            v(5, e.priority), v(6, e.details), v(7, e.kind))
PAWL_FIELDS(JobCompleted, v(1, e.key))
PAWL_FIELDS(JobFailed, v(1, e.key), v(2, e.retries), v(3, e.retry_at), v(4, e.message))
PAWL_FIELDS(JobRetryDue, v(1, e.key))
PAWL_FIELDS(JobErrorThrown, v(1, e.key), v(2, e.code), v(3, e.message))
PAWL_FIELDS(JobRetriesUpdated, v(1, e.key), v(2, e.retries))
PAWL_FIELDS(JobCanceled, v(1, e.key))
PAWL_FIELDS(IncidentRaised, v(1, e.key), v(2, e.element), v(3, e.kind), v(4, e.code),
            v(5, e.message), v(6, e.halts))
PAWL_FIELDS(IncidentResolved, v(1, e.key))
PAWL_FIELDS(InstanceContinued, v(1, e.variables))
PAWL_FIELDS(TimerCreated, v(1, e.key), v(2, e.element), v(3, e.target), v(4, e.due),
            v(5, e.repetitions), v(6, e.cycle))
PAWL_FIELDS(TimerTriggered, v(1, e.key))
PAWL_FIELDS(TimerCanceled, v(1, e.key))
PAWL_FIELDS(SubscriptionOpened, v(1, e.key), v(2, e.element), v(3, e.target), v(4, e.kind),
            v(5, e.name), v(6, e.correlation))
PAWL_FIELDS(MailReceived, v(1, e.subscription), v(2, e.mail), v(3, e.variables))
PAWL_FIELDS(SubscriptionClosed, v(1, e.key))
PAWL_FIELDS(EventSubProcessTriggered, v(1, e.scope), v(2, e.start), v(3, e.variables))
PAWL_FIELDS(CallStarted, v(1, e.element), v(2, e.child), v(3, e.definition), v(4, e.process),
            v(5, e.version))
PAWL_FIELDS(CallCancelRequested, v(1, e.element), v(2, e.child))
PAWL_FIELDS(CallEnded, v(1, e.element), v(2, e.child), v(3, e.outcome), v(4, e.result))
PAWL_FIELDS(ErrorEscaped, v(1, e.code), v(2, e.message), v(3, e.variables), v(4, e.escalation),
            v(5, e.technical))
PAWL_FIELDS(CallerAnswered, v(1, e.caller), v(2, e.element), v(3, e.outcome), v(4, e.code),
            v(5, e.message), v(6, e.variables), v(7, e.number))
PAWL_FIELDS(EscalationThrown, v(1, e.element), v(2, e.code), v(3, e.caught_by))
PAWL_FIELDS(CallEscalated, v(1, e.element), v(2, e.child), v(3, e.number))
PAWL_FIELDS(CompensationRecorded, v(1, e.scope), v(2, e.element), v(3, e.handler),
            v(4, e.variables))
PAWL_FIELDS(CompensationThrown, v(1, e.element), v(2, e.activity))
PAWL_FIELDS(TransactionCancelled, v(1, e.element))
PAWL_FIELDS(PathCollected, v(1, e.ad_hoc), v(2, e.value))
PAWL_FIELDS(PathsClosed, v(1, e.ad_hoc))
PAWL_FIELDS(IterationRemoved, v(1, e.element), v(2, e.completed))
PAWL_FIELDS(ElementMove, v(1, e.from), v(2, e.to))
PAWL_FIELDS(InstanceMigrated, v(1, e.definition), v(2, e.process), v(3, e.version), v(4, e.moves))
PAWL_FIELDS(TurnCut, v(1, e.steps))
PAWL_FIELDS(CameToRest)
PAWL_FIELDS(StartsTaken, v(1, e.scope), v(2, e.elements))
PAWL_FIELDS(CallResultTaken, v(1, e.element))

}  // namespace pawl::engine

namespace pawl::store {

PAWL_FIELDS(ResourceDeployed, v(1, e.key), v(2, e.name), v(3, e.content), v(4, e.checksum))
PAWL_FIELDS(ProcessDeployed, v(1, e.key), v(2, e.id), v(3, e.version), v(4, e.resource),
            v(5, e.deployment))
PAWL_FIELDS(MessagePublished, v(1, e.key), v(2, e.name), v(3, e.correlation), v(4, e.id),
            v(5, e.expires), v(6, e.variables), v(7, e.offered))
PAWL_FIELDS(MessageOffered, v(1, e.message), v(2, e.subscription))
PAWL_FIELDS(MessageRefused, v(1, e.message), v(2, e.subscription))
PAWL_FIELDS(MessageExpired, v(1, e.key))
PAWL_FIELDS(SignalBroadcast, v(1, e.key), v(2, e.name), v(3, e.variables))
PAWL_FIELDS(SignalDelivered, v(1, e.key))
PAWL_FIELDS(WorkSetAside, v(1, e.key), v(2, e.instance), v(3, e.subject), v(4, e.work),
            v(5, e.reason), v(6, e.at))
PAWL_FIELDS(WorkResumed, v(1, e.key))

// Which field of Event or Notice an alternative is: its place in the variant, from 1. New ones are
// added at the end of the variant.
PAWL_FIELDS(Record, v(1, e.shard), v(2, e.instance), v(3, e.execution), v(4, e.at),
            v(5, e.next_key), v(6, e.more), v(7, e.events), v(8, e.notices))

}  // namespace pawl::store
