// SPDX-License-Identifier: Apache-2.0
#include "server/search/story.hpp"

#include <algorithm>
#include <concepts>

#include "store/codec.hpp"
#include "store/element_part.hpp"
#include "store/job_words.hpp"
#include "store/moved.hpp"
#include "store/patience.hpp"
#include "value/json.hpp"
#include "value/temporal.hpp"

namespace pawl::server {
namespace {

using namespace engine;  // NOLINT: one function per event
using store::Cell;
using store::Cells;
using store::Column;
using store::Table;

constexpr std::int64_t default_priority = 50;  // of a user task

Cell millis(Instant instant) { return std::int64_t{instant.time_since_epoch().count()}; }
Cell word(std::string_view text) { return std::string(text); }

Cell text_detail(const Value& details, std::string_view name) {
  const Value* found = details.find(name);
  return found && found->is_string() ? Cell(std::string(found->as_string())) : Cell();
}

Cell date_detail(const Value& details, std::string_view name) {
  const Value* found = details.find(name);
  if (!found || !found->is_string()) return {};
  if (const auto moment = parse_date_time(found->as_string())) return millis(to_instant(*moment));
  if (const auto day = parse_date(found->as_string()))
    return millis(to_instant(DateTime{*day, {}}));
  return {};
}

Cell names_detail(const Value& details, std::string_view name) {
  std::vector<std::string> names;
  const Value* found = details.find(name);
  if (!found || !found->is_list()) return names;
  for (const Value& one : found->as_list()) {
    if (one.is_string()) names.emplace_back(one.as_string());
  }
  return names;
}

// Rows of one table, found by key.
class Shelf {
 public:
  explicit Shelf(std::vector<Cells>& rows) : rows_(rows) {}
  Cells& add(Key key) {
    places_[key] = rows_.size();
    Cells& row = rows_.emplace_back();
    row.set(Column::key, store::cell(key));
    return row;
  }
  Cells* find(Key key) {
    const auto place = places_.find(key);
    return place == places_.end() ? nullptr : &rows_[place->second];
  }

 private:
  std::vector<Cells>& rows_;
  std::map<Key, std::size_t> places_{};
};

class Folder {
 public:
  Folder(Key instance, Models& models) : instance_(instance), models_(models) {}

  void take(const store::Record& record) {
    now_ = record.at;
    for (const Event& event : record.events) {
      std::visit([&](const auto& one) { on(one); }, event);
    }
  }
  Story finish() {
    for (Cells& row : story_.elements) models_.complete(Table::elements, row);
    for (Cells& row : story_.jobs) models_.complete(Table::jobs, row);
    for (Cells& row : story_.incidents) models_.complete(Table::incidents, row);
    for (Cells& row : story_.subscriptions) models_.complete(Table::subscriptions, row);
    for (std::size_t i = 0; i < story_.variables.size(); ++i) {
      story_.variables_at[story_.variables[i].key_at(Column::scope)].push_back(i);
    }
    return std::move(story_);
  }

 private:
  template <class Other>
  void on(const Other&) {}  // changes nothing that is shown

  // --- the instance
  void on(const InstanceStarted& event) {
    if (event.execution > 1) {
      close_all();
      std::erase_if(story_.variables,
                    [&](const Cells& row) { return row.key_at(Column::scope) == instance_; });
      places_.clear();
      for (std::size_t i = 0; i < story_.variables.size(); ++i) {
        const Cells& row = story_.variables[i];
        places_[{row.key_at(Column::scope), std::string(row.text_at(Column::name))}] = i;
      }
    }
    root_ = event.caller ? event.caller->root : instance_;
    definition_ = event.definition;
    process_ = event.process.string();
    version_ = event.version;
  }

  // What has ended stays where it was; the rest is in the other process from now on.
  void on(const InstanceMigrated& event) {
    definition_ = event.definition;
    process_ = event.process.string();
    version_ = event.version;
    for (Cells& row : story_.elements) {
      if (is_open(row)) move(row, event);
    }
    for (Cells& row : story_.jobs) {
      if (is_open(row)) move(row, event);
    }
    for (Cells& row : story_.incidents) {
      if (row.text_at(Column::state) == "active") move(row, event);
    }
    for (Cells& row : story_.subscriptions) {
      if (row.text_at(Column::state) == "created") move(row, event);
    }
  }
  void move(Cells& row, const InstanceMigrated& event) const {
    const auto before = static_cast<ElementIndex>(row.number_at(Column::element_index));
    set_home(row);
    row.set(Column::element_index, std::int64_t{number(store::moved(event, before))});
  }

  void set_home(Cells& row) const {
    row.set(Column::instance, store::cell(instance_));
    row.set(Column::root, store::cell(root_));
    row.set(Column::definition, store::cell(definition_));
    row.set(Column::process, process_);
    row.set(Column::version, std::int64_t{version_});
  }

