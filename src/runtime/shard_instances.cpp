// SPDX-License-Identifier: Apache-2.0
// Instances in memory: starting, finding, bringing back, ending and sending them away.
#include <fmt/format.h>

#include "base/assert.hpp"
#include "engine/apply.hpp"
#include "runtime/find_process.hpp"
#include "runtime/mutation.hpp"
#include "runtime/shard.hpp"
#include "store/bring_back.hpp"
#include "store/codec.hpp"
#include "store/snapshot.hpp"

namespace pawl::runtime {
namespace {

Error unknown(std::string_view what, Key key) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("there is no {} with key {} (any more)", what, number(key)));
}

std::vector<InstanceName> names_of(const std::string& process, const std::string& id,
                                   const std::string& business_id) {
  std::vector<InstanceName> names;
  if (!id.empty()) names.push_back({"", id});
  if (!business_id.empty()) names.push_back({process, business_id});
  return names;
}

std::string_view kind_of_subject(const engine::Command& command) {
  const bool job = std::holds_alternative<engine::CompleteJob>(command) ||
                   std::holds_alternative<engine::FailJob>(command) ||
                   std::holds_alternative<engine::ThrowError>(command) ||
                   std::holds_alternative<engine::UpdateRetries>(command) ||
                   std::holds_alternative<engine::RetryJob>(command);
  if (job) return "job";
  if (std::holds_alternative<engine::ResolveIncident>(command)) return "incident";
  if (std::holds_alternative<engine::SetVariables>(command)) return "element instance";
  return "active instance";
}

// The job that waits for this command with an incident: it is offered again then.
Key job_let_go(const engine::Instance& state, const engine::Command& command) {
  const engine::ElementInstance* owner = nullptr;
  if (const auto* resolve = std::get_if<engine::ResolveIncident>(&command)) {
    owner = state.find_incident_owner(resolve->incident);
  }
  if (const auto* retries = std::get_if<engine::UpdateRetries>(&command)) {
    owner = state.find_job_owner(retries->job);
  }
  return owner && owner->job && owner->incident ? owner->job->key : Key::none;
}

}  // namespace

// --- starting -----------------------------------------------------------------------------------

// The existing instance that has one of the names, or none: then the names are taken.
static Result<std::optional<NameHolder>> take_names(Names& names,
                                                    const std::vector<InstanceName>& wanted,
                                                    Key instance, OnDuplicate policy) {
  const bool ended_too = policy == OnDuplicate::refuse || policy == OnDuplicate::give_existing;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto holder = names.take(wanted[i], instance, ended_too);
    const bool free = holder && !*holder;
    if (free || (holder && mutated(Mutation::duplicate_start))) continue;
    for (std::size_t j = 0; j < i; ++j) names.release(wanted[j], instance, Position::none);
    return holder;
  }
  return std::optional<NameHolder>();
}

// What an instance that has ended ran; null: that cannot be read.
DefinitionPtr Shard::definition_before(Key ended) const {
  const auto past = around_.index.past_of(ended);
  if (!past || !*past) return {};
  const auto definition = around_.definitions.find((*past)->row.definition);
  return definition ? *definition : nullptr;
}

// The first start may not be durable yet, and nobody is told of it before: the answer waits for it.
void Shard::answer_duplicate(StartRequest& request, const NameHolder& holder) {
  const Key existing = holder.instance;
  const std::string taken = fmt::format("instance {} {} the {} \"{}\" already", number(existing),
                                        holder.active ? "is active and has" : "has ended and had",
                                        request.id.empty() ? "business id" : "id",
                                        request.id.empty() ? request.business_id : request.id);
  auto answer = [this, existing, taken, request](Result<Done> done) {
    if (!done && done.error().code == Code::not_found) {  // it has ended meanwhile
      done = Done{existing, definition_before(existing)};
    }
    if (!done) return request.reply(done.error());
    if (request.on_duplicate != OnDuplicate::give_existing) {
      return request.reply(fail(Whose::caller, Code::already_exists, taken));
    }
    const DefinitionPtr& definition = done->definition ? done->definition : request.definition;
    request.reply(Started{existing, definition->key, definition->version, true});
    if (request.ended) around_.post(shard_of(existing), WaitRequest{existing, request.ended});
  };
  if (!holder.active) return answer(Done{existing, definition_before(existing)});
  around_.post(shard_of(existing), CommandRequest{.target = existing,
                                                  .command = engine::Continue{},
                                                  .reply = std::move(answer),
                                                  .only_waits = true});
}

