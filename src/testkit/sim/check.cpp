// SPDX-License-Identifier: Apache-2.0
// The promises, each compared with what the journal really has.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/find_process.hpp"
#include "store/bring_back.hpp"
#include "store/codec.hpp"
#include "store/describe.hpp"
#include "testkit/sim/world.hpp"
#include "testkit/state_bytes.hpp"

namespace pawl::testkit::sim {

using namespace engine;  // NOLINT: reads events
using store::Position;

namespace {

// Everything that the journal says, by what the promises are about.
struct Facts {
  std::map<std::string, std::vector<Key>> started;  // by instance id, first executions
  std::map<std::string, int> active_by_id;
  std::map<Key, int> job_ends, job_fails, timer_ends;
  std::map<Key, Instant> due;
  std::map<std::string, int> variables;
  std::map<Key, int> continued, cancelled;
  std::set<Key> migrated;
  std::map<std::pair<Key, std::string>, int> mail_taken;  // (mail, process)
  std::map<Key, std::string> process_of;
  std::map<Key, store::MessagePublished> messages;
  std::set<Key> signals, keys, closed, called, handlers;
  std::map<Key, Key> scope_of, waiting_element;  // by element instance; by subscription
  std::map<Key, Key> newest;                     // element instance, by instance
  std::map<Key, Key> interrupted;  // scope → the newest element instance at that time
  std::set<Key> terminating;
  std::map<Key, std::uint32_t> escalated, heard;  // by called instance
  std::map<Key, std::set<Key>> on_its_way;        // message → subscriptions
  std::map<Key, Key> subscription_instance;
  std::map<Key, std::string> id_of;
  std::map<Key, bool> is_signal;
  std::string trouble;

  // Its element, or something around it, is about to end, perhaps in a later turn: it takes nothing
  // any more.
  bool is_ending(Key subscription) const {
    const auto waits = waiting_element.find(subscription);
    if (waits == waiting_element.end()) return false;
    for (Key at = waits->second; at != Key::none;) {
      if (terminating.contains(at)) return true;
      const auto around = scope_of.find(at);
      if (around == scope_of.end()) return false;
      const auto stopped = interrupted.find(around->second);
      if (stopped != interrupted.end() && number(at) <= number(stopped->second)) return true;
      at = around->second;
    }
    return false;
  }

  void fresh(Key key) {
    if (!keys.insert(key).second) trouble = fmt::format("key {} was given twice", number(key));
  }
};

struct Reader {
  Facts& facts;
  const store::Record& record;

