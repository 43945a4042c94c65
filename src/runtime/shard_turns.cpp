// SPDX-License-Identifier: Apache-2.0
// Turns: from a command to records that wait for their commit.
#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/assert.hpp"
#include "runtime/mutation.hpp"
#include "runtime/shard.hpp"

namespace pawl::runtime {

using store::Record;

engine::World Shard::world_now(const Definition& definition) {
  return {.now = now_,
          .next_key = own_keys_.from,
          .end_key = own_keys_.to,
          .keys = &keys_,
          .seed = keys_.used() ^ random_(),
          .max_steps = around_.steps_per_turn,
          .allowance = around_.allowance,
          .callables = &around_.definitions,
          .definition = definition.key};
}

void Shard::take_turn_of(Resident& resident, CommandRequest request) {
  if (resident.reloads || resident.away) {
    resident.held.push_back(std::move(request));
    return;
  }
  if (is_slow(*resident.definition)) return send_away(resident, std::move(request));
  const engine::World world = world_now(*resident.definition);
  Result<engine::Turn> turn = engine::Turn{};
  try {
    turn = engine::take_turn(resident.state, request.command, world);
  } catch (const BrokenInvariant& broken) {
    return on_broken(resident, std::move(request), broken.what());
  } catch (const std::bad_alloc&) {
    return on_out_of_memory(resident, std::move(request));
  }
  if (turn) keep_keys_of(*turn);
  finish_turn(resident, std::move(request), std::move(turn));
}

// --- beside the shard

static std::size_t value_bytes_of(const engine::Command& command) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.variables; }) {
          return one.variables.encoded_size();
        } else {
          return std::size_t{0};
        }
      },
      command);
}

// Ending an instance is always possible.
bool Shard::take_place(CommandRequest& request) {
  if (!from_outside_ || std::holds_alternative<engine::CancelInstance>(request.command))
    return true;
  request.place = beside_.enter(value_bytes_of(request.command));
  return request.place != nullptr;
}

void Shard::send_away(Resident& resident, CommandRequest request) {
  auto turn = std::make_shared<AwayTurn>(AwayTurn{.instance = resident.key,
                                                  .state = resident.state,
                                                  .request = std::move(request),
                                                  .world = world_now(*resident.definition)});
  turn->world.next_key = turn->world.end_key = 0;  // it draws its own
  resident.away = true;
  ++away_;
  around_.beside(resident.definition->key, [turn, shard = number_, &post = around_.post,
                                            &closing = around_.closing] {
    try {
      turn->dropped = closing;
      if (!turn->dropped) {
        turn->turn = engine::take_turn(turn->state, turn->request.command, turn->world);
      }
    } catch (const BrokenInvariant& broken) {
      turn->broken = broken.what();
    } catch (const std::bad_alloc&) {
      turn->out_of_memory = true;
    }
    post(shard, TurnTaken{turn});
  });
}

void Shard::handle(TurnTaken& taken) {
  AwayTurn& turn = *taken.turn;
  --away_;
  Resident& resident = *residents_.find(turn.instance);
  resident.away = false;
  own_keys_ = {};  // its next turn may be taken here, and has greater keys
  for (const auto& then : std::exchange(resident.when_back, {})) then(resident);
  const Key instance = turn.instance;
  if (resident.lost) {
    resident.held.push_front(std::move(turn.request));
    return forget_turns_of(instance);
  }
  std::deque<CommandRequest> held = std::exchange(resident.held, {});
  if (turn.dropped) {
    tell(turn.request.reply, turn.request.answers, closing_error());
  } else if (!turn.broken.empty()) {
    on_broken(resident, std::move(turn.request), turn.broken);
  } else if (turn.out_of_memory) {
    on_out_of_memory(resident, std::move(turn.request));
  } else {
    finish_turn(resident, std::move(turn.request), std::move(turn.turn));
  }
  settle_resident(instance, durable_);
  handle_held(instance, std::move(held));
}

// What has waited for a turn beside; the rest waits on when one of it is sent there. If the node
// closes, nothing is.
void Shard::handle_held(Key instance, std::deque<CommandRequest> held) {
  while (!held.empty()) {
    Resident* resident = closing_ ? nullptr : residents_.find(instance);
    if (resident && (resident->away || resident->reloads)) {
      held.swap(resident->held);
      std::move(held.begin(), held.end(), std::back_inserter(resident->held));
      return;
    }
    CommandRequest request = std::move(held.front());
    held.pop_front();
    if (closing_) {
      tell(request.reply, request.answers, closing_error());
    } else {
      handle(request);
    }
  }
}

