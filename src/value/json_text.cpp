// SPDX-License-Identifier: Apache-2.0
// Writing JSON. What is written can be read again: numbers in plain digits, and what is nested
// deeper than the reader allows is null.
#include <array>
#include <charconv>

#include "base/limits.hpp"
#include "value/json.hpp"

namespace pawl {
namespace {

struct Layout {
  bool pretty{false};

  void line(std::string& out, std::size_t level) const {
    if (!pretty) return;
    out += '\n';
    out.append(level * 2, ' ');
  }
};

void append_number(std::string& out, const Value& value) {
  if (!value.is_int()) {
    out += value.as_decimal().to_string();
    return;
  }
  std::array<char, 24> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.int_unchecked());
  out.append(buffer.data(), end.ptr);
}

void append(std::string& out, const Value& value, Layout layout, std::size_t level);

void append_list(std::string& out, const List& items, Layout layout, std::size_t level) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ',';
    layout.line(out, level + 1);
    append(out, items[i], layout, level + 1);
  }
  if (!items.empty()) layout.line(out, level);
  out += ']';
}

void append_context(std::string& out, const std::vector<Entry>& entries, Layout layout,
                    std::size_t level) {
  out += '{';
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out += ',';
    layout.line(out, level + 1);
    append_json_string(out, entries[i].key);
    out += layout.pretty ? ": " : ":";
    append(out, entries[i].value, layout, level + 1);
  }
  if (!entries.empty()) layout.line(out, level);
  out += '}';
}

void append(std::string& out, const Value& value, Layout layout, std::size_t level) {
  const bool too_deep = level >= limits::json_depth;
  switch (value.kind()) {
    case Value::Kind::null:
      out += "null";
      return;
    case Value::Kind::boolean:
      out += value.as_boolean() ? "true" : "false";
      return;
    case Value::Kind::number:
      append_number(out, value);
      return;
    case Value::Kind::string:
      append_json_string(out, value.as_string());
      return;
    case Value::Kind::list:
      if (too_deep) {
        out += "null";
      } else {
        append_list(out, value.as_list(), layout, level);
      }
      return;
    case Value::Kind::context:
      if (too_deep) {
        out += "null";
      } else {
        append_context(out, value.entries(), layout, level);
      }
      return;
    default:
      append(out, storable(value), layout, level);
  }
}

}  // namespace

void append_json_characters(std::string& out, std::string_view text) {
  std::size_t plain_start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, plain_start, i - plain_start);
    plain_start = i + 1;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        out += "\\u00";
        out += "01"[c >> 4];
        out += "0123456789abcdef"[c & 15];
    }
  }
  out.append(text, plain_start, text.size() - plain_start);
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  append_json_characters(out, text);
  out += '"';
}

void append_json(std::string& out, const Value& value) { append(out, value, Layout{}, 0); }

std::string to_json(const Value& value) {
  std::string out;
  append_json(out, value);
  return out;
}

std::string to_pretty_json(const Value& value) {
  std::string out;
  append(out, value, Layout{.pretty = true}, 0);
  return out;
}

}  // namespace pawl
