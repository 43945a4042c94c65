// SPDX-License-Identifier: Apache-2.0
#include "server/rest/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/limits.hpp"
#include "server/operations.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::size_t longest_key = 25;

Error invalid(std::string text) {
  return fail(Whose::caller, Code::invalid_argument, std::move(text));
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool is_number_text(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= longest_key &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

const Value* Fields::find(std::string_view name) const {
  const Value* value = object_.find(name);
  return value && !value->is_null() ? value : nullptr;
}

Error Fields::wrong(std::string_view name, std::string_view expected) const {
  const Value* value = find(name);
  if (!value) return missing(name, expected);
  return invalid(fmt::format("{}{}: expected {}, but got {} ({})", path_, name, expected,
                             preview(*value), kind_name(value->kind())));
}

Error Fields::missing(std::string_view name, std::string_view expected) const {
  return invalid(fmt::format("{}{}: expected {}, but there is none", path_, name, expected));
}

Result<std::string> Fields::text(std::string_view name) const {
  const Value* value = find(name);
  if (!value || !value->is_string() || is_blank(value->as_string())) {
    return wrong(name, "a text that is not blank");
  }
  return std::string(value->as_string());
}

Result<std::string> Fields::text_or(std::string_view name, std::string_view otherwise) const {
  const Value* value = find(name);
  if (!value) return std::string(otherwise);
  if (!value->is_string()) return wrong(name, "a text");
  return std::string(value->as_string());
}

Result<std::int64_t> Fields::number(std::string_view name, Bounds bounds) const {
  const Value* value = find(name);
  const auto whole = value && value->is_number() ? value->as_int() : std::nullopt;
  if (whole && *whole >= bounds.least && *whole <= bounds.most) return *whole;
  if (bounds.most == INT64_MAX) {
    return wrong(name, bounds.least == INT64_MIN
                           ? "a whole number"
                           : fmt::format("a whole number from {} on", bounds.least));
  }
  return wrong(name, fmt::format("a whole number from {} to {}", bounds.least, bounds.most));
}

Result<std::int64_t> Fields::number_or(std::string_view name, std::int64_t otherwise,
                                       Bounds bounds) const {
  if (!has(name)) return otherwise;
  return number(name, bounds);
}

Result<bool> Fields::flag_or(std::string_view name, bool otherwise) const {
  const Value* value = find(name);
  if (!value) return otherwise;
  if (!value->is_boolean()) return wrong(name, "true or false");
  return value->as_boolean();
}

Result<Key> Fields::key_or(std::string_view name, Key otherwise) const {
  const Value* value = find(name);
  if (!value) return otherwise;
  if (value->is_string()) return parse_key(path_ + std::string(name), value->as_string());
  const auto whole = value->is_number() ? value->as_int() : std::nullopt;
  if (!whole) return wrong(name, "a key, which is a decimal number in a text");
  return parse_key(path_ + std::string(name), std::to_string(*whole));
}

Result<Value> Fields::object(std::string_view name) const {
  const Value* value = find(name);
  if (!value || !value->is_context()) return wrong(name, "an object");
  return *value;
}

Result<Value> Fields::object_or(std::string_view name) const {
  if (!has(name)) return Value();
  return object(name);
}

Result<Value> Fields::list_or(std::string_view name) const {
  const Value* value = find(name);
  if (!value) return Value();
  if (!value->is_list()) return wrong(name, "a list");
  return *value;
}

Result<std::vector<std::string>> Fields::texts(std::string_view name) const {
  std::vector<std::string> out;
  const Value* value = find(name);
  if (!value) return out;
  if (!value->is_list()) return wrong(name, "a list of texts");
  for (const Value& item : value->as_list()) {
    if (!item.is_string()) return wrong(name, "a list of texts");
    out.emplace_back(item.as_string());
  }
  return out;
}

Result<std::vector<Fields>> Fields::objects(std::string_view name) const {
  std::vector<Fields> out;
  const Value* value = find(name);
  if (!value) return out;
  if (!value->is_list()) return wrong(name, "a list of objects");
  for (const Value& item : value->as_list()) {
    if (!item.is_context()) return wrong(name, "a list of objects");
    out.emplace_back(item, fmt::format("{}{}[{}].", path_, name, out.size()));
  }
  return out;
}

Result<Fields> read_fields(const Request& request) {
  if (is_blank(request.body)) return Fields(Value::context({}));
  PAWL_TRY(value, parse_json(request.body, limits::request_values));
  if (!value.is_context()) {
    return fail(Whose::caller, Code::bad_json,
                fmt::format("the body must be a JSON object, but is {} ({})", preview(value),
                            kind_name(value.kind())));
  }
  return Fields(std::move(value));
}

Result<Key> parse_key(std::string_view name, std::string_view text) {
  if (!is_number_text(text)) {
    return invalid(fmt::format("{}: expected a key, which is a decimal number, but got '{}'", name,
                               text.substr(0, 100)));
  }
  std::int64_t whole = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (read.ec != std::errc() || whole <= 0) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("{}: nothing has the key {}", name, text));
  }
  return key_from(static_cast<std::uint64_t>(whole));
}

Result<Key> path_key(const Request& request, std::string_view name, std::size_t place) {
  return parse_key(name, request.keys.at(place));
}

Result<void> check_tenants(const Fields& fields) {
  PAWL_TRY(one, fields.text_or("tenantId", ""));
  PAWL_CHECK(check_tenant(one));
  PAWL_TRY(several, fields.texts("tenantIds"));
  for (const std::string& tenant : several) PAWL_CHECK(check_tenant(tenant));
  return {};
}

Value text_of(Key key) {
  return key == Key::none ? Value() : Value(std::to_string(pawl::number(key)));
}

}  // namespace pawl::server::rest
