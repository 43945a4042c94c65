// SPDX-License-Identifier: Apache-2.0
#include "server/search/lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "server/search/bounds.hpp"
#include "server/search/operands.hpp"

namespace pawl::server {
namespace {

using store::Cell;
using store::Cells;
using store::Clause;
using store::Column;
using store::Condition;
using store::Op;
using store::Related;
using store::Selected;
using store::Selection;
using store::Table;

// --- what the index can answer by itself --------------------------------------------------------

bool is_kept(Table table, const Condition& condition) {
  return store::find_kept(table, condition.column) != nullptr;
}
bool is_kept(const Related& related) {
  return related.by == Related::By::instance &&
         std::all_of(related.where.begin(), related.where.end(),
                     [&](const Condition& one) { return is_kept(related.table, one); });
}
bool is_kept(Table table, const Clause& clause) {
  return std::all_of(clause.where.begin(), clause.where.end(),
                     [&](const Condition& one) { return is_kept(table, one); }) &&
         std::all_of(clause.related.begin(), clause.related.end(),
                     [](const Related& one) { return is_kept(one); });
}
bool is_kept(const Selection& selection) {
  const Table table = selection.table;
  return is_kept(table, selection.all) &&
         std::all_of(selection.any.begin(), selection.any.end(),
                     [&](const Clause& one) { return is_kept(table, one); }) &&
         std::all_of(selection.order.begin(), selection.order.end(), [&](const auto& order) {
           return store::find_kept(table, order.column) != nullptr;
         });
}

// The part of it that narrows the rows as far as the index can.
Selection kept_part(const Selection& selection) {
  Selection part{.table = selection.table,
                 .limit = bounds::candidates + 1,
                 .count_limit = 0,
                 .facts = selection.facts};
  for (const Condition& one : selection.all.where) {
    if (is_kept(selection.table, one)) part.all.where.push_back(one);
  }
  for (const Related& one : selection.all.related) {
    if (is_kept(one)) part.all.related.push_back(one);
  }
  return part;
}

bool mentions(const Selection& selection, Column column) {
  const auto is_it = [&](const auto& one) { return one.column == column; };
  return std::any_of(selection.all.where.begin(), selection.all.where.end(), is_it) ||
         std::any_of(selection.order.begin(), selection.order.end(), is_it);
}

// --- whose rows they are ------------------------------------------------------------------------

std::optional<Key> single(const Condition& condition, Column column) {
  if (condition.column != column || condition.op != Op::in || condition.values.size() != 1) {
    return std::nullopt;
  }
  return key_from(static_cast<std::uint64_t>(std::get<std::int64_t>(condition.values.front())));
}

// A row of the index and the same of a story.
std::pair<Key, std::string> identity(Table table, const Cells& row) {
  if (table == Table::variables) {
    return {row.key_at(Column::scope), std::string(row.text_at(Column::name))};
  }
  return {row.key_at(Column::key), {}};
}

std::set<Key> instances_of(const std::vector<Cells>& rows) {
  std::set<Key> all;
  for (const Cells& row : rows) all.insert(row.key_at(Column::instance));
  return all;
}

Error needs_instance(const std::string& asks) {
  return bad_request(fmt::format(
      "filter \"{}\" asks for what has ended, which is only in the history of its process "
      "instance: name that with processInstanceKey",
      asks));
}

}  // namespace

Error Lookup::too_long(Key instance) const {
  return bad_request(
      fmt::format("the search would have to read more than {} MiB of history, that of process "
                  "instance {} included; ask for less, or only for what is open",
                  bounds::folded_bytes >> 20, number(instance)));
}

Result<Key> Lookup::instance_of(Key key) {
  PAWL_TRY(owner, sources_.index.owner_of(key));
  if (owner) return *owner;
  PAWL_TRY(maker, sources_.index.maker_of(key));
  return maker.value_or(Key::none);
}

Result<Story*> Lookup::story_of(Key instance) {
  const auto known = stories_.find(instance);
  if (known != stories_.end()) return &known->second;
  PAWL_TRY(bytes, sources_.index.history_bytes(instance));
  if (bytes > bounds::folded_bytes - bytes_) return static_cast<Story*>(nullptr);
  bytes_ += bytes;
  PAWL_TRY(history, sources_.index.history(instance));
  PAWL_TRY(story, fold(history, instance, models_));
  return &stories_.emplace(instance, std::move(story)).first->second;
}

// The instance that the filter names, by its key or by that of something in it.
Result<std::optional<Key>> Lookup::named_instance(const Selection& selection) {
  const auto& where = selection.all.where;
  for (const Condition& one : where) {
    if (const auto key = single(one, Column::instance)) return std::optional(*key);
  }
  for (const Column column :
       {Column::key, Column::element, Column::scope, Column::job, Column::incident}) {
    for (const Condition& one : where) {
      const auto key = single(one, column);
      if (!key) continue;
      PAWL_TRY(instance, instance_of(*key));
      return std::optional(instance);
    }
  }
  return std::optional<Key>();
}

std::vector<Cells> Lookup::related_rows(const Cells& row, const Related& related) {
  const auto story = stories_.find(row.key_at(Column::instance));
  if (story == stories_.end()) return {};
  const bool inner = related.by == Related::By::element;
  const Key scope = row.key_at(inner ? Column::element : Column::instance);
  if (related.table != Table::variables) return story->second.rows(related.table);
  std::vector<Cells> rows;
  const auto places = story->second.variables_at.find(scope);
  if (places == story->second.variables_at.end()) return rows;
  for (const std::size_t place : places->second) rows.push_back(story->second.variables[place]);
  return rows;
}

Selected Lookup::choose(std::vector<Cells> rows, const Query& query) {
  return store::choose(
      std::move(rows), query.selection,
      [&](const Cells& row, const Related& related) { return related_rows(row, related); });
}

void Lookup::complete_definition(Cells& row) {
  using store::Fact;
  constexpr ElementIndex root{0};
  const Key key = row.key_at(Column::key);
  row.set(Column::name, models_.fact(key, root, false, Fact::process_name));
  row.set(Column::version_tag, models_.fact(key, root, false, Fact::version_tag));
}

Result<Selected> Lookup::find_definitions(const Query& query) {
  PAWL_TRY(definitions, sources_.index.definitions());
  std::map<std::string, std::int32_t> latest;
  for (const auto& one : definitions) {
    std::int32_t& version = latest[one.process.id];
    version = std::max(version, one.process.version);
  }
  std::vector<Cells> rows;
  for (const auto& one : definitions) {
    Cells& row = rows.emplace_back();
    row.set(Column::key, store::cell(one.process.key));
    row.set(Column::process, one.process.id);
    row.set(Column::version, std::int64_t{one.process.version});
    row.set(Column::resource, one.resource_name);
    row.set(Column::latest, std::int64_t{latest[one.process.id] == one.process.version});
  }
  // Reading the models of all that was ever deployed takes time.
  const bool named = mentions(query.selection, Column::name);
  if (named || mentions(query.selection, Column::version_tag)) {
    PAWL_CHECK(complete(Table::definitions, rows));
  }
  return choose(std::move(rows), query);
}

// What an instance had is known of one that is named; else only what is open counts.
Result<Selected> Lookup::find_instances(const Query& query) {
  std::optional<Key> named;
  for (const Condition& one : query.selection.all.where) {
    if (const auto key = single(one, Column::key)) named = key;
  }
  if (!query.asks_ended.empty() && !named) return needs_instance(query.asks_ended);
  if (query.asks_ended.empty() || *named == Key::none) {
    return sources_.index.find_rows(query.selection);
  }
  PAWL_TRY(story, story_of(*named));
  if (!story) return too_long(*named);
  PAWL_TRY(found, sources_.index.find_rows(
                      {.table = Table::instances,
                       .all = {.where = {{Column::key, Op::in, {store::cell(*named)}}}}}));
  for (Cells& row : found.rows) models_.complete(Table::instances, row);
  return choose(std::move(found.rows), query);
}

// Incidents of the runtime are not in the history.
Result<std::vector<Cells>> Lookup::rows_of(Key instance, Table table, Story& story) {
  std::vector<Cells> rows = story.rows(table);
  if (table != Table::incidents) return rows;
  PAWL_TRY(open, sources_.index.find_rows(
                     {.table = table,
                      .all = {.where = {{Column::instance, Op::in, {store::cell(instance)}}}}}));
  for (Cells& row : open.rows) {
    if (row.text_at(Column::type) != store::work_set_aside) continue;
    models_.complete(table, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<Selected> Lookup::find_in(Key instance, const Query& query) {
  if (instance == Key::none) return Selected{};
  PAWL_TRY(story, story_of(instance));
  if (story) {
    PAWL_TRY(rows, rows_of(instance, query.selection.table, *story));
    return choose(std::move(rows), query);
  }
  if (!query.asks_ended.empty() || !is_kept(query.selection)) return too_long(instance);
  return sources_.index.find_rows(query.selection);
}

// The index cannot say which of the open ones it is: their histories do.
Result<Selected> Lookup::find_among_open(const Query& query) {
  const Table table = query.selection.table;
  PAWL_TRY(found, sources_.index.find_rows(kept_part(query.selection)));
  if (found.rows.size() > bounds::candidates) {
    return bad_request(
        fmt::format("the search would have to look into more than {} histories; narrow it with "
                    "processInstanceKey, processDefinitionId or elementId",
                    bounds::candidates));
  }
  for (const Key instance : instances_of(found.rows)) {
    PAWL_TRY(story, story_of(instance));
    if (!story) return too_long(instance);
  }
  PAWL_CHECK(complete(table, found.rows));
  return choose(std::move(found.rows), query);
}

Result<Selected> Lookup::find(const Query& query) {
  Query whole = query;
  whole.selection.facts = models_.facts();
  if (whole.selection.table == Table::definitions) return find_definitions(whole);
  if (whole.selection.table == Table::instances) return find_instances(whole);
  PAWL_TRY(named, named_instance(whole.selection));
  if (named) return find_in(*named, whole);
  if (!query.asks_ended.empty()) return needs_instance(query.asks_ended);
  if (!is_kept(whole.selection)) return find_among_open(whole);
  return sources_.index.find_rows(whole.selection);
}

Result<void> Lookup::complete(Table table, std::vector<Cells>& rows) {
  for (Cells& row : rows) {
    if (table == Table::definitions) complete_definition(row);
    if (table != Table::definitions && table != Table::variables) models_.complete(table, row);
  }
  if (table == Table::definitions) return {};
  if (table == Table::instances) return {};
  std::map<std::pair<Key, std::string>, Cells*> wanted;
  for (Cells& row : rows) wanted[identity(table, row)] = &row;
  for (const Key instance : instances_of(rows)) {
    PAWL_TRY(story, story_of(instance));
    if (!story) continue;  // what is not known is null
    for (const Cells& known : story->rows(table)) {
      const auto found = wanted.find(identity(table, known));
      if (found != wanted.end()) found->second->add_absent(known);
    }
  }
  return {};
}

}  // namespace pawl::server
