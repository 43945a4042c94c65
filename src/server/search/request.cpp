// SPDX-License-Identifier: Apache-2.0
#include "server/search/request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "server/search/bounds.hpp"
#include "server/search/cursor.hpp"
#include "server/search/operands.hpp"
#include "value/json.hpp"

namespace pawl::server {
namespace {

using store::Cell;
using store::Clause;
using store::Column;
using store::Condition;
using store::Op;
using store::Order;
using store::Related;
using store::Selection;
using store::Table;

constexpr std::string_view either_key = "$or";

class Reader {
 public:
  Reader(Entity entity, const SearchOptions& options)
      : entity_(entity), table_(table_of(entity)), options_(options) {
    query_.selection.table = table_.table;
    query_.selection.count_limit = bounds::counted;
  }

  Result<Query> read(const Value& request) {
    for (const Entry& part : request.entries()) {
      if (part.value.is_null()) continue;
      if (part.key == "filter") {
        PAWL_CHECK(read_filter(part.value, query_.selection.all, true));
      } else if (part.key == "sort") {
        PAWL_CHECK(read_sorts(part.value));
      }  // others are for later versions
    }
    // The order decides what a cursor is.
    const Value* page = request.find("page");
    query_.selection.limit = bounds::default_page;
    if (page && !page->is_null()) PAWL_CHECK(read_page(*page));
    if (entity_ == Entity::user_tasks) only_user_tasks();
    if (entity_ == Entity::message_subscriptions) {
      query_.selection.all.where.push_back({Column::kind, Op::in, {std::string("message")}});
    }
    return std::move(query_);
  }

 private:
  // Jobs of user tasks are named after them: "user-task:ELEMENT".
  void only_user_tasks() {
    auto& where = query_.selection.all.where;
    where.push_back({Column::type, Op::at_least, {std::string("user-task:")}});
    where.push_back({Column::type, Op::less, {std::string("user-task;")}});
  }

  // --- filter
  const Field* find(std::string_view name, bool to_sort) const {
    for (const Field& field : table_.fields) {
      const bool fits = to_sort ? field.sorts : field.ask != Ask::never;
      if (fits && field.name == name) return &field;
    }
    return nullptr;
  }

  std::string names(bool to_sort) const {
    std::vector<std::string_view> all;
    for (const Field& field : table_.fields) {
      if (to_sort ? field.sorts : field.ask != Ask::never) all.push_back(field.name);
    }
    return listed(all);
  }

  Result<void> read_filter(const Value& filter, Clause& clause, bool outermost) {
    if (!filter.is_context()) return bad_request("the filter of a search must be an object");
    for (const Entry& entry : filter.entries()) {
      const bool splits = outermost && entity_ == Entity::process_instances;
      if (entry.value.is_null()) continue;
      if (splits && entry.key == either_key) {
        PAWL_CHECK(read_either(entry.value));
        continue;
      }
      const Field* field = find(entry.key, false);
      if (!field) {
        return bad_request(fmt::format("{}s have no filter \"{}\"; there is {}", table_.name,
                                       entry.key, names(false)));
      }
      PAWL_CHECK(read_field(*field, entry.value, clause));
    }
    return check_size(clause);
  }

  Result<void> check_size(const Clause& clause) {
    const auto count = [&](const std::vector<Condition>& conditions) {
      conditions_ += conditions.size();
      for (const Condition& one : conditions) values_ += one.values.size();
    };
    count(clause.where);
    for (const Related& one : clause.related) count(one.where);
    if (values_ <= bounds::values && conditions_ <= bounds::conditions) return {};
    return bad_request(fmt::format("the filter is too large: at most {} conditions and {} values",
                                   bounds::conditions, bounds::values));
  }

  Result<void> read_either(const Value& said) {
    if (!said.is_list()) return bad_request("filter \"$or\" must be a list of filters");
    if (said.as_list().size() > bounds::either) {
      return bad_request(fmt::format("filter \"$or\" has {} parts; the most is {}",
                                     said.as_list().size(), bounds::either));
    }
    for (const Value& one : said.as_list()) {
      PAWL_CHECK(read_filter(one, query_.selection.any.emplace_back(), false));
    }
    return {};
  }