// Turns of a definition that were slow are taken beside the shard for a while.
void Shard::note_pace(const Definition& definition, std::uint64_t cost) {
  round_cost_ += cost;
  if (cost >= around_.slow_turn) {
    slow_[definition.key] = limits::slow_for;
    return;
  }
  const auto slow = slow_.find(definition.key);
  if (slow != slow_.end() && --slow->second == 0) slow_.erase(slow);
}

// ---

void Shard::finish_turn(Resident& resident, CommandRequest request, Result<engine::Turn> turn) {
  const Key instance = resident.state.key;
  if (!turn) {  // it may refuse because of a turn that is not durable yet: then it waits for that
    after_pending(resident, [this, reply = std::move(request.reply), answers = request.answers,
                             refusal = turn.error()](const Error* error) {
      tell(reply, answers, error ? *error : refusal);
    });
    return;
  }
  note_pace(*resident.definition, turn->cost);
  if (std::holds_alternative<engine::MigrateInstance>(request.command)) {
    resident.definition = request.next_version;
  }
  if (turn->events.empty()) {
    after_pending(resident, [this, reply = std::move(request.reply), answers = request.answers,
                             instance](const Error* error) {
      tell(reply, answers, error ? Result<Done>(*error) : Result<Done>(Done{instance}));
    });
    return;
  }
  record_turn(resident, std::move(*turn), request);
}

Record Shard::as_record(const Resident& resident, engine::Turn& turn) {
  Record record{.shard = number_,
                .instance = resident.state.key,
                .execution = resident.state.execution,
                .at = now_,
                .next_key = keys_.used(),
                // Calls that are cancelled are work, too: after a crash they are cancelled again.
                .more = turn.more || resident.state.cancelling != 0,
                .life = resident.life};
  // It stays in memory until the index has it: not with room for more.
  if (turn.events.size() * 4 < turn.events.capacity() * 3) turn.events.shrink_to_fit();
  record.events = std::move(turn.events);
  return record;
}

void Shard::record_turn(Resident& resident, engine::Turn turn, CommandRequest& request) {
  const bool more = turn.more;
  Records records;
  std::vector<Key> children;
  try {
    std::vector<engine::ChildStart> calls = std::move(turn.calls);
    records.push_back(std::make_shared<const Record>(as_record(resident, turn)));
    if (resident.state.ended == engine::Ended::continued) {
      continue_as_new(resident, request.next_version, records, calls);
    } else if (more) {
      go_on(resident);
    }
    start_children(std::move(calls), records, children);
  } catch (const std::bad_alloc&) {
    for (const Key child : children) residents_.remove(child);
    return on_out_of_memory(resident, std::move(request));
  }
  residents_.weigh(resident);
  const Key instance = resident.state.key;
  ++resident.pending;
  if (mutated(Mutation::reply_before_commit) && request.reply) {
    request.reply(Done{instance});
    request.reply = nullptr;
  }
  draft({.instance = instance,
         .records = std::move(records),
         .reply = std::move(request.reply),
         .answers = request.answers,
         .work = work_of(request.command, instance),
         .bytes = turn.bytes});
  // Committed with their caller's turn; each is settled by itself.
  for (const Key child : children) draft({.instance = child});
}

// An answer that was refused or not committed: whoever may have the job now can have it.
void Shard::tell(const Reply<Done>& reply, Key answers, Result<Done> done) {
  if (!done && answers != Key::none) {
    jobs_.offer_again(answers);
    to_serve_.merge(jobs_.types_with_offers());
  }
  if (reply) reply(std::move(done));
}

// The end of one execution and the start of the next are committed together: there is no moment in
// which the instance has none.
void Shard::continue_as_new(Resident& resident, const DefinitionPtr& next, Records& out,
                            std::vector<engine::ChildStart>& calls) {
  engine::Instance& old = resident.state;
  Value variables = old.next_variables;
  if (variables.is_null()) {
    std::vector<Entry> entries;
    for (const engine::Variable& one : old.last_variables.all()) {
      entries.push_back({one.name.string(), one.value});
    }
    variables = Value::context(std::move(entries));
  }
  if (next) resident.definition = next;
  engine::StartInstance start{.instance = old.key,
                              .definition = resident.definition->key,
                              .version = resident.definition->version,
                              .variables = variables,
                              .execution = old.execution + 1,
                              .id = old.id,
                              .business_id = old.business_id};
  if (old.caller) start.caller = *old.caller;
  engine::Instance fresh(resident.definition->process);
  engine::World world = world_now(*resident.definition);
  world.max_steps = 0;  // its own turns follow
  auto turn = engine::take_turn(fresh, start, world);
  PAWL_ASSERT(turn.has_value());
  keep_keys_of(*turn);
  resident.state = std::move(fresh);
  resident.tail_bytes = resident.snapshot_bytes = 0;
  const bool more = turn->more;
  std::move(turn->calls.begin(), turn->calls.end(), std::back_inserter(calls));
  out.push_back(std::make_shared<const Record>(as_record(resident, *turn)));
  if (more) go_on(resident);
}

