// SPDX-License-Identifier: Apache-2.0
// Timers and mail. A message is taken by the turn of the instance that uses it, so nothing can be
// taken twice; what the mailbox remembers beside the store is only what is on its way.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "engine/gate.hpp"
#include "runtime/mutation.hpp"
#include "runtime/shard.hpp"

namespace pawl::runtime {

// --- timers -------------------------------------------------------------------------------------

void Shard::fire_timers() {
  constexpr std::size_t some = 50;
  for (std::size_t fired = 0;
       fired < limits::timers_per_round && round_cost_ < limits::own_cost_per_round;
       fired += some) {
    if (!fire_some_timers(some)) return;
  }
}

// False: no more are due.
bool Shard::fire_some_timers(std::size_t most) {
  const Millis early = mutated(Mutation::fire_timer_early) ? Millis(1'000) : Millis(0);
  const auto due = timers_.take_due(now_ + early, most, around_.index.applied());
  if (!due) return false;  // the store cannot be read now; tried again in the next round
  for (const TimerRow& timer : *due) {
    if (aside_.contains(timer.key)) continue;
    CommandRequest request{.target = timer.instance};
    if (timer.kind == store::TimerKind::job_retry) {
      request.command = engine::RetryJob{timer.key};
    } else {
      request.command = engine::TriggerTimer{timer.key};
    }
    request.reply = [this, key = timer.key](Result<Done> done) {
      if (done) return;
      if (done.error().whose == Whose::caller) {
        timers_.remove(key);  // what it was for has ended
      } else if (!aside_.contains(key)) {
        timers_.put_back(key);
      }
    };
    handle(request);
  }
  return due->size() == most;
}

// --- messages -----------------------------------------------------------------------------------

static Error nobody_waits(std::string_view name, std::string_view correlation) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("nobody waits for a message \"{}\" with key \"{}\"", name, correlation));
}

// It is weighed here, where somebody can be told: who takes it must take it.
static Result<void> expect_mail(const Value& variables, const engine::Allowance& allowance) {
  if (!variables.is_context()) return {};
  PAWL_CHECK(engine::expect_few(variables, Whose::caller));
  for (const Entry& entry : variables.entries()) {
    const bool fits =
        entry.value.depth() < limits::json_depth && entry.value.encoded_size() <= allowance.value;
    if (fits) continue;
    return fail(Whose::caller, Code::too_large,
                fmt::format("variable \"{}\" takes {} bytes and is {} levels deep; the limits are "
                            "{} bytes (--max-value) and {} levels",
                            preview_text(entry.key), entry.value.encoded_size(),
                            entry.value.depth(), allowance.value, limits::json_depth - 1));
  }
  return {};
}

void Shard::handle(PublishRequest& request) {
  if (const auto fits = expect_mail(request.variables, around_.allowance); !fits) {
    return request.taken ? request.taken(fits.error()) : request.reply(fits.error());
  }
  if (mailbox_.same_id(request.name, request.correlation, request.id) != Key::none) {
    return request.reply(fail(Whose::caller, Code::already_exists,
                              fmt::format("a message \"{}\" with key \"{}\" and id \"{}\" was "
                                          "published already and still lives",
                                          request.name, request.correlation, request.id)));
  }
  store::MessagePublished message{
      .key = new_key(),
      .name = request.name,
      .correlation = request.correlation,
      .id = request.id,
      .expires = now_ + request.time_to_live,
      .variables = storable(request.variables),
      .offered = mailbox_.candidates(request.name, request.correlation)};
  const bool kept = request.time_to_live > Millis(0) || !message.offered.empty();
  if (!kept && request.taken) {
    return request.taken(nobody_waits(request.name, request.correlation));
  }
  if (!kept) return request.reply(Published{message.key, false});
  if (request.taken) correlating_.emplace(message.key, std::move(request.taken));
  // Known at once, so that the same id a moment later is refused; taken back if it is not
  // committed.
  mailbox_.publish(message, false);
  draft_notices({message}, [this, message, reply = std::move(request.reply)](const Error* error) {
    if (error) {
      mailbox_.remove(message.key);
      correlating_.erase(message.key);
      return reply(*error);
    }
    mailbox_.commit(message.key);
    for (const Key subscription : message.offered) {
      deliver(subscription, message.key, message.variables);
    }
    // Somebody may have begun to wait while it was committed.
    for (const Key next : mailbox_.candidates(message.name.string(), message.correlation)) {
      if (const auto* row = mailbox_.find(next)) offer_kept(*row);
    }
    reply(Published{message.key, true});
  });
}