  Result<void> read_field(const Field& field, const Value& said, Clause& clause) {
    if (field.type == Type::variables) return read_variables(field, said, clause);
    if (field.type == Type::tags) return read_tags(field, said, clause);
    PAWL_TRY(operands, read_operands(field, said));
    if (!operands.ended.empty()) {
      query_.asks_ended = fmt::format("{} {}", field.name, operands.ended);
    }
    for (const Condition& one : operands.conditions) {
      if (field.ended && one.op != Op::absent) query_.asks_ended = field.name;
    }
    if (field.column == Column::size) return add_truncated(operands.conditions.front(), clause);
    if (field.elsewhere) return add_elsewhere(field, operands.conditions, clause);
    for (Condition& one : operands.conditions) {
      if (field.column) {
        clause.where.push_back(std::move(one));
      } else if (!store::holds(one, cell_of(field, {}))) {
        add_never(clause);
      }
    }
    return {};
  }

  void add_never(Clause& clause) const {
    clause.where.push_back({store::ties_of(table_.table).front(), Op::in, {}});
  }

  Result<void> add_truncated(const Condition& said, Clause& clause) {
    const bool wanted = std::get<std::int64_t>(said.values.front()) == 1;
    constexpr auto most = static_cast<std::int64_t>(bounds::shown_value);
    if (options_.truncate_values) {
      clause.where.push_back({Column::size, wanted ? Op::greater : Op::at_most, {most}});
    } else if (wanted) {
      add_never(clause);
    }
    return {};
  }

  // All that is said about an element instance, or an incident, must be true of the same one.
  Result<void> add_elsewhere(const Field& field, std::vector<Condition>& conditions,
                             Clause& clause) {
    if (!field.column) {  // hasRetriesLeft: a job that failed and will be tried again
      const bool wanted = std::get<std::int64_t>(conditions.front().values.front()) == 1;
      clause.related.push_back({.table = *field.elsewhere,
                                .negated = !wanted,
                                .where = {{Column::state, Op::in, {std::string("backing_off")}}}});
      return {};
    }
    const auto same = std::find_if(
        clause.related.begin(), clause.related.end(),
        [&](const Related& one) { return one.table == *field.elsewhere && !one.negated; });
    Related& related = same != clause.related.end()
                           ? *same
                           : clause.related.emplace_back(Related{.table = *field.elsewhere});
    std::move(conditions.begin(), conditions.end(), std::back_inserter(related.where));
    return {};
  }

  Result<void> read_tags(const Field& field, const Value& said, Clause& clause) const {
    if (!said.is_list()) {
      return bad_request(fmt::format("filter \"{}\" must be a list of texts", field.name));
    }
    if (!said.as_list().empty()) add_never(clause);  // nothing has tags
    return {};
  }

  Result<void> read_variables(const Field& field, const Value& said, Clause& clause) {
    const auto wrong = [&] {
      return bad_request(
          fmt::format("filter \"{}\" must be a list of {{\"name\": …, \"value\": …}}", field.name));
    };
    if (!said.is_list()) return wrong();
    for (const Value& one : said.as_list()) {
      const Value* name = one.find("name");
      const Value* value = one.find("value");
      if (!name || !name->is_string() || !value) return wrong();
      static constexpr Field json{"value", Type::text, Ask::operators, false, Column::value};
      PAWL_TRY(operands, read_operands(json, *value));
      Related related{.table = Table::variables, .where = std::move(operands.conditions)};
      if (field.column) related.by = Related::By::element;
      related.where.push_back({Column::name, Op::in, {std::string(name->as_string())}});
      clause.related.push_back(std::move(related));
    }
    return {};
  }

  // --- sort
  Result<void> read_sorts(const Value& said) {
    if (!said.is_list() || said.as_list().size() > bounds::sorts) {
      return bad_request(fmt::format(
          "\"sort\" must be a list of at most {} {{\"field\": …, \"order\": …}}", bounds::sorts));
    }
    for (const Value& one : said.as_list()) PAWL_CHECK(read_sort(one));
    return {};
  }

