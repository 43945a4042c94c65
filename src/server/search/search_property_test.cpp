// SPDX-License-Identifier: Apache-2.0
// Random journals and random filters: a search finds what a naive filter over all items finds, on
// both indexes, and pages join without gaps or doubles in both directions.
#include <rapidcheck.h>

#include <set>

#include "server/search/fields.hpp"
#include "server/search/scene_for_test.hpp"
#include "server/search/story.hpp"
#include "testkit/random_journal.hpp"

namespace pawl::server {
namespace {

using testkit::Dice;

struct FilterPool {
  Entity entity;
  std::vector<std::string_view> fields;
};
// Fields that can be asked for without naming an instance.
const FilterPool pools[] = {
    {Entity::process_instances,
     {"processDefinitionId", "processDefinitionVersion", "startDate", "endDate", "state",
      "hasIncident", "processInstanceKey", "businessId", "processDefinitionKey"}},
    {Entity::element_instances,
     {"processDefinitionId", "elementId", "hasIncident", "processDefinitionKey", "startDate"}},
    {Entity::variables, {"name", "value", "scopeKey", "variableKey"}},
    {Entity::incidents,
     {"processDefinitionId", "errorType", "errorMessage", "creationTime", "jobKey",
      "elementInstanceKey"}},
    {Entity::jobs,
     {"type", "retries", "state", "elementInstanceKey", "creationTime", "errorMessage",
      "processDefinitionKey"}},
    {Entity::message_subscriptions,
     {"messageName", "correlationKey", "processDefinitionKey", "lastUpdatedDate"}},
};

List items_of(const std::string& answer) {
  const auto read = parse_json(answer);
  RC_ASSERT(read.has_value() && read->find("items"));
  return read->find("items")->as_list();
}

// --- the naive filter: on what the items show ---------------------------------------------------

bool less(const Value& a, const Value& b) {
  if (a.is_int()) return a.int_unchecked() < b.int_unchecked();
  return a.as_string() < b.as_string();  // dates have one form
}

bool naive(std::string_view op, const Value& said, const Value& cell) {
  if (op == "$exists") return said.as_boolean() != cell.is_null();
  if (op == "$eq") return cell == said;
  if (op == "$neq") return !(cell == said);
  const auto listed = [&] {
    const List& list = said.as_list();
    return std::find(list.begin(), list.end(), cell) != list.end();
  };
  if (op == "$in") return listed();
  if (op == "$notIn") return !listed();
  if (cell.is_null()) return false;
  if (op == "$like") {  // only prefixes are asked for
    const std::string_view prefix = said.as_string();
    return cell.as_string().starts_with(prefix.substr(0, prefix.size() - 1));
  }
  if (op == "$gt") return less(said, cell);
  if (op == "$gte") return !less(cell, said);
  if (op == "$lt") return less(cell, said);
  return !less(said, cell);
}

const Field& field_of(Entity entity, std::string_view name) {
  for (const Field& field : table_of(entity).fields) {
    if (field.name == name) return field;
  }
  throw std::logic_error("no such field");
}

struct RandomFilter {
  std::string field{};
  std::string op{};
  Value said{};
};

// An operator that the field has, with values that some items have.
RandomFilter any_filter(Dice& dice, const FilterPool& pool, const List& items) {
  RandomFilter filter;
  const Field& field = field_of(pool.entity, pool.fields[dice.below(pool.fields.size())]);
  filter.field = field.name;
  const auto some = [&] {
    const Value* found = items[dice.below(items.size())].find(field.name);
    return found->is_null() ? Value() : *found;
  };
  std::vector<std::string> ops{"$eq"};
  const bool ordered = field.type == Type::integer || field.type == Type::date;
  if (field.ask == Ask::operators) {
    for (const char* op : {"$neq", "$in", "$exists"}) ops.emplace_back(op);
    if (!ordered) ops.emplace_back("$notIn");
    if (field.type == Type::text) ops.emplace_back("$like");
    for (const char* op : {"$gt", "$gte", "$lt", "$lte"}) {
      if (ordered) ops.emplace_back(op);
    }
  }
  filter.op = ops[dice.below(ops.size())];
  filter.said = some();
  if (filter.op == "$exists" || filter.said.is_null()) {
    filter.op = field.ask == Ask::operators ? "$exists" : "";
    filter.said = dice.chance(50);
  } else if (filter.op == "$in" || filter.op == "$notIn") {
    List list{filter.said};
    if (const Value more = some(); !more.is_null()) list.push_back(more);
    filter.said = Value(list);
  } else if (filter.op == "$like") {
    const std::string_view text = filter.said.as_string();
    std::string prefix;
    for (const char c : text.substr(0, 3)) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) break;
      prefix += c;
    }
    filter.said = Value(prefix + "*");
  }
  return filter;
}

