// SPDX-License-Identifier: Apache-2.0
// What a value looks like outside of FEEL: as a process variable, in a message, changed by a key.
#include <algorithm>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "value/json.hpp"
#include "value/value.hpp"

namespace pawl {
namespace {

// Nothing for the kinds that have no text of their own.
std::optional<std::string> temporal_text(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::date:
      return to_string(value.as_date());
    case Value::Kind::time:
      return to_string(value.as_time());
    case Value::Kind::date_time:
      return to_string(value.as_date_time());
    case Value::Kind::day_time_duration:
      return to_string(value.as_day_time_duration());
    case Value::Kind::year_month_duration:
      return to_string(value.as_year_month_duration());
    default:
      return std::nullopt;
  }
}

std::string range_text(const Range& range) {
  const auto end = [](const Value& value) -> std::string {
    if (value.is_string() || value.is_number() || value.is_boolean()) return to_json(value);
    if (const auto text = temporal_text(value)) return "@\"" + *text + "\"";
    return {};  // unbounded
  };
  return (range.low_included ? "[" : "(") + end(range.low) + ".." + end(range.high) +
         (range.high_included ? "]" : ")");
}

}  // namespace

Value storable(const Value& value) {
  if (value.is_storable()) return value;
  if (value.depth() > limits::json_depth) return {};  // callers refuse it before
  switch (value.kind()) {
    case Value::Kind::function:
      return {};
    case Value::Kind::range:
      return range_text(value.as_range());
    case Value::Kind::list: {
      List items;
      items.reserve(value.as_list().size());
      for (const Value& item : value.as_list()) items.push_back(storable(item));
      return items;
    }
    case Value::Kind::context: {
      std::vector<Entry> entries;
      entries.reserve(value.entries().size());
      for (const Entry& entry : value.entries()) {
        entries.push_back({entry.key, storable(entry.value)});
      }
      return Value::context(std::move(entries));
    }
    default:
      return temporal_text(value).value_or(std::string());
  }
}

namespace {

// Renders until the limit is passed, so that a huge value costs no more than a small one.
class Preview {
 public:
  explicit Preview(std::size_t limit) : limit_(limit) {}

  bool add(const Value& value) {
    if (out_.size() > limit_) return false;
    switch (value.kind()) {
      case Value::Kind::string:
        append_json_string(out_, value.as_string().substr(0, limit_ + 4));
        break;
      case Value::Kind::list:
        add_list(value.as_list());
        break;
      case Value::Kind::context:
        add_context(value.entries());
        break;
      case Value::Kind::range:
        add_range(value.as_range());
        break;
      default:
        append_json(out_, value);
    }
    return out_.size() <= limit_;
  }

  std::string text() { return cut_text(out_, limit_); }

 private:
  void add_list(const List& items) {
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ',';
      if (!add(items[i])) return;
    }
    out_ += ']';
  }

  void add_context(const std::vector<Entry>& entries) {
    out_ += '{';
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) out_ += ',';
      append_json_string(out_, std::string_view(entries[i].key).substr(0, limit_ + 4));
      out_ += ':';
      if (!add(entries[i].value)) return;
    }
    out_ += '}';
  }

  // Its ends may be long texts.
  void add_range(Range range) {
    for (Value* end : {&range.low, &range.high}) {
      if (end->is_string()) *end = Value(end->as_string().substr(0, limit_ + 4));
    }
    append_json(out_, Value(std::move(range)));
  }

  std::string out_{};
  std::size_t limit_;
};

}  // namespace

std::string_view kind_name(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return "boolean";
    case Value::Kind::number:
      return "number";
    case Value::Kind::string:
      return "string";
    case Value::Kind::list:
      return "list";
    case Value::Kind::context:
      return "context";
    case Value::Kind::date:
      return "date";
    case Value::Kind::time:
      return "time";
    case Value::Kind::date_time:
      return "date and time";
    case Value::Kind::day_time_duration:
      return "days and time duration";
    case Value::Kind::year_month_duration:
      return "years and months duration";
    case Value::Kind::range:
      return "range";
    case Value::Kind::function:
      return "function";
  }
  return "unknown";
}

std::string preview(const Value& value, std::size_t limit) {
  Preview text(limit);
  text.add(value);
  return text.text();
}

Value with(const Value& context, std::string_view key, Value value) {
  std::vector<Entry> entries;
  if (context.is_context()) entries = context.entries();
  for (Entry& entry : entries) {
    if (entry.key == key) {
      entry.value = std::move(value);
      return Value::context(std::move(entries));
    }
  }
  entries.push_back({std::string(key), std::move(value)});
  return Value::context(std::move(entries));
}

Value object(std::initializer_list<std::pair<std::string_view, Value>> members) {
  std::vector<Entry> entries;
  entries.reserve(members.size());
  for (const auto& [key, value] : members) entries.push_back({std::string(key), value});
  return Value::context(std::move(entries));
}

}  // namespace pawl