  // Nothing that is open outlives its execution.
  void close_all() {
    for (Cells& row : story_.elements) {
      if (is_open(row)) end(row, "terminated");
    }
    for (Cells& row : story_.jobs) {
      if (is_open(row)) end(row, "canceled");
    }
    for (Cells& row : story_.incidents) {
      if (row.text_at(Column::state) == "active") row.set(Column::state, word("resolved"));
    }
    for (Cells& row : story_.subscriptions) close_subscription(row);
  }

  static bool is_open(const Cells& row) { return store::is_absent(row.at(Column::ended)); }
  void end(Cells& row, std::string_view state) {
    row.set(Column::state, word(state));
    row.set(Column::ended, millis(now_));
    row.set(Column::updated, millis(now_));
    row.set(Column::has_incident, std::int64_t{0});
    row.set(Column::incident, {});
  }

  // --- elements
  void on(const ElementActivating& event) {
    if (event.key == instance_) return;
    Cells& row = elements_.add(event.key);
    set_home(row);
    row.set(Column::scope, store::cell(event.scope));
    row.set(Column::element_index, std::int64_t{number(event.element)});
    row.set(Column::body, static_cast<std::int64_t>(store::part_of(event)));
    row.set(Column::state, word("active"));
    row.set(Column::started, millis(now_));
    row.set(Column::has_incident, std::int64_t{0});
  }
  void on(const ElementCompleted& event) { end_element(event.key, "completed"); }
  void on(const ElementTerminated& event) { end_element(event.key, "terminated"); }
  void end_element(Key key, std::string_view state) {
    if (key == instance_) return close_all();
    if (Cells* row = elements_.find(key)) end(*row, state);
  }
  // A job that threw an error ends without an event of its own.
  void on(const ElementTerminating& event) {
    const auto job = job_at_.find(event.key);
    Cells* row = job == job_at_.end() ? nullptr : jobs_.find(job->second);
    if (!row || !is_open(*row)) return;
    end(*row, store::is_absent(row->at(Column::error_code)) ? "canceled" : "error_thrown");
  }
  void on(const FlowTaken& event) { story_.flows.push_back({definition_, event.flow}); }

  // --- variables
  void on(const VariableCreated& event) {
    set_variable(event.scope, event.name, event.value, event.key);
  }
  void on(const VariableUpdated& event) {
    set_variable(event.scope, event.name, event.value, Key::none);
  }
  void set_variable(Key scope, const Name& name, const Value& value, Key key) {
    const auto [place, fresh] =
        places_.try_emplace({scope, name.string()}, story_.variables.size());
    Cells& row = fresh ? story_.variables.emplace_back() : story_.variables[place->second];
    std::string json = to_json(value);
    if (key != Key::none) row.set(Column::key, store::cell(key));
    row.set(Column::instance, store::cell(instance_));
    row.set(Column::root, store::cell(root_));
    row.set(Column::scope, store::cell(scope));
    row.set(Column::name, name.string());
    row.set(Column::size, static_cast<std::int64_t>(json.size()));
    row.set(Column::value, std::move(json));
  }

  // --- jobs
  void on(const JobCreated& event) {
    Cells& row = jobs_.add(event.key);
    job_at_[event.element] = event.key;
    set_home(row);
    set_element(row, event.element);
    row.set(Column::type, event.type.string());
    row.set(Column::kind, word(store::word_of(event.kind)));
    row.set(Column::state, word("activatable"));
    row.set(Column::retries, std::int64_t{event.retries});
    row.set(Column::started, millis(now_));
    row.set(Column::updated, millis(now_));
    row.set(Column::failed_before, std::int64_t{0});
    set_details(row, event.details);
  }
  void set_element(Cells& row, Key element) {
    row.set(Column::element, store::cell(element));
    if (element == instance_) row.set(Column::element_index, std::int64_t{0});
    if (const Cells* found = elements_.find(element)) {
      row.set(Column::element_index, found->at(Column::element_index));
    }
  }
  static void set_details(Cells& row, const Value& details) {
    row.set(Column::assignee, text_detail(details, "assignee"));
    row.set(Column::groups, names_detail(details, "candidateGroups"));
    row.set(Column::users, names_detail(details, "candidateUsers"));
    row.set(Column::due, date_detail(details, "dueDate"));
    row.set(Column::follow_up, date_detail(details, "followUpDate"));
    const Value* priority = details.find("priority");
    const bool given = priority && priority->is_int();
    row.set(Column::priority, given ? priority->int_unchecked() : default_priority);
  }
  template <class Change>
  void change_job(Key key, Change change) {
    Cells* row = jobs_.find(key);
    if (!row || !is_open(*row)) return;
    row->set(Column::updated, millis(now_));
    change(*row);
  }
  void on(const JobCompleted& event) {
    change_job(event.key, [&](Cells& row) { end(row, "completed"); });
  }
  void on(const JobCanceled& event) {
    change_job(event.key, [&](Cells& row) { end(row, "canceled"); });
  }
  void on(const JobFailed& event) {
    change_job(event.key, [&](Cells& row) {
      const bool left = event.retries > 0;
      const bool waits = left && event.retry_at != Instant{};
      row.set(Column::retries, std::int64_t{event.retries});
      row.set(Column::message, event.message);
      if (left) row.set(Column::failed_before, std::int64_t{1});
      row.set(Column::state, word(!left   ? "out_of_retries"
                                  : waits ? "backing_off"
                                          : "activatable"));
    });
  }
  void on(const JobRetryDue& event) {
    change_job(event.key, [](Cells& row) { row.set(Column::state, word("activatable")); });
  }
  void on(const JobErrorThrown& event) {
    change_job(event.key, [&](Cells& row) {
      row.set(Column::state, word("out_of_retries"));
      row.set(Column::error_code, event.code);
      row.set(Column::message, event.message);
    });
  }
  void on(const JobRetriesUpdated& event) {
    change_job(event.key,
               [&](Cells& row) { row.set(Column::retries, std::int64_t{event.retries}); });
  }