static Error too_much_waits() {
  return fail(Whose::machine, Code::busy,
              "too many requests wait for turns that take long (scripts, costly expressions); try "
              "again later");
}

void Shard::handle(StartRequest& request) {
  const DefinitionPtr& definition = request.definition;
  const Key key = new_key();
  const bool unique = request.on_duplicate != OnDuplicate::allow;
  const auto names = names_of(definition->id, request.id, unique ? request.business_id : "");
  const auto existing = take_names(around_.names, names, key, request.on_duplicate);
  if (!existing) return request.reply(existing.error());
  if (*existing) return answer_duplicate(request, **existing);

  CommandRequest start{.target = key,
                       .command = engine::StartInstance{.instance = key,
                                                        .definition = definition->key,
                                                        .version = definition->version,
                                                        .variables = std::move(request.variables),
                                                        .id = request.id,
                                                        .business_id = request.business_id}};
  if (is_slow(*definition) && !take_place(start)) {
    for (const InstanceName& name : names) around_.names.release(name, key, Position::none);
    return request.reply(too_much_waits());
  }
  auto resident = std::make_unique<Resident>(definition, engine::Instance(definition->process));
  Resident& added = residents_.add(key, std::move(resident));
  Names& registry = around_.names;
  start.reply = [&registry, names, key,
                 started = Started{key, definition->key, definition->version},
                 tell = std::move(request.reply), this](Result<Done> done) {
    for (const InstanceName& name : names) {
      if (done) {
        registry.settle(name, key, durable_);
      } else {
        registry.release(name, key, Position::none);
      }
    }
    if (!done) {
      Resident* never = residents_.find(key);
      if (never && never->pending == 0 && !never->away) residents_.remove(key);
      if (const auto waiting = waiters_.find(key); waiting != waiters_.end()) {
        for (const auto& one : waiting->second) one(done.error());
        waiters_.erase(waiting);
      }
    }
    if (tell) tell(done ? Result<Started>(started) : Result<Started>(done.error()));
  };
  if (request.ended) waiters_[key].push_back(std::move(request.ended));
  take_turn_of(added, std::move(start));
}

// --- finding ------------------------------------------------------------------------------------

void Shard::hold_for_index(Request request) {
  for_index_.push_back({std::max(durable_, reload_from_), std::move(request)});
}

Shard::Found Shard::owner_of(Key target, Key& instance) {
  if (const auto owner = jobs_.instance_of(target)) {
    instance = *owner;
    return Found::here;
  }
  if (residents_.find(target) || ended_.contains(target)) {
    instance = target;
    return Found::here;
  }
  const Position indexed = around_.index.applied();
  const auto owner = around_.index.owner_of(target);
  if (owner && *owner) {
    instance = **owner;
    return Found::here;
  }
  return indexed < std::max(durable_, reload_from_) ? Found::later : Found::nowhere;
}

Shard::Found Shard::bring(Key instance, Resident*& resident) {
  resident = residents_.find(instance);
  if (resident) return Found::here;
  const Position indexed = around_.index.applied();
  const auto ended = ended_.find(instance);
  if (ended != ended_.end()) {
    if (indexed >= ended->second) ended_.erase(ended);
    return Found::nowhere;
  }
  if (indexed < reload_from_) return Found::later;
  auto loaded = load(instance);
  if (!loaded) {  // it exists: nothing may be concluded from this, and own work rests for a while
    unreadable_ = loaded.error();
    paused_until_ = std::max(paused_until_, now_ + Millis(100));
    return Found::unreadable;
  }
  if (!*loaded) return Found::nowhere;
  resident = &residents_.add(instance, std::move(*loaded));
  if (resident->state.cancelling != 0) cancel_again(*resident);
  return Found::here;
}

