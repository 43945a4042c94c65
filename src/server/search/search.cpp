// SPDX-License-Identifier: Apache-2.0
#include "server/search/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "server/search/cursor.hpp"
#include "server/search/item.hpp"
#include "server/search/lookup.hpp"
#include "server/search/operands.hpp"
#include "store/patience.hpp"
#include "value/json.hpp"

namespace pawl::server {
namespace {

using store::Cell;
using store::Cells;
using store::Column;
using store::Op;
using store::Selected;
using store::Table;

Error not_found(std::string_view what, Key key) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("no {} has the key {}", what, number(key)));
}

// Not an absent cell, whatever the key is.
Cell exactly(Key key) { return static_cast<std::int64_t>(number(key)); }

Result<void> must_exist(const Sources& sources, Key instance) {
  PAWL_TRY(found, sources.index.find_rows(
                      {.all = {.where = {{Column::key, Op::in, {exactly(instance)}}}}}));
  if (found.rows.empty()) return not_found("process instance", instance);
  return {};
}

Result<Story*> readable_story(Lookup& lookup, Key instance) {
  PAWL_TRY(story, lookup.story_of(instance));
  if (!story) return lookup.too_long(instance);
  return story;
}

// --- only a part: of an instance, inside an element instance, seen by a user task ---------------

void only_in(Query& query, Column column, std::vector<Cell> keys) {
  query.selection.all.where.push_back({column, Op::in, std::move(keys)});
}

// Those that are inside come after what is around them.
Result<void> only_at_element(Lookup& lookup, Key element, Query& query) {
  PAWL_TRY(instance, lookup.instance_of(element));
  PAWL_TRY(story, readable_story(lookup, instance));
  std::set<Key> inside;
  if (element == instance) inside.insert(element);
  for (const Cells& row : story->elements) {
    const Key key = row.key_at(Column::key);
    if (key == element || inside.contains(row.key_at(Column::scope))) inside.insert(key);
  }
  if (!inside.contains(element)) return not_found("element instance", element);
  std::vector<Cell> keys;
  for (const Key key : inside) keys.push_back(exactly(key));
  only_in(query, Column::instance, {exactly(instance)});
  only_in(query, Column::element, std::move(keys));
  return {};
}

// Of each name the one in the nearest scope.
void only_effective(const Story& story, Key element, Key instance, Query& query) {
  std::vector<Cell> hidden;
  for (Key scope = element; scope != Key::none;) {
    query.selection.any.push_back(
        {.where = {{Column::scope, Op::in, {exactly(scope)}}, {Column::name, Op::not_in, hidden}}});
    for (const Cells& row : story.variables) {
      if (row.key_at(Column::scope) == scope) hidden.push_back(row.at(Column::name));
    }
    const Cells* around = story.find(Table::elements, scope);
    scope = around ? around->key_at(Column::scope) : Key::none;
    if (scope == Key::none && around) scope = instance;
  }
}

Result<void> only_at_user_task(Lookup& lookup, const SearchOptions& options, Query& query) {
  PAWL_TRY(instance, lookup.instance_of(options.user_task));
  PAWL_TRY(story, readable_story(lookup, instance));
  const Cells* task = story->find(Table::jobs, options.user_task);
  if (!task || !task->text_at(Column::type).starts_with("user-task:")) {
    return not_found("user task", options.user_task);
  }
  const Key element = task->key_at(Column::element);
  only_in(query, Column::instance, {exactly(instance)});
  if (options.effective) {
    only_effective(*story, element, instance, query);
  } else {
    only_in(query, Column::scope, {exactly(element)});
  }
  return {};
}

Result<void> restrict(const Sources& sources, Lookup& lookup, const SearchOptions& options,
                      Query& query) {
  if (options.process_instance != Key::none) {
    PAWL_CHECK(must_exist(sources, options.process_instance));
    const bool itself = query.selection.table == Table::instances;
    only_in(query, itself ? Column::key : Column::instance, {exactly(options.process_instance)});
  }
  if (options.element_instance != Key::none) {
    PAWL_CHECK(only_at_element(lookup, options.element_instance, query));
  }
  if (options.user_task != Key::none) PAWL_CHECK(only_at_user_task(lookup, options, query));
  return {};
}

// --- the answer ---------------------------------------------------------------------------------

