// SPDX-License-Identifier: Apache-2.0
// Instances that go on in another process. Ids become places here, where it is certain which
// process the instance follows now; and its names and subscriptions go with it.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "runtime/shard.hpp"

namespace pawl::runtime {
namespace {

using Moves = std::vector<engine::ElementMove>;

Result<ElementIndex> place_of(const Definition& definition, const std::string& id) {
  const model::Element* found = definition.process->find(id);
  if (found && found->kind != model::ElementKind::process) return found->index;
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("process \"{}\" version {} has no element \"{}\"", definition.id,
                          definition.version, id));
}

void add_same_ids(const model::Process& from, const model::Process& to, Moves& moves) {
  std::set<ElementIndex> named;
  for (const engine::ElementMove& move : moves) named.insert(move.from);
  for (const model::Element& element : from.elements) {
    if (element.kind == model::ElementKind::process || named.contains(element.index)) continue;
    const model::Element* same = to.find(element.id);
    if (!same || same->kind == model::ElementKind::process) continue;
    // Another event under the same id is not the same event.
    const bool other = model::is_event(element.kind) &&
                       (same->kind != element.kind || same->event != element.event);
    if (!other) moves.push_back({element.index, same->index});
  }
}

Result<Moves> moves_of(const Definition& from, const MigrateRequest& request) {
  Moves moves;
  for (const MigrateRequest::Move& move : request.moves) {
    PAWL_TRY(source, place_of(from, move.from));
    PAWL_TRY(target, place_of(*request.target, move.to));
    moves.push_back({source, target});
  }
  if (request.same_ids) add_same_ids(*from.process, *request.target->process, moves);
  return moves;
}

// One active instance of a process has a business id.
std::vector<InstanceName> names_to_take(const Resident& resident, const Definition& target) {
  const bool called = resident.state.caller != nullptr;  // then it need not be unique
  if (called || resident.state.business_id.empty() || resident.definition->id == target.id) {
    return {};
  }
  return {{target.id, resident.state.business_id}};
}

Result<void> take(Names& names, const std::vector<InstanceName>& wanted, Key instance) {
  for (const InstanceName& name : wanted) {
    PAWL_TRY(holder, names.take(name, instance, false));
    if (!holder) continue;
    return fail(Whose::caller, Code::already_exists,
                fmt::format("instance {} of process \"{}\" is active and has the business id "
                            "\"{}\" already",
                            number(holder->instance), name.process, name.text));
  }
  return {};
}

}  // namespace

void Shard::handle(MigrateRequest& request) {
  Resident* resident = nullptr;
  const Found found = bring(request.instance, resident);
  if (found == Found::later || (resident && resident->reloads)) {
    return hold_for_index(std::move(request));
  }
  if (found == Found::unreadable) {
    return request.reply(fail(Whose::machine, Code::store_unavailable, unreadable_.text));
  }
  if (found == Found::nowhere) {
    if (around_.index.applied() < durable_) return hold_for_index(std::move(request));
    return request.reply(fail(Whose::caller, Code::not_found,
                              fmt::format("there is no active instance with key {} (any more)",
                                          number(request.instance))));
  }
  if (resident->away) {
    resident->when_back.push_back([this, request](Resident&) { post(request); });
    return;
  }
  auto moves = moves_of(*resident->definition, request);
  if (!moves) return request.reply(moves.error());
  const auto names = names_to_take(*resident, *request.target);
  if (const auto taken = take(around_.names, names, request.instance); !taken) {
    return request.reply(taken.error());
  }
  Reply<Done> reply = [this, names, instance = request.instance, old = resident->definition->id,
                       tell = std::move(request.reply)](Result<Done> done) {
    for (const InstanceName& name : names) {
      if (done) {
        around_.names.settle(name, instance, durable_);
        around_.names.release({old, name.text}, instance, durable_);
      } else {
        around_.names.release(name, instance, Position::none);
      }
    }
    if (tell) tell(std::move(done));
  };
  take_turn_of(*resident, {.target = request.instance,
                           .command = engine::MigrateInstance{.definition = request.target->key,
                                                              .version = request.target->version,
                                                              .process = request.target->process,
                                                              .moves = std::move(*moves)},
                           .reply = std::move(reply),
                           .next_version = request.target});
}

// Those that a later turn has opened follow with that turn; the mailbox does not know them yet.
void Shard::move_subscriptions(Key instance) {
  Resident* resident = residents_.find(instance);
  if (!resident) return;
  if (resident->away) {
    resident->when_back.push_back([this, instance](Resident&) { move_subscriptions(instance); });
    return;
  }
  // Its snapshot is of the other process; the next one replaces it.
  resident->tail_bytes += std::exchange(resident->snapshot_bytes, 0);
  const engine::Instance& state = resident->state;
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    if (!state.slots[i].waits) continue;
    for (const auto& one : state.slots[i].waits->subscriptions) {
      SubscriptionChange change{.row = {.key = one.key}, .moved = true};
      change.row.process = resident->definition->id;
      // At once if it can be: who is told of the migration may publish the next moment.
      if (number_ == 0) {
        handle(change);
      } else {
        around_.post(0, std::move(change));
      }
    }
  }
}

}  // namespace pawl::runtime