// For the tests of the tests: most events cannot be applied twice without being noticed at once.
static void apply_twice(engine::Instance& state, const std::string& turn) {
  const auto record = store::decode_record(turn);
  for (const engine::Event& event : record->events) {
    const auto* updated = std::get_if<engine::VariableUpdated>(&event);
    const bool harmless = updated && state.slot_of.find(updated->scope) != engine::Slot::none;
    if (harmless || std::holds_alternative<engine::Deferred>(event)) engine::apply(state, event);
  }
}

// Null: there is no such instance, or it has ended.
Result<std::unique_ptr<Resident>> Shard::load(Key instance) {
  PAWL_TRY(past, around_.index.past_of(instance));
  if (!past || past->row.state != store::InstanceState::active) return std::unique_ptr<Resident>();
  PAWL_TRY(back, store::bring_back(around_.index, *past, find_process(around_.definitions)));
  PAWL_TRY(definition, around_.definitions.find(back.definition));
  if (mutated(Mutation::apply_twice) && !past->turns.empty()) {
    apply_twice(back.state, past->turns.back());
  }
  auto resident = std::make_unique<Resident>(definition, std::move(back.state));
  // A snapshot that could not be used is replaced when it leaves again.
  resident->snapshot_bytes = back.without_snapshot ? 0 : past->snapshot.size();
  resident->tail_bytes = past->bytes + (back.without_snapshot ? past->snapshot.size() : 0);
  resident->last = around_.index.applied();
  return resident;
}

// --- commands -----------------------------------------------------------------------------------

void Shard::handle(CommandRequest& request) {
  Key instance = Key::none;
  Resident* resident = nullptr;
  Found found = owner_of(request.target, instance);
  if (found == Found::here) found = bring(instance, resident);
  if (found == Found::later) return hold_for_index(std::move(request));
  if (found == Found::unreadable) {
    if (request.reply) {
      request.reply(fail(Whose::machine, Code::store_unavailable, unreadable_.text));
    }
    return;
  }
  if (found == Found::nowhere) {
    if (request.reply) request.reply(unknown(kind_of_subject(request.command), request.target));
    return;
  }
  const bool waits = resident->away || resident->reloads || is_slow(*resident->definition);
  if (waits && !take_place(request)) return tell(request.reply, Key::none, too_much_waits());
  if (resident->away) {
    resident->held.push_back(std::move(request));
    return;
  }
  if (request.only_waits) {
    after_pending(*resident, [reply = std::move(request.reply),
                              done = Done{instance, resident->definition}](const Error* error) {
      reply(error ? Result<Done>(*error) : Result<Done>(done));
    });
    return;
  }
  const bool answers_job = std::holds_alternative<engine::CompleteJob>(request.command) ||
                           std::holds_alternative<engine::FailJob>(request.command) ||
                           std::holds_alternative<engine::ThrowError>(request.command);
  const Key job = request.target;
  if (answers_job) {
    if (jobs_.answer(job, request.fence) == JobQueue::Answer::late) {
      if (!request.reply) return;
      return request.reply(fail(
          Whose::caller, Code::late_answer,
          fmt::format("job {} was given to somebody else after its time was over", number(job))));
    }
    request.answers = job;
  }
  if (const Key stopped = job_let_go(resident->state, request.command); stopped != Key::none) {
    request.reply = [this, instance, stopped, then = std::move(request.reply)](Result<Done> done) {
      if (done) offer_again(instance, stopped);
      if (then) then(std::move(done));
    };
  }
  take_turn_of(*resident, std::move(request));
}

