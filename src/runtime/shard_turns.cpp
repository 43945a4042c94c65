// SPDX-License-Identifier: Apache-2.0
// Turns: from a command to records that wait for their commit.
#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "runtime/mutation.hpp"
#include "runtime/shard.hpp"

namespace pawl::runtime {

using store::Record;

engine::World Shard::world_now(const Definition& definition) {
  return {.now = now_,
          .next_key = next_key_,
          .seed = next_key_ ^ random_(),
          .max_steps = around_.steps_per_turn,
          .max_iterations = around_.iterations,
          .callables = &around_.definitions,
          .definition = definition.key};
}

void Shard::take_turn_of(Resident& resident, CommandRequest request) {
  if (resident.reloads) {
    resident.held.push_back(std::move(request));
    return;
  }
  const engine::World world = world_now(*resident.definition);
  Result<engine::Turn> turn = engine::Turn{};
  try {
    turn = engine::take_turn(resident.state, request.command, world);
  } catch (const BrokenInvariant& broken) {
    on_broken(resident, std::move(request), broken.what());
    return;
  }
  const Key instance = resident.state.key;
  if (!turn) {  // it may refuse because of a turn that is not durable yet: then it waits for that
    after_pending(resident, [this, reply = std::move(request.reply), answers = request.answers,
                             refusal = turn.error()](const Error* error) {
      tell(reply, answers, error ? *error : refusal);
    });
    return;
  }
  next_key_ = turn->next_key;
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
                .next_key = next_key_,
                // Calls that are cancelled are work, too: after a crash they are cancelled again.
                .more = turn.more || resident.state.cancelling != 0};
  // It stays in memory until the index has it: not with room for more.
  if (turn.events.size() * 4 < turn.events.capacity() * 3) turn.events.shrink_to_fit();
  record.events = std::move(turn.events);
  return record;
}

void Shard::record_turn(Resident& resident, engine::Turn turn, CommandRequest& request) {
  const bool more = turn.more;
  std::vector<engine::ChildStart> calls = std::move(turn.calls);
  Records records;
  records.push_back(std::make_shared<const Record>(as_record(resident, turn)));
  if (resident.state.ended == engine::Ended::continued) {
    continue_as_new(resident, request.next_version, records, calls);
  } else if (more) {
    go_on(resident);
  }
  const std::vector<Key> children = start_children(std::move(calls), records);
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
         .answers = request.answers});
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
  const engine::World world = world_now(*resident.definition);
  auto turn = engine::take_turn(fresh, start, world);
  PAWL_ASSERT(turn.has_value());
  next_key_ = turn->next_key;
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
  drafts_.push_back({number_, epoch_, sequence_, pending.records});
  if (mutated(Mutation::effects_before_commit)) {
    for (const RecordPtr& record : pending.records) project(*record, durable_);
  }
  pending_.push_back(std::move(pending));
}

void Shard::draft_notices(std::vector<store::Notice> notices,
                          std::function<void(const Error*)> after) {
  Records records;
  if (!notices.empty()) {
    Record record{.shard = number_, .at = now_, .next_key = next_key_};
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
  const Key instance = resident.state.key;
  if (++request.tries >= limits::tries) {
    set_aside(request, instance, what);
    tell(request.reply, request.answers,
         fail(Whose::operators, Code::broken_invariant,
              "this is a mistake in Pawl itself, please report it: " + what));
  } else {
    resident.held.push_back(std::move(request));
  }
  resident.reloads = true;
  if (resident.pending == 0) reload(instance);
}

void Shard::reload(Key instance) {
  Resident* resident = residents_.find(instance);
  std::vector<CommandRequest> held = std::move(resident->held);
  reload_from_ = std::max(reload_from_, durable_);
  residents_.remove(instance);
  const bool continues = std::any_of(held.begin(), held.end(), [](const CommandRequest& request) {
    return std::holds_alternative<engine::Continue>(request.command);
  });
  if (!continues) to_continue_.push_back(instance);
  for (CommandRequest& request : held) post(std::move(request));
}

namespace {

// What it is called in the incident, and the key by which it is not tried again until it is
// resumed.
std::pair<std::string, Key> work_of(const engine::Command& command, Key instance) {
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
  return {"command", Key::none};
}

}  // namespace

void Shard::set_aside(const CommandRequest& request, Key instance, const std::string& reason) {
  const auto [work, subject] = work_of(request.command, instance);
  const store::WorkSetAside notice{.key = new_key(),
                                   .instance = instance,
                                   .subject = subject,
                                   .work = work,
                                   .reason = reason,
                                   .at = now_};
  aside_by_[notice.key] = {instance, subject};
  if (subject != Key::none) aside_.insert(subject);
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
  while (!pending_.empty() && pending_.front().sequence <= durable.sequence) {
    Pending one = std::move(pending_.front());
    pending_.pop_front();
    for (const RecordPtr& record : one.records) {
      if (!mutated(Mutation::effects_before_commit)) project(*record, durable.position);
      if (around_.watch) around_.watch(record, durable.position);
    }
    Resident* resident = one.instance == Key::none ? nullptr : residents_.find(one.instance);
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
    if (!resident || resident->pending != 0) continue;
    if (resident->reloads) {
      reload(one.instance);
    } else if (resident->state.ended != engine::Ended::no) {
      finish(one.instance, *resident, durable.position);
    }
  }
}

// Everything after the last durable turn is forgotten, in memory as on disk. Own work rests for a
// while, longer each time, so that a broken disk is not hammered.
void Shard::handle(DraftsFailed& failed) {
  if (failed.epoch != epoch_) return;
  ++epoch_;
  drafts_.clear();
  std::deque<Pending> lost;
  lost.swap(pending_);
  reload_from_ = std::max({reload_from_, failed.committed, durable_});
  for (const Pending& one : lost) {
    if (one.instance == Key::none || mutated(Mutation::keep_state_after_failure)) continue;
    Resident* resident = residents_.find(one.instance);
    if (!resident) continue;
    for (CommandRequest& request : resident->held) post(std::move(request));
    residents_.remove(one.instance);
    to_continue_.push_back(one.instance);
  }
  for (Pending& one : lost) settle(one, &failed.error);
  failures_ = std::min(failures_ + 1, 10u);
  const auto longest = std::chrono::milliseconds(10) * (1 << failures_);
  const auto jitter =
      static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(longest.count()));
  paused_until_ = now_ + longest / 2 + Millis(jitter / 2);
}

}  // namespace pawl::runtime
