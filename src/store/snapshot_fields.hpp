// SPDX-License-Identifier: Apache-2.0
// The fields of a snapshot, like event_fields.hpp those of a record: the same rules, and
// proto/journal.proto has the same numbers. Included by the code that walks them only.
#pragma once

#include "engine/state.hpp"
#include "store/event_fields.hpp"

namespace pawl::engine {

PAWL_FIELDS(Variable, v(1, e.name), v(2, e.value), v(3, e.key), v(4, e.local))
PAWL_FIELDS(Job, v(1, e.key), v(2, e.type), v(3, e.retries), v(4, e.priority), v(5, e.details),
            v(6, e.state), v(7, e.retry_at), v(8, e.kind))
PAWL_FIELDS(Incident, v(1, e.key), v(2, e.kind))
PAWL_FIELDS(Waits::Timer, v(1, e.key), v(2, e.target), v(3, e.due), v(4, e.repetitions),
            v(5, e.cycle))
PAWL_FIELDS(Waits::Subscription, v(1, e.key), v(2, e.target), v(3, e.kind), v(4, e.name),
            v(5, e.correlation), v(6, e.last_mail))
PAWL_FIELDS(Waits, v(1, e.timers), v(2, e.subscriptions))
PAWL_FIELDS(Call, v(1, e.child), v(2, e.ended), v(3, e.cancelling), v(4, e.result),
            v(5, e.escalated))
PAWL_FIELDS(Trigger, v(1, e.boundary), v(2, e.variables))
PAWL_FIELDS(Arrivals::Waiting, v(1, e.flow), v(2, e.count))
PAWL_FIELDS(Arrivals, v(1, e.waiting), v(2, e.approaching), v(3, e.parked))
PAWL_FIELDS(Loop, v(1, e.total), v(2, e.spawned), v(3, e.completed), v(4, e.terminated),
            v(5, e.failed), v(6, e.concurrency), v(7, e.needed), v(8, e.tolerated),
            v(9, e.detached), v(10, e.items), v(11, e.item_name), v(12, e.output_name),
            v(13, e.outputs), v(14, e.filled), v(15, e.failure), v(16, e.index_name),
            v(17, e.removed), v(18, e.added))
PAWL_FIELDS(Undoable, v(1, e.element), v(2, e.handler), v(3, e.variables), v(4, e.inside),
            v(5, e.around))
PAWL_FIELDS(Compensation, v(1, e.done), v(2, e.pending), v(3, e.thrown))
PAWL_FIELDS(AdHoc, v(1, e.outputs), v(2, e.closed))
PAWL_FIELDS(ElementInstance, v(1, e.key), v(2, e.element), v(3, e.active_tokens), v(4, e.life),
            v(5, e.mappings_applied), v(6, e.interrupted), v(7, e.is_body), v(8, e.failed),
            v(9, e.iteration), v(10, e.job), v(11, e.incident), v(12, e.waits), v(13, e.trigger),
            v(14, e.arrivals), v(15, e.loop), v(16, e.taken_over), v(17, e.call), v(18, e.skipped),
            v(19, e.is_path), v(20, e.listened), v(21, e.compensation), v(22, e.ad_hoc))

}  // namespace pawl::engine

namespace pawl::store {

// An element instance with what its slot says: parents come before their children.
struct StoredElement {
  std::uint32_t parent{0};  // place in the list, from 1; 0: the root
  engine::ElementInstance self{};
  std::vector<engine::Variable> variables{};
};
PAWL_FIELDS(StoredElement, v(1, e.parent), v(2, e.self), v(3, e.variables))

struct StoredInstance {
  Key key{Key::none};
  std::uint32_t execution{0};
  std::string id{};
  std::string business_id{};
  bool continues{false};
  Value next_variables{};
  std::vector<engine::Work> agenda{};
  std::unique_ptr<engine::Caller> caller{};
  std::unique_ptr<engine::ErrorEscaped> escaped{};
  std::uint32_t rules{0};
  std::uint64_t unrested{0};
  Key halted{Key::none};
};
PAWL_FIELDS(StoredInstance, v(1, e.key), v(2, e.execution), v(3, e.id), v(4, e.business_id),
            v(5, e.continues), v(6, e.next_variables), v(7, e.agenda), v(8, e.caller),
            v(9, e.escaped), v(10, e.rules), v(11, e.unrested), v(12, e.halted))

// The elements are a field of the instance, too; they are written one by one, from where they are.
inline constexpr std::uint32_t stored_elements = 15;

}  // namespace pawl::store
