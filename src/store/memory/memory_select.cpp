// SPDX-License-Identifier: Apache-2.0
// Selections of MemoryIndex: all rows of the table, then the rules that all share.
#include <algorithm>

#include "store/codec.hpp"
#include "store/job_words.hpp"
#include "store/memory/memory_index.hpp"
#include "store/selection.hpp"
#include "store/speaks_of.hpp"
#include "value/json.hpp"

namespace pawl::store {
namespace {

Cell text_cell(const std::string& value) { return value; }
Cell text_or_absent(const std::string& value) { return value.empty() ? Cell() : Cell(value); }
Cell time(Instant instant) { return std::int64_t{instant.time_since_epoch().count()}; }
Cell index(ElementIndex element) { return std::int64_t{number(element)}; }
Cell truth_cell(bool value) { return std::int64_t{value}; }

std::string state_word(InstanceState state) {
  static constexpr const char* words[] = {"active", "completed", "terminated"};
  return words[static_cast<std::size_t>(state)];
}
std::string state_word(JobAvailability availability) {
  static constexpr const char* words[] = {"activatable", "backing_off", "out_of_retries"};
  return words[static_cast<std::size_t>(availability)];
}

class Rows {
 public:
  Rows(const MemoryState& state, const Facts& facts) : state_(state), facts_(facts) {}

  std::vector<Cells> of(Table table) {
    switch (table) {
      case Table::instances:
        for (const auto& [key, one] : state_.instances) add(one.row);
        break;
      case Table::elements:
        for (const auto& [key, one] : state_.instances) {
          for (const auto& [element, row] : one.elements) add(row);
        }
        break;
      case Table::variables:
        for (const auto& [key, one] : state_.instances) {
          for (const auto& [name, value] : one.variables) add(key, name, value);
        }
        break;
      case Table::incidents:
        for (const auto& [key, row] : state_.incidents) add(row);
        break;
      case Table::jobs:
        for (const auto& [key, row] : state_.jobs) add(row);
        break;
      case Table::subscriptions:
        for (const auto& [key, row] : state_.subscriptions) add(row);
        break;
      case Table::definitions:
        break;
    }
    return std::move(rows_);
  }

 private:
  using Line = std::initializer_list<std::pair<Column, Cell>>;
  void put(Line line) {
    Cells& row = rows_.emplace_back();
    for (const auto& [column, value] : line) row.set(column, value);
  }

  Cell fact(Key definition, ElementIndex element, bool body, Fact which) const {
    return facts_ ? facts_(definition, element, body, which) : Cell();
  }
  const InstanceRow& instance(Key key) const { return state_.instances.at(key).row; }

  Cell root_of(Key key) const {
    const auto found = state_.instances.find(key);
    const Key root = found == state_.instances.end() ? Key::none : found->second.row.root;
    return cell(root == Key::none ? key : root);
  }

  template <class Row>
  Cell incident_where(Row is_it) const {
    for (const auto& [key, row] : state_.incidents) {
      if (is_it(row)) return cell(key);
    }
    return {};
  }

  void add(const InstanceRow& row) {
    const Cell incident =
        incident_where([&](const IncidentRow& one) { return one.instance == row.key; });
    constexpr ElementIndex root{0};
    put({{Column::key, cell(row.key)},
         {Column::instance, cell(row.key)},
         {Column::definition, cell(row.definition)},
         {Column::process, text_cell(row.process)},
         {Column::version, std::int64_t{row.version}},
         {Column::state, state_word(row.state)},
         {Column::business_id, text_or_absent(row.business_id)},
         {Column::caller, cell(row.caller)},
         {Column::caller_element, cell(row.caller_element)},
         {Column::root, cell(row.root == Key::none ? row.key : row.root)},
         {Column::started, time(row.started)},
         {Column::ended, row.ended == Instant{} ? Cell() : time(row.ended)},
         {Column::has_incident, truth_cell(!is_absent(incident))},
         {Column::process_name, fact(row.definition, root, false, Fact::process_name)},
         {Column::version_tag, fact(row.definition, root, false, Fact::version_tag)}});
  }

  void add(const ElementRow& row) {
    if (row.key == row.instance) return;  // the root scope: it is the instance
    const ElementPart part = state_.instances.at(row.instance).parts.at(row.key);
    const InstanceRow& home = instance(row.instance);
    const Cell incident =
        incident_where([&](const IncidentRow& one) { return one.element == row.key; });
    put({{Column::key, cell(row.key)},
         {Column::instance, cell(row.instance)},
         {Column::root, root_of(row.instance)},
         {Column::definition, cell(home.definition)},
         {Column::process, text_cell(home.process)},
         {Column::state, text_cell("active")},
         {Column::scope, cell(row.scope)},
         {Column::element_index, index(row.element)},
         {Column::element_id, text_cell(row.element_id)},
         {Column::body, static_cast<std::int64_t>(part)},
         {Column::has_incident, truth_cell(!is_absent(incident))},
         {Column::incident, incident},
         {Column::element_name, fact(home.definition, row.element, row.body, Fact::element_name)},
         {Column::element_type, part == ElementPart::path ? text_cell(std::string(path_type))
                                                          : fact(home.definition, row.element,
                                                                 row.body, Fact::element_type)}});
  }

