// SPDX-License-Identifier: Apache-2.0
#include "store/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "value/json.hpp"

namespace pawl::store {
namespace {

std::int64_t millis(Instant instant) { return instant.time_since_epoch().count(); }

// Long or unreadable bytes: their number and a sum (FNV-1a), the same on every machine.
std::string digest(std::string_view bytes) {
  std::uint32_t sum = 2166136261u;
  for (const char c : bytes) sum = (sum ^ static_cast<std::uint8_t>(c)) * 16777619u;
  return fmt::format("{} bytes {:08x}", bytes.size(), sum);
}

std::string keys(const std::vector<Key>& all) {
  std::vector<std::uint64_t> numbers;
  for (const Key key : all) numbers.push_back(number(key));
  return fmt::format("{}", fmt::join(numbers, " "));
}

std::string caller_of(const InstanceRow& row) {
  if (row.caller == Key::none) return "";
  return fmt::format(" called by {} at {} under {}{}", number(row.caller),
                     number(row.caller_element), number(row.root), row.owes_answer ? " owes" : "");
}
std::string line(const InstanceRow& row) {
  return fmt::format(
      "instance {} of {} v{} ({}) state {} execution {} id {:?} business {:?} started {} ended {} "
      "incidents {} busy {} shard {}{}",
      number(row.key), row.process, row.version, number(row.definition),
      static_cast<int>(row.state), row.execution, row.id, row.business_id, millis(row.started),
      millis(row.ended), row.incidents, row.busy, row.shard, caller_of(row));
}
std::string line(const ElementRow& row) {
  return fmt::format("element {} in {} of {}: {} {:?} iteration {} body {}", number(row.key),
                     number(row.scope), number(row.instance), number(row.element), row.element_id,
                     row.iteration, row.body);
}
std::string line(const JobRow& row) {
  return fmt::format("job {} of {} at {}: type {:?} retries {} priority {} availability {}",
                     number(row.key), number(row.instance), number(row.element), row.type,
                     row.retries, row.priority, static_cast<int>(row.availability));
}
std::string line(const TimerRow& row) {
  return fmt::format("timer {} of {} due {} kind {}", number(row.key), number(row.instance),
                     millis(row.due), static_cast<int>(row.kind));
}
std::string line(const SubscriptionRow& row) {
  return fmt::format("subscription {} of {} kind {}: {:?} {:?} process {:?} at {}", number(row.key),
                     number(row.instance), static_cast<int>(row.kind), row.name, row.correlation,
                     row.process, number(row.opened));
}
std::string line(const MessageRow& row) {
  return fmt::format("message {} {:?} {:?} id {:?} expires {} {} offered [{}] taken {}",
                     number(row.message.key), row.message.name.text(), row.message.correlation,
                     row.message.id, millis(row.message.expires), to_json(row.message.variables),
                     keys(row.message.offered), row.taken_by);
}
std::string line(const SignalRow& row) {
  return fmt::format("signal {} {:?} {} at {}", number(row.signal.key), row.signal.name.text(),
                     to_json(row.signal.variables), number(row.position));
}
std::string line(const IncidentRow& row) {
  return fmt::format("incident {} of {} at {} {:?}: {} {:?} at {} job {} subject {}",
                     number(row.key), number(row.instance), number(row.element), row.element_id,
                     row.type, row.message, millis(row.at), number(row.job), number(row.subject));
}
std::string line(const VariableRow& row) {
  return fmt::format("variable {:?} = {}", row.name, to_json(row.value));
}
std::string line(const DefinitionRow& row) {
  const Key deployment = row.process.deployment;
  return fmt::format("process {} {:?} v{} of {}{} {:?} {:?}", number(row.process.key),
                     row.process.id, row.process.version, number(row.process.resource),
                     deployment == Key::none ? "" : fmt::format(" in {}", number(deployment)),
                     row.resource_name, row.checksum);
}
std::string line(const HistoryEntry& entry) {
  return fmt::format("record {}: {}", number(entry.position), digest(entry.bytes));
}
std::string line(const std::string& text) { return fmt::format("{:?}", text); }
std::string line(Key key) { return fmt::format("{}", number(key)); }
std::string line(std::uint64_t value) { return fmt::format("{}", value); }
std::string line(const Past& past) {
  std::vector<std::string> turns;
  for (const std::string& turn : past.turns) turns.push_back(digest(turn));
  return fmt::format("past: {}; snapshot {} at {}; {} bytes in turns {}", line(past.row),
                     digest(past.snapshot), number(past.snapshot_at), past.bytes, turns);
}
template <class T>
std::string line(const std::optional<T>& found) {
  return found ? line(*found) : std::string("none");
}

class Describer {
 public:
  explicit Describer(const Index& index) : index_(index) {}

  std::string all() {
    text_ = fmt::format("applied {}\n", number(index_.applied()));
    rows("", index_.definitions());
    resources();
    rows("", index_.subscriptions());
    rows("", index_.messages());
    rows("", index_.signals());
    rows("", index_.incidents(Key::none));
    rows("", index_.timers_after(Instant::min(), Key::none, no_limit));
    queues();
    const auto instances = index_.instances({});
    rows("", instances);
    if (!instances) return text_;
    for (const InstanceRow& row : *instances) instance(row);
    for (const std::uint32_t shard : shards_)
      one(fmt::format("shard {} next key ", shard), index_.next_key(shard));
    return text_;
  }

 private:
  void put(std::string_view indent, const std::string& text) {
    text_ += fmt::format("{}{}\n", indent, text);
  }
  template <class Row>
  void rows(std::string_view indent, const Result<std::vector<Row>>& found) {
    if (!found) return put(indent, found.error().text);
    for (const Row& row : *found) put(indent, line(row));
  }
  template <class T>
  void one(std::string_view indent, const Result<T>& found) {
    put(indent, found ? line(*found) : found.error().text);
  }
  void resources() {
    const auto definitions = index_.definitions();
    if (!definitions) return;
    std::set<Key> keys;
    for (const DefinitionRow& row : *definitions) keys.insert(row.process.resource);
    for (const Key key : keys) {
      const auto content = index_.resource(key);
      put("", fmt::format("resource {}: {}", number(key),
                          content ? digest(*content) : content.error().text));
    }
  }
  void queues() {
    const auto types = index_.offerable_types();
    rows("queue ", types);
    if (!types) return;
    for (const std::string& type : *types) {
      rows("  offerable ", index_.offerable_jobs(type, no_limit));
    }
  }
  void instance(const InstanceRow& row) {
    shards_.insert(row.shard);
    put("", fmt::format("in instance {}", number(row.key)));
    rows("  ", index_.variables(row.key));
    rows("  ", index_.elements(row.key));
    rows("  ", index_.jobs({.instance = row.key}));
    rows("  ", index_.timers(row.key));
    rows("  ", index_.subscriptions_of(row.key));
    rows("  ", index_.incidents(row.key));
    rows("  ", index_.history(row.key));
    one("  ", index_.past_of(row.key));
    owners(row.key);
  }
  void owners(Key key) {
    one("  owner of the instance: ", index_.owner_of(key));
    const auto elements = index_.elements(key);
    if (!elements) return;
    for (const ElementRow& element : *elements) {
      one("  owner of an element: ", index_.owner_of(element.key));
    }
  }

  const Index& index_;
  std::string text_{};
  std::set<std::uint32_t> shards_{0};
};

}  // namespace

std::string describe(const Index& index) { return Describer(index).all(); }

}  // namespace pawl::store
