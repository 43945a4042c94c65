// SPDX-License-Identifier: Apache-2.0
// Value: the data of a process. Immutable and cheap to copy (16 bytes; lists, contexts and strings
// are shared). Numbers are exact: a 64-bit integer or a 34-digit decimal, never a double.
// Process variables hold null, boolean, number, string, list and context (what JSON has); the
// other kinds live inside FEEL and become text when they are stored (see `storable`).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "value/decimal.hpp"
#include "value/temporal.hpp"

namespace pawl {

class Value;
struct Entry;    // of a context: key and value
struct Range;    // FEEL [1..10)
class Callable;  // FEEL function value

using List = std::vector<Value>;

class Value {
 public:
  enum class Kind : std::uint8_t {
    null,
    boolean,
    number,
    string,
    list,
    context,
    date,
    time,
    date_time,
    day_time_duration,
    year_month_duration,
    range,
    function,
  };

  Value() noexcept = default;
  Value(std::nullptr_t) noexcept {}    // NOLINT: implicit
  Value(bool value) noexcept;          // NOLINT: implicit
  Value(int value) noexcept;           // NOLINT: implicit
  Value(std::int64_t value) noexcept;  // NOLINT: implicit
  Value(const Decimal& value);         // NOLINT: implicit; a small integer is kept as one
  Value(std::string_view text);        // NOLINT: implicit
  Value(const char* text) : Value(std::string_view(text)) {}         // NOLINT: implicit
  Value(const std::string& text) : Value(std::string_view(text)) {}  // NOLINT: implicit
  Value(List items);                                                 // NOLINT: implicit
  Value(const Date& value);                                          // NOLINT: implicit
  Value(const Time& value);                                          // NOLINT: implicit
  Value(const DateTime& value);                                      // NOLINT: implicit
  Value(const DayTimeDuration& value);                               // NOLINT: implicit
  Value(const YearMonthDuration& value);                             // NOLINT: implicit
  Value(Range range);                                                // NOLINT: implicit
  Value(std::shared_ptr<const Callable> function);                   // NOLINT: implicit

  // Keys keep their order; of equal keys the last value wins, at the first one's place.
  static Value context(std::vector<Entry> entries);
  static Value list(std::initializer_list<Value> items) { return Value(List(items)); }

  Value(const Value& other) noexcept;
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other) noexcept;
  Value& operator=(Value&& other) noexcept;
  ~Value();

  Kind kind() const noexcept;
  bool is_null() const noexcept { return kind() == Kind::null; }
  bool is_boolean() const noexcept { return kind() == Kind::boolean; }
  bool is_number() const noexcept { return kind() == Kind::number; }
  bool is_string() const noexcept { return kind() == Kind::string; }
  bool is_list() const noexcept { return kind() == Kind::list; }
  bool is_context() const noexcept { return kind() == Kind::context; }

  // Each asserts its kind.
  bool as_boolean() const;
  std::optional<std::int64_t> as_int() const;  // number: nullopt when not a 64-bit integer
  Decimal as_decimal() const;
  std::string_view as_string() const;
  const List& as_list() const;
  const std::vector<Entry>& entries() const;  // of a context, in order
  const Date& as_date() const;
  const Time& as_time() const;
  const DateTime& as_date_time() const;
  const DayTimeDuration& as_day_time_duration() const;
  const YearMonthDuration& as_year_month_duration() const;
  const Range& as_range() const;
  const std::shared_ptr<const Callable>& as_function() const;

  // True if this is a number held as a 64-bit integer (every integral number that fits is).
  bool is_int() const noexcept { return tag_ == Tag::integer; }
  std::int64_t int_unchecked() const noexcept { return payload_.integer; }

  // Member of a context; nullptr if absent or this is no context. O(log n) at worst.
  const Value* find(std::string_view key) const;

  // Same kind and same content; 1 and 1.0 are equal; contexts regardless of key order.
  friend bool operator==(const Value& a, const Value& b);

  // Bytes that it takes when it is stored (store/codec.hpp): exactly, but at most that many for
  // what becomes text. Shared parts count each time. O(1).
  std::size_t encoded_size() const noexcept;
  // `storable` would give back this same value. O(1).
  bool is_storable() const noexcept;

  // Levels of lists and contexts: 0 for a scalar, 1 for [1], 2 for [[1]]. O(1).
  std::size_t depth() const noexcept;

 private:
  enum class Tag : std::uint8_t {
    null,
    no,
    yes,
    integer,
    decimal,
    string,
    list,
    context,
    date,
    time,
    date_time,
    day_time,
    year_month,
    range,
    function,
  };
  struct Node;  // what the shared kinds point to, with a reference count
  struct StringNode;
  template <class T>
  struct Boxed;
  struct ContainerNode;
  struct ListNode;
  struct ContextNode;
  struct RangeNode;
  struct Comparison;

  Value(Tag tag, Node* node) noexcept : tag_(tag) { payload_.node = node; }
  bool is_shared() const noexcept { return tag_ > Tag::integer; }
  bool is_container() const noexcept {
    return tag_ == Tag::list || tag_ == Tag::context || tag_ == Tag::range;
  }
  template <class T>
  const T& boxed(Tag tag) const;
  template <class T>
  static Node* box(const T& value);
  void retain() const noexcept;
  void release() noexcept;
  static void destroy(Tag tag, Node* node);
  static void dismantle(Tag tag, Node* node, List& orphans);

  Tag tag_{Tag::null};
  union Payload {
    std::int64_t integer;
    Node* node;
  } payload_{.integer = 0};
};

struct Entry {
  std::string key{};
  Value value{};

  friend bool operator==(const Entry&, const Entry&) = default;
};

// A FEEL range; an end that is null is unbounded.
struct Range {
  Value low{};
  Value high{};
  bool low_included{true};
  bool high_included{true};

  friend bool operator==(const Range&, const Range&) = default;
};

// A function as a FEEL value. Equal only to itself.
class Callable {
 public:
  virtual ~Callable() = default;
  virtual std::string name() const = 0;
};

// "null", "boolean", "number", … as FEEL names the type.
std::string_view kind_name(Value::Kind kind);

// The value as a process variable may hold it: dates, times, durations, ranges become their
// canonical text, functions null, inside lists and contexts too. Returns the same value, not a
// copy, when there is nothing to change. Its size and depth must have been looked at before: all of
// it is walked.
Value storable(const Value& value);

// A short text for messages: JSON, cut to about `limit` characters.
std::string preview(const Value& value, std::size_t limit = 80);

// A context with `key` set or replaced.
Value with(const Value& context, std::string_view key, Value value);

// Makes a context in code: object({{"a", 1}, {"b", "x"}}).
Value object(std::initializer_list<std::pair<std::string_view, Value>> members);

}  // namespace pawl