void Shard::go_on(Resident& resident) {
  if (resident.continues) return;
  resident.continues = true;
  to_continue_.push_back(resident.state.key);
}

void Shard::draft(Pending pending) {
  pending.sequence = ++sequence_;
  pending_bytes_ += pending.bytes;
  if (const Resident* resident = residents_.find(pending.instance)) pending.life = resident->life;
  drafts_.push_back({number_, epoch_, sequence_, pending.records, pending.instance, pending.life});
  if (mutated(Mutation::effects_before_commit)) {
    for (const RecordPtr& record : pending.records) project(*record, durable_);
  }
  pending_.push_back(std::move(pending));
}

void Shard::draft_notices(std::vector<store::Notice> notices,
                          std::function<void(const Error*)> after) {
  Records records;
  if (!notices.empty()) {
    Record record{.shard = number_, .at = now_, .next_key = keys_.used()};
    record.notices = std::move(notices);
    records.push_back(std::make_shared<const Record>(std::move(record)));
  }
  draft({.records = std::move(records), .after = std::move(after)});
}

// Nothing to commit, but what is said depends on turns that are not durable yet.
void Shard::after_pending(Resident& resident, std::function<void(const Error*)> after) {
  if (resident.pending == 0) {
    after(nullptr);
    return;
  }
  ++resident.pending;
  draft({.instance = resident.state.key, .after = std::move(after)});
}

// The turn was thrown away with the state that it may have spoilt. The instance is folded again
// when its earlier turns are durable, and the command is tried again.
void Shard::on_broken(Resident& resident, CommandRequest request, const std::string& what) {
  if (++request.tries < limits::tries) {
    resident.held.push_back(std::move(request));
    return fold_again(resident);
  }
  const Work work = work_of(request.command, resident.key);
  set_aside(work, resident.key, what);
  fold_again(resident);
  tell(request.reply, request.answers,
       fail(Whose::operators, Code::broken_invariant,
            "this is a mistake in Pawl itself, please report it: " + what));
}

// The same, but it would not help to try it again.
void Shard::on_out_of_memory(Resident& resident, CommandRequest request) {
  const Error error =
      fail(Whose::operators, Code::too_large,
           "there is not enough memory for this step; give the process more, or the instance less");
  const Work work = work_of(request.command, resident.key);
  if (work.subject != Key::none) set_aside(work, resident.key, error.text);
  fold_again(resident);
  tell(request.reply, request.answers, error);
}

// It may be gone afterwards, also because whoever is told then lets it go.
void Shard::fold_again(Resident& resident) {
  resident.reloads = true;
  if (resident.pending == 0) reload(resident.key);
}

void Shard::reload(Key instance) {
  Resident* resident = residents_.find(instance);
  std::deque<CommandRequest> held = std::move(resident->held);
  reload_from_ = std::max(reload_from_, durable_);
  residents_.remove(instance);
  const bool continues = std::any_of(held.begin(), held.end(), [](const CommandRequest& request) {
    return std::holds_alternative<engine::Continue>(request.command);
  });
  if (!continues) to_continue_.push_back(instance);
  for (CommandRequest& request : held) post(std::move(request));
}

Shard::Work Shard::work_of(const engine::Command& command, Key instance) {
  if (const auto* timer = std::get_if<engine::TriggerTimer>(&command)) {
    return {"trigger timer", timer->timer};
  }
  if (const auto* mail = std::get_if<engine::DeliverMail>(&command)) {
    return {"deliver mail", mail->subscription};
  }
  if (const auto* retry = std::get_if<engine::RetryJob>(&command)) return {"retry job", retry->job};
  if (const auto* answer = std::get_if<engine::AnswerCall>(&command)) {
    return {"answer call", answer->child};
  }
  const auto* cancel = std::get_if<engine::CancelInstance>(&command);
  if (cancel && cancel->by_caller) return {"cancel call", instance};
  if (std::holds_alternative<engine::Continue>(command)) return {"continue", instance};
  return {};
}

void Shard::set_aside(const Work& work, Key instance, const std::string& reason) {
  const store::WorkSetAside notice{.key = new_key(),
                                   .instance = instance,
                                   .subject = work.subject,
                                   .work = std::string(work.name),
                                   .reason = reason,
                                   .at = now_};
  aside_by_[notice.key] = {instance, work.subject};
  if (work.subject != Key::none) aside_.insert(work.subject);
  draft_notices({notice}, [](const Error*) {});
}

