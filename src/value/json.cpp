// SPDX-License-Identifier: Apache-2.0
// Reading JSON. simdjson finds the structure and checks UTF-8; numbers are read from their text, so
// that nothing goes through a double.
#include "value/json.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>

#include "base/limits.hpp"

namespace pawl {
namespace {

namespace ondemand = simdjson::ondemand;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Columns count characters, not bytes.
Error error_at(std::string_view text, std::size_t offset, Code code, std::string_view fact) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start),
                                    before.end(), [](char c) { return !is_continuation(c); }) +
                      1;
  return fail(Whose::caller, code, fmt::format("JSON, line {}, column {}: {}", line, column, fact));
}

// Length of the valid UTF-8 character at the front of `text`; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length > text.size() || !simdjson::validate_utf8(text.data(), length)) return 0;
  return length;
}

// The structure scan says only that something is wrong; this finds where.
Error lexical_error(std::string_view text) {
  std::size_t string_start = std::string_view::npos;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text.substr(i));
    if (length == 0) return error_at(text, i, Code::bad_json, "not valid UTF-8");
    const bool in_string = string_start != std::string_view::npos;
    if (in_string && static_cast<unsigned char>(text[i]) < 0x20) {
      return error_at(text, i, Code::bad_json,
                      "a control character inside a string; write it as \\n, \\t or \\u00XX");
    }
    if (text[i] == '"') string_start = in_string ? std::string_view::npos : i;
    i += in_string && text[i] == '\\' ? 2 : length;
  }
  if (string_start != std::string_view::npos) {
    return error_at(text, string_start, Code::bad_json, "this string has no closing quote");
  }
  return error_at(text, 0, Code::bad_json, "there is no JSON value here");
}

// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_json_number(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - start;
  };
  if (at < text.size() && text[at] == '-') ++at;
  const std::size_t start = at;
  const std::size_t whole = digits();
  if (whole == 0 || (whole > 1 && text[start] == '0')) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

class Parser {
 public:
  Parser(std::string_view text, std::size_t most_values)
      : text_(text), padded_(text), most_values_(most_values) {}

  Result<Value> document() {
    ondemand::document document;
    if (const auto error = parser_.iterate(padded_).get(document); error != simdjson::SUCCESS) {
      return lexical_error(text_);
    }
    const std::string_view content = trimmed(text_);
    if (content.empty()) return lexical_error(text_);
    const std::size_t start = static_cast<std::size_t>(content.data() - text_.data());
    if (content.front() != '{' && content.front() != '[') return lone_scalar(document, start);

    ondemand::value root;
    if (document.get_value().get(root) != simdjson::SUCCESS) return unexpected(start);
    PAWL_TRY(value, read(root, 0));
    const char* rest = nullptr;  // only if there is any
    if (document.current_location().get(rest) == simdjson::SUCCESS) {
      return error_at(text_, offset_of(rest), Code::bad_json, "there is more text after the value");
    }
    return std::move(value);
  }

 private:
  std::size_t offset_of(const char* at) const {
    return std::min(static_cast<std::size_t>(at - padded_.data()), text_.size());
  }

  Error unexpected(std::size_t offset) const {
    std::size_t at = offset;
    while (at < text_.size() && is_blank(text_[at])) ++at;
    if (at >= text_.size()) {
      return error_at(text_, at, Code::bad_json, "the text ends before the value is complete");
    }
    const std::size_t length = std::max<std::size_t>(1, character_length(text_.substr(at)));
    return error_at(text_, at, Code::bad_json,
                    fmt::format("unexpected `{}`", text_.substr(at, length)));
  }

  // `last` is the place of the last thing that was fine; simdjson has no better one to offer when
  // it has given up.
  Error broken(ondemand::value value, std::size_t last) const {
    const char* at = nullptr;
    if (value.current_location().get(at) == simdjson::SUCCESS) return unexpected(offset_of(at));
    return unexpected(last);
  }

  // A document that is just a string, a number or a word.
  Result<Value> lone_scalar(ondemand::document& document, std::size_t start) {
    std::string_view token;
    if (document.raw_json_token().get(token) != simdjson::SUCCESS) return unexpected(start);
    const std::size_t end = offset_of(token.data()) + token.size();
    if (end < text_.size()) {
      return error_at(text_, end, Code::bad_json, "there is more text after the value");
    }
    if (token.front() != '"') return word(token);
    std::string_view string;
    if (document.get_string().get(string) != simdjson::SUCCESS) return bad_escape(start);
    return Value(string);
  }