std::string random_request(const std::vector<RandomFilter>& filters, Entity entity,
                           const std::string& rest) {
  std::vector<Entry> entries;
  for (const RandomFilter& one : filters) {
    if (one.op.empty()) continue;
    const bool plain = field_of(entity, one.field).ask == Ask::plain;
    entries.push_back({one.field, plain ? one.said : object({{one.op, one.said}})});
  }
  return R"({"filter":)" + to_json(Value::context(entries)) + rest + "}";
}

std::string sort_of(Dice& dice, Entity entity) {
  std::vector<std::string_view> names;
  for (const Field& field : table_of(entity).fields) {
    if (field.sorts && !field.ended) names.push_back(field.name);
  }
  const auto one = [&] {
    return fmt::format(R"({{"field":"{}","order":"{}"}})", names[dice.below(names.size())],
                       dice.chance(50) ? "asc" : "DESC");
  };
  return R"(,"sort":[)" + one() + (dice.chance(50) ? "," + one() : "") + "]";
}

void fill(Scene& scene, std::uint64_t seed, std::size_t size) {
  testkit::RandomJournal journal(seed);
  for (std::size_t i = 0; i < size; ++i) scene.put(journal.next());
}

TEST(SearchProperty, random_filters_find_what_a_naive_filter_finds) {
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    Scene scene;
    fill(scene, seed, 40);
    for (int round = 0; round < 8; ++round) {
      const FilterPool& pool = pools[dice.below(std::size(pools))];
      const List all = items_of(scene.ask(pool.entity, R"({"page":{"limit":10000}})"));
      if (all.empty()) continue;
      std::vector<RandomFilter> filters{any_filter(dice, pool, all)};
      if (dice.chance(40)) filters.push_back(any_filter(dice, pool, all));
      // The last of two on the same field wins, as in any JSON object.
      if (filters.size() == 2 && filters[0].field == filters[1].field)
        filters.erase(filters.begin());
      // One key names an instance, and then ended ones are found, too.
      const bool names_one = std::any_of(filters.begin(), filters.end(), [&](const auto& one) {
        const bool key = field_of(pool.entity, one.field).type == Type::key;
        const bool single = one.op == "$eq" || (one.op == "$in" && one.said.as_list().size() == 1);
        return key && single && pool.entity != Entity::process_instances &&
               one.field != "processDefinitionKey";
      });
      if (names_one) continue;
      std::string expected;
      for (const Value& item : all) {
        const bool fits = std::all_of(filters.begin(), filters.end(), [&](const auto& one) {
          return one.op.empty() || naive(one.op, one.said, *item.find(one.field));
        });
        if (fits) expected += to_json(*item.find(key_field(pool.entity))) + " ";
      }
      std::erase(expected, '"');
      const std::string request =
          random_request(filters, pool.entity, R"(,"page":{"limit":10000})");
      std::string found = keys_of(pool.entity, scene.ask(pool.entity, request));
      // Who excludes every state of what is open asks for what has ended.
      const bool refused = found.find("asks for what has ended") != std::string::npos;
      if (refused) found.clear();
      if (!found.empty()) found += " ";
      RC_LOG() << request << "\n";
      RC_ASSERT(found == expected);
    }
  });
  EXPECT_TRUE(held);
}

