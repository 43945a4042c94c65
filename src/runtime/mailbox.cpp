// SPDX-License-Identifier: Apache-2.0
#include "runtime/mailbox.hpp"

namespace pawl::runtime {

void Mailbox::open(const SubscriptionRow& row) {
  subscriptions_[row.key] = {.row = row};
  if (row.kind == engine::MailKind::signal) {
    signals_[row.name].insert(row.key);
  } else {
    waiting_[{row.name, row.correlation}][row.process].insert({0, row.key});
  }
}

void Mailbox::close(Key subscription) {
  const auto found = subscriptions_.find(subscription);
  if (found == subscriptions_.end()) return;
  const SubscriptionRow& row = found->second.row;
  if (row.kind == engine::MailKind::signal) {
    const auto place = signals_.find(row.name);
    place->second.erase(subscription);
    if (place->second.empty()) signals_.erase(place);
  } else {
    const auto place = waiting_.find({row.name, row.correlation});
    const auto ranked = place->second.find(row.process);
    ranked->second.erase({found->second.on_its_way, subscription});
    if (ranked->second.empty()) place->second.erase(ranked);
    if (place->second.empty()) waiting_.erase(place);
  }
  subscriptions_.erase(found);
}

void Mailbox::move(Key subscription, const std::string& process) {
  const auto found = subscriptions_.find(subscription);
  if (found == subscriptions_.end() || found->second.row.process == process) return;
  const Waiting waiting = found->second;
  const Address address{waiting.row.name, waiting.row.correlation};
  close(subscription);
  Waiting& moved = subscriptions_[subscription] = waiting;
  moved.row.process = process;
  if (moved.row.kind == engine::MailKind::signal) {
    signals_[moved.row.name].insert(subscription);
    return;
  }
  waiting_[address][process].insert({moved.on_its_way, subscription});
  const auto kept = kept_.find(address);
  if (kept == kept_.end()) return;
  for (const Key key : kept->second) {
    auto& offered = messages_.at(key).offered;
    const auto offer = offered.find(waiting.row.process);
    if (offer == offered.end() || offer->second != subscription) continue;
    if (offered.try_emplace(process, subscription).second) offered.erase(waiting.row.process);
  }
}

const SubscriptionRow* Mailbox::find(Key subscription) const {
  const auto found = subscriptions_.find(subscription);
  return found == subscriptions_.end() ? nullptr : &found->second.row;
}

std::vector<SubscriptionRow> Mailbox::signal_subscriptions(const std::string& name) const {
  std::vector<SubscriptionRow> rows;
  const auto found = signals_.find(name);
  if (found == signals_.end()) return rows;
  for (const Key key : found->second) rows.push_back(subscriptions_.at(key).row);
  return rows;
}

Key Mailbox::same_id(const std::string& name, const std::string& correlation,
                     const std::string& id) const {
  if (id.empty()) return Key::none;
  const auto found = kept_.find({name, correlation});
  if (found == kept_.end()) return Key::none;
  for (const Key key : found->second) {
    if (messages_.at(key).published.id == id) return key;
  }
  return Key::none;
}

std::vector<Key> Mailbox::candidates(const std::string& name,
                                     const std::string& correlation) const {
  std::vector<Key> chosen;
  const auto found = waiting_.find({name, correlation});
  if (found == waiting_.end()) return chosen;
  for (const auto& [process, ranked] : found->second) chosen.push_back(ranked.begin()->second);
  return chosen;
}

void Mailbox::publish(const store::MessagePublished& message, bool committed) {
  Message& made = messages_[message.key];
  made.committed = committed;
  made.published = message;
  kept_[{message.name.string(), message.correlation}].insert(message.key);
  expiry_.insert({message.expires, message.key});
  for (const Key subscription : message.offered) offer(message.key, subscription);
}

void Mailbox::commit(Key message) { messages_.at(message).committed = true; }

bool Mailbox::is_committed(Key message) const { return messages_.at(message).committed; }

std::vector<Key> Mailbox::waiting_for(const SubscriptionRow& subscription) const {
  std::vector<Key> found;
  const auto place = kept_.find({subscription.name, subscription.correlation});
  if (place == kept_.end()) return found;
  for (const Key key : place->second) {
    const Message& message = messages_.at(key);
    if (message.taken_by.contains(subscription.process)) continue;
    if (message.offered.contains(subscription.process)) continue;
    if (message.refused_by.contains(subscription.key)) continue;
    found.push_back(key);
  }
  return found;
}

void Mailbox::offer(Key message, Key subscription) {
  const auto waiting = subscriptions_.find(subscription);
  if (waiting == subscriptions_.end()) return;
  messages_.at(message).offered[waiting->second.row.process] = subscription;
  count_on_its_way(waiting->second, +1);
}

void Mailbox::count_on_its_way(Waiting& waiting, std::int32_t change) {
  const SubscriptionRow& row = waiting.row;
  Ranked& ranked = waiting_.at({row.name, row.correlation}).at(row.process);
  ranked.erase({waiting.on_its_way, row.key});
  waiting.on_its_way += static_cast<std::uint32_t>(change);
  ranked.insert({waiting.on_its_way, row.key});
}

void Mailbox::forget_offer(Message& message, Key subscription) {
  std::erase_if(message.offered, [&](const auto& one) { return one.second == subscription; });
  const auto waiting = subscriptions_.find(subscription);
  if (waiting != subscriptions_.end() && waiting->second.on_its_way > 0) {
    count_on_its_way(waiting->second, -1);
  }
}

void Mailbox::taken(Key message, Key subscription) {
  const auto found = messages_.find(message);
  if (found == messages_.end()) return;
  for (const auto& [process, key] : found->second.offered) {
    if (key == subscription) found->second.taken_by.insert(process);
  }
  forget_offer(found->second, subscription);
}

void Mailbox::mark_taken(Key message, const std::string& process) {
  const auto found = messages_.find(message);
  if (found != messages_.end()) found->second.taken_by.insert(process);
}

std::optional<Key> Mailbox::refused(Key message, Key subscription) {
  const auto found = messages_.find(message);
  if (found == messages_.end()) return std::nullopt;
  std::string process;
  for (const auto& [id, key] : found->second.offered) {
    if (key == subscription) process = id;
  }
  forget_offer(found->second, subscription);
  found->second.refused_by.insert(subscription);
  const auto& published = found->second.published;
  for (const Key next : candidates(published.name.string(), published.correlation)) {
    if (found->second.refused_by.contains(next)) continue;
    if (subscriptions_.at(next).row.process == process) return next;
  }
  return std::nullopt;
}

std::vector<Key> Mailbox::offered_to(Key subscription) const {
  std::vector<Key> found;
  for (const auto& [key, message] : messages_) {
    for (const auto& [process, has_it] : message.offered) {
      if (has_it == subscription) found.push_back(key);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

const Mailbox::Message* Mailbox::find_message(Key message) const {
  const auto found = messages_.find(message);
  return found == messages_.end() ? nullptr : &found->second;
}

bool Mailbox::is_dead(Key message, Instant now) const {
  const Message* found = find_message(message);
  return found && found->offered.empty() && found->published.expires <= now;
}

void Mailbox::remove(Key message) {
  const auto found = messages_.find(message);
  if (found == messages_.end()) return;
  while (!found->second.offered.empty()) {
    forget_offer(found->second, found->second.offered.begin()->second);
  }
  const auto& published = found->second.published;
  const auto place = kept_.find({published.name.string(), published.correlation});
  place->second.erase(message);
  if (place->second.empty()) kept_.erase(place);
  expiry_.erase({published.expires, message});
  messages_.erase(found);
}

std::vector<Key> Mailbox::expired(Instant now, std::size_t most) const {
  std::vector<Key> keys;
  for (const auto& [at, key] : expiry_) {
    if (at > now || keys.size() == most) break;
    const Message& message = messages_.at(key);
    if (message.offered.empty() && message.committed) keys.push_back(key);
  }
  return keys;
}

std::optional<Instant> Mailbox::next_expiry() const {
  if (expiry_.empty()) return std::nullopt;
  return expiry_.begin()->first;
}

}  // namespace pawl::runtime