  void add(Key owner, const std::string& name, const Value& value) {
    const std::string json = to_json(value);
    put({{Column::instance, cell(owner)},
         {Column::root, root_of(owner)},
         {Column::scope, cell(owner)},
         {Column::name, text_cell(name)},
         {Column::value, json},
         {Column::size, static_cast<std::int64_t>(json.size())}});
  }

  void add(const IncidentRow& row) {
    const auto home = state_.instances.find(row.instance);
    if (home == state_.instances.end()) return;
    const bool aside = row.element == Key::none;
    put({{Column::key, cell(row.key)},
         {Column::instance, cell(row.instance)},
         {Column::root, root_of(row.instance)},
         {Column::definition, cell(home->second.row.definition)},
         {Column::process, text_cell(home->second.row.process)},
         {Column::state, text_cell("active")},
         {Column::element, cell(aside ? row.instance : row.element)},
         {Column::element_id, text_cell(aside ? home->second.row.process : row.element_id)},
         {Column::type, text_cell(row.type)},
         {Column::message, text_cell(row.message)},
         {Column::started, time(row.at)},
         {Column::job, cell(row.job)}});
  }

  void add(const JobRow& row) {
    const InstanceRow& home = instance(row.instance);
    const auto& elements = state_.instances.at(row.instance).elements;
    const auto element = elements.find(row.element);
    const bool known = element != elements.end();
    const bool root = row.element == row.instance;  // known by the name of the process
    put({{Column::key, cell(row.key)},
         {Column::instance, cell(row.instance)},
         {Column::root, root_of(row.instance)},
         {Column::definition, cell(home.definition)},
         {Column::process, text_cell(home.process)},
         {Column::version, std::int64_t{home.version}},
         {Column::state, state_word(row.availability)},
         {Column::element, cell(row.element)},
         {Column::element_index, known ? index(element->second.element) : Cell()},
         {Column::element_id, root    ? text_cell(home.process)
                              : known ? text_cell(element->second.element_id)
                                      : Cell()},
         {Column::type, text_cell(row.type)},
         {Column::retries, std::int64_t{row.retries}},
         {Column::kind, std::string(word_of(state_.job_kinds.at(row.key)))},
         {Column::element_name,
          known ? fact(home.definition, element->second.element, false, Fact::element_name)
                : Cell()}});
  }

  void add(const SubscriptionRow& row) {
    put({{Column::key, cell(row.key)},
         {Column::instance, cell(row.instance)},
         {Column::root, root_of(row.instance)},
         {Column::definition, cell(instance(row.instance).definition)},
         {Column::process, text_cell(row.process)},
         {Column::state, text_cell("created")},
         {Column::kind, text_cell(row.kind == engine::MailKind::message ? "message" : "signal")},
         {Column::name, text_cell(row.name)},
         {Column::correlation, text_cell(row.correlation)}});
  }

  const MemoryState& state_;
  const Facts& facts_;
  std::vector<Cells> rows_{};
};

}  // namespace

Result<Selected> MemoryIndex::find_rows(const Selection& selection) const {
  PAWL_CHECK(check(selection));
  const std::lock_guard guard(mutex_);
  const auto related = [&](const Cells& row, const Related& one) {
    auto rows = Rows(state_, selection.facts).of(one.table);
    std::erase_if(rows, [&](const Cells& other) {
      return other.at(Column::instance) != row.at(Column::instance);
    });
    return rows;
  };
  return choose(Rows(state_, selection.facts).of(selection.table), selection, related);
}

Result<std::size_t> MemoryIndex::history_bytes(Key instance) const {
  PAWL_TRY(entries, history(instance));
  std::size_t bytes = 0;
  for (const HistoryEntry& entry : entries) bytes += entry.bytes.size();
  return bytes;
}

Result<std::optional<Key>> MemoryIndex::maker_of(Key key) const {
  const std::lock_guard guard(mutex_);
  for (const auto& [instance, one] : state_.instances) {
    for (const HistoryEntry& entry : one.history) {
      PAWL_TRY(record, decode_record(entry.bytes));
      if (speaks_of(record, key)) return std::optional(instance);
    }
  }
  return std::optional<Key>();
}

}  // namespace pawl::store