std::string cursor_of(const std::string& answer, std::string_view which) {
  return to_json(*parse_json(answer)->find("page")->find(which));
}

std::string walk(const Scene& scene, Entity entity, const std::string& sort, std::size_t limit,
                 bool backward) {
  std::string joined, place;
  for (int pages = 0; pages < 1'000; ++pages) {
    const std::string request = fmt::format(R"({{"page":{{"limit":{}{}}}{}}})", limit, place, sort);
    const std::string answer = scene.ask(entity, request);
    const std::string keys = keys_of(entity, answer);
    if (keys.empty()) break;
    joined = backward ? keys + " " + joined : joined + keys + " ";
    place = fmt::format(",\"{}\":{}", backward ? "before" : "after",
                        cursor_of(answer, backward ? "startCursor" : "endCursor"));
  }
  return joined;
}

TEST(SearchProperty, pages_join_without_gaps_or_doubles) {
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    Scene scene;
    fill(scene, seed, 40);
    for (int round = 0; round < 3; ++round) {
      const Entity entity = pools[dice.below(std::size(pools))].entity;
      const std::string sort = sort_of(dice, entity);
      const std::string whole = scene.ask(entity, R"({"page":{"limit":10000})" + sort + "}");
      const std::string all = keys_of(entity, whole);
      RC_LOG() << sort << "\n";
      const std::string forward = walk(scene, entity, sort, 1 + dice.below(4), false);
      RC_ASSERT(forward == (all.empty() ? "" : all + " "));
      if (all.empty()) continue;
      // From the last one back to the first, which is not part of the last page.
      const std::string last = cursor_of(whole, "endCursor");
      const std::string before = keys_of(
          entity,
          scene.ask(entity, R"({"page":{"limit":10000,"before":)" + last + "}" + sort + "}"));
      RC_ASSERT(all.starts_with(before));
      RC_ASSERT(items_of(whole).size() ==
                1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), ' ')) +
                    (before.empty() ? 0 : 1));
    }
  });
  EXPECT_TRUE(held);
}

// --- histories ----------------------------------------------------------------------------------

using store::Table;

// The models of these journals are not deployed: what comes from them is left out.
bool same_row(Table table, const store::Cells& a, const store::Cells& b) {
  for (const store::KeptColumn& one : store::kept_columns(table)) {
    if (one.from_model || one.column == store::Column::element_id) continue;
    if (a.at(one.column) != b.at(one.column)) return false;
  }
  return true;
}

void expect_folded(const Sources& from, Table table) {
  Models models(from.definitions);
  const auto open = from.index.find_rows({.table = table});
  RC_ASSERT(open.has_value());
  for (const store::Cells& row : open->rows) {
    // What the runtime set aside is in no history.
    if (row.text_at(store::Column::type) == store::work_set_aside) continue;
    const Key instance = row.key_at(store::Column::instance);
    const auto history = from.index.history(instance);
    RC_ASSERT(history.has_value());
    const auto story = fold(*history, instance, models);
    RC_ASSERT(story.has_value());
    const auto& rows = story->rows(table);
    RC_LOG() << "table " << static_cast<int>(table) << " instance " << number(instance) << " key "
             << number(row.key_at(store::Column::key)) << "\n";
    RC_ASSERT(std::any_of(rows.begin(), rows.end(),
                          [&](const store::Cells& known) { return same_row(table, known, row); }));
  }
}

TEST(SearchProperty, a_folded_history_agrees_with_the_index) {
  const bool held = rc::check([](std::uint64_t seed) {
    Scene scene;
    fill(scene, seed, 40);
    for (const Table table :
         {Table::elements, Table::variables, Table::incidents, Table::jobs, Table::subscriptions}) {
      expect_folded(scene.memory(), table);
    }
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace pawl::server
