// SPDX-License-Identifier: Apache-2.0
#include "store/selection.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstring>

#include "store/patience.hpp"

namespace pawl::store {
namespace {

using Kind = KeptColumn::Kind;

constexpr KeptColumn kept_instance_columns[] = {
    {Column::key},
    {Column::instance},
    {Column::definition},
    {Column::process, Kind::text},
    {Column::version},
    {Column::state, Kind::text},
    {Column::business_id, Kind::text},
    {Column::caller},
    {Column::caller_element},
    {Column::root},
    {Column::started},
    {Column::ended},
    {Column::has_incident},
    {Column::process_name, Kind::text, true},
    {Column::version_tag, Kind::text, true},
};
constexpr KeptColumn kept_element_columns[] = {
    {Column::key},
    {Column::instance},
    {Column::root},
    {Column::definition},
    {Column::process, Kind::text},
    {Column::state, Kind::text},
    {Column::scope},
    {Column::element_index},
    {Column::element_id, Kind::text},
    {Column::body},
    {Column::has_incident},
    {Column::incident},
    {Column::element_name, Kind::text, true},
    {Column::element_type, Kind::text, true},
};
constexpr KeptColumn kept_variable_columns[] = {
    {Column::instance},          {Column::root}, {Column::scope}, {Column::name, Kind::text},
    {Column::value, Kind::text}, {Column::size},
};
constexpr KeptColumn kept_incident_columns[] = {
    {Column::key},
    {Column::instance},
    {Column::root},
    {Column::definition},
    {Column::process, Kind::text},
    {Column::state, Kind::text},
    {Column::element},
    {Column::element_id, Kind::text},
    {Column::type, Kind::text},
    {Column::message, Kind::text},
    {Column::started},
    {Column::job},
};
constexpr KeptColumn kept_job_columns[] = {
    {Column::key},
    {Column::instance},
    {Column::root},
    {Column::definition},
    {Column::process, Kind::text},
    {Column::version},
    {Column::state, Kind::text},
    {Column::element},
    {Column::element_index},
    {Column::element_id, Kind::text},
    {Column::type, Kind::text},
    {Column::retries},
    {Column::kind, Kind::text},
    {Column::element_name, Kind::text, true},
};
constexpr KeptColumn kept_subscription_columns[] = {
    {Column::key},
    {Column::instance},
    {Column::root},
    {Column::definition},
    {Column::process, Kind::text},
    {Column::state, Kind::text},
    {Column::kind, Kind::text},
    {Column::name, Kind::text},
    {Column::correlation, Kind::text},
};

constexpr Column by_key[] = {Column::key};
constexpr Column by_place[] = {Column::instance, Column::name, Column::scope};

Error unfit(std::string_view what) {
  return fail(Whose::machine, Code::broken_invariant,
              std::string("a selection that no index can answer: ") + std::string(what));
}

Result<void> check_values(const KeptColumn& column, std::span<const Cell> values) {
  const std::size_t wanted = column.kind == Kind::number ? 1 : 2;
  for (const Cell& value : values) {
    if (value.index() != wanted) return unfit("a value of the wrong kind");
  }
  return {};
}

Result<void> check_conditions(Table table, std::span<const Condition> conditions) {
  for (const Condition& condition : conditions) {
    const KeptColumn* column = find_kept(table, condition.column);
    if (!column) return unfit("a condition on a column that is not kept");
    PAWL_CHECK(check_values(*column, condition.values));
    const bool one = condition.op >= Op::like;
    if (one && condition.values.size() != 1) return unfit("a comparison without its value");
    if (condition.op == Op::like && column->kind != Kind::text)
      return unfit("a number like a text");
  }
  return {};
}

Result<void> check_clause(Table table, const Clause& clause) {
  PAWL_CHECK(check_conditions(table, clause.where));
  for (const Related& related : clause.related) {
    if (related.by != Related::By::instance) return unfit("rows of an element instance");
    PAWL_CHECK(check_conditions(related.table, related.where));
  }
  return {};
}

// --- comparing ----------------------------------------------------------------------------------

// Cells of one column are of one kind, or absent; absent is less.
std::strong_ordering compare(const Cell& a, const Cell& b) { return a <=> b; }

bool fits_condition(const Condition& condition, const Cell& cell) {
  const auto& values = condition.values;
  const auto ordered = [&] { return cell <=> values.front(); };
  switch (condition.op) {
    case Op::in:
      return std::find(values.begin(), values.end(), cell) != values.end();
    case Op::not_in:
      return std::find(values.begin(), values.end(), cell) == values.end();
    case Op::exists:
      return !is_absent(cell);
    case Op::absent:
      return is_absent(cell);
    case Op::like:
      return is_like(std::get<std::string>(cell), std::get<std::string>(values.front()));
    case Op::greater:
      return ordered() > 0;
    case Op::at_least:
      return ordered() >= 0;
    case Op::less:
      return ordered() < 0;
    case Op::at_most:
      return ordered() <= 0;
  }
  return false;
}

// Of several texts one must fit; but all must be others than those that are forbidden.
bool fits_texts(const Condition& condition, const std::vector<std::string>& texts) {
  if (condition.op == Op::exists) return !texts.empty();
  if (condition.op == Op::absent) return texts.empty();
  const auto one = [&](const std::string& text) { return fits_condition(condition, Cell(text)); };
  return condition.op == Op::not_in ? std::all_of(texts.begin(), texts.end(), one)
                                    : std::any_of(texts.begin(), texts.end(), one);
}

bool meets(std::span<const Condition> conditions, const Cells& row) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& one) { return holds(one, row.at(one.column)); });
}

