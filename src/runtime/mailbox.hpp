// SPDX-License-Identifier: Apache-2.0
// Mailbox: published messages and who waits for them. A message goes once to each process (by id),
// to the instance that has waited longest; one with a time to live is kept for those who come
// later. The truth is in the journal: a message is taken by the turn of the instance that uses it.
// This is the matching; it decides and remembers what is under way, the shard does the rest.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/index.hpp"

namespace pawl::runtime {

using store::SubscriptionRow;

class Mailbox {
 public:
  struct Message {
    store::MessagePublished published{};
    std::set<std::string> taken_by{};
    std::map<std::string, Key> offered{};  // process → subscription that has it now
    std::set<Key> refused_by{};            // subscriptions that did not want it
    bool committed{true};
  };

  // --- subscriptions
  void open(const SubscriptionRow& row);
  void close(Key subscription);
  // Its instance follows another process now; mail that is on its way goes to that one.
  void move(Key subscription, const std::string& process);
  const SubscriptionRow* find(Key subscription) const;
  std::vector<SubscriptionRow> signal_subscriptions(const std::string& name) const;

  // --- messages
  // A living message of this name and key with this id; none: there is no such.
  Key same_id(const std::string& name, const std::string& correlation, const std::string& id) const;
  // Whom a new message would go to at once: for each process the one that waited longest, those
  // without mail on its way first.
  std::vector<Key> candidates(const std::string& name, const std::string& correlation) const;
  // Not committed yet: its id is taken, but nobody gets it.
  void publish(const store::MessagePublished& message, bool committed = true);
  void commit(Key message);
  bool is_committed(Key message) const;
  // Kept messages that a subscription can have now, oldest first (it takes only the first if it
  // closes then).
  std::vector<Key> waiting_for(const SubscriptionRow& subscription) const;
  void offer(Key message, Key subscription);
  // Taken: it never goes to this process again. Else: the next candidate of the same process.
  void taken(Key message, Key subscription);
  std::optional<Key> refused(Key message, Key subscription);
  void mark_taken(Key message, const std::string& process);  // known from the store

  const Message* find_message(Key message) const;
  // The messages that it has now, oldest first. Looks at all that there are.
  std::vector<Key> offered_to(Key subscription) const;
  // Nothing can come of it any more: nobody has it and its time is over.
  bool is_dead(Key message, Instant now) const;
  void remove(Key message);
  // Messages whose time is over and that nobody has, oldest first.
  std::vector<Key> expired(Instant now, std::size_t most) const;
  std::optional<Instant> next_expiry() const;
  std::size_t messages() const { return messages_.size(); }
  std::size_t subscriptions() const { return subscriptions_.size(); }

 private:
  using Address = std::pair<std::string, std::string>;  // name, correlation key
  struct Waiting {
    SubscriptionRow row{};
    std::uint32_t on_its_way{0};
  };
  void forget_offer(Message& message, Key subscription);
  void count_on_its_way(Waiting& waiting, std::int32_t change);

  std::unordered_map<Key, Waiting> subscriptions_;
  // Message subscriptions of each process: those with the least mail on its way first, then by age.
  using Ranked = std::set<std::pair<std::uint32_t, Key>>;
  std::map<Address, std::map<std::string, Ranked>> waiting_;
  std::map<std::string, std::set<Key>> signals_;
  std::unordered_map<Key, Message> messages_;
  std::map<Address, std::set<Key>> kept_;  // by age
  std::set<std::pair<Instant, Key>> expiry_;
};

}  // namespace pawl::runtime
