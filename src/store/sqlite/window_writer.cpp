// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/window_writer.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "store/element_part.hpp"
#include "store/history_rows.hpp"
#include "store/job_words.hpp"
#include "store/moved.hpp"
#include "store/sqlite/outcome.hpp"
#include "store/sqlite/words.hpp"
#include "store/sqlite/write_statements.hpp"
#include "value/json.hpp"

namespace pawl::store::sqlite {

Result<WindowWriter> WindowWriter::prepare(Connection& db) {
  WindowWriter writer;
  for (std::size_t i = 0; i < write_statements.size(); ++i) {
    PAWL_ASSERT(static_cast<std::size_t>(write_statements[i].name) == i);
    PAWL_TRY(statement, db.prepare(write_statements[i].text));
    writer.statements_[i] = std::move(statement);
  }
  const std::pair<RowBatch&, const BatchSql&> batches[] = {{writer.instances_, put_instances},
                                                           {writer.history_, put_history},
                                                           {writer.variables_, put_variables},
                                                           {writer.elements_, put_elements},
                                                           {writer.jobs_, put_jobs}};
  for (const auto& [batch, sql] : batches) {
    PAWL_TRY(prepared, RowBatch::prepare(db, sql.head, sql.columns, sql.tail));
    batch = std::move(prepared);
  }
  return writer;
}

// --- instances
namespace {

bool has_ended_for_good(const InstanceChange& change) {
  return change.has_ended && !change.continues;
}

bool is_busy(const InstanceChange& change) {
  if (change.has_ended) return change.continues;  // the next execution is still to be started
  return change.more;
}

}  // namespace

Result<void> WindowWriter::change_instance(const InstanceChange& change) {
  if (!change.migrations.empty()) {
    const engine::InstanceMigrated& last = *change.migrations.back();
    PAWL_CHECK(sql(Sql::migrate_instance)
                   .with(change.key, last.process, last.version, last.definition)
                   .run());
  }
  if (change.continues) PAWL_CHECK(sql(Sql::continue_later).with(change.key).run());
  if (change.has_ended) {
    return sql(Sql::end_execution).with(change.key, name_of(change.outcome), change.ended).run();
  }
  return sql(Sql::set_busy).with(change.key, change.more).run();
}

Result<void> WindowWriter::put_instance(const InstanceChange& change) {
  const bool over = has_ended_for_good(change);
  const engine::InstanceStarted& started = *change.started;
  const engine::InstanceMigrated* last =
      change.migrations.empty() ? nullptr : change.migrations.back();
  return instances_.add(
      change.key, last ? last->process : started.process, last ? last->version : started.version,
      last ? last->definition : started.definition,
      name_of(over ? change.outcome : InstanceState::active), started.execution, OrNull{started.id},
      OrNull{started.business_id}, change.began, over ? change.ended : Instant{}, is_busy(change),
      change.shard, change.root, change.continues, change.first, change.since);
}

Result<void> WindowWriter::write_instances(Window& window) {
  const auto all = sorted(window.instances);
  instances_.expect(static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const auto* one) { return one->started; })));
  for (const InstanceChange* change : all) {
    if (change->first_record == nowhere) continue;  // only named by a notice
    PAWL_CHECK(change->started ? put_instance(*change) : change_instance(*change));
  }
  return {};
}

// --- history
namespace {

// A row for the records of one execution.
struct HistoryRow {
  Position position{Position::none};
  Key instance{Key::none};
  std::uint32_t first_record{nowhere};
};

// By position: they are appended to the table.
std::vector<HistoryRow> history_rows(Window& window) {
  std::vector<HistoryRow> rows;
  rows.reserve(window.instances.all().size());
  for (const InstanceChange& change : window.instances.all()) {
    std::uint32_t execution = 0;
    for (std::uint32_t at = change.first_record; at != nowhere; at = window.next_record[at]) {
      const Committed& one = window.records[at];
      const bool begins = at == change.first_record || one.record->execution != execution;
      if (begins) rows.push_back({one.position, change.key, at});
      execution = one.record->execution;
    }
  }
  std::sort(rows.begin(), rows.end(),
            [](const HistoryRow& a, const HistoryRow& b) { return a.position < b.position; });
  return rows;
}

}  // namespace

Result<void> WindowWriter::write_history(Window& window) {
  const auto rows = history_rows(window);
  history_.expect(rows.size());
  for (const HistoryRow& row : rows) {
    const std::uint32_t execution = window.records[row.first_record].record->execution;
    std::string& packed = history_.text();
    for (std::uint32_t at = row.first_record; at != nowhere; at = window.next_record[at]) {
      const Committed& one = window.records[at];
      if (one.record->execution != execution) break;
      pack_history(packed, row.position, one.position, one.bytes);
    }
    PAWL_CHECK(history_.add(row.position, row.instance, execution, Blob{packed}));
  }
  return {};
}

