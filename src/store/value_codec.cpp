// SPDX-License-Identifier: Apache-2.0
// Values as protobuf messages. A message without a field is null. Numbers are 64-bit integers or
// decimals as text: exact both ways.
#include <fmt/format.h>

#include "base/limits.hpp"
#include "store/codec.hpp"
#include "store/wire.hpp"

namespace pawl::store {
namespace {

enum Field : std::uint32_t { truth = 1, integer, decimal, text, list, context };
enum Inside : std::uint32_t { item = 1, entry_key = 1, entry_value = 2 };

// Also when it is empty or 0, unlike the fields of events: here presence says the kind.
void present_text(wire::Writer& out, Field field, std::string_view value) {
  out.tag(field, wire::Type::bytes);
  out.varint(value.size());
}

// The length of a message stands before it. Small values are written and then moved to make room
// for it; of large ones, which that would move once per level, all lengths are found first.
class Lengths {
 public:
  explicit Lengths(const Value& value) {
    constexpr std::size_t moved_at_most = 1u << 20;
    if (value.encoded_size() * (value.depth() + 1) > moved_at_most) measure(value);
  }

  // In the order in which they are written.
  std::size_t begin(wire::Writer& out, std::uint32_t field) {
    if (lengths_.empty()) return out.begin(field);
    out.tag(field, wire::Type::bytes);
    out.varint(lengths_[next_++]);
    return 0;
  }
  void end(wire::Writer& out, std::size_t start) const {
    if (lengths_.empty()) out.end(start);
  }

 private:
  std::size_t measure(const Value& value);
  template <class Content>
  std::size_t framed(Content content) {  // tag and length of a message, and what is in it
    const std::size_t place = lengths_.size();
    lengths_.push_back(0);
    const std::size_t size = content();
    lengths_[place] = size;
    return 1 + wire::varint_size(size) + size;
  }

  std::vector<std::size_t> lengths_;
  std::size_t next_{0};
};

void write(std::string& bytes, const Value& value, Lengths& lengths);

void write_list(std::string& bytes, const List& items, Lengths& lengths) {
  wire::Writer out(bytes);
  const std::size_t whole = lengths.begin(out, list);
  for (const Value& one : items) {
    const std::size_t start = lengths.begin(out, item);
    write(bytes, one, lengths);
    lengths.end(out, start);
  }
  lengths.end(out, whole);
}

void write_context(std::string& bytes, const std::vector<Entry>& entries, Lengths& lengths) {
  wire::Writer out(bytes);
  const std::size_t whole = lengths.begin(out, context);
  for (const Entry& entry : entries) {
    const std::size_t start = lengths.begin(out, item);
    out.text(entry_key, entry.key);
    const std::size_t inner = lengths.begin(out, entry_value);
    write(bytes, entry.value, lengths);
    lengths.end(out, inner);
    lengths.end(out, start);
  }
  lengths.end(out, whole);
}

void write_number(std::string& bytes, const Value& value) {
  wire::Writer out(bytes);
  if (value.is_int()) {
    out.tag(integer, wire::Type::varint);
    out.varint(wire::zigzag(value.int_unchecked()));
  } else {
    const std::string digits = value.as_decimal().to_string();
    present_text(out, decimal, digits);
    bytes += digits;
  }
}

void write(std::string& bytes, const Value& value, Lengths& lengths) {
  wire::Writer out(bytes);
  switch (value.kind()) {
    case Value::Kind::boolean:
      out.number(truth, value.as_boolean() ? 2 : 1);
      return;
    case Value::Kind::number:
      write_number(bytes, value);
      return;
    case Value::Kind::string:
      present_text(out, text, value.as_string());
      bytes += value.as_string();
      return;
    case Value::Kind::list:
      write_list(bytes, value.as_list(), lengths);
      return;
    case Value::Kind::context:
      write_context(bytes, value.entries(), lengths);
      return;
    default:  // null; the other kinds became text when they were stored (`storable`)
      return;
  }
}

std::size_t Lengths::measure(const Value& value) {
  if (value.is_list()) {
    return framed([&] {
      std::size_t size = 0;
      for (const Value& one : value.as_list()) size += framed([&] { return measure(one); });
      return size;
    });
  }
  if (value.is_context()) {
    return framed([&] {
      std::size_t size = 0;
      for (const Entry& entry : value.entries()) {
        size += framed([&] {
          const std::size_t name = entry.key.size();
          return (name == 0 ? 0 : 1 + wire::varint_size(name) + name) +
                 framed([&] { return measure(entry.value); });
        });
      }
      return size;
    });
  }
  std::string scalar;
  write(scalar, value, *this);
  return scalar.size();
}

Error broken_value(std::string_view what) {
  return fail(Whose::machine, Code::store_damaged,
              fmt::format("a stored value is broken: {}", what));
}

Result<Value> read(std::string_view bytes, std::size_t depth);

Result<Value> read_list(std::string_view bytes, std::size_t depth) {
  List items;
  wire::Reader in(bytes);
  while (in.next()) {
    if (in.field() != item || !in.is_bytes()) continue;
    PAWL_TRY(value, read(in.bytes(), depth + 1));
    items.push_back(std::move(value));
  }
  if (in.broken()) return broken_value("a list ends early");
  return Value(std::move(items));
}

Result<Entry> read_entry(std::string_view bytes, std::size_t depth) {
  Entry entry;
  wire::Reader in(bytes);
  while (in.next()) {
    if (!in.is_bytes()) continue;
    if (in.field() == entry_key) entry.key = std::string(in.bytes());
    if (in.field() == entry_value) {
      PAWL_TRY(value, read(in.bytes(), depth + 1));
      entry.value = std::move(value);
    }
  }
  if (in.broken()) return broken_value("an entry ends early");
  return entry;
}

Result<Value> read_context(std::string_view bytes, std::size_t depth) {
  std::vector<Entry> entries;
  wire::Reader in(bytes);
  while (in.next()) {
    if (in.field() != item || !in.is_bytes()) continue;
    PAWL_TRY(entry, read_entry(in.bytes(), depth));
    entries.push_back(std::move(entry));
  }
  if (in.broken()) return broken_value("a context ends early");
  return Value::context(std::move(entries));
}

Result<Value> read_field(const wire::Reader& in, std::size_t depth) {
  switch (in.field()) {
    case truth:
      return Value(in.number() == 2);
    case integer:
      return Value(wire::unzigzag(in.number()));
    case decimal: {
      const auto parsed = Decimal::parse(in.bytes());
      if (!parsed) return broken_value("not a number");
      return Value(*parsed);
    }
    case text:
      return Value(in.bytes());
    case list:
      return read_list(in.bytes(), depth);
    case context:
      return read_context(in.bytes(), depth);
    default:
      return Value();
  }
}

Result<Value> read(std::string_view bytes, std::size_t depth) {
  if (depth > limits::stored_depth) return broken_value("nested too deeply");
  Value value;
  wire::Reader in(bytes);
  while (in.next()) {
    const bool scalar = in.field() == truth || in.field() == integer;
    if (scalar == in.is_bytes()) return broken_value("a field has the wrong type");
    PAWL_TRY(one, read_field(in, depth));
    value = std::move(one);
  }
  if (in.broken()) return broken_value("it ends early");
  return value;
}

}  // namespace

void encode_value(std::string& out, const Value& value) {
  Lengths lengths(value);
  write(out, value, lengths);
}

Result<Value> decode_value(std::string_view bytes) { return read(bytes, 0); }

}  // namespace pawl::store
