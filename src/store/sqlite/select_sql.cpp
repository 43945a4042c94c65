// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/select_sql.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"

namespace pawl::store::sqlite {
namespace {

// --- the tables ---------------------------------------------------------------------------------

struct Expression {
  Column column{};
  std::string_view sql{};
  // A question of yes or no, which the planner understands only as it is.
  bool truth{false};
};

constexpr Expression of_instances[] = {
    {Column::key, "n.key"},
    {Column::instance, "n.key"},
    {Column::definition, "n.definition"},
    {Column::process, "n.process"},
    {Column::version, "n.version"},
    {Column::state, "n.state"},
    {Column::business_id, "n.business_id"},
    {Column::caller, "(SELECT c.caller FROM calls c WHERE c.child = n.key)"},
    {Column::caller_element, "(SELECT c.element FROM calls c WHERE c.child = n.key)"},
    {Column::root, "coalesce((SELECT c.root FROM calls c WHERE c.child = n.key), n.key)"},
    {Column::started, "n.started_ms"},
    {Column::ended, "nullif(n.ended_ms, 0)"},
    {Column::has_incident, "(n.key IN (SELECT instance FROM incidents))", true},
    {Column::process_name, "pawl_fact(?1, n.definition, 0, 0, 0)"},
    {Column::version_tag, "pawl_fact(?1, n.definition, 0, 0, 1)"},
};
constexpr Expression of_elements[] = {
    {Column::key, "e.key"},
    {Column::instance, "e.instance"},
    {Column::root, "coalesce((SELECT c.root FROM calls c WHERE c.child = e.instance), e.instance)"},
    {Column::definition, "n.definition"},
    {Column::process, "n.process"},
    {Column::state, "'active'"},
    {Column::scope, "e.scope"},
    {Column::element_index, "e.element"},
    {Column::element_id, "e.element_id"},
    {Column::body, "e.body"},
    {Column::has_incident, "(e.key IN (SELECT element FROM incidents WHERE element IS NOT NULL))",
     true},
    {Column::incident,
     "(SELECT min(x.key) FROM incidents x WHERE x.instance = e.instance AND x.element = e.key)"},
    {Column::element_name, "pawl_fact(?1, n.definition, e.element, e.body, 2)"},
    // A path (element_part.hpp) has a type of its own.
    {Column::element_type,
     "CASE e.body WHEN 2 THEN 'AD_HOC_SUB_PROCESS_INNER_INSTANCE' "
     "ELSE pawl_fact(?1, n.definition, e.element, e.body, 3) END"},
};
constexpr Expression of_variables[] = {
    {Column::instance, "v.instance"},
    {Column::root, "coalesce((SELECT c.root FROM calls c WHERE c.child = v.instance), v.instance)"},
    {Column::scope, "v.instance"},
    {Column::name, "v.name"},
    {Column::value, "v.value"},
    {Column::size, "length(CAST(v.value AS BLOB))"},
};
// Work that was set aside has no element instance: it is that of the process.
constexpr Expression of_incidents[] = {
    {Column::key, "i.key"},
    {Column::instance, "i.instance"},
    {Column::root, "coalesce((SELECT c.root FROM calls c WHERE c.child = i.instance), i.instance)"},
    {Column::definition, "n.definition"},
    {Column::process, "n.process"},
    {Column::state, "'active'"},
    {Column::element, "coalesce(i.element, i.instance)"},
    {Column::element_id, "CASE WHEN i.element IS NULL THEN n.process ELSE i.element_id END"},
    {Column::type, "i.type"},
    {Column::message, "i.message"},
    {Column::started, "i.at_ms"},
    {Column::job, "i.job"},
};
// A job of the process itself has no row in elements.
constexpr Expression of_jobs[] = {
    {Column::key, "j.key"},
    {Column::instance, "j.instance"},
    {Column::root, "coalesce((SELECT c.root FROM calls c WHERE c.child = j.instance), j.instance)"},
    {Column::definition, "n.definition"},
    {Column::process, "n.process"},
    {Column::version, "n.version"},
    {Column::state, "j.availability"},
    {Column::element, "j.element"},
    {Column::element_index, "coalesce(e.element, n.root)"},
    {Column::element_id, "coalesce(e.element_id, n.process)"},
    {Column::type, "j.type"},
    {Column::retries, "j.retries"},
    {Column::kind, "j.kind"},
    {Column::element_name, "pawl_fact(?1, n.definition, coalesce(e.element, n.root), 0, 2)"},
};
constexpr Expression of_subscriptions[] = {
    {Column::key, "s.key"},
    {Column::instance, "s.instance"},
    {Column::root, "coalesce((SELECT c.root FROM calls c WHERE c.child = s.instance), s.instance)"},
    {Column::definition, "n.definition"},
    {Column::process, "s.process"},
    {Column::state, "'created'"},
    {Column::kind, "s.kind"},
    {Column::name, "s.name"},
    {Column::correlation, "s.correlation"},
};

struct Source {
  std::string_view from{};
  std::string_view instance{};
  std::span<const Expression> columns{};
};

// A cross join is done from left to right: the tables of what is open are short, that of all
// instances is long.
Source source_of(Table table) {
  switch (table) {
    case Table::instances:
      return {"instances n", "n.key", of_instances};
    case Table::elements:
      return {"elements e CROSS JOIN instances n ON n.key = e.instance", "e.instance", of_elements};
    case Table::variables:
      return {"variables v", "v.instance", of_variables};
    case Table::incidents:
      return {"incidents i CROSS JOIN instances n ON n.key = i.instance", "i.instance",
              of_incidents};
    case Table::jobs:
      return {
          "jobs j JOIN instances n ON n.key = j.instance LEFT JOIN elements e ON e.key = "
          "j.element",
          "j.instance", of_jobs};
    case Table::subscriptions:
      return {"subscriptions s CROSS JOIN instances n ON n.key = s.instance", "s.instance",
              of_subscriptions};
    case Table::definitions:
      break;
  }
  broken_invariant("a table that is not in the database", "select_sql.cpp", __LINE__);
}

const Expression& expression_of(Table table, Column column) {
  for (const Expression& one : source_of(table).columns) {
    if (one.column == column) return one;
  }
  broken_invariant("a kept column without its SQL", "select_sql.cpp", __LINE__);
}

// --- the statement ------------------------------------------------------------------------------

class SelectWriter {
 public:
  SelectWriter(const Selection& selection, bool few)
      : selection_(selection), few_(few), source_(source_of(selection.table)) {}