bool holds_all(const Selection& selection, const Cells& row, const RelatedRows& related) {
  if (!holds(selection.all, row, related)) return false;
  return selection.any.empty() ||
         std::any_of(selection.any.begin(), selection.any.end(),
                     [&](const Clause& clause) { return holds(clause, row, related); });
}

// --- pages --------------------------------------------------------------------------------------

std::strong_ordering compare(const Cells& row, std::span<const Order> order,
                             const std::function<const Cell&(std::size_t)>& other) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto found = compare(row.at(order[i].column), other(i));
    if (found != 0) return order[i].descending ? 0 <=> found : found;
  }
  return std::strong_ordering::equal;
}

// Only those behind the cursor, or before it.
void cut_at_cursor(std::vector<Cells>& rows, const Selection& selection,
                   std::span<const Order> order) {
  if (selection.after.empty()) return;
  std::erase_if(rows, [&](const Cells& row) {
    const auto found =
        compare(row, order, [&](std::size_t i) -> const Cell& { return selection.after[i]; });
    return selection.backward ? found >= 0 : found <= 0;
  });
}

void cut_page(std::vector<Cells>& rows, const Selection& selection) {
  if (selection.backward) std::reverse(rows.begin(), rows.end());
  rows.erase(rows.begin(),
             rows.begin() + static_cast<std::ptrdiff_t>(std::min(selection.offset, rows.size())));
  if (rows.size() > selection.limit) rows.resize(selection.limit);
  if (selection.backward) std::reverse(rows.begin(), rows.end());
}

std::size_t take_character(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<std::uint8_t>(text[size]) & 0xC0) == 0x80) ++size;
  return size;
}

}  // namespace

void Cells::set(Column column, Cell value) {
  for (auto& [known, held] : cells_) {
    if (known != column) continue;
    held = std::move(value);
    return;
  }
  cells_.emplace_back(column, std::move(value));
}

void Cells::add_absent(const Cells& other) {
  for (const auto& [column, value] : other.cells_) {
    if (is_absent(at(column))) set(column, value);
  }
}

const Cell& Cells::at(Column column) const {
  static const Cell absent{};
  for (const auto& [known, held] : cells_) {
    if (known == column) return held;
  }
  return absent;
}

Key Cells::key_at(Column column) const {
  return key_from(static_cast<std::uint64_t>(number_at(column)));
}

std::int64_t Cells::number_at(Column column, std::int64_t otherwise) const {
  const auto* found = std::get_if<std::int64_t>(&at(column));
  return found ? *found : otherwise;
}

std::string_view Cells::text_at(Column column) const {
  const auto* found = std::get_if<std::string>(&at(column));
  return found ? std::string_view(*found) : std::string_view();
}

std::span<const KeptColumn> kept_columns(Table table) {
  switch (table) {
    case Table::instances:
      return kept_instance_columns;
    case Table::elements:
      return kept_element_columns;
    case Table::variables:
      return kept_variable_columns;
    case Table::incidents:
      return kept_incident_columns;
    case Table::jobs:
      return kept_job_columns;
    case Table::subscriptions:
      return kept_subscription_columns;
    case Table::definitions:
      return {};
  }
  return {};
}

const KeptColumn* find_kept(Table table, Column column) {
  for (const KeptColumn& one : kept_columns(table)) {
    if (one.column == column) return &one;
  }
  return nullptr;
}

std::span<const Column> ties_of(Table table) {
  return table == Table::variables ? std::span<const Column>(by_place) : by_key;
}

