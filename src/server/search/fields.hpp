// SPDX-License-Identifier: Apache-2.0
// The fields of each entity of the REST API, as tables: their JSON names, which cell of a row they
// show, and what a filter and a sort may do with them. Everything else follows these tables.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "server/search/search.hpp"
#include "store/selection.hpp"

namespace pawl::server {

enum class Type : std::uint8_t {
  key,  // a decimal text
  text,
  integer,
  date,  // RFC 3339
  boolean,
  word,       // of an enumeration
  json,       // a cell with JSON text, shown as it is
  texts,      // a list of texts
  variables,  // only in filters: [{name, value}]
  tags,       // only in filters: [text]
};

enum class Ask : std::uint8_t { never, plain, operators };

// A word of the API, and the one in our rows; several of ours may be one of theirs.
struct Word {
  std::string_view shown{};
  std::string_view stored{};
  bool ended{false};  // what has it is only in the history
};

struct Field {
  std::string_view name{};
  Type type{Type::text};
  Ask ask{Ask::never};
  bool sorts{false};
  // Which cell; none: the same for all, `fixed`, or null if that is empty.
  std::optional<store::Column> column{};
  std::string_view fixed{};
  bool shown{true};
  std::span<const Word> words{};
  bool ended{false};                        // only what has ended has it
  std::optional<store::Table> elsewhere{};  // a filter on rows of another table of the instance
};

struct EntityTable {
  std::string_view name{};  // of one, for messages: "user task"
  store::Table table{};
  std::span<const Field> fields{};
};

const EntityTable& table_of(Entity entity);

// The cell of a field: from the row, or the fixed one.
store::Cell cell_of(const Field& field, const store::Cells& row);

}  // namespace pawl::server