  void operator()(const InstanceStarted& event) {
    facts.process_of[record.instance] = event.process.string();
    if (event.execution != 1) return;
    facts.fresh(event.instance);
    if (event.caller && !facts.called.contains(event.instance)) {
      facts.trouble = fmt::format("instance {} was called by nobody", number(event.instance));
    }
    if (event.id.empty()) return;
    facts.started[event.id].push_back(event.instance);
    facts.id_of[event.instance] = event.id;
    if (++facts.active_by_id[event.id] > 1) {
      facts.trouble = fmt::format("two active instances have the id {}", event.id);
    }
  }
  void ended(Key key) {
    if (key != record.instance) return;
    const auto continued = facts.continued.find(record.instance);
    if (continued != facts.continued.end() && continued->second == int(record.execution)) return;
    const auto id = facts.id_of.find(record.instance);
    if (id != facts.id_of.end()) --facts.active_by_id[id->second];
  }
  void operator()(const ElementActivating& event) {
    if (event.key != record.instance) facts.fresh(event.key);
    if (event.handler) facts.handlers.insert(event.key);
    facts.scope_of[event.key] = event.scope;
    facts.newest[record.instance] = event.key;
  }
  void operator()(const ElementTerminating& event) { facts.terminating.insert(event.key); }
  void operator()(const ScopeInterrupted& event) {
    facts.interrupted[event.scope] = facts.newest[record.instance];
  }
  void operator()(const ElementCompleted& event) { ended(event.key); }
  void operator()(const ElementTerminated& event) {
    if (event.key == record.instance) ++facts.cancelled[event.key];
    ended(event.key);
  }
  void operator()(const InstanceMigrated& event) {
    facts.process_of[record.instance] = event.process.string();
    facts.migrated.insert(record.instance);
  }
  void operator()(const InstanceContinued&) {
    facts.continued[record.instance] = static_cast<int>(record.execution);
  }
  void operator()(const JobCreated& event) { facts.fresh(event.key); }
  void operator()(const JobCompleted& event) { ++facts.job_ends[event.key]; }
  void operator()(const JobCanceled& event) { ++facts.job_ends[event.key]; }
  void operator()(const JobFailed& event) { ++facts.job_fails[event.key]; }
  void operator()(const CallStarted& event) { facts.called.insert(event.child); }
  // Each escalation of a child is heard once, in order, and all of them before its end.
  void operator()(const CallerAnswered& event) {
    if (event.outcome != CallOutcome::escalated) return;
    if (event.number != ++facts.escalated[record.instance]) {
      facts.trouble = fmt::format("instance {} escalates out of order", number(record.instance));
    }
  }
  void operator()(const CallEscalated& event) {
    const std::uint32_t heard = ++facts.heard[event.child];
    if (heard == event.number && heard <= facts.escalated[event.child]) return;
    facts.trouble =
        fmt::format("an escalation of {} was heard twice or before its time: {} after {} of {}",
                    number(event.child), event.number, heard - 1, facts.escalated[event.child]);
  }
  void operator()(const CallEnded& event) {
    const auto goes_on = [&](const Event& one) {  // one that ends hears nothing any more
      const auto* completing = std::get_if<ElementCompleting>(&one);
      return completing && completing->key == event.element;
    };
    if (std::none_of(record.events.begin(), record.events.end(), goes_on)) return;
    if (facts.heard[event.child] == facts.escalated[event.child]) return;
    facts.trouble = fmt::format("an escalation of {} was not heard", number(event.child));
  }
  // The next execution begins with the variables of the one before, a called instance with those of
  // its caller, which gets them back, and what undoes an activity with those it had: that is no
  // second effect.
  void operator()(const VariableCreated& event) {
    if (!std::holds_alternative<InstanceStarted>(record.events.front()) &&
        !std::holds_alternative<CallEnded>(record.events.front()) &&
        !facts.handlers.contains(event.scope)) {
      ++facts.variables[event.name.string()];
    }
  }
  void operator()(const TimerCreated& event) {
    facts.fresh(event.key);
    facts.due[event.key] = event.due;
  }
  void operator()(const TimerTriggered& event) {
    ++facts.timer_ends[event.key];
    if (record.at < facts.due[event.key]) {
      facts.trouble = fmt::format("timer {} fired {} ms early", number(event.key),
                                  (facts.due[event.key] - record.at).count());
    }
  }
  void operator()(const TimerCanceled& event) { ++facts.timer_ends[event.key]; }
  void operator()(const SubscriptionOpened& event) {
    facts.fresh(event.key);
    facts.subscription_instance[event.key] = record.instance;
    facts.waiting_element[event.key] = event.element;
    facts.is_signal[event.key] = event.kind == MailKind::signal;
  }
  void operator()(const SubscriptionClosed& event) { facts.closed.insert(event.key); }
  void operator()(const MailReceived& event) {
    facts.on_its_way[event.mail].erase(event.subscription);
    if (facts.is_signal[event.subscription]) return;
    ++facts.mail_taken[{event.mail, facts.process_of[record.instance]}];
  }
  void operator()(const IncidentRaised& event) { facts.fresh(event.key); }
  template <class Other>
  void operator()(const Other&) {}