Result<void> WindowWriter::write_variables(Window& window) {
  const auto& instances = window.instances.all();
  std::vector<VariableChange>& variables = window.variables;
  std::erase_if(variables, [&](const VariableChange& change) {
    return change.epoch < instances[change.instance].restart;
  });
  std::stable_sort(variables.begin(), variables.end(),
                   [&](const VariableChange& a, const VariableChange& b) {
                     return instances[a.instance].key < instances[b.instance].key;
                   });
  variables_.expect(variables.size());
  for (const VariableChange& change : variables) {
    std::string& json = variables_.text();
    append_json(json, *change.value);
    PAWL_CHECK(variables_.add(instances[change.instance].key, *change.name, json));
  }
  return {};
}

// --- executions that ended
// The events close everything that is open; this is for the case that one was forgotten.
Result<bool> WindowWriter::has_leftovers(Key first, Key last) {
  PAWL_TRY(found, sql(Sql::has_leftovers).with(first, last).step());
  sql(Sql::has_leftovers).reset();
  return found;
}

Result<void> WindowWriter::forget_leftovers(Key instance) {
  PAWL_TRY(some, has_leftovers(instance, instance));
  if (!some) return {};
  for (const Sql table :
       {Sql::delete_jobs_of, Sql::delete_elements_of, Sql::delete_timers_of,
        Sql::delete_subscriptions_of, Sql::delete_incidents_of, Sql::delete_snapshot}) {
    PAWL_CHECK(sql(table).with(instance).run());
  }
  return {};
}

// Neighbours are asked for together: usually nothing is left of any of them.
Result<void> WindowWriter::forget_leftovers(std::span<const Key> sorted) {
  constexpr std::size_t together = 32;
  for (; !sorted.empty(); sorted = sorted.subspan(std::min(together, sorted.size()))) {
    const auto some = sorted.first(std::min(together, sorted.size()));
    PAWL_TRY(any, has_leftovers(some.front(), some.back()));
    if (!any) continue;
    for (const Key instance : some) PAWL_CHECK(forget_leftovers(instance));
  }
  return {};
}

// After the rows that the events closed are gone, and before new ones are put.
Result<void> WindowWriter::forget_executions(Window& window) {
  std::vector<Key> ended;
  for (const InstanceChange& change : window.instances.all()) {
    if (change.epoch == 0 || change.is_new) continue;
    ended.push_back(change.key);
    if (change.restart > 0) PAWL_CHECK(sql(Sql::delete_variables).with(change.key).run());
  }
  std::sort(ended.begin(), ended.end());
  return forget_leftovers(ended);
}

// --- instances that follow another process
namespace {

// `since`: how many migrations of the window the element instance has not seen.
ElementIndex place_after(const InstanceChange& instance, std::size_t since, ElementIndex element) {
  for (std::size_t i = since; i < instance.migrations.size(); ++i) {
    element = moved(*instance.migrations[i], element);
  }
  return element;
}

bool has_moved(const InstanceChange& change) {
  return !change.migrations.empty() && !change.has_ended;
}

}  // namespace

// Those that were there before the window; the others are put as they are at its end.
Result<void> WindowWriter::move_rows(Window& window) {
  for (InstanceChange& change : window.instances.all()) {
    if (!has_moved(change)) continue;
    const Key definition = facts_of(window, change).definition;
    for (const Stored::Place& one : window.stored.places(change.key)) {
      const ElementIndex element = place_after(change, 0, one.element);
      const std::string& id = window.stored.element_id(definition, element);
      PAWL_CHECK(sql(Sql::move_element).with(one.key, number(element), id).run());
    }
    const std::string& process = facts_of(window, change).process;
    PAWL_CHECK(sql(Sql::move_subscriptions).with(change.key, process).run());
  }
  return {};
}

// After the elements, which know their ids.
Result<void> WindowWriter::move_incidents(Window& window) {
  for (InstanceChange& change : window.instances.all()) {
    if (!has_moved(change)) continue;
    const Stored::Instance& facts = facts_of(window, change);
    const ElementIndex root = change.root != ElementIndex::none ? change.root : facts.root;
    const std::string& id = window.stored.element_id(facts.definition, root);
    PAWL_CHECK(sql(Sql::move_incidents).with(change.key, id).run());
  }
  return {};
}

