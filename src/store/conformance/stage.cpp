// SPDX-License-Identifier: Apache-2.0
#include "store/conformance/stage.hpp"

#include <algorithm>

#include "store/codec.hpp"
#include "value/json.hpp"

namespace pawl::store::conformance {

Stage::Stage(Maker maker, Cut cut)
    : maker_(std::move(maker)), cut_(cut), index_(maker_.make(test_element_name)) {}

Position Stage::put(Record record) {
  const Position position = position_from(journal_.size() + 1);
  std::string bytes = *encode(record);
  journal_.push_back(
      {position, std::make_shared<const Record>(std::move(record)), std::move(bytes)});
  if (cut_ == Cut::each) flush();
  return position;
}

Position Stage::turn(std::uint64_t instance, engine::Events events, TurnOptions options) {
  return put({.shard = options.shard,
              .instance = k(instance),
              .execution = options.execution,
              .at = ms(options.at),
              .next_key = options.next_key,
              .more = options.more,
              .events = std::move(events)});
}

Position Stage::beside(Notice notice, std::int64_t at) {
  return put({.at = ms(at), .notices = {std::move(notice)}});
}

void Stage::flush() {
  must(index_->apply(std::span(journal_).subspan(given_)));
  given_ = journal_.size();
}

Index& Stage::index() {
  flush();
  return *index_;
}

void Stage::reopen() {
  flush();
  index_ = maker_.reopen(std::move(index_), test_element_name);
}

std::string test_element_name(Key definition, ElementIndex element) {
  return fmt::format("{}:{}", number(definition), number(element));
}

void fail_check(const std::string& what, const Where& where) {
  throw CheckFailed(fmt::format("{}:{}: {}", where.file_name(), where.line(), what));
}

namespace {

template <class Row, class Line>
std::string joined(const Result<std::vector<Row>>& rows, Line line) {
  if (!rows) return rows.error().text;
  std::string text;
  for (const Row& row : *rows) text += (text.empty() ? "" : "; ") + line(row);
  return text;
}

const char* name_of(InstanceState state) {
  static constexpr const char* names[] = {"active", "completed", "terminated"};
  return names[static_cast<std::size_t>(state)];
}
const char* name_of(JobAvailability availability) {
  static constexpr const char* names[] = {"activatable", "backing_off", "out_of_retries"};
  return names[static_cast<std::size_t>(availability)];
}

std::string offers_of(const MessageRow& row) {
  std::string text;
  for (const Key one : row.message.offered) text += fmt::format(" to {}", number(one));
  for (const std::string& process : row.taken_by) text += " by " + process;
  return text;
}

}  // namespace

std::string brief(const Result<std::vector<InstanceRow>>& rows) {
  return joined(rows, [](const InstanceRow& row) {
    return fmt::format("{} {}", number(row.key), name_of(row.state));
  });
}
std::string brief(const Result<std::vector<JobRow>>& rows) {
  return joined(rows, [](const JobRow& row) {
    return fmt::format("{} {} {} retries {}", number(row.key), row.type, name_of(row.availability),
                       row.retries);
  });
}
std::string brief(const Result<std::vector<TimerRow>>& rows) {
  return joined(rows, [](const TimerRow& row) {
    return fmt::format("{} {} {}", number(row.key),
                       row.kind == TimerKind::element ? "due" : "retries at",
                       row.due.time_since_epoch().count());
  });
}
std::string brief(const Result<std::vector<ElementRow>>& rows) {
  return joined(rows, [](const ElementRow& row) {
    return fmt::format("{} {} in {}", number(row.key), row.element_id, number(row.scope));
  });
}
std::string brief(const Result<std::vector<VariableRow>>& rows) {
  return joined(rows, [](const VariableRow& row) { return row.name + "=" + to_json(row.value); });
}
std::string brief(const Result<std::vector<SubscriptionRow>>& rows) {
  return joined(rows, [](const SubscriptionRow& row) {
    const bool message = row.kind == engine::MailKind::message;
    return fmt::format("{} {} {}/{} of {}", number(row.key), message ? "message" : "signal",
                       row.name, row.correlation, number(row.instance));
  });
}
std::string brief(const Result<std::vector<MessageRow>>& rows) {
  return joined(rows, [](const MessageRow& row) {
    return fmt::format("{} {}/{}{}", number(row.message.key), row.message.name.text(),
                       row.message.correlation, offers_of(row));
  });
}
std::string brief(const Result<std::vector<SignalRow>>& rows) {
  return joined(rows, [](const SignalRow& row) {
    return fmt::format("{} {} at {}", number(row.signal.key), row.signal.name.text(),
                       number(row.position));
  });
}
std::string brief(const Result<std::vector<IncidentRow>>& rows) {
  return joined(rows, [](const IncidentRow& row) {
    return fmt::format("{} {} at {} job {}: {}", number(row.key), row.type, row.element_id,
                       number(row.job), row.message);
  });
}
std::string brief(const Result<std::vector<HistoryEntry>>& rows) {
  return joined(rows,
                [](const HistoryEntry& row) { return fmt::format("{}", number(row.position)); });
}

engine::Events start(std::uint64_t instance, StartOptions options) {
  engine::Events events;
  events.push_back(engine::InstanceStarted{.instance = k(instance),
                                           .definition = k(77),
                                           .process = Name(options.process),
                                           .version = 2,
                                           .at = ms(options.at),
                                           .execution = options.execution,
                                           .id = options.id,
                                           .business_id = options.business_id});
  events.push_back(engine::ElementActivating{.key = k(instance), .element = ElementIndex{0}});
  return events;
}
engine::Event element(std::uint64_t key, std::uint64_t scope, std::uint32_t index) {
  return engine::ElementActivating{
      .key = k(key), .scope = k(scope), .element = static_cast<ElementIndex>(index)};
}
engine::Event job(std::uint64_t key, std::uint64_t at_element, const char* type,
                  std::int32_t priority) {
  return engine::JobCreated{
      .key = k(key), .element = k(at_element), .type = type, .retries = 3, .priority = priority};
}
engine::Event set(std::uint64_t scope, const char* name, Value value) {
  return engine::VariableCreated{.scope = k(scope), .name = name, .value = std::move(value)};
}
engine::Event completed(std::uint64_t key) { return engine::ElementCompleted{k(key)}; }
engine::Event terminated(std::uint64_t key) { return engine::ElementTerminated{k(key)}; }

engine::Events operator+(engine::Events a, const engine::Event& b) {
  a.push_back(b);
  return a;
}

}  // namespace pawl::store::conformance