  Result<void> read_sort(const Value& said) {
    const Value* name = said.find("field");
    if (!name || !name->is_string()) return bad_request("a sort must have a \"field\"");
    const Field* field = find(name->as_string(), true);
    if (!field) {
      return bad_request(fmt::format("{}s cannot be sorted by \"{}\"; they can by {}", table_.name,
                                     name->as_string(), names(true)));
    }
    std::string order = "asc";
    if (const Value* given = said.find("order"); given && !given->is_null()) {
      order = given->is_string() ? std::string(given->as_string()) : "";
      for (char& c : order) c = lower(c);
    }
    if (order != "asc" && order != "desc") {
      return bad_request(fmt::format("the order of sort \"{}\" must be ASC or DESC", field->name));
    }
    if (!field->column) return {};  // the same for all
    query_.selection.order.push_back({*field->column, order == "desc"});
    sorted_.push_back(field->type);
    return {};
  }

  // --- page
  Result<std::size_t> read_count(const Value& said, std::string_view name, std::int64_t least,
                                 std::int64_t most) const {
    if (said.is_int() && said.int_unchecked() >= least && said.int_unchecked() <= most) {
      return static_cast<std::size_t>(said.int_unchecked());
    }
    return bad_request(fmt::format("page.{} must be a whole number from {} to {}, but is {}", name,
                                   least, most, preview(said)));
  }

  Result<void> read_page(const Value& said) {
    if (!said.is_context()) return bad_request("\"page\" must be an object");
    std::string_view place;
    for (const Entry& entry : said.entries()) {
      if (entry.value.is_null()) continue;
      if (entry.key == "limit") {
        PAWL_TRY(limit, read_count(entry.value, "limit", 1, bounds::largest_page));
        query_.selection.limit = limit;
        continue;
      }
      if (entry.key != "from" && entry.key != "after" && entry.key != "before") {
        return bad_request(fmt::format(
            "\"page\" has no \"{}\"; it has limit, and one of from, after and before", entry.key));
      }
      if (!place.empty()) {
        return bad_request(
            fmt::format("\"page\" has {} and {}; only one of them", place, entry.key));
      }
      place = entry.key;
      PAWL_CHECK(read_place(entry));
    }
    return {};
  }

  Result<void> read_place(const Entry& entry) {
    Selection& selection = query_.selection;
    if (entry.key == "from") {
      PAWL_TRY(from, read_count(entry.value, "from", 0, std::int64_t{1} << 40));
      selection.offset = from;
      return {};
    }
    selection.backward = entry.key == "before";
    if (entry.value.is_string()) {
      const auto order = store::whole_order(selection);
      const auto cells = from_cursor(entry.value.as_string(), order.size());
      if (cells && fits(*cells)) {
        selection.after = *cells;
        return {};
      }
    }
    return bad_request(fmt::format(
        "page.{} is not a cursor of this search; take startCursor or endCursor of an answer to "
        "the same filter and sort",
        entry.key));
  }

  bool fits(const std::vector<Cell>& cells) const {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool sorted = i < sorted_.size();
      if (sorted && store::is_absent(cells[i])) continue;
      const bool text = sorted ? sorted_[i] == Type::text || sorted_[i] == Type::word
                               : store::ties_of(table_.table)[i - sorted_.size()] == Column::name;
      if (cells[i].index() != (text ? 2u : 1u)) return false;
    }
    return true;
  }

  Entity entity_;
  const EntityTable& table_;
  const SearchOptions& options_;
  Query query_{};
  std::vector<Type> sorted_{};
  std::size_t conditions_{0};
  std::size_t values_{0};
};

}  // namespace

Result<Query> read_request(Entity entity, std::string_view text, const SearchOptions& options) {
  PAWL_TRY(request, parse_json_object(text));
  return Reader(entity, options).read(request);
}

}  // namespace pawl::server
