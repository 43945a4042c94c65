// SPDX-License-Identifier: Apache-2.0
#include "testkit/random_journal.hpp"

#include <algorithm>

#include "testkit/draw.hpp"

namespace pawl::testkit {
namespace {

using namespace store;  // NOLINT: it makes records

constexpr std::size_t at_once = 4;  // players, and puppets

// Jobs and incidents that are open in an instance.
struct Open {
  std::vector<Key> jobs{};
  std::vector<Key> incidents{};
};

void gather(const engine::Instance& state, engine::Slot slot, Open& open) {
  const engine::ElementInstance& one = state.at(slot);
  if (one.job) open.jobs.push_back(one.job->key);
  if (one.incident) open.incidents.push_back(one.incident->key);
  for (auto child = one.first_child; child != engine::Slot::none; child = state.at(child).next) {
    gather(state, child, open);
  }
}

}  // namespace

Record RandomJournal::next() {
  now_ += dice_.below(20);
  const unsigned what = dice_.below(10);
  if (what < 4) return of_player();
  return what < 8 ? of_puppet() : beside();
}

Record RandomJournal::record_of(Key instance) {
  return {.instance = instance, .execution = 1, .at = Instant(Millis(now_)), .next_key = next_key_};
}

// A command that may be rejected; then another is tried.
engine::Command RandomJournal::command_for(const Player& player) {
  if (player.more) return engine::Continue{};
  Open open;
  gather(player.state, player.state.root, open);
  const Value variables = object({{"v" + std::to_string(dice_.below(3)), 1}});
  const unsigned what = dice_.below(12);
  if (what == 0 && dice_.chance(30)) return engine::CancelInstance{};
  if (what == 1) return engine::SetVariables{.scope = player.state.key, .variables = variables};
  if (!open.incidents.empty() && what < 5) {
    return engine::ResolveIncident{any_of(dice_, open.incidents)};
  }
  if (open.jobs.empty()) return engine::CancelInstance{};
  const Key job = any_of(dice_, open.jobs);
  if (what < 6) return engine::FailJob{.job = job, .retries = static_cast<int>(dice_.below(3))};
  if (what == 6) return engine::FailJob{.job = job, .retries = 1, .backoff = Millis(10)};
  if (what == 7) return engine::ThrowError{job, "E", "by chance", {}};
  if (what == 8) return engine::UpdateRetries{job, 2};
  if (what == 9) return engine::RetryJob{job};
  return engine::CompleteJob{job, variables};
}

Record RandomJournal::of_player() {
  if (players_.size() < at_once) {
    players_.push_back(
        std::make_unique<Player>(Player{engine::Instance(draw(random_process(dice_)))}));
  }
  const std::size_t at = dice_.below(players_.size());
  Player& player = *players_[at];
  for (;;) {
    engine::Command command =
        engine::StartInstance{.instance = key_from(next_key_), .definition = key_from(2)};
    const bool starts = player.state.key == Key::none;
    if (!starts) command = command_for(player);
    const auto turn = engine::take_turn(player.state, command,
                                        {.now = Instant(Millis(now_)),
                                         .next_key = next_key_ + (starts ? 1 : 0),
                                         .max_steps = 1 + dice_.below(20)});
    if (!turn) continue;
    next_key_ = turn->next_key;
    Record record = record_of(player.state.key);
    record.events = turn->events;
    record.more = player.more = turn->more;
    if (player.state.ended != engine::Ended::no) {
      players_.erase(players_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return record;
  }
}

Record RandomJournal::of_puppet() {
  if (puppets_.size() < at_once) puppets_.emplace_back();
  const std::size_t at = dice_.below(puppets_.size());
  Puppet& puppet = puppets_[at];
  engine::Events events = puppet.turn({dice_, next_key_, Instant(Millis(now_)), mail_});
  Record record = record_of(puppet.key());
  record.execution = puppet.execution();
  record.more = puppet.has_more();
  record.events = std::move(events);
  if (puppet.has_ended()) puppets_.erase(puppets_.begin() + static_cast<std::ptrdiff_t>(at));
  return record;
}

Notice RandomJournal::publish() {
  const Key key = key_from(next_key_++);
  mail_.insert(key);
  if (dice_.chance(30)) return SignalBroadcast{.key = key, .name = "alarm", .variables = 7};
  MessagePublished message{.key = key,
                           .name = "paid",
                           .correlation = std::to_string(dice_.below(5)),
                           .id = dice_.chance(50) ? "m" : "",
                           .expires = Instant(Millis(dice_.chance(50) ? now_ + 99 : now_)),
                           .variables = object({{"a", static_cast<int>(dice_.below(9))}})};
  for (const Puppet& puppet : puppets_) {
    if (!puppet.subscriptions().empty() && dice_.chance(60)) {
      message.offered.push_back(any_of(dice_, puppet.subscriptions()));
    }
  }
  return message;
}

Record RandomJournal::beside() {
  const unsigned what = dice_.below(10);
  const Key mail = mail_.empty() ? Key::none : any_of(dice_, mail_);
  const Key waiting = puppets_.empty() || puppets_[0].subscriptions().empty()
                          ? key_from(1)
                          : any_of(dice_, puppets_[0].subscriptions());
  std::vector<Notice> notices;
  if (what == 0) {
    const Key resource = key_from(next_key_++);
    notices = {ResourceDeployed{resource, "a.bpmn", "<xml/>", "sum"},
               ProcessDeployed{key_from(next_key_++), "a", 1, resource}};
  } else if (what < 4 || mail == Key::none) {
    notices = {publish()};
  } else if (what == 4) {
    notices = {MessageOffered{mail, waiting}};
  } else if (what == 5) {
    notices = {MessageRefused{mail, waiting}};
  } else if (what == 6) {
    notices = {dice_.chance(50) ? Notice(MessageExpired{mail}) : Notice(SignalDelivered{mail})};
  } else if (what == 7 && !aside_.empty()) {
    notices = {WorkResumed{any_of(dice_, aside_)}};
  } else if (!puppets_.empty() && puppets_[0].key() != Key::none) {
    const Key incident = key_from(next_key_++);
    aside_.insert(incident);
    notices = {WorkSetAside{
        .key = incident, .instance = puppets_[0].key(), .work = "w", .at = Instant(Millis(now_))}};
  }
  Record record = record_of(Key::none);
  record.notices = std::move(notices);
  return record;
}

}  // namespace pawl::testkit