  SelectSql rows() {
    const auto order = whole_order(selection_);
    std::string columns;
    for (const KeptColumn& one : columns_for(selection_)) {
      columns += (columns.empty() ? "" : ", ");
      columns += expression_of(selection_.table, one.column).sql;
    }
    std::string sql = fmt::format("SELECT {} FROM {} WHERE {}", columns, from(), filter());
    if (!selection_.after.empty()) sql += " AND " + behind_cursor(order, 0);
    sql += " ORDER BY " + order_by(order);
    sql += fmt::format(" LIMIT {} OFFSET {}", bound(count(selection_.limit)),
                       bound(count(selection_.offset)));
    return {std::move(sql), std::move(values_)};
  }

  SelectSql total() {
    std::string sql = fmt::format("SELECT count(*) FROM (SELECT 1 FROM {} WHERE {} LIMIT {})",
                                  from(), filter(), bound(count(selection_.count_limit) + 1));
    return {std::move(sql), std::move(values_)};
  }

 private:
  // SQLite takes -1 for "all".
  static std::int64_t count(std::size_t value) {
    constexpr auto most = static_cast<std::size_t>(std::int64_t{1} << 62);
    return value > most ? -1 : static_cast<std::int64_t>(value);
  }

  std::string bound(Cell value) {
    values_.push_back(std::move(value));
    return fmt::format("?{}", values_.size() + 1);
  }

  // The condition of the partial index must stand in the text as it is, or it cannot be used.
  static std::string_view literal(Table table, const Condition& condition) {
    const bool states = table == Table::instances && condition.column == Column::state;
    if (!states || condition.values.size() != 1) return {};
    for (const std::string_view word : {"'active'", "'completed'", "'terminated'"}) {
      const auto& value = std::get<std::string>(condition.values.front());
      if (word.substr(1, word.size() - 2) == value) return word;
    }
    return {};
  }

  // Few active instances are read by their index and sorted: else all that ever ran would be read
  // in the order of their keys, which is right if many of them are active.
  std::string from() const {
    std::string text(source_.from);
    if (selection_.table != Table::instances || !few_) return text;
    bool active = false;
    for (const Condition& one : selection_.all.where) {
      active |= one.op == Op::in && literal(Table::instances, one) == "'active'";
      const bool narrow = one.op == Op::in &&
                          (one.column == Column::key || one.column == Column::instance ||
                           one.column == Column::business_id || one.column == Column::has_incident);
      if (narrow) return text;
    }
    return active ? text + " INDEXED BY instances_active" : text;
  }

  std::string list(const std::vector<Cell>& values) {
    std::string text;
    for (const Cell& value : values) text += (text.empty() ? "" : ", ") + bound(value);
    return text;
  }

