// SPDX-License-Identifier: Apache-2.0
#include "server/search/cursor.hpp"

#include "value/json.hpp"

namespace pawl::server {
namespace {

using store::Cell;

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Value to_value(const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return {};
}

std::optional<Cell> to_cell(const Value& value) {
  if (value.is_null()) return Cell();
  if (value.is_int()) return Cell(value.int_unchecked());
  if (value.is_string()) return Cell(std::string(value.as_string()));
  return std::nullopt;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t offset) -> std::uint32_t {
      return i + offset < bytes.size() ? static_cast<std::uint8_t>(bytes[i + offset]) : 0;
    };
    const std::uint32_t group = at(0) << 16 | at(1) << 8 | at(2);
    text += digits[group >> 18];
    text += digits[group >> 12 & 63];
    text += i + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? digits[group & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    held = (held << 6 | static_cast<std::uint32_t>(digit)) & 0xFFFFFF;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFF);
  }
  return bytes;
}

std::string to_cursor(const store::Cells& row, std::span<const store::Order> order) {
  List cells;
  for (const store::Order& one : order) cells.push_back(to_value(row.at(one.column)));
  return to_base64(to_json(Value(std::move(cells))));
}

std::optional<std::vector<Cell>> from_cursor(std::string_view text, std::size_t columns) {
  const auto bytes = from_base64(text);
  if (!bytes) return std::nullopt;
  const auto value = parse_json(*bytes);
  if (!value || !value->is_list() || value->as_list().size() != columns) return std::nullopt;
  std::vector<Cell> cells;
  for (const Value& one : value->as_list()) {
    const auto cell = to_cell(one);
    if (!cell) return std::nullopt;
    cells.push_back(*cell);
  }
  return cells;
}

}  // namespace pawl::server