// --- rows that open and close
Result<void> WindowWriter::put(Window& window, const ElementChange& change) {
  if (!change.made) return sql(Sql::set_element_job).with(change.key, change.job).run();
  InstanceChange& instance = window.instances.all()[change.instance];
  const Key definition = facts_of(window, instance).definition;
  const engine::ElementActivating& made = *change.made;
  const ElementIndex element = place_after(instance, change.migrations, made.element);
  const std::string& id = window.stored.element_id(definition, element);
  return elements_.add(change.key, instance.key, KeyOrNull{made.scope}, number(element), id,
                       made.iteration, static_cast<std::uint32_t>(part_of(made)),
                       KeyOrNull{change.job});
}

Result<void> WindowWriter::put(Window& window, const JobChange& change) {
  if (change.made) {
    const auto availability = change.availability.value_or(JobAvailability::activatable);
    return jobs_.add(change.key, window.instances.all()[change.instance].key, change.made->element,
                     change.made->type, change.retries.value_or(change.made->retries),
                     change.made->priority, name_of(availability), word_of(change.made->kind));
  }
  Statement& patch = sql(Sql::change_job).with(change.key, nullptr, nullptr);
  if (change.retries) patch.bind(2, *change.retries);
  if (change.availability) patch.bind(3, name_of(*change.availability));
  return patch.run();
}

Result<void> WindowWriter::put(Window& window, const TimerChange& change) {
  const Key instance = window.instances.all()[change.instance].key;
  return sql(Sql::put_timer).with(change.key, instance, change.due, name_of(change.kind)).run();
}

Result<void> WindowWriter::put(Window& window, const SubscriptionChange& change) {
  InstanceChange& instance = window.instances.all()[change.instance];
  return sql(Sql::put_subscription)
      .with(change.key, instance.key, name_of(change.made->kind), change.made->name,
            change.made->correlation, facts_of(window, instance).process, change.position)
      .run();
}

Result<void> WindowWriter::put(Window&, const IncidentChange& change) {
  const IncidentRow& row = change.row;
  return sql(Sql::put_incident)
      .with(row.key, row.instance, KeyOrNull{row.element}, row.element_id, row.type, row.message,
            row.at, KeyOrNull{row.job}, KeyOrNull{row.subject})
      .run();
}

Result<void> WindowWriter::put(Window&, const SignalChange& change) {
  text_.clear();
  append_json(text_, change.made->variables);
  return sql(Sql::put_signal).with(change.key, change.made->name, text_, change.position).run();
}

Result<void> WindowWriter::remove(Sql statement, const std::vector<Key>& keys) {
  for (const Key key : keys) PAWL_CHECK(sql(statement).with(key).run());
  return {};
}

namespace {

template <class Change>
std::size_t new_ones(const std::vector<Change*>& changes) {
  return static_cast<std::size_t>(std::count_if(
      changes.begin(), changes.end(), [](const Change* one) { return one->made != nullptr; }));
}

}  // namespace

Result<void> WindowWriter::write_rows(Window& window) {
  const auto elements = outcome_of(window, window.elements);
  const auto jobs = outcome_of(window, window.jobs);
  const auto timers = outcome_of(window, window.timers);
  const auto subscriptions = outcome_of(window, window.subscriptions);
  const auto incidents = outcome_of(window, window.incidents);
  const auto signals = outcome_of(window, window.signals);
  PAWL_CHECK(remove(Sql::delete_element, elements.gone));
  PAWL_CHECK(remove(Sql::delete_job, jobs.gone));
  PAWL_CHECK(remove(Sql::delete_timer, timers.gone));
  PAWL_CHECK(remove(Sql::delete_subscription, subscriptions.gone));
  PAWL_CHECK(remove(Sql::delete_incident, incidents.gone));
  PAWL_CHECK(remove(Sql::delete_signal, signals.gone));
  PAWL_CHECK(forget_executions(window));
  PAWL_CHECK(move_rows(window));
  const auto put_all = [&](const auto& outcome) -> Result<void> {
    for (const auto* change : outcome.there) PAWL_CHECK(put(window, *change));
    return {};
  };
  elements_.expect(new_ones(elements.there));
  jobs_.expect(new_ones(jobs.there));
  PAWL_CHECK(put_all(elements));
  PAWL_CHECK(put_all(jobs));
  PAWL_CHECK(put_all(timers));
  PAWL_CHECK(put_all(subscriptions));
  PAWL_CHECK(put_all(incidents));
  PAWL_CHECK(move_incidents(window));
  return put_all(signals);
}

Result<void> WindowWriter::write(Window& window) {
  PAWL_CHECK(write_instances(window));
  PAWL_CHECK(write_history(window));
  PAWL_CHECK(write_rows(window));
  PAWL_CHECK(write_variables(window));
  PAWL_CHECK(write_messages(window));
  PAWL_CHECK(write_rest(window));
  if (window.stored.trouble) return *window.stored.trouble;
  return {};
}

}  // namespace pawl::store::sqlite