void Shard::handle(WaitRequest& request) {
  Resident* resident = nullptr;
  const Found found = bring(request.instance, resident);
  if (found == Found::here) {
    waiters_[request.instance].push_back(std::move(request.reply));
    return;
  }
  if (found == Found::unreadable) return request.reply(unreadable_);
  if (found == Found::later || around_.index.applied() < durable_) {
    return hold_for_index(std::move(request));
  }
  const auto past = around_.index.past_of(request.instance);
  if (!past) return request.reply(past.error());
  if (!*past) return request.reply(unknown("instance", request.instance));
  const auto rows = around_.index.variables(request.instance);
  if (!rows) return request.reply(rows.error());
  std::vector<Entry> entries;
  for (const store::VariableRow& row : *rows) entries.push_back({row.name, row.value});
  request.reply(Ending{request.instance, (*past)->row.state, Value::context(std::move(entries))});
}

// --- ending and leaving -------------------------------------------------------------------------

void Shard::finish(Key instance, Resident& resident, Position at) {
  answer_waiters(instance, resident);
  // One that was called has taken no name, even if it was given that of its caller.
  if (!resident.state.caller) {
    for (const InstanceName& name :
         names_of(resident.definition->id, resident.state.id, resident.state.business_id)) {
      around_.names.release(name, instance, at);
    }
  }
  ended_[instance] = at;
  residents_.remove(instance);
  constexpr std::size_t remembered = 10'000;
  if (ended_.size() % remembered == 0) {
    const Position indexed = around_.index.applied();
    std::erase_if(ended_, [&](const auto& one) { return one.second <= indexed; });
  }
}

void Shard::answer_waiters(Key instance, const Resident& resident) {
  const auto waiting = waiters_.find(instance);
  if (waiting == waiters_.end()) return;
  std::vector<Entry> entries;
  for (const engine::Variable& one : resident.state.last_variables.all()) {
    entries.push_back({one.name.string(), one.value});
  }
  const Ending ending{instance,
                      resident.state.ended == engine::Ended::completed
                          ? store::InstanceState::completed
                          : store::InstanceState::terminated,
                      Value::context(std::move(entries))};
  std::vector<Reply<Ending>> replies = std::move(waiting->second);
  waiters_.erase(waiting);
  for (const auto& reply : replies) reply(ending);
}

// Above the ceiling whatever can; well below it nothing; between, what nobody has used for a while:
// instances that wait for days cost disk only, and those that work are not read again and again.
bool Shard::should_leave(const Resident& oldest) const {
  constexpr Millis idle{10'000};
  if (residents_.bytes() > around_.resident_bytes) return true;
  return residents_.bytes() > around_.resident_bytes / 8 && oldest.used + idle <= now_;
}

// Only what the index has can leave: it is where it comes back from. True: there is more to do.
bool Shard::evict() {
  constexpr std::size_t most = 1'000;  // before other work has its turn
  constexpr std::size_t stuck = 64;    // then the index has to come nearer first
  const Position indexed = around_.index.applied();
  std::size_t left = 0;
  std::size_t stayed = 0;
  for (Resident* one = residents_.oldest(); one && stayed < stuck;) {
    const bool enough = left >= most && residents_.bytes() <= around_.resident_bytes;
    if (enough || !should_leave(*one)) break;
    Resident* const next = one->newer;
    // One that goes on by itself is in the shard's list, and is brought back when it is its turn.
    const bool full = residents_.bytes() > around_.resident_bytes;
    const bool works = one->pending != 0 || one->away || (one->continues && !full) ||
                       (!one->away && one->state.cancelling != 0);
    if (works || one->reloads || one->last > indexed) {
      ++stayed;
    } else {
      if (one->tail_bytes > std::max(limits::snapshot_bytes, one->snapshot_bytes)) {
        auto bytes = store::encode_snapshot(one->state);
        if (bytes) around_.keep_snapshot(one->key, one->last, std::move(*bytes));
      }
      residents_.remove(one->key);
      ++left;
    }
    one = next;
  }
  around_.evictions.fetch_add(left, std::memory_order_relaxed);
  return left >= most;
}

}  // namespace pawl::runtime
