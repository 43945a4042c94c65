// SPDX-License-Identifier: Apache-2.0
// The round of a shard, and the requests that are not about turns of one instance.
#include "runtime/shard.hpp"

#include <fmt/format.h>

#include "runtime/mutation.hpp"

namespace pawl::runtime {

Shard::Shard(Surroundings& around, std::uint32_t number)
    : around_(around),
      number_(number),
      inbox_(limits::requests_per_shard),
      own_(0),
      keys_(number),
      random_(around.seed + number),
      jobs_([this](const std::string& type, std::size_t most) -> Result<std::vector<OfferedJob>> {
        std::vector<OfferedJob> mine;
        PAWL_TRY(rows,
                 around_.index.offerable_jobs(type, around_.shards == 1 ? most : store::no_limit));
        for (const store::JobRow& row : rows) {
          if (shard_of(row.key) != number_ || mine.size() == most) continue;
          mine.push_back({row.key, row.instance, row.priority});
        }
        return mine;
      }),
      timers_([this](Instant due, Key key, std::size_t most) -> Result<std::vector<TimerRow>> {
        std::vector<TimerRow> mine;
        while (mine.size() < most) {
          PAWL_TRY(rows, around_.index.timers_after(due, key, most));
          for (const TimerRow& row : rows) {
            if (shard_of(row.key) == number_ && mine.size() < most) mine.push_back(row);
          }
          if (rows.size() < most) break;
          due = rows.back().due;
          key = rows.back().key;
        }
        return mine;
      }) {}

Result<void> Shard::recover(Position committed) {
  durable_ = committed;
  PAWL_TRY(next, around_.index.next_key(number_));
  if (next != 0 && !mutated(Mutation::reuse_keys)) keys_.begin_at(next);
  // Larger than in every earlier process: an answer from before the restart is late.
  jobs_.begin_fences(static_cast<std::uint64_t>(around_.clock.now().time_since_epoch().count())
                     << 20);
  PAWL_TRY(types, around_.index.offerable_types());
  for (const std::string& type : types) jobs_.expect_stored(type);
  PAWL_TRY(busy, around_.index.instances({.state = store::InstanceState::active, .busy = true}));
  for (const store::InstanceRow& row : busy) {
    if (shard_of(row.key) == number_ && !mutated(Mutation::lose_continue)) {
      to_continue_.push_back(row.key);
    }
  }
  PAWL_TRY(owing, around_.index.instances({.owe_answer = true}));
  for (const store::InstanceRow& row : owing) {
    const bool lost = mutated(Mutation::lose_answer);
    if (shard_of(row.key) == number_ && !lost) PAWL_CHECK(answer_again(row.key));
  }
  PAWL_TRY(incidents, around_.index.incidents(Key::none));
  for (const store::IncidentRow& row : incidents) {
    if (row.element != Key::none || shard_of(row.instance) != number_) continue;
    aside_by_[row.key] = {row.instance, row.subject};
    if (row.subject != Key::none) aside_.insert(row.subject);
  }
  return number_ == 0 ? recover_mail() : Result<void>();
}

Result<void> Shard::recover_mail() {
  PAWL_TRY(subscriptions, around_.index.subscriptions());
  for (const store::SubscriptionRow& row : subscriptions) mailbox_.open(row);
  PAWL_TRY(messages, around_.index.messages());
  for (const store::MessageRow& row : messages) {
    store::MessagePublished message = row.message;
    if (mutated(Mutation::forget_offer)) message.offered.clear();
    mailbox_.publish(message);
    for (const std::string& process : row.taken_by) mailbox_.mark_taken(message.key, process);
    for (const Key subscription : message.offered) {
      if (mailbox_.find(subscription)) deliver(subscription, message.key, message.variables);
    }
  }
  for (const store::SubscriptionRow& row : subscriptions) offer_kept(row);
  PAWL_TRY(signals, around_.index.signals());
  for (const store::SignalRow& row : signals) {
    std::vector<store::SubscriptionRow> to;
    for (const auto& one : mailbox_.signal_subscriptions(row.signal.name.string())) {
      if (one.opened <= row.position) to.push_back(one);
    }
    deliver_signal(row.signal, to);
  }
  return {};
}

void Shard::dispatch(Request& request) {
  std::visit([this](auto& one) { handle(one); }, request);
}

void Shard::handle_all(std::vector<Request>& requests) {
  constexpr std::size_t between_commits = 256;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    dispatch(requests[i]);
    if (i % between_commits == between_commits - 1) send_drafts();
  }
  requests.clear();
}