  // --- subscriptions
  void on(const SubscriptionOpened& event) {
    Cells& row = subscriptions_.add(event.key);
    set_home(row);
    row.set(Column::element, store::cell(event.element));
    row.set(Column::element_index, std::int64_t{number(event.target)});
    row.set(Column::state, word("created"));
    row.set(Column::kind, word(event.kind == MailKind::message ? "message" : "signal"));
    row.set(Column::name, event.name.string());
    row.set(Column::correlation, event.correlation);
    row.set(Column::updated, millis(now_));
  }
  void on(const MailReceived& event) {
    if (Cells* row = subscriptions_.find(event.subscription)) {
      row->set(Column::updated, millis(now_));
      correlated_[event.subscription] = true;
    }
  }
  void on(const SubscriptionClosed& event) {
    if (Cells* row = subscriptions_.find(event.key)) close_subscription(*row);
  }
  void close_subscription(Cells& row) {
    if (row.text_at(Column::state) != "created") return;
    const bool taken = correlated_.contains(row.key_at(Column::key));
    row.set(Column::state, word(taken ? "correlated" : "deleted"));
    row.set(Column::updated, millis(now_));
  }

  // --- incidents
  void on(const IncidentRaised& event) {
    Cells& row = incidents_.add(event.key);
    set_home(row);
    set_element(row, event.element);
    row.set(Column::state, word("active"));
    row.set(Column::type, word(name_of(event.kind)));
    row.set(Column::message, event.message);
    row.set(Column::started, millis(now_));
    const auto job = job_at_.find(event.element);
    Cells* owner = job == job_at_.end() ? nullptr : jobs_.find(job->second);
    if (owner && is_open(*owner)) row.set(Column::job, store::cell(job->second));
    if (Cells* element = elements_.find(event.element)) {
      element->set(Column::incident, store::cell(event.key));
      element->set(Column::has_incident, std::int64_t{1});
    }
  }
  void on(const IncidentResolved& event) {
    Cells* row = incidents_.find(event.key);
    if (!row || row->text_at(Column::state) != "active") return;
    row->set(Column::state, word("resolved"));
    if (Cells* element = elements_.find(row->key_at(Column::element))) {
      element->set(Column::incident, {});
      element->set(Column::has_incident, std::int64_t{0});
    }
    change_job(row->key_at(Column::job), [](Cells& job) {
      job.set(Column::state, word("activatable"));
      job.set(Column::error_code, {});
    });
  }

  Key instance_;
  Key root_{Key::none};
  Models& models_;
  Instant now_{};
  Key definition_{Key::none};
  std::string process_{};
  std::int32_t version_{0};
  Story story_{};
  Shelf elements_{story_.elements};
  Shelf jobs_{story_.jobs};
  Shelf incidents_{story_.incidents};
  Shelf subscriptions_{story_.subscriptions};
  std::map<Key, Key> job_at_{};  // the last one of an element instance
  std::map<Key, bool> correlated_{};
  std::map<std::pair<Key, std::string>, std::size_t> places_{};  // of variables
};

}  // namespace

const std::vector<Cells>& Story::rows(Table table) const {
  static const std::vector<Cells> none;
  switch (table) {
    case Table::elements:
      return elements;
    case Table::variables:
      return variables;
    case Table::incidents:
      return incidents;
    case Table::jobs:
      return jobs;
    case Table::subscriptions:
      return subscriptions;
    case Table::instances:
    case Table::definitions:
      break;
  }
  return none;
}

const Cells* Story::find(Table table, Key key) const {
  for (const Cells& row : rows(table)) {
    if (row.key_at(Column::key) == key) return &row;
  }
  return nullptr;
}

Result<Story> fold(std::span<const store::HistoryEntry> history, Key instance, Models& models) {
  Folder folder(instance, models);
  for (const store::HistoryEntry& entry : history) {
    PAWL_CHECK(store::check_patience());
    PAWL_TRY(record, store::decode_record(entry.bytes));
    folder.take(record);
  }
  return folder.finish();
}

}  // namespace pawl::server
