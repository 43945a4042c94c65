// SPDX-License-Identifier: Apache-2.0
// Selection: a question to an index as plain data: which rows of one table, in which order, which
// page of them. An index in SQL makes a statement of it, with every value bound; one in memory, and
// whoever has rows from elsewhere, calls `choose`. Both give the same rows. Absent cells: less than
// all others in an order; not in any list, so that `not_in` holds for them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"

namespace pawl::store {

enum class Table : std::uint8_t {
  instances,
  elements,
  variables,
  incidents,
  jobs,
  subscriptions,
  definitions,  // not of an index, which gives them whole
};

// What a row may say. The index keeps only some of them (`kept_columns`); the others are for rows
// that were made from a history or a model.
enum class Column : std::uint8_t {
  key,
  instance,
  definition,
  process,
  version,
  state,
  business_id,
  caller,          // the instance that called it
  caller_element,  // by this element instance
  root,            // the instance that nobody called
  started,
  ended,
  updated,
  has_incident,
  incident,
  scope,
  element,  // element instance
  element_index,
  element_id,
  body,
  name,
  value,
  size,  // of the value, in bytes
  type,
  message,
  job,
  retries,
  priority,
  kind,
  correlation,
  // from the model
  process_name,
  version_tag,
  element_name,
  element_type,
  resource,
  latest,
  // from the history
  error_code,
  failed_before,
  headers,
  assignee,
  groups,
  users,
  due,
  follow_up,
  form,
};

// Nothing; a number, key, date in milliseconds or truth value; a text; several texts, of which one
// must fit (none of an index).
using Cell = std::variant<std::monostate, std::int64_t, std::string, std::vector<std::string>>;

inline Cell cell(Key key) {
  if (key == Key::none) return {};
  return static_cast<std::int64_t>(number(key));
}
inline bool is_absent(const Cell& one) { return std::holds_alternative<std::monostate>(one); }

// The cells of one row. Few, so that looking through them is quick.
class Cells {
 public:
  void set(Column column, Cell value);
  void add_absent(const Cells& other);  // takes over what is absent here
  const Cell& at(Column column) const;  // an absent one if it was not set
  Key key_at(Column column) const;      // none if it is absent
  std::int64_t number_at(Column column, std::int64_t otherwise = 0) const;
  std::string_view text_at(Column column) const;  // "" if it is absent

 private:
  std::vector<std::pair<Column, Cell>> cells_{};
};

enum class Op : std::uint8_t {
  in,
  not_in,
  exists,  // no values
  absent,  // no values
  like,    // * any run, ? one character, \ takes the next one as it is
  greater,
  at_least,
  less,
  at_most,
};

struct Condition {
  Column column{};
  Op op{Op::in};
  std::vector<Cell> values{};
};
// Some row (negated: no row) of another table that belongs to the same instance, or to the same
// element instance, meets all conditions.
struct Related {
  enum class By : std::uint8_t { instance, element };  // `element`: not of an index
  Table table{};
  By by{By::instance};
  bool negated{false};
  std::vector<Condition> where{};
};
struct Clause {  // all of it
  std::vector<Condition> where{};
  std::vector<Related> related{};
};
struct Order {
  Column column{};
  bool descending{false};
};

enum class Fact : std::uint8_t { process_name, version_tag, element_name, element_type };
// What a model says about a process or its element; `body`: the container of a loop.
using Facts = std::function<Cell(Key definition, ElementIndex element, bool body, Fact fact)>;

struct Selection {
  Table table{};
  Clause all{};
  std::vector<Clause> any{};   // if there are some: one of them, too
  std::vector<Order> order{};  // the columns of `ties_of` follow by themselves
  // The cells of a row in the columns of the order and then of `ties_of`: only rows behind it.
  std::vector<Cell> after{};
  bool backward{false};  // only rows before it, those next to it; still given in order
  std::size_t offset{0};
  std::size_t limit{static_cast<std::size_t>(-1)};
  std::size_t count_limit{0};  // `total` is not counted beyond it
  Facts facts{};
};

struct Selected {
  std::vector<Cells> rows{};  // all kept columns but those from the model, and those of the order
  std::size_t total{0};       // without page
  bool more{false};           // than `total`
};

struct KeptColumn {
  Column column{};
  enum class Kind : std::uint8_t { number, text } kind{Kind::number};
  bool from_model{false};
};
// What every index keeps of a table.
std::span<const KeptColumn> kept_columns(Table table);
const KeptColumn* find_kept(Table table, Column column);
// What makes a row the only one of its kind.
std::span<const Column> ties_of(Table table);
// The order with its ties.
std::vector<Order> whole_order(const Selection& selection);

// Error: broken_invariant, if it asks for what an index does not keep or compares a number with a
// text. An index calls it first.
Result<void> check(const Selection& selection);

bool is_like(std::string_view text, std::string_view pattern);
bool holds(const Condition& condition, const Cell& cell);

// Rows of another table that belong to this row.
using RelatedRows = std::function<std::vector<Cells>(const Cells& row, const Related& related)>;
bool holds(const Clause& clause, const Cells& row, const RelatedRows& related);

// The same as an index does, with rows that are at hand.
Selected choose(std::vector<Cells> rows, const Selection& selection, const RelatedRows& related);

}  // namespace pawl::store