// What comes from outside is taken first and handled last: whoever was answered and asks again then
// finds here what that answer was about, because the runtime had said it before.
bool Shard::take_requests() {
  const bool room =
      pending_.size() < limits::drafts_in_flight && pending_bytes_ < limits::bytes_in_flight;
  if (room) inbox_.take(asked_);
  own_.take(taken_);
  const bool any = !asked_.empty() || !taken_.empty();
  handle_all(taken_);
  from_outside_ = true;
  handle_all(asked_);
  from_outside_ = false;
  return any;
}

void Shard::send_drafts() {
  if (drafts_.empty()) return;
  around_.commit(std::move(drafts_));
  drafts_.clear();
}

// What instances do by themselves leaves room for what others ask: less of it may be in flight, and
// it waits for an index that is behind long before they have to.
bool Shard::may_do_own_work() const {
  return pending_.size() < limits::drafts_in_flight / 2 &&
         pending_bytes_ < limits::own_bytes_in_flight && away_ < limits::turns_away &&
         !around_.index_lags();
}

// Turns that were cut, what instances tell each other, timers, messages whose time is over. As much
// as is bearable for those who ask for something meanwhile.
bool Shard::go_on_with_own_work() {
  round_cost_ = 0;
  const auto goes_on = [this] {
    return round_cost_ < limits::own_cost_per_round && may_do_own_work();
  };
  bool worked = run_errands();
  for (std::size_t left = to_continue_.size(); left > 0 && goes_on(); --left) {
    const Key instance = to_continue_.front();
    to_continue_.pop_front();
    if (aside_.contains(instance)) continue;  // it goes on when somebody says so
    Resident* resident = nullptr;
    const Found found = bring(instance, resident);
    if (found == Found::later || found == Found::unreadable) to_continue_.push_back(instance);
    if (found != Found::here) continue;
    if (resident->away) {
      resident->when_back.push_back([this](Resident& back) {
        back.continues = false;
        go_on(back);
      });
      continue;
    }
    resident->continues = false;
    take_turn_of(*resident, {.target = instance, .command = engine::Continue{}});
    worked = true;
  }
  fire_timers();
  if (number_ == 0) {
    expire_messages();
    send_signals();
  }
  return worked;
}

bool Shard::run_once() {
  now_ = std::max(now_, around_.clock.now());
  residents_.set_time(now_);
  bool worked = take_requests();
  const Position indexed = around_.index.applied();
  for (std::size_t n = for_index_.size(); n > 0 && for_index_.front().until <= indexed; --n) {
    Request request = std::move(for_index_.front().request);
    for_index_.pop_front();
    dispatch(request);
    worked = true;
  }
  if (!for_index_.empty() || timers_.wants() != Position::none) around_.hurry_index();
  if (!closing_ && !pauses() && may_do_own_work()) worked |= go_on_with_own_work();
  for (const std::string& type : jobs_.expire(now_)) to_serve_.insert(type);
  release_held_jobs();
  std::set<std::string> types;
  types.swap(to_serve_);
  for (const std::string& type : types) serve(type);
  expire_waiters();
  worked |= evict();
  worked |= !drafts_.empty();
  send_drafts();
  tell_load();
  return worked;
}