void Shard::handle(ResumeRequest& request) {
  const auto found = aside_by_.find(request.incident);
  if (found == aside_by_.end()) {
    request.reply(
        fail(Whose::caller, Code::not_found,
             fmt::format("there is no incident with key {} (any more)", number(request.incident))));
    return;
  }
  const auto [instance, subject] = found->second;
  draft_notices({store::WorkResumed{request.incident}},
                [this, reply = request.reply, key = request.incident, instance = instance,
                 subject = subject](const Error* error) {
                  if (error) return reply(*error);
                  aside_by_.erase(key);
                  aside_.erase(subject);
                  timers_.put_back(subject);
                  call_again(subject);
                  around_.post(0, Delivered{.subscription = subject});
                  to_continue_.push_back(instance);
                  reply(Done{instance});
                });
}

// --- commits ------------------------------------------------------------------------------------

// Says what became of a draft.
void Shard::settle(Pending& one, const Error* error) {
  if (one.after) one.after(error);
  if (!one.reply && one.answers == Key::none) return;
  tell(one.reply, one.answers, error ? Result<Done>(*error) : Result<Done>(Done{one.instance}));
}

void Shard::handle(DraftsDurable& durable) {
  durable_ = std::max(durable_, durable.position);
  failures_ = 0;
  auto refusal = durable.refused.begin();
  while (!pending_.empty() && pending_.front().sequence <= durable.sequence) {
    Pending one = std::move(pending_.front());
    pending_.pop_front();
    pending_bytes_ -= one.bytes;
    if (refusal != durable.refused.end() && refusal->sequence == one.sequence) {
      on_refused(one, *refusal++);
      continue;
    }
    for (const RecordPtr& record : one.records) {
      if (!mutated(Mutation::effects_before_commit)) project(*record, durable.position);
      if (around_.watch) around_.watch(record, durable.position);
    }
    Resident* resident = one.instance == Key::none ? nullptr : residents_.find(one.instance);
    if (resident && resident->life != one.life) resident = nullptr;  // it was brought back since
    if (resident) {
      --resident->pending;
      for (const RecordPtr& record : one.records) {
        const bool own = record->instance == one.instance;
        Resident* const owner = own ? resident : residents_.find(record->instance);
        if (!owner) continue;
        owner->tail_bytes += record->encoded_bytes;
        owner->last = durable.position;
      }
      residents_.weigh(*resident);
    }
    settle(one, nullptr);
    if (resident) settle_resident(one.instance, durable.position);
  }
}

// All that it did is durable: it may be folded again, or be gone.
void Shard::settle_resident(Key instance, Position at) {
  Resident* resident = residents_.find(instance);
  if (!resident || resident->away || resident->pending != 0) return;
  if (resident->reloads) {
    reload(instance);
  } else if (resident->state.ended != engine::Ended::no) {
    finish(instance, *resident, at);
  }
}

// What it did since its last durable turn is gone: it is brought back as it was.
void Shard::forget_turns_of(Key instance) {
  Resident* resident = residents_.find(instance);
  if (!resident) return;
  if (resident->away) {
    resident->lost = true;
    return;
  }
  for (CommandRequest& request : resident->held) post(std::move(request));
  residents_.remove(instance);
  to_continue_.push_back(instance);
}

// The store cannot take this turn, but others. Work that nobody waits for is set aside, or it would
// be tried for ever.
void Shard::on_refused(Pending& one, const Refusal& refusal) {
  reload_from_ = std::max(reload_from_, durable_);
  for (const RecordPtr& record : one.records) {
    const Resident* resident = residents_.find(record->instance);
    // One that was brought back since knows nothing of this turn.
    if (resident && resident->life == record->life) forget_turns_of(record->instance);
  }
  const bool own = one.work.subject != Key::none;
  if (own && !refusal.follows) set_aside(one.work, one.instance, refusal.error.text);
  settle(one, &refusal.error);
}

// Everything after the last durable turn is forgotten, in memory as on disk. Own work rests for a
// while, longer each time, so that a broken disk is not hammered.
void Shard::handle(DraftsFailed& failed) {
  if (failed.epoch != epoch_) return;
  ++epoch_;
  drafts_.clear();
  std::deque<Pending> lost;
  lost.swap(pending_);
  pending_bytes_ = 0;
  reload_from_ = std::max({reload_from_, failed.committed, durable_});
  for (const Pending& one : lost) {
    if (one.instance == Key::none || mutated(Mutation::keep_state_after_failure)) continue;
    forget_turns_of(one.instance);
  }
  for (Pending& one : lost) settle(one, &failed.error);
  failures_ = std::min(failures_ + 1, 10u);
  const auto longest = std::chrono::milliseconds(10) * (1 << failures_);
  const auto jitter =
      static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(longest.count()));
  paused_until_ = now_ + longest / 2 + Millis(jitter / 2);
}

}  // namespace pawl::runtime