  Error bad_escape(std::size_t offset) const {
    return error_at(text_, offset, Code::bad_json, "this string has an escape that is not valid");
  }

  Result<Value> read(ondemand::value value, std::size_t depth) {
    const std::string_view token = value.raw_json_token();
    const std::size_t start = offset_of(token.data());
    if (start >= text_.size()) return unexpected(start);
    if (++values_ > most_values_) return too_many(start);
    switch (token.front()) {
      case '{':
        return depth < limits::json_depth ? object(value, depth + 1) : too_deep(start);
      case '[':
        return depth < limits::json_depth ? array(value, depth + 1) : too_deep(start);
      case '"': {
        std::string_view string;
        if (value.get_string().get(string) != simdjson::SUCCESS) return bad_escape(start);
        return Value(string);
      }
      default:
        return word(token);
    }
  }

  Error too_deep(std::size_t offset) const {
    return error_at(text_, offset, Code::too_deep,
                    fmt::format("nested deeper than {} levels", limits::json_depth));
  }

  Error too_many(std::size_t offset) const {
    return error_at(text_, offset, Code::too_large,
                    fmt::format("there are more than {} values; send fewer at once, or larger ones",
                                most_values_));
  }

  Result<Value> array(ondemand::value& value, std::size_t depth) {
    ondemand::array items;
    std::size_t last = offset_of(value.raw_json_token().data());
    if (value.get_array().get(items) != simdjson::SUCCESS) return broken(value, last);
    List list;
    for (auto item_or_error : items) {
      ondemand::value item;
      if (item_or_error.get(item) != simdjson::SUCCESS) return broken(value, last);
      last = offset_of(item.raw_json_token().data());
      PAWL_TRY(read_item, read(item, depth));
      list.push_back(std::move(read_item));
    }
    return Value(std::move(list));
  }

  Result<Value> object(ondemand::value& value, std::size_t depth) {
    ondemand::object members;
    std::size_t last = offset_of(value.raw_json_token().data());
    if (value.get_object().get(members) != simdjson::SUCCESS) return broken(value, last);
    std::vector<Entry> entries;
    for (auto field_or_error : members) {
      ondemand::field field;
      if (std::move(field_or_error).get(field) != simdjson::SUCCESS) return broken(value, last);
      std::string_view key;
      if (field.unescaped_key().get(key) != simdjson::SUCCESS) return bad_escape(last);
      ondemand::value member = field.value();
      last = offset_of(member.raw_json_token().data());
      std::string name(key);
      PAWL_TRY(read_member, read(member, depth));
      entries.push_back({std::move(name), std::move(read_member)});
    }
    return Value::context(std::move(entries));
  }

  // true, false, null or a number.
  Result<Value> word(std::string_view token) const {
    const std::size_t start = offset_of(token.data());
    token = trimmed(token.substr(0, text_.size() - start));
    if (token == "true") return Value(true);
    if (token == "false") return Value(false);
    if (token == "null") return Value();
    if (!is_json_number(token)) return unexpected(start);

    std::int64_t whole = 0;
    const auto end = std::from_chars(token.data(), token.data() + token.size(), whole);
    if (end.ec == std::errc() && end.ptr == token.data() + token.size()) return Value(whole);
    if (const auto number = Decimal::parse(token)) return Value(*number);
    return error_at(text_, start, Code::bad_json,
                    "this number is too large; the largest is about 10^6145");
  }

  std::string_view text_;
  simdjson::padded_string padded_;
  ondemand::parser parser_{};
  std::size_t values_{0};
  std::size_t most_values_;
};

}  // namespace

Result<Value> parse_json(std::string_view text, std::size_t most_values) {
  if (text.size() > limits::json_bytes) {
    return fail(Whose::caller, Code::too_large,
                fmt::format("JSON of {} bytes is too large; the limit is {} bytes", text.size(),
                            limits::json_bytes));
  }
  return Parser(text, most_values).document();
}

Result<Value> parse_json_object(std::string_view text, std::size_t most_values) {
  if (trimmed(text).empty()) return Value::context({});
  PAWL_TRY(value, parse_json(text, most_values));
  if (value.is_null()) return Value::context({});
  if (!value.is_context()) {
    return fail(Whose::caller, Code::bad_json,
                fmt::format("JSON: an object is needed here, for example {{\"a\": 1}}, but this is "
                            "a {}: {}",
                            kind_name(value.kind()), preview(value)));
  }
  return std::move(value);
}

}  // namespace pawl
