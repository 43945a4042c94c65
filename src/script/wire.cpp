// SPDX-License-Identifier: Apache-2.0
#include "script/wire.hpp"

#include <simdjson.h>

#include <bit>
#include <cstring>

#include "base/limits.hpp"

namespace pawl::script {
namespace {

enum class Tag : std::uint8_t { null, no, yes, integer, decimal, string, list, context };

constexpr std::size_t longest_decimal = 64;  // as Decimal::to_string writes it

static_assert(std::endian::native == std::endian::little, "both sides are the same machine anyway");

}  // namespace

void WireWriter::number(std::uint64_t number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes_.append(raw, sizeof raw);
}

void WireWriter::text(std::string_view text) {
  number(text.size());
  bytes_.append(text);
}

void WireWriter::value(const Value& value) {
  const auto tag = [this](Tag one) { byte(static_cast<std::uint8_t>(one)); };
  switch (value.kind()) {
    case Value::Kind::null:
      return tag(Tag::null);
    case Value::Kind::boolean:
      return tag(value.as_boolean() ? Tag::yes : Tag::no);
    case Value::Kind::number:
      if (value.is_int()) {
        tag(Tag::integer);
        return number(static_cast<std::uint64_t>(value.int_unchecked()));
      }
      tag(Tag::decimal);
      return text(value.as_decimal().to_string());
    case Value::Kind::string:
      tag(Tag::string);
      return text(value.as_string());
    case Value::Kind::list:
      tag(Tag::list);
      number(value.as_list().size());
      for (const Value& item : value.as_list()) this->value(item);
      return;
    case Value::Kind::context:
      tag(Tag::context);
      number(value.entries().size());
      for (const Entry& entry : value.entries()) {
        text(entry.key);
        this->value(entry.value);
      }
      return;
    default:
      return this->value(storable(value));
  }
}

std::string_view WireReader::bytes(std::size_t count) {
  if (count > rest_.size()) fine_ = false;
  if (!fine_) return {};
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

std::uint8_t WireReader::byte() {
  const std::string_view one = bytes(1);
  return one.empty() ? 0 : static_cast<std::uint8_t>(one[0]);
}

std::uint64_t WireReader::number() {
  std::uint64_t number = 0;
  const std::string_view raw = bytes(sizeof number);
  if (!raw.empty()) std::memcpy(&number, raw.data(), sizeof number);
  return number;
}

std::string_view WireReader::text(std::size_t most_bytes) {
  const std::uint64_t size = number();
  if (size > most_bytes) fine_ = false;
  const std::string_view text = bytes(size);
  if (!simdjson::validate_utf8(text.data(), text.size())) fine_ = false;
  return fine_ ? text : std::string_view();
}

Value WireReader::decimal() {
  const auto parsed = Decimal::parse(text(longest_decimal));
  if (!parsed) fine_ = false;
  return parsed ? Value(*parsed) : Value();
}

// Counted before they are read: room is made for all of them at once, also in lists inside lists
// that promise more than they have.
std::size_t WireReader::count_of_items() {
  const std::uint64_t count = number();
  if (count > items_left_ || count > rest_.size()) fine_ = false;
  if (!fine_) return 0;
  items_left_ -= count;
  return count;
}

Value WireReader::list(std::size_t depth) {
  List items(count_of_items());
  for (Value& item : items) {
    item = value_at(depth + 1);
    if (!fine_) return {};
  }
  return fine_ ? Value(std::move(items)) : Value();
}

Value WireReader::context(std::size_t depth) {
  std::vector<Entry> entries(count_of_items());
  for (Entry& entry : entries) {
    entry.key = text(rest_.size());
    entry.value = value_at(depth + 1);
    if (!fine_) return {};
  }
  return fine_ ? Value::context(std::move(entries)) : Value();
}

Value WireReader::value_at(std::size_t depth) {
  if (depth > limits::json_depth) fine_ = false;
  if (!fine_) return {};
  switch (static_cast<Tag>(byte())) {
    case Tag::null:
      return {};
    case Tag::no:
      return Value(false);
    case Tag::yes:
      return Value(true);
    case Tag::integer:
      return Value(static_cast<std::int64_t>(number()));
    case Tag::decimal:
      return decimal();
    case Tag::string:
      return Value(text(rest_.size()));
    case Tag::list:
      return list(depth);
    case Tag::context:
      return context(depth);
  }
  fine_ = false;
  return {};
}

}  // namespace pawl::script
