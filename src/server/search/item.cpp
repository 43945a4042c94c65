// SPDX-License-Identifier: Apache-2.0
#include "server/search/item.hpp"

#include <fmt/format.h>

#include "server/search/bounds.hpp"
#include "value/json.hpp"
#include "value/temporal.hpp"

namespace pawl::server {
namespace {

using store::Cell;
using store::Cells;
using store::Column;

// What clients rely on and a row may lack.
void fill_gaps(Entity entity, Cells& row) {
  Cells gaps;
  if (entity == Entity::jobs) {
    gaps.set(Column::failed_before, std::int64_t{row.text_at(Column::state) == "backing_off"});
    gaps.set(Column::headers, std::string("{}"));
  }
  if (entity == Entity::user_tasks) gaps.set(Column::headers, std::string("{}"));
  if (entity == Entity::element_instances) {
    gaps.set(Column::element_name, row.at(Column::element_id));
    gaps.set(Column::element_type, std::string("UNKNOWN"));
  }
  row.add_absent(gaps);
}

std::string_view shown_word(const Field& field, std::string_view stored) {
  for (const Word& word : field.words) {
    if (word.stored == stored) return word.shown;
  }
  return "UNKNOWN";
}

std::string_view cut_value(std::string_view text) {
  std::size_t size = std::min(text.size(), bounds::shown_value);
  while (size > 0 && size < text.size() && (static_cast<std::uint8_t>(text[size]) & 0xC0) == 0x80) {
    --size;
  }
  return text.substr(0, size);
}

void append_texts(std::string& out, const Cell& cell) {
  const auto* texts = std::get_if<std::vector<std::string>>(&cell);
  out += '[';
  for (std::size_t i = 0; texts && i < texts->size(); ++i) {
    if (i > 0) out += ',';
    append_json_string(out, (*texts)[i]);
  }
  out += ']';
}

void append_number(std::string& out, Type type, std::int64_t number) {
  if (type == Type::key) {
    out += fmt::format("\"{}\"", number);
  } else if (type == Type::date) {
    out += fmt::format("\"{}\"", date_text(number));
  } else if (type == Type::boolean) {
    out += number != 0 ? "true" : "false";
  } else {
    out += fmt::format("{}", number);
  }
}

void append_item_text(std::string& out, const Field& field, std::string_view text, bool cut) {
  if (field.type == Type::json) {
    out += text;
  } else if (field.type == Type::word) {
    append_json_string(out, shown_word(field, text));
  } else {
    append_json_string(out, cut ? cut_value(text) : text);
  }
}

void append_field(std::string& out, const Field& field, const Cells& row, bool cut) {
  const Cell cell = cell_of(field, row);
  if (field.type == Type::texts || field.type == Type::tags) {
    append_texts(out, cell);
  } else if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    append_number(out, field.type, *number);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    append_item_text(out, field, *text, cut && field.column == Column::value);
  } else {
    out += "null";
  }
}

}  // namespace

std::string date_text(std::int64_t millis) {
  constexpr std::int64_t day = 86'400'000;
  const std::int64_t days = millis / day - (millis % day < 0 ? 1 : 0);
  const std::int64_t rest = millis - days * day;
  const Date date = date_from_days(days);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", date.year, date.month, date.day,
                     rest / 3'600'000, rest / 60'000 % 60, rest / 1'000 % 60, rest % 1'000);
}

void append_item(std::string& out, Entity entity, Cells row, const ItemOptions& options) {
  fill_gaps(entity, row);
  char before = '{';
  for (const Field& field : table_of(entity).fields) {
    if (!field.shown) continue;
    out += before;
    before = ',';
    append_json_string(out, field.name);
    out += ':';
    append_field(out, field, row, options.truncate_values);
  }
  if (entity == Entity::variables && options.says_truncated) {
    const bool cut =
        options.truncate_values && row.text_at(Column::value).size() > bounds::shown_value;
    out += cut ? ",\"isTruncated\":true" : ",\"isTruncated\":false";
  }
  out += '}';
}

}  // namespace pawl::server