Millis Shard::idle_time() const {
  constexpr Millis soon{2};
  if (!to_continue_.empty() && !pauses()) return may_do_own_work() ? Millis(0) : soon;
  std::optional<Instant> next = timers_.next_due();
  const auto consider = [&](std::optional<Instant> one) {
    if (one && (!next || *one < *next)) next = one;
  };
  consider(jobs_.next_deadline());
  if (number_ == 0) consider(mailbox_.next_expiry());
  if (!pollers_.empty()) consider(next_sweep_);
  if (!for_index_.empty() || !to_serve_.empty() || !held_jobs_.empty() || !errands_.empty() ||
      has_unsent_signals() || timers_.wants() != Position::none) {
    consider(now_ + Millis(1));
  }
  if (pauses()) next = std::max(next.value_or(paused_until_), paused_until_);
  if (!next) return Millis(1'000);
  // What is due but has no room yet is not asked for again and again.
  const Millis least = may_do_own_work() ? Millis(0) : soon;
  return std::clamp(*next - around_.clock.now(), least, Millis(1'000));
}

void Shard::refuse_waiting() {
  const Error closing = closing_error();
  closing_ = true;
  std::vector<Request> waiting;
  inbox_.take(waiting);
  for (Held& held : for_index_) waiting.push_back(std::move(held.request));
  for_index_.clear();
  for (auto& [type, polls] : pollers_) {
    for (ActivateRequest& poll : polls) waiting.push_back(std::move(poll));
  }
  pollers_.clear();
  for (Request& request : waiting) refuse(request, closing);
  for (auto& [instance, replies] : waiters_) {
    for (const auto& reply : replies) reply(closing);
  }
  waiters_.clear();
  for (const auto& [message, reply] : correlating_) reply(closing);
  correlating_.clear();
}

void Shard::tell_load() {
  const std::lock_guard lock(load_mutex_);
  load_ = {.residents = residents_.size(),
           .resident_bytes = residents_.bytes(),
           .in_flight = pending_.size(),
           .jobs = jobs_.in_memory(),
           .timers = timers_.in_memory(),
           .messages = mailbox_.messages()};
}

// Versions are counted from what is durable, so one deployment waits for the one before it.
void Shard::handle(DeployRequest& request) {
  deployments_.push_back(std::move(request));
  if (deployments_.size() == 1) deploy(deployments_.front());
}

void Shard::deploy(DeployRequest& request) {
  Deployment made;
  std::vector<store::Notice> notices;
  std::map<std::string, std::int32_t> next;  // versions given in this request
  const Key deployment = next_key();
  for (ReadResource& resource : request.resources) {
    const auto known = [&](const model::ProcessPtr& process) {
      return next.contains(process->id)
                 ? nullptr
                 : around_.definitions.same_content(process->id, resource.checksum);
    };
    const bool all_known = std::all_of(resource.processes.begin(), resource.processes.end(), known);
    const Key key = all_known ? Key::none : new_key();
    if (!all_known) {
      notices.push_back(
          store::ResourceDeployed{key, resource.name, resource.content, resource.checksum});
    }
    for (const model::ProcessPtr& process : resource.processes) {
      if (const DefinitionPtr same = known(process)) {
        made.processes.push_back(same);
        made.existing.push_back(true);
        continue;
      }
      const auto place =
          next.emplace(process->id, around_.definitions.next_version(process->id)).first;
      const Definition definition{.key = new_key(),
                                  .id = process->id,
                                  .version = place->second++,
                                  .resource = key,
                                  .resource_name = resource.name,
                                  .checksum = resource.checksum,
                                  .deployment = deployment,
                                  .process = process};
      notices.push_back(store::ProcessDeployed{definition.key, definition.id, definition.version,
                                               definition.resource, definition.deployment});
      made.processes.push_back(std::make_shared<const Definition>(definition));
      made.existing.push_back(false);
    }
  }
  auto reply = std::move(request.reply);
  draft_notices(std::move(notices), [this, made = std::move(made), reply](const Error* error) {
    for (std::size_t i = 0; !error && i < made.processes.size(); ++i) {
      if (!made.existing[i]) around_.definitions.add(*made.processes[i]);
    }
    reply(error ? Result<Deployment>(*error) : Result<Deployment>(made));
    deployments_.pop_front();
    if (!deployments_.empty()) deploy(deployments_.front());
  });
}

}  // namespace pawl::runtime