void Shard::deliver(Key subscription, Key mail, const Value& variables) {
  const SubscriptionRow* row = mailbox_.find(subscription);
  if (!row) {
    Delivered refused{subscription, mail, false};
    return handle(refused);
  }
  around_.post(shard_of(row->instance),
               DeliverRequest{subscription, row->instance, mail, variables});
}

void Shard::handle(DeliverRequest& request) {
  CommandRequest command{.target = request.instance};
  command.command = engine::DeliverMail{request.subscription, request.mail, request.variables};
  command.reply = [this, request](Result<Done> done) {
    const bool unknown = !done && done.error().whose != Whose::caller;
    if (unknown && closing_) return;  // the next start delivers it again
    if (unknown && aside_.contains(request.subscription)) return;
    if (unknown && done.error().code == Code::too_large) {  // it would not help to try again
      return set_aside({"deliver mail", request.subscription}, request.instance, done.error().text);
    }
    around_.post(0, Delivered{request.subscription, request.mail, done.has_value(), unknown,
                              request.instance});
  };
  handle(command);
}

// What a subscription was given and has neither taken nor refused: its work was set aside.
void Shard::deliver_again(Key subscription) {
  for (const Key message : mailbox_.offered_to(subscription)) {
    deliver(subscription, message, mailbox_.find_message(message)->published.variables);
  }
  for (const auto& [key, broadcast] : broadcasts_) {
    if (broadcast.open.contains(subscription)) {
      deliver(subscription, key, broadcast.signal.variables);
    }
  }
}

void Shard::handle(Delivered& delivered) {
  if (delivered.mail == Key::none) return deliver_again(delivered.subscription);
  if (broadcasts_.contains(delivered.mail)) {
    if (delivered.again) {
      const Value variables = broadcasts_.at(delivered.mail).signal.variables;
      return deliver(delivered.subscription, delivered.mail, variables);
    }
    return settle_signal(delivered.mail, delivered.subscription);
  }
  const Mailbox::Message* message = mailbox_.find_message(delivered.mail);
  if (!message) return;
  if (delivered.again) {
    return deliver(delivered.subscription, delivered.mail, message->published.variables);
  }
  std::vector<store::Notice> notices;
  std::optional<Key> next;
  if (delivered.taken) {
    if (mutated(Mutation::redeliver_message)) {
      next = mailbox_.refused(delivered.mail, delivered.subscription);
    } else {
      mailbox_.taken(delivered.mail, delivered.subscription);
    }
  } else {
    next = mailbox_.refused(delivered.mail, delivered.subscription);
    notices.push_back(store::MessageRefused{delivered.mail, delivered.subscription});
  }
  if (next) {
    mailbox_.offer(delivered.mail, *next);
    if (!mutated(Mutation::redeliver_message)) {
      notices.push_back(store::MessageOffered{delivered.mail, *next});
    }
  }
  if (delivered.taken || (!next && message->offered.empty())) {
    answer_correlation(delivered.mail, delivered.taken ? delivered.instance : Key::none);
  }
  const auto go_on = [this, mail = delivered.mail, next](const Error*) {
    const Mailbox::Message* still = mailbox_.find_message(mail);
    if (next && still) deliver(*next, mail, still->published.variables);
  };
  if (notices.empty()) {
    go_on(nullptr);
  } else {
    draft_notices(std::move(notices), go_on);
  }
  // A subscription that stays open may have the next one.
  if (const auto* row = mailbox_.find(delivered.subscription)) offer_kept(*row);
}

void Shard::answer_correlation(Key message, Key instance) {
  const auto asked = correlating_.find(message);
  if (asked == correlating_.end()) return;
  const Reply<Correlated> reply = std::move(asked->second);
  correlating_.erase(asked);
  if (instance != Key::none) return reply(Correlated{message, instance});
  const auto& published = mailbox_.find_message(message)->published;
  reply(nobody_waits(published.name.string(), published.correlation));
}

