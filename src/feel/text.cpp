// SPDX-License-Identifier: Apache-2.0
#include "feel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
}

// A text that is being made under a budget: it is looked at after each piece.
class Output {
 public:
  explicit Output(Machine& machine) : machine_(machine) {}

  void add(std::string_view piece) {
    text_ += piece;
    look();
  }

  template <class Append>
  void add_quoted(std::string_view content, Append append) {
    constexpr std::size_t longest_piece = 4'096;
    text_ += '"';
    for (; !content.empty(); content.remove_prefix(std::min(longest_piece, content.size()))) {
      append(text_, content.substr(0, longest_piece));
      machine_.charge(text_.size() - counted_, cost::scanned);
      look();
    }
    text_ += '"';
  }

  std::string taken() { return std::move(text_); }

 private:
  void look() {
    if (text_.size() > machine_.environment().budget.string_bytes) {
      machine_.check_text(text_.size());
    }
    machine_.take(text_.size() - counted_);
    counted_ = text_.size();
  }

  Machine& machine_;
  std::string text_{};
  std::size_t counted_{0};
};

// Numbers, and what JSON does not have; nullopt for the other kinds.
std::optional<std::string> plain_text(Machine& machine, const Value& value) {
  switch (value.kind()) {
    case Kind::number:
      if (value.is_int()) return fmt::format("{}", value.int_unchecked());
      machine.charge(cost::number_text);
      return value.as_decimal().to_string();
    case Kind::date:
      machine.charge(cost::temporal);
      return to_string(value.as_date());
    case Kind::time:
      machine.charge(cost::temporal);
      return to_string(value.as_time());
    case Kind::date_time:
      machine.charge(2 * cost::temporal);
      return to_string(value.as_date_time());
    case Kind::day_time_duration:
      machine.charge(2 * cost::temporal);
      return to_string(value.as_day_time_duration());
    case Kind::year_month_duration:
      machine.charge(cost::temporal);
      return to_string(value.as_year_month_duration());
    default:
      return std::nullopt;
  }
}

class Writer {
 public:
  Writer(Machine& machine, Output& output) : machine_(machine), out_(output) {}

  void write(const Value& value, bool is_nested) {
    const Machine::Level level(machine_);
    switch (value.kind()) {
      case Kind::null:
        return out_.add("null");
      case Kind::boolean:
        return out_.add(value.as_boolean() ? "true" : "false");
      case Kind::string:
        if (!is_nested) return out_.add(value.as_string());
        return out_.add_quoted(value.as_string(), append_quoted);
      case Kind::list:
        return write_list(value.as_list());
      case Kind::context:
        return write_context(value.entries());
      case Kind::range:
        return out_.add("<range>");
      case Kind::function:
        return out_.add("<function>");
      default:
        out_.add(plain_text(machine_, value).value_or(""));
    }
  }

 private:
  void write_list(const List& items) {
    out_.add("[");
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_.add(", ");
      write(items[i], true);
    }
    out_.add("]");
  }

  void write_context(const std::vector<Entry>& entries) {
    out_.add("{");
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string& key = entries[i].key;
      if (i > 0) out_.add(", ");
      machine_.charge(key.size(), cost::scanned);
      if (is_plain_key(key)) {
        out_.add(key);
      } else {
        out_.add_quoted(key, append_quoted);
      }
      out_.add(": ");
      write(entries[i].value, true);
    }
    out_.add("}");
  }

  Machine& machine_;
  Output& out_;
};

// What is nested deeper than a reader of JSON allows is null, as in to_json().
class JsonWriter {
 public:
  JsonWriter(Machine& machine, Output& output) : machine_(machine), out_(output) {}

  void write(const Value& value, std::size_t depth) {
    const Machine::Level level(machine_);
    switch (value.kind()) {
      case Kind::null:
        return out_.add("null");
      case Kind::boolean:
        return out_.add(value.as_boolean() ? "true" : "false");
      case Kind::number:
        return out_.add(plain_text(machine_, value).value_or(""));
      case Kind::string:
        return quote(value.as_string());
      case Kind::list:
        return depth < limits::json_depth ? write_list(value.as_list(), depth) : out_.add("null");
      case Kind::context:
        return depth < limits::json_depth ? write_context(value.entries(), depth)
                                          : out_.add("null");
      case Kind::date_time:
        machine_.charge(2 * cost::temporal + cost::zone);
        return quote(iso_text(value.as_date_time()));
      case Kind::range:
        // Its ends are written at once, so they are looked at before.
        machine_.check_text(value.encoded_size());
        return quote(range_text(value.as_range()));
      case Kind::function:
        return quote(value.as_function()->name());
      default:
        quote(plain_text(machine_, value).value_or(""));
    }
  }

 private:
  void quote(std::string_view content) {
    out_.add_quoted(content, [](std::string& text, std::string_view piece) {
      append_json_characters(text, piece);
    });
  }

  void write_list(const List& items, std::size_t depth) {
    out_.add("[");
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_.add(",");
      write(items[i], depth + 1);
    }
    out_.add("]");
  }

  void write_context(const std::vector<Entry>& entries, std::size_t depth) {
    out_.add("{");
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) out_.add(",");
      quote(entries[i].key);
      out_.add(":");
      write(entries[i].value, depth + 1);
    }
    out_.add("}");
  }

  Machine& machine_;
  Output& out_;
};

}  // namespace

std::string text_of(Machine& machine, const Value& value) {
  Output output(machine);
  Writer(machine, output).write(value, false);
  return output.taken();
}

std::string json_text(Machine& machine, const Value& value) {
  Output output(machine);
  JsonWriter(machine, output).write(value, 0);
  return output.taken();
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

}  // namespace pawl::feel