std::vector<Order> whole_order(const Selection& selection) {
  std::vector<Order> order = selection.order;
  for (const Column column : ties_of(selection.table)) order.push_back({column, false});
  return order;
}

Result<void> check(const Selection& selection) {
  PAWL_CHECK(check_clause(selection.table, selection.all));
  for (const Clause& clause : selection.any) PAWL_CHECK(check_clause(selection.table, clause));
  const auto order = whole_order(selection);
  if (!selection.after.empty() && selection.after.size() != order.size()) {
    return unfit("a cursor that does not fit its order");
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const KeptColumn* column = find_kept(selection.table, order[i].column);
    if (!column) return unfit("an order by a column that is not kept");
    if (selection.after.empty() || is_absent(selection.after[i])) continue;
    PAWL_CHECK(check_values(*column, std::span(&selection.after[i], 1)));
  }
  return {};
}

namespace {

// What stands in a pattern before its next sign.
std::string_view plain_part(std::string_view pattern) {
  return pattern.substr(0, pattern.find_first_of("*?\\"));
}

// From `from` on, in linear time.
std::size_t place_of(std::string_view part, std::string_view text, std::size_t from) {
  const void* found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
  if (!found) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace

// At a mismatch it goes back to the last star and lets it take one character more. What stands
// behind a star is searched for at once. A pattern may still cost as much as its length times that
// of the text, so it ends when nobody waits any more.
bool is_like(std::string_view text, std::string_view pattern) {
  constexpr std::size_t between_looks = 1u << 16;  // bytes compared
  std::size_t at = 0, sign = 0, spent = 0, next_look = between_looks;
  std::size_t star = std::string_view::npos, resume = 0;
  std::string_view part;  // behind the star
  const auto go_on_at = [&](std::size_t from) {
    resume = part.empty() ? from : place_of(part, text, from);
    at = resume;
    sign = star + 1;
    return resume <= text.size();
  };
  while (at < text.size()) {
    if (++spent >= next_look) {
      if (nobody_waits()) return false;
      next_look = spent + between_looks;
    }
    const bool more = sign < pattern.size();
    const bool escaped = more && pattern[sign] == '\\' && sign + 1 < pattern.size();
    const std::size_t plain = sign + (escaped ? 1 : 0);
    if (more && !escaped && pattern[sign] == '*') {
      star = sign;
      part = plain_part(pattern.substr(star + 1));
      const bool is_last = star + 1 + part.size() == pattern.size();
      if (is_last) return text.substr(at).ends_with(part);
      if (!go_on_at(at)) return false;
    } else if (more && !escaped && pattern[sign] == '?') {
      at += take_character(text.substr(at));
      ++sign;
    } else if (more && pattern[plain] == text[at]) {
      ++at;
      sign = plain + 1;
    } else if (star != std::string_view::npos) {
      spent += part.size();
      if (!go_on_at(resume + take_character(text.substr(resume)))) return false;
    } else {
      return false;
    }
  }
  while (sign < pattern.size() && pattern[sign] == '*') ++sign;
  return sign == pattern.size();
}

bool holds(const Condition& condition, const Cell& cell) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&cell)) {
    return fits_texts(condition, *texts);
  }
  // Nothing is neither more, nor less, nor like anything.
  if (is_absent(cell) && condition.op >= Op::like) return false;
  return fits_condition(condition, cell);
}

bool holds(const Clause& clause, const Cells& row, const RelatedRows& related) {
  if (!meets(clause.where, row)) return false;
  return std::all_of(clause.related.begin(), clause.related.end(), [&](const Related& one) {
    const auto rows = related(row, one);
    const bool found = std::any_of(rows.begin(), rows.end(),
                                   [&](const Cells& other) { return meets(one.where, other); });
    return found != one.negated;
  });
}

Selected choose(std::vector<Cells> rows, const Selection& selection, const RelatedRows& related) {
  std::erase_if(rows, [&](const Cells& row) { return !holds_all(selection, row, related); });
  Selected selected{.total = std::min(rows.size(), selection.count_limit),
                    .more = rows.size() > selection.count_limit};
  const auto order = whole_order(selection);
  cut_at_cursor(rows, selection, order);
  std::sort(rows.begin(), rows.end(), [&](const Cells& a, const Cells& b) {
    return compare(a, order, [&](std::size_t i) -> const Cell& { return b.at(order[i].column); }) <
           0;
  });
  cut_page(rows, selection);
  selected.rows = std::move(rows);
  return selected;
}

}  // namespace pawl::store