void Shard::handle(SubscriptionChange& change) {
  if (!change.open) return mailbox_.close(change.row.key);
  if (change.moved) {
    mailbox_.move(change.row.key, change.row.process);
    const SubscriptionRow* row = mailbox_.find(change.row.key);
    return row ? offer_kept(*row) : void();
  }
  mailbox_.open(change.row);
  if (change.row.kind == engine::MailKind::message) offer_kept(change.row);
}

// All kept messages that it can have, in order. One that closes after the first refuses the rest,
// which then go to the next who waits.
void Shard::offer_kept(const SubscriptionRow& row) {
  if (row.kind != engine::MailKind::message) return;
  const SubscriptionRow copy = row;
  for (const Key message : mailbox_.waiting_for(copy)) {
    if (!mailbox_.is_committed(message)) continue;
    mailbox_.offer(message, copy.key);
    deliver(copy.key, message, mailbox_.find_message(message)->published.variables);
    break;
  }
}

void Shard::expire_messages() {
  const std::vector<Key> over = mailbox_.expired(now_, limits::timers_per_round);
  if (over.empty()) return;
  std::vector<store::Notice> notices;
  for (const Key key : over) {
    notices.push_back(store::MessageExpired{key});
    mailbox_.remove(key);  // if this is not committed, the next start finds it expired again
  }
  draft_notices(std::move(notices), nullptr);
}

// --- signals ------------------------------------------------------------------------------------

void Shard::handle(SignalRequest& request) {
  if (const auto fits = expect_mail(request.variables, around_.allowance); !fits) {
    return request.reply(fits.error());
  }
  const store::SignalBroadcast signal{new_key(), request.name, storable(request.variables)};
  draft_notices({signal}, [this, signal, reply = std::move(request.reply)](const Error* error) {
    if (error) return reply(*error);
    deliver_signal(signal, mailbox_.signal_subscriptions(signal.name.string()));
    reply(Published{signal.key, true});
  });
}

bool Shard::has_unsent_signals() const {
  return std::any_of(broadcasts_.begin(), broadcasts_.end(),
                     [](const auto& one) { return !one.second.unsent.empty(); });
}

void Shard::deliver_signal(const store::SignalBroadcast& signal,
                           const std::vector<SubscriptionRow>& to) {
  Broadcast& broadcast = broadcasts_[signal.key];
  broadcast.signal = signal;
  for (const SubscriptionRow& row : to) broadcast.open.insert(row.key);
  if (to.empty()) return settle_signal(signal.key, Key::none);
  broadcast.unsent.assign(to.begin(), to.end());
}

// A part in each round, so that a signal for very many, or a large one, does not keep others
// waiting; one signal after the other, because a subscription takes them only in the order of their
// keys.
void Shard::send_signals() {
  if (!may_do_own_work()) return;
  for (auto& [key, broadcast] : broadcasts_) {
    if (broadcast.unsent.empty()) continue;
    const std::size_t bytes = broadcast.signal.variables.encoded_size();
    for (std::size_t n = 0; n < limits::timers_per_round && !broadcast.unsent.empty(); ++n) {
      const std::size_t under_way = broadcast.open.size() - broadcast.unsent.size();
      if (under_way != 0 && (under_way + 1) * bytes > limits::own_bytes_in_flight) return;
      const SubscriptionRow& row = broadcast.unsent.front();
      around_.post(shard_of(row.instance),
                   DeliverRequest{row.key, row.instance, key, broadcast.signal.variables});
      broadcast.unsent.pop_front();
    }
    return;
  }
}

void Shard::settle_signal(Key signal, Key subscription) {
  const auto found = broadcasts_.find(signal);
  found->second.open.erase(subscription);
  if (!found->second.open.empty()) return;
  broadcasts_.erase(found);
  // If this is not committed, the next start delivers it again, and everybody refuses it.
  draft_notices({store::SignalDelivered{signal}}, nullptr);
}

}  // namespace pawl::runtime