std::string page_of(const Query& query, const Selected& found) {
  std::string first = "null", last = "null";
  if (!found.rows.empty()) {
    const auto order = store::whole_order(query.selection);
    first = fmt::format("\"{}\"", to_cursor(found.rows.front(), order));
    last = fmt::format("\"{}\"", to_cursor(found.rows.back(), order));
  }
  return fmt::format(
      R"("page":{{"totalItems":{},"hasMoreTotalItems":{},"startCursor":{},"endCursor":{}}})",
      found.total, found.more, first, last);
}

}  // namespace

Result<std::string> search(const Sources& sources, Entity entity, std::string_view request,
                           const SearchOptions& options) {
  PAWL_TRY(query, read_request(entity, request, options));
  Lookup lookup(sources);
  PAWL_CHECK(restrict(sources, lookup, options, query));
  PAWL_TRY(found, lookup.find(query));
  PAWL_CHECK(store::check_patience());  // what was found may not be all
  const std::string page = page_of(query, found);
  PAWL_CHECK(lookup.complete(query.selection.table, found.rows));
  const ItemOptions shown{.truncate_values = options.truncate_values, .says_truncated = true};
  std::string answer = "{\"items\":[";
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    if (i > 0) answer += ',';
    append_item(answer, entity, std::move(found.rows[i]), shown);
  }
  return answer + "]," + page + "}";
}

Result<std::string> get_one(const Sources& sources, Entity entity, Key key) {
  PAWL_TRY(query, read_request(entity, "", {}));
  only_in(query, Column::key, {exactly(key)});
  Lookup lookup(sources);
  PAWL_TRY(found, lookup.find(query));
  if (found.rows.empty()) return not_found(table_of(entity).name, key);
  PAWL_CHECK(lookup.complete(query.selection.table, found.rows));
  std::string item;
  append_item(item, entity, std::move(found.rows.front()), {});
  return item;
}

Result<std::string> process_definition_xml(const Sources& sources, Key definition) {
  PAWL_TRY(definitions, sources.index.definitions());
  for (const auto& one : definitions) {
    if (one.process.key == definition) return sources.index.resource(one.process.resource);
  }
  return not_found("process definition", definition);
}

Result<std::string> element_statistics(const Sources& sources, Key instance) {
  PAWL_CHECK(must_exist(sources, instance));
  Lookup lookup(sources);
  PAWL_TRY(story, readable_story(lookup, instance));
  struct Counts {
    std::int64_t active{0}, canceled{0}, incidents{0}, completed{0};
  };
  std::map<std::string, Counts, std::less<>> counts;
  for (const Cells& row : story->elements) {
    if (row.number_at(Column::body) != 0) continue;  // its iterations count
    Counts& count = counts[std::string(row.text_at(Column::element_id))];
    const std::string_view state = row.text_at(Column::state);
    count.active += state == "active";
    count.canceled += state == "terminated";
    count.completed += state == "completed";
    count.incidents += row.number_at(Column::has_incident);
  }
  List items;
  for (const auto& [id, count] : counts) {
    items.push_back(object({{"elementId", id},
                            {"active", count.active},
                            {"canceled", count.canceled},
                            {"incidents", count.incidents},
                            {"completed", count.completed}}));
  }
  return to_json(object({{"items", std::move(items)}}));
}

Result<std::string> sequence_flows(const Sources& sources, Key instance) {
  PAWL_CHECK(must_exist(sources, instance));
  Lookup lookup(sources);
  PAWL_TRY(story, readable_story(lookup, instance));
  const std::string key = fmt::format("{}", number(instance));
  PAWL_TRY(past, sources.index.past_of(instance));
  const bool called = past && past->row.root != Key::none;
  const std::string root = called ? fmt::format("{}", number(past->row.root)) : key;
  List items;
  std::set<std::string> seen;  // a flow that was taken twice is shown once
  for (const Story::Taken& taken : story->flows) {
    const model::Process* process = lookup.models().find(taken.definition);
    if (!process || number(taken.flow) >= process->flows.size()) continue;
    const std::string& id = process->at(taken.flow).id;
    if (!seen.insert(id).second) continue;
    items.push_back(object({{"sequenceFlowId", key + "_" + id},
                            {"processInstanceKey", key},
                            {"rootProcessInstanceKey", root},
                            {"processDefinitionKey", fmt::format("{}", number(taken.definition))},
                            {"processDefinitionId", process->id},
                            {"elementId", id},
                            {"tenantId", "<default>"}}));
  }
  return to_json(object({{"items", std::move(items)}}));
}

}  // namespace pawl::server