  void operator()(const store::MessagePublished& notice) {
    facts.fresh(notice.key);
    facts.messages[notice.key] = notice;
    facts.on_its_way[notice.key].insert(notice.offered.begin(), notice.offered.end());
  }
  void operator()(const store::MessageRefused& notice) {
    facts.on_its_way[notice.message].erase(notice.subscription);
  }
  void operator()(const store::MessageOffered& notice) {
    facts.on_its_way[notice.message].insert(notice.subscription);
  }
  // Given to somebody who still waits, and thrown away before he had it.
  void operator()(const store::MessageExpired& notice) {
    for (const Key subscription : facts.on_its_way[notice.key]) {
      if (facts.closed.contains(subscription) || facts.is_ending(subscription)) continue;
      facts.trouble = fmt::format("message {} was given away and is lost", number(notice.key));
    }
  }
  void operator()(const store::SignalBroadcast& notice) { facts.signals.insert(notice.key); }
};

// Snapshots are made or not as memory needs it; what they hold is checked by bringing it back.
std::string without_pasts(const std::string& description) {
  std::string text;
  std::size_t begin = 0;
  while (begin < description.size()) {
    const std::size_t end = std::min(description.find('\n', begin), description.size() - 1) + 1;
    const std::string_view line(description.data() + begin, end - begin);
    if (!line.starts_with("  past: ")) text += line;
    begin = end;
  }
  return text;
}

// The instance as the runtime would bring it back: from its snapshot and the turns after it.
std::string brought_back(const store::Index& index, const store::Past& past,
                         const runtime::Definitions& definitions) {
  const auto back = store::bring_back(index, past, runtime::find_process(definitions));
  return back ? state_bytes(back->state) : back.error().text;
}

std::string twice(const std::map<Key, int>& ends, std::string_view what) {
  for (const auto& [key, count] : ends) {
    if (count > 1) return fmt::format("{} {} ended {} times", what, number(key), count);
  }
  return {};
}

std::string check_asked(const Facts& facts, const Asked& one) {
  const auto count_of = [](const auto& map, const auto& key) {
    const auto found = map.find(key);
    return found == map.end() ? 0 : int(found->second);
  };
  const auto expect = [&](int found, std::string_view what) -> std::string {
    const bool right = one.told == Told::yes  ? found == 1
                       : one.told == Told::no ? found == 0
                                              : found <= 1;
    if (right) return {};
    return fmt::format("{} {}{} was told {} and has {} effects ({})", one.what, number(one.key),
                       one.name, int(one.told), found, what);
  };
  if (one.what == "start") {
    const auto found = facts.started.find(one.name);
    if (one.told != Told::yes) return {};
    const bool there = found != facts.started.end() &&
                       std::count(found->second.begin(), found->second.end(), one.key) == 1;
    return there ? ""
                 : fmt::format("start of {} as {} was told yes and is lost", one.name,
                               number(one.key));
  }
  if (one.what == "set") return expect(count_of(facts.variables, one.name), "variable");
  if (one.what == "complete" && one.told == Told::yes) {
    return expect(count_of(facts.job_ends, one.key), "job ends");
  }
  if (one.what == "migrate" && one.told == Told::yes && !facts.migrated.contains(one.key)) {
    return fmt::format("migration of {} was told yes and is lost", number(one.key));
  }
  if (one.what == "fail" && one.told == Told::yes && count_of(facts.job_fails, one.key) == 0) {
    return fmt::format("failure of job {} was told yes and is lost", number(one.key));
  }
  if (one.what == "signal" && one.told == Told::yes && !facts.signals.contains(one.key)) {
    return fmt::format("signal {} was told yes and is lost", number(one.key));
  }
  if (one.what == "publish" && one.told == Told::yes && one.kept &&
      !facts.messages.contains(one.key)) {
    return fmt::format("message {} was told yes and is lost", number(one.key));
  }
  return {};
}

// Answers of the same job: as many yes as effects, never more.
std::string check_answers(const Facts& facts, const std::vector<Asked>& asked) {
  std::map<Key, int> yes;
  for (const Asked& one : asked) {
    if (one.what == "complete" && one.told == Told::yes) ++yes[one.key];
  }
  for (const auto& [job, count] : yes) {
    if (count > 1)
      return fmt::format("job {} was completed {} times, each told yes", number(job), count);
    if (!facts.job_ends.contains(job))
      return fmt::format("completion of job {} is lost", number(job));
  }
  return {};
}

}  // namespace

std::vector<World::Committed> World::read_journal() {
  std::vector<Committed> records;
  const store::Journal& journal = node_->journal();
  if (journal.last() == Position::none) return records;
  const auto read = journal.read(journal.first(), [&](Position position, std::string_view bytes) {
    auto record = store::decode_record(bytes);
    if (!record) {
      trouble_ = record.error().text;
      return false;
    }
    records.push_back({position, std::move(*record)});
    return true;
  });
  if (!read) trouble_ = read.error().text;
  return records;
}

std::string World::check() {
  if (!trouble_.empty()) return trouble_;
  if (const auto done = node_->catch_up(); !done) return done.error().text;
  const std::vector<Committed> records = read_journal();
  if (!trouble_.empty()) return trouble_;

  Facts facts;
  std::map<Key, engine::Instance> instances;
  store::MemoryIndex fresh([this](Key definition, ElementIndex element) {
    return node_->definitions().element_id(definition, element);
  });
  Position expected = node_->journal().first();
  std::vector<store::Committed> all;
  for (const Committed& one : records) {
    if (one.position != expected) return fmt::format("position {} is missing", number(expected));
    expected = expected + 1;
    Reader reader{facts, one.record};
    for (const auto& event : one.record.events) std::visit(reader, event);
    for (const auto& notice : one.record.notices) std::visit(reader, notice);
    if (!facts.trouble.empty()) return facts.trouble;
    all.push_back({one.position, std::make_shared<const store::Record>(one.record),
                   *store::encode(one.record)});
    if (one.record.instance == Key::none) continue;
    const auto* start =
        one.record.events.empty() ? nullptr : std::get_if<InstanceStarted>(&one.record.events[0]);
    if (start) {
      const auto definition = node_->definitions().find(start->definition);
      if (!definition) return definition.error().text;
      instances.erase(one.record.instance);
      instances.emplace(one.record.instance, engine::Instance((*definition)->process));
    }
    const auto found = instances.find(one.record.instance);
    if (found == instances.end()) return "a turn of an instance that was never started";
    const auto replayed = engine::replay(found->second, one.record.events,
                                         runtime::find_process(node_->definitions()));
    if (!replayed) return replayed.error().text;
    if (!one.record.more || found->second.ended != Ended::no) {
      const std::string broken = broken_invariant_of(found->second);
      if (!broken.empty()) return "broken invariant: " + broken;
    }
  }
  if (const auto applied = fresh.apply(all); !applied) return applied.error().text;
  for (const auto& [key, instance] : instances) {
    if (instance.ended != Ended::no) continue;
    const auto past = index_->past_of(key);
    if (!past || !*past) return fmt::format("the index does not know instance {}", number(key));
    const std::string back = brought_back(*index_, **past, node_->definitions());
    const std::string folded = state_bytes(instance);
    if (back != folded) return "brought back:\n" + back + "folded:\n" + folded;
  }
  const std::string from_journal = without_pasts(store::describe(fresh));
  const std::string live = without_pasts(store::describe(*index_));
  if (from_journal != live) {
    return "the index is not what the journal says\n--- journal\n" + from_journal + "--- index\n" +
           live;
  }
  for (const auto& problem : {twice(facts.job_ends, "job"), twice(facts.timer_ends, "timer"),
                              check_answers(facts, asked_)}) {
    if (!problem.empty()) return problem;
  }
  for (const Key child : facts.called) {
    if (!facts.keys.contains(child)) return fmt::format("call {} started nothing", number(child));
  }
  for (const auto& [mail, count] : facts.mail_taken) {
    if (count > 1) {
      return fmt::format("message {} was taken {} times by {}", number(mail.first), count,
                         mail.second);
    }
  }
  for (const Asked& one : asked_) {
    const std::string problem = check_asked(facts, one);
    if (!problem.empty()) return problem;
  }
  return {};
}

std::string World::check_all_ended() {
  if (!trouble_.empty()) return trouble_;
  const auto left = [&](std::string_view what, std::size_t count) {
    return count == 0 ? std::string() : fmt::format("{} {} left after the end", count, what);
  };
  const auto active = index_->instances({.state = store::InstanceState::active});
  if (!active->empty()) {
    std::string text = fmt::format("{} instances did not end", active->size());
    text += "\n" + store::describe(*index_);
    return text;
  }
  for (const std::string& problem :
       {left("jobs", index_->jobs({})->size()),
        left("timers", index_->timers_after({}, Key::none, store::no_limit)->size()),
        left("subscriptions", index_->subscriptions()->size()),
        left("incidents", index_->incidents(Key::none)->size()),
        left("answers", index_->instances({.owe_answer = true})->size())}) {
    if (!problem.empty()) return problem;
  }
  for (std::uint32_t i = 0; i < node_->shards(); ++i) {
    const runtime::Shard::Load load = node_->load(i);
    if (load.residents != 0) return left("instances in memory", load.residents);
    if (load.in_flight != 0) return left("turns in flight", load.in_flight);
    if (load.timers != 0) return left("timers in memory", load.timers);
  }
  return {};
}

std::uint64_t World::fingerprint() const {
  std::uint64_t hash = 14695981039346656037ull;
  const store::Journal& journal = node_->journal();
  if (journal.last() == Position::none) return hash;
  static_cast<void>(journal
                        .read(journal.first(),
                              [&](Position, std::string_view bytes) {
                                for (const char c : bytes)
                                  hash = (hash ^ static_cast<std::uint8_t>(c)) * 1099511628211ull;
                                return true;
                              })
                        .has_value());
  return hash;
}

}  // namespace pawl::testkit::sim