  std::string in(Table table, const Expression& column, const Condition& condition) {
    const auto& values = condition.values;
    if (values.empty()) return "0";
    if (values.size() > 1) return fmt::format("{} IN ({})", column.sql, list(values));
    if (column.truth) {
      const bool wanted = std::get<std::int64_t>(values.front()) == 1;
      return fmt::format("{}{}", wanted ? "" : "NOT ", column.sql);
    }
    const std::string_view word = literal(table, condition);
    return fmt::format("{} = {}", column.sql,
                       word.empty() ? bound(values.front()) : std::string(word));
  }

  std::string not_in(const Expression& column, const std::vector<Cell>& values) {
    if (values.empty()) return "1";
    return fmt::format("({0} IS NULL OR {0} NOT IN ({1}))", column.sql, list(values));
  }

  std::string test(Table table, const Condition& condition) {
    const Expression& column = expression_of(table, condition.column);
    const auto compare = [&](std::string_view sign) {
      return fmt::format("{} {} {}", column.sql, sign, bound(condition.values.front()));
    };
    switch (condition.op) {
      case Op::in:
        return in(table, column, condition);
      case Op::not_in:
        return not_in(column, condition.values);
      case Op::exists:
        return fmt::format("({}) IS NOT NULL", column.sql);
      case Op::absent:
        return fmt::format("({}) IS NULL", column.sql);
      case Op::like:
        return fmt::format("pawl_like({}, {})", column.sql, bound(condition.values.front()));
      case Op::greater:
        return compare(">");
      case Op::at_least:
        return compare(">=");
      case Op::less:
        return compare("<");
      case Op::at_most:
        return compare("<=");
    }
    return "0";
  }

  std::string tests(Table table, const std::vector<Condition>& conditions) {
    std::string text = "1";
    for (const Condition& one : conditions) text += " AND " + test(table, one);
    return text;
  }

  // Variables are found by their instance; the other tables hold only what is open and are short.
  std::string test(const Related& related) {
    const Source other = source_of(related.table);
    const std::string where = tests(related.table, related.where);
    const std::string_view no = related.negated ? "NOT " : "";
    if (related.table == Table::variables) {
      return fmt::format("{}EXISTS (SELECT 1 FROM {} WHERE {} = {} AND {})", no, other.from,
                         other.instance, source_.instance, where);
    }
    return fmt::format("{} {}IN (SELECT {} FROM {} WHERE {})", source_.instance, no, other.instance,
                       other.from, where);
  }

  std::string test(const Clause& clause) {
    std::string text = tests(selection_.table, clause.where);
    for (const Related& one : clause.related) text += " AND " + test(one);
    return text;
  }

  std::string filter() {
    std::string text = test(selection_.all);
    if (selection_.any.empty()) return text;
    std::string either;
    for (const Clause& clause : selection_.any) {
      either += (either.empty() ? "(" : " OR (") + test(clause) + ")";
    }
    return fmt::format("{} AND ({})", text, either);
  }

  // Absent cells come first: NULL is the least for SQLite, too.
  std::string further(const Order& order, std::string_view column, const Cell& from) {
    const bool up = order.descending == selection_.backward;
    if (is_absent(from)) return up ? fmt::format("({}) IS NOT NULL", column) : "0";
    if (up) return fmt::format("{} > {}", column, bound(from));
    return fmt::format("({0} < {1} OR ({0}) IS NULL)", column, bound(from));
  }

  std::string behind_cursor(std::span<const Order> order, std::size_t at) {
    const std::string_view column = expression_of(selection_.table, order[at].column).sql;
    const Cell& from = selection_.after[at];
    std::string text = further(order[at], column, from);
    if (at + 1 == order.size()) return text;
    const std::string same = is_absent(from) ? fmt::format("({}) IS NULL", column)
                                             : fmt::format("{} = {}", column, bound(from));
    return fmt::format("({} OR ({} AND {}))", text, same, behind_cursor(order, at + 1));
  }

  std::string order_by(std::span<const Order> order) const {
    std::string text;
    for (const Order& one : order) {
      const bool up = one.descending == selection_.backward;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                          expression_of(selection_.table, one.column).sql, up ? "ASC" : "DESC");
    }
    return text;
  }

  const Selection& selection_;
  bool few_;
  Source source_;
  std::vector<Cell> values_{};
};

}  // namespace

std::vector<KeptColumn> columns_for(const Selection& selection) {
  std::vector<KeptColumn> columns;
  for (const KeptColumn& one : kept_columns(selection.table)) {
    const bool ordered =
        std::any_of(selection.order.begin(), selection.order.end(),
                    [&](const Order& order) { return order.column == one.column; });
    if (!one.from_model || ordered) columns.push_back(one);
  }
  return columns;
}

SelectSql rows_sql(const Selection& selection, bool few) {
  return SelectWriter(selection, few).rows();
}
SelectSql count_sql(const Selection& selection) { return SelectWriter(selection, true).total(); }

}  // namespace pawl::store::sqlite
