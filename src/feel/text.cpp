// SPDX-License-Identifier: Apache-2.0
#include "feel/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "value/json.hpp"

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

bool is_plain_key(std::string_view key) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  if (key.empty() || !is_letter(key.front())) return false;
  return std::all_of(key.begin(), key.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == ' '; });
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

class Writer {
 public:
  explicit Writer(Machine& machine) : machine_(machine) {}

  std::string out{};

  void write(const Value& value, bool is_nested) {
    const Machine::Level level(machine_);
    switch (value.kind()) {
      case Kind::null:
        out += "null";
        break;
      case Kind::boolean:
        out += value.as_boolean() ? "true" : "false";
        break;
      case Kind::number:
        out += value.is_int() ? fmt::format("{}", value.int_unchecked())
                              : value.as_decimal().to_string();
        break;
      case Kind::string:
        if (is_nested) {
          append_quoted(out, value.as_string());
        } else {
          out += value.as_string();
        }
        break;
      case Kind::list:
        write_list(value.as_list());
        break;
      case Kind::context:
        write_context(value.entries());
        break;
      case Kind::date:
        out += to_string(value.as_date());
        break;
      case Kind::time:
        out += to_string(value.as_time());
        break;
      case Kind::date_time:
        out += to_string(value.as_date_time());
        break;
      case Kind::day_time_duration:
        out += to_string(value.as_day_time_duration());
        break;
      case Kind::year_month_duration:
        out += to_string(value.as_year_month_duration());
        break;
      case Kind::range:
        out += "<range>";
        break;
      case Kind::function:
        out += "<function>";
        break;
    }
    if (out.size() > machine_.environment().budget.string_bytes) machine_.check_text(out.size());
  }

 private:
  void write_list(const List& items) {
    out += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += ", ";
      write(items[i], true);
    }
    out += ']';
  }

  void write_context(const std::vector<Entry>& entries) {
    out += '{';
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) out += ", ";
      if (is_plain_key(entries[i].key)) {
        out += entries[i].key;
      } else {
        append_quoted(out, entries[i].key);
      }
      out += ": ";
      write(entries[i].value, true);
    }
    out += '}';
  }

  Machine& machine_;
};

}  // namespace

std::string text_of(Machine& machine, const Value& value) {
  Writer writer(machine);
  writer.write(value, false);
  machine.check_text(writer.out.size());
  return std::move(writer.out);
}

std::string range_text(const Range& range) {
  const auto end_text = [](const Value& end) {
    return end.is_null() ? std::string() : to_json(end);
  };
  const auto plain = [&](const Value& end) {
    std::string text = end_text(end);
    // Dates and the like are texts in JSON, but need no quotes here.
    if (!end.is_string() && text.size() >= 2 && text.front() == '"')
      text = text.substr(1, text.size() - 2);
    return text;
  };
  return fmt::format("{}{}..{}{}", range.low_included ? '[' : '(', plain(range.low),
                     plain(range.high), range.high_included ? ']' : ')');
}

std::string iso_text(const DateTime& date_time) {
  if (date_time.time.zone.kind != Zone::Kind::named) return to_string(date_time);
  DateTime fixed = date_time;
  fixed.time.zone =
      Zone{.kind = Zone::Kind::offset,
           .offset_seconds = offset_at(date_time.time.zone, date_time.date, date_time.time)};
  return fmt::format("{}[{}]", to_string(fixed), *date_time.time.zone.name);
}

Value as_json_value(Machine& machine, const Value& value) {
  const Machine::Level level(machine);
  switch (value.kind()) {
    case Kind::list: {
      List items;
      for (const auto& item : value.as_list()) items.push_back(as_json_value(machine, item));
      return items;
    }
    case Kind::context: {
      std::vector<Entry> entries;
      for (const auto& entry : value.entries()) {
        entries.push_back({entry.key, as_json_value(machine, entry.value)});
      }
      return Value::context(std::move(entries));
    }
    case Kind::date_time:
      return iso_text(value.as_date_time());
    case Kind::range:
      return range_text(value.as_range());
    case Kind::function:
      return value.as_function()->name();
    default:
      return storable(value);
  }
}

}  // namespace pawl::feel
